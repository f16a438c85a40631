/// The name that stands in a domain for the name of a container, which the app gives when it runs.
///
/// Its text begins with a control character, which the name of no container has.
package struct ConfiguredName: Sendable, Hashable {
  package let name: String
  /// The form of the names that the app gives, in which `*` is any text; `nil` if they have no common form.
  package let pattern: String?

  private static let mark = "\u{1}"

  package init(_ name: String, like pattern: String? = nil) {
    self.name = name
    self.pattern = pattern
  }

  /// Reads a part of a domain. The result is `nil` if the text is the name of a container itself.
  package init?(text: String?) {
    guard let text, text.hasPrefix(Self.mark) else { return nil }
    let parts = text.dropFirst().split(separator: Self.mark, maxSplits: 1, omittingEmptySubsequences: false)
    self.init(String(parts[0]), like: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// The text as a part of a domain.
  package var text: String { Self.mark + name + (pattern.map { Self.mark + $0 } ?? "") }

  /// Returns true if the app may give a name.
  package func accepts(_ given: String) -> Bool {
    guard !given.isEmpty, !given.hasPrefix(Self.mark) else { return false }
    return pattern.map { Self.matches(Array(given.utf8)[...], Array($0.utf8)[...]) } ?? true
  }

  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    guard sign == UInt8(ascii: "*") else { return text.first == sign && matches(text.dropFirst(), rest) }
    return matches(text, rest) || !text.isEmpty && matches(text.dropFirst(), pattern)
  }
}

extension StorageDomain {
  /// The names of the domain that the app gives when it runs.
  package var configuredNames: [ConfiguredName] {
    let fields = fields
    return [fields.suite, fields.identifier, fields.service, fields.accessGroup].compactMap(ConfiguredName.init(text:))
  }

  /// The domain without the forms of its configured names, which distinguish no containers.
  package var withoutPatterns: StorageDomain {
    if configuredNames.isEmpty { return self }
    var fields = fields
    func withoutPattern(_ text: String?) -> String? {
      ConfiguredName(text: text).map { ConfiguredName($0.name).text } ?? text
    }
    fields.suite = withoutPattern(fields.suite)
    fields.identifier = withoutPattern(fields.identifier)
    fields.service = withoutPattern(fields.service)
    fields.accessGroup = withoutPattern(fields.accessGroup)
    return StorageDomain(kind, fields) ?? self
  }

  /// Returns a part of a domain whose text differs by build: a suite, an app group, a keychain service or an access group. The app
  /// gives the text in `StorageConfiguration.containers`.
  ///
  /// ```swift
  /// let domain = StorageDomain.userDefaults(suite: StorageDomain.configured("statistics", like: "*.statistics"))
  /// let configuration = StorageConfiguration(containers: ["statistics": "com.example.beta.statistics"])
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name under which the app gives the text.
  ///   - pattern: The form of the given texts, in which `*` is any text. If it is `nil`, every text is accepted.
  public static func configured(_ name: String, like pattern: String? = nil) -> String {
    ConfiguredName(name, like: pattern).text
  }
}
