package import LocalDataVocabulary

/// The migration of a key: steps that are tried in order.
package struct ResolvedMigration: Sendable, Hashable {
  package var steps: [Step]

  package init(steps: [Step]) { self.steps = steps }

  package struct Step: Sendable, Hashable {
    @NotCompared package var line: Int
    package var action: Action
    package var condition: VersionCondition?
    package var onConflict: OnConflict

    package init(line: Int, action: Action, condition: VersionCondition?, onConflict: OnConflict) {
      self.line = line
      self.action = action
      self.condition = condition
      self.onConflict = onConflict
    }
  }

  package enum Action: Sendable, Hashable {
    /// The same type, moved and secured anew.
    case move(from: Source)
    case transform(from: Source, function: SwiftName)
    case aggregate(from: [Source], function: SwiftName)
    /// The key's own place, whose bytes are not secured as they should be.
    case secureInPlace(from: StorageDomain, SecurityPolicy)
    case custom(SwiftName)
  }

  package enum Source: Sendable, Hashable {
    /// A key declared with `legacy: true`, by its member. In a family it has the same parameters.
    case declared(Declared)
    case inline(Inline)

    package var type: ValueType {
      switch self {
      case .declared(let declared): declared.type
      case .inline(let inline): inline.type
      }
    }
  }

  package struct Declared: Sendable, Hashable {
    package var member: String
    package var type: ValueType
    package var domain: StorageDomain
    package var security: SecurityPolicy
    package var isBackedUp: Bool
    /// The field of the key's value that is read; nil if the whole value is.
    package var field: SourceField?

    package init(
      member: String, type: ValueType, domain: StorageDomain, security: SecurityPolicy, isBackedUp: Bool,
      field: SourceField? = nil
    ) {
      self.member = member
      self.field = field
      self.type = type
      self.domain = domain
      self.security = security
      self.isBackedUp = isBackedUp
    }
  }

  package struct Inline: Sendable, Hashable {
    package var name: String
    /// The name in parts, in order, where the key is a family; else empty.
    package var nameParts: [ResolvedKey.NamePart]
    /// The parameters of the key, as the source encodes them.
    package var parameters: [ResolvedKey.Parameter]
    /// The encoding that the source writes for all of them; nil if it is that of the key.
    package var encoding: ParameterEncoding?
    package var type: ValueType
    package var domain: StorageDomain
    package var security: SecurityPolicy
    package var serializer: SerializerKind
    /// The form of dates; nil if it is the serializer's.
    package var dates: DateForm?

    package init(
      name: String, nameParts: [ResolvedKey.NamePart] = [], parameters: [ResolvedKey.Parameter] = [],
      encoding: ParameterEncoding? = nil, type: ValueType, domain: StorageDomain, security: SecurityPolicy,
      serializer: SerializerKind, dates: DateForm? = nil
    ) {
      self.encoding = encoding
      self.parameters = parameters.map { parameter in
        var parameter = parameter
        parameter.encoding = encoding ?? parameter.encoding
        return parameter
      }
      self.name = name
      self.nameParts = nameParts
      self.type = type
      self.domain = domain
      self.security = security
      self.serializer = serializer
      self.dates = dates
    }
  }

  /// A path in the value of a legacy key. Its names are texts, or parameters of the key that reads it.
  package struct SourceField: Sendable, Hashable {
    package var names: [ResolvedKey.NamePart]

    package init(names: [ResolvedKey.NamePart]) { self.names = names }

    /// The path as text; nil if a name contains what the text of a path cannot.
    package var text: String? {
      var parts: [String] = []
      for name in names {
        switch name {
        case .text(let text):
          if text.contains(where: { ".{}".contains($0) }) { return nil }
          parts.append(text)
        case .parameter(let name): parts.append("{\(name)}")
        }
      }
      return parts.joined(separator: ".")
    }

    /// The names, if all of them are texts.
    package var texts: [String] { names.compactMap { if case .text(let text) = $0 { text } else { nil } } }
  }

  /// A key that takes a part of the value of a legacy key.
  package struct Part: Sendable, Hashable {
    package var name: String
    package var domain: StorageDomain
    package var availability: PlatformAvailability
    package var parameters: [ResolvedKey.Parameter]
    /// The field that it takes; nil if a transform makes the part from the whole value.
    package var field: SourceField?

    init(_ key: ResolvedKey, _ field: SourceField?) {
      name = key.descriptor.name
      domain = key.descriptor.domain
      availability = key.descriptor.availability
      parameters = key.parameters
      self.field = field
    }
  }

  package struct VersionCondition: Sendable, Hashable {
    package enum Comparison: String, Sendable, CaseIterable {
      case less = "<"
      case atMost = "<="
      case equal = "="
      case atLeast = ">="
      case greater = ">"
    }

    package var comparison: Comparison
    package var version: [Int]

    package init(comparison: Comparison, version: [Int]) {
      self.comparison = comparison
      self.version = version
    }
  }

  package enum OnConflict: String, Sendable, CaseIterable {
    case keep, remove
  }
}

extension ResolvedMigration.VersionCondition {
  /// A condition such as `<2.0.0`, or `nil` if the text is not one.
  init?(_ text: String) {
    // The longer sign first: `<=` begins with `<`.
    let signs = Comparison.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
    guard let comparison = signs.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
    var version: [Int] = []
    let digits = text.dropFirst(comparison.rawValue.count).drop { $0 == " " }
    for part in digits.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.utf8.allSatisfy(Identifier.isDigit), let number = Int32(part), version.count < 8 else { return nil }
      version.append(Int(number))
    }
    self.init(comparison: comparison, version: version)
  }

  /// The condition as a catalog writes it.
  package var text: String { comparison.rawValue + version.map(String.init).joined(separator: ".") }
}
