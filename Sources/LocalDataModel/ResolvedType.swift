import LocalDataVocabulary

/// A type of `types:`.
package struct ResolvedType: Sendable, Hashable {
  package var name: String
  package var description: String
  @NotCompared package var line: Int
  package var form: Form
  /// The numbers and names that no field of a struct may use again.
  package var reserved: [ResolvedRecord.Reserved] = []

  package enum Form: Sendable, Hashable {
    case stringEnum([EnumCase<String>])
    case intEnum([EnumCase<Int>])
    case structure([Field])
    /// The app's own type; nothing is emitted for it.
    case swift(SwiftName)
  }

  package struct EnumCase<Raw: Sendable & Hashable>: Sendable, Hashable {
    package var name: String
    package var raw: Raw
    package var description: String?

    package init(name: String, raw: Raw, description: String?) {
      self.name = name
      self.raw = raw
      self.description = description
    }
  }

  package struct Field: Sendable, Hashable {
    package var name: String
    package var type: ValueType
    package var defaultValue: DefaultValue?
    package var description: String?
    /// The number in the wire format, or nil if no record uses the struct.
    package var number: Int?

    package init(
      name: String, type: ValueType, defaultValue: DefaultValue?, description: String?, number: Int? = nil
    ) {
      self.name = name
      self.type = type
      self.defaultValue = defaultValue
      self.description = description
      self.number = number
    }
  }

  package init(name: String, description: String, line: Int, form: Form) {
    self.name = name
    self.description = description
    self.line = line
    self.form = form
  }
}

/// A dotted path in Swift: `AccountModels.Profile`, or `Badge` if the type is in the module of the generated code.
package struct SwiftName: Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// The type of a value.
///
/// Only what holds other types is indirect: a box for each plain one would be an allocation a key.
package enum ValueType: Hashable, Sendable {
  case scalar(ScalarType)
  /// An enum or a struct of `types:`, by its name.
  case declared(String)
  /// A type of the app's own, by its path in Swift.
  case swift(SwiftName)
  indirect case list(ValueType)
  indirect case map(key: ValueType, value: ValueType)
  indirect case set(ValueType)
  /// Inside structs only.
  indirect case optional(ValueType)
}

package enum ScalarType: String, Hashable, Sendable, CaseIterable {
  case string = "String"
  case bool = "Bool"
  case int = "Int"
  case int8 = "Int8"
  case int16 = "Int16"
  case int32 = "Int32"
  case int64 = "Int64"
  case uint = "UInt"
  case uint8 = "UInt8"
  case uint16 = "UInt16"
  case uint32 = "UInt32"
  case uint64 = "UInt64"
  case double = "Double"
  case float = "Float"
  case data = "Data"
  case date = "Date"
  case url = "URL"
  case uuid = "UUID"
  case decimal = "Decimal"
}

/// A default, checked against its type. Text forms are canonical, so that the emitter only escapes and writes them.
package enum DefaultValue: Hashable, Sendable {
  case string(String)
  case bool(Bool)
  /// Decimal digits, with `-` in front of a negative number, within the range of the type.
  case integer(String)
  /// A literal that Swift takes for a Double.
  case floating(String)
  case data([UInt8])
  /// Seconds since 1970-01-01T00:00:00Z, and the RFC 3339 text.
  case date(seconds: Double, text: String)
  case url(String)
  /// Upper case, as `UUID.uuidString` writes it.
  case uuid(String)
  /// A literal that `Decimal(string:)` takes.
  case decimal(String)
  case enumCase(String)
  case list([DefaultValue])
  case map([Entry])
  /// An expression of the app's own: a dotted path.
  case swift(SwiftName)

  package struct Entry: Hashable, Sendable {
    package var key: DefaultValue
    package var value: DefaultValue

    package init(key: DefaultValue, value: DefaultValue) {
      self.key = key
      self.value = value
    }
  }
}

extension ValueType {
  /// The type in Swift: `[String: Set<UUID>]`.
  package var swiftText: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .declared(let name): name
    case .swift(let name): name.text
    case .list(let element): "[\(element.swiftText)]"
    case .map(let key, let value): "[\(key.swiftText): \(value.swiftText)]"
    case .set(let element): "Set<\(element.swiftText)>"
    case .optional(let wrapped): "\(wrapped.swiftText)?"
    }
  }

  /// Every type of `types:` in it.
  package func forEachDeclared(_ body: (String) -> Void) {
    switch self {
    case .scalar, .swift: break
    case .declared(let name): body(name)
    case .list(let inner), .set(let inner), .optional(let inner): inner.forEachDeclared(body)
    case .map(let key, let value):
      key.forEachDeclared(body)
      value.forEachDeclared(body)
    }
  }
}

extension ResolvedKey.ParameterType {
  /// The type in Swift.
  package var swiftText: String {
    switch self {
    case .string: "String"
    case .int: "Int"
    case .uuid: "UUID"
    case .enumeration(let name): name
    }
  }
}

extension SerializerKind {
  /// Returns true if values of a type can be written. The serializer `data` writes bytes and text as they are, and `keyedArchive`
  /// what Foundation has a class for.
  func takes(_ type: ValueType) -> Bool {
    switch self {
    case .data: type == .scalar(.data) || type == .scalar(.string)
    case .keyedArchive: type.isArchivable
    case .json, .jsonText, .propertyList, .custom: true
    }
  }

  /// The message about a type that the serializer does not take.
  func refusal(of type: ValueType) -> String {
    let types =
      self == .data ? "Data or String" : "String, Int, Double, Bool, Data, Date, URL, UUID, and lists and maps of them"
    return "the serializer '\(kind.text)' takes \(types), not '\(type.swiftText)'"
  }

  /// Returns true if values can be stored in a domain. The serializer `jsonText` is for values that preferences have as texts.
  func isUsable(in domain: StorageDomain, _ security: SecurityPolicy) -> Bool {
    self != .jsonText || domain.kind.isPreferences && security == .none
  }

  static let textOutsidePreferences = "the serializer 'jsonText' is for preferences that are not encrypted"
  static let cureOfText = "write `serializer: json`, which has the same bytes"
}

extension ValueType {
  /// A Boolean value that indicates whether a keyed archive of values has only classes of Foundation.
  fileprivate var isArchivable: Bool {
    switch self {
    case .scalar(let scalar): [.string, .int, .double, .bool, .data, .date, .url, .uuid].contains(scalar)
    case .list(let element): element.isArchivable
    case .map(let key, let value): key == .scalar(.string) && value.isArchivable
    case .set, .optional, .declared, .swift: false
    }
  }
}
