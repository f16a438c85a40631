import LocalDataModel
import LocalDataVocabulary

/// A group in a list of entitlements: text, and variables that Xcode replaces when it signs the app.
///
/// `$(AppIdentifierPrefix)com.example.shared` stands for `ABCDE12345.com.example.shared`.
struct EntitlementName {
  private enum Part {
    case text(String)
    /// The identifier of a team, or of an older app, and a dot.
    case prefix
    /// Text that is known to Xcode alone.
    case anything
  }

  private let parts: [Part]

  /// The length of the identifier of a team.
  private static let prefixLength = 10

  init(_ text: String) {
    var parts: [Part] = []
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "$") {
      let after = rest[rest.index(after: start)...]
      guard let open = after.first, open == "(" || open == "{",
        let end = after.firstIndex(of: open == "(" ? ")" : "}")
      else { break }
      if start > rest.startIndex { parts.append(.text(String(rest[..<start]))) }
      let name = after[after.index(after: after.startIndex)..<end]
      parts.append(["AppIdentifierPrefix", "TeamIdentifierPrefix"].contains(name) ? .prefix : .anything)
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// A Boolean value that indicates whether a variable can be any text.
  var isOpen: Bool { parts.contains { if case .anything = $0 { true } else { false } } }

  /// A Boolean value that indicates whether it consists of variables, as the app's own access group:
  /// `$(AppIdentifierPrefix)$(CFBundleIdentifier)`.
  var isOwn: Bool { isOpen && parts.allSatisfy { if case .text = $0 { false } else { true } } }

  /// Returns true if the name is the group, for some values of its variables.
  ///
  /// It follows all values at once: for each part, the offsets in the group at which it can end.
  func matches(_ group: String) -> Bool {
    let bytes = Array(group.utf8)
    var ends: Set = [0]
    for part in parts {
      switch part {
      case .text(let text):
        ends = Set(ends.filter { bytes[$0...].starts(with: text.utf8) }.map { $0 + text.utf8.count })
      case .prefix:
        ends = Set(
          ends.filter { Self.afterPrefix(Substring(decoding: bytes[$0...], as: UTF8.self)) != nil }
            .map { $0 + Self.prefixLength + 1 })
      case .anything: ends = Set((ends.min() ?? bytes.count + 1)..<bytes.count + 1)
      }
      if ends.isEmpty { return false }
    }
    return ends.contains(bytes.count)
  }

  /// Returns true if the name can be the one that the app gives for a group.
  func matches(_ configured: ConfiguredName) -> Bool {
    let team = "\(String(repeating: "A", count: Self.prefixLength))."
    let parts = parts.map { part in
      switch part {
      case .text(let text): text
      case .prefix: team
      case .anything: "$"
      }
    }
    return configured.accepts(parts.joined())
  }

  /// Returns the part of a group after the identifier of a team, or nil if there is none.
  static func afterPrefix(_ group: Substring) -> Substring? {
    let prefix = group.utf8.prefix(prefixLength)
    let isIdentifier = prefix.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let rest = group.dropFirst(prefixLength)
    guard prefix.count == prefixLength, isIdentifier, rest.first == "." else { return nil }
    return rest.dropFirst()
  }
}
