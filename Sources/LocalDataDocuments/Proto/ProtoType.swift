import LocalDataModel
import LocalDataEmission

/// The type of a field in the language of protobuf.
struct ProtoType {
  private enum Form {
    case single(Element)
    case list(Element)
    case map(key: Element, value: Element)
  }

  /// A type that is no collection.
  fileprivate struct Element {
    var kind: RecordElementKind
    var text: String
    var comment: String?
  }

  private let form: Form
  /// `optional ` if a field that is missing is not one that is zero.
  let prefix: String

  init(_ wire: WireField, _ types: [String: ResolvedType]) {
    let type = wire.plainType
    switch wire.kind {
    case .single(let kind): form = .single(Element(kind, type, types))
    case .list(let kind), .set(let kind): form = .list(Element(kind, type.elementType, types))
    case .map(let key, let value):
      let entry = type.entryTypes
      form = .map(key: Element(key, entry.key, types), value: Element(value, entry.value, types))
    }
    switch form {
    case .list: prefix = "repeated "
    case .map(let key, _): prefix = key.canBeKey ? "" : "repeated "
    case .single(let element):
      // A field with a message has a presence without the word.
      prefix = !element.isMessage && (wire.isOptional || wire.isAlwaysWritten) ? "optional " : ""
    }
  }

  private var elements: [Element] {
    switch form {
    case .single(let element), .list(let element): [element]
    case .map(let key, let value): [key, value]
    }
  }

  /// The comments on what the type does not say.
  var comments: [String] { elements.compactMap(\.comment) }

  var usesTimestamp: Bool { elements.contains { $0.kind == .date } }

  func text(named name: String) -> String {
    switch form {
    case .single(let element), .list(let element): element.text
    case .map(let key, let value): key.canBeKey ? "map<\(key.text), \(value.text)>" : Self.entry(name)
    }
  }

  /// The message of an entry, if protobuf has no dictionary with such keys.
  func declarations(named name: String) -> [String] {
    guard case .map(let key, let value) = form, !key.canBeKey else { return [] }
    return [
      "message \(Self.entry(name)) {", "  \(key.presence)\(key.text) key = 1;",
      "  \(value.presence)\(value.text) value = 2;",
      "}",
    ]
  }

  private static func entry(_ name: String) -> String { "\(name.prefix(1).uppercased())\(name.dropFirst())Entry" }
}

extension ProtoType.Element {
  fileprivate init(_ kind: RecordElementKind, _ type: ValueType, _ types: [String: ResolvedType]) {
    self.kind = kind
    switch kind {
    case .text: text = "string"
    case .bool: text = "bool"
    case .integer: text = Self.isShort(type) ? "int32" : "int64"
    case .unsigned: text = Self.isShort(type) ? "uint32" : "uint64"
    case .real: text = "double"
    case .float: text = "float"
    case .data: text = "bytes"
    case .date: text = ".google.protobuf.Timestamp"
    case .message: text = type.swiftText
    case .seconds:
      text = "int64"
      comment = "Seconds since 1970-01-01."
    case .uuid:
      text = "bytes"
      comment = "The 16 bytes of a UUID."
    case .url:
      text = "string"
      comment = "A URL."
    case .decimal:
      text = "string"
      comment = "A decimal number."
    case .json:
      text = "bytes"
      comment = "JSON of \(type.swiftText)."
    case .textEnumeration:
      text = "string"
      comment = Self.cases(of: type, types)
    case .integerEnumeration:
      text = "int64"
      comment = Self.cases(of: type, types)
    }
  }

  fileprivate var isMessage: Bool { kind == .message || kind == .date }

  /// A Boolean value that indicates whether protobuf has dictionaries with such keys.
  fileprivate var canBeKey: Bool { !["bytes", "double", "float"].contains(text) && !isMessage }

  /// In an entry too, a value whose zero is written is `optional`.
  fileprivate var presence: String { kind.isAlwaysWritten && !isMessage ? "optional " : "" }

  private static func isShort(_ type: ValueType) -> Bool {
    switch type {
    case .scalar(.int8), .scalar(.int16), .scalar(.int32), .scalar(.uint8), .scalar(.uint16), .scalar(.uint32): true
    default: false
    }
  }

  private static func cases(of type: ValueType, _ types: [String: ResolvedType]) -> String? {
    guard case .declared(let name) = type else { return nil }
    switch types[name]?.form {
    case .stringEnum(let cases): return "\(name): \(cases.map(\.raw).joined(separator: ", "))."
    case .intEnum(let cases): return "\(name): \(cases.map { "\($0.raw) (\($0.name))" }.joined(separator: ", "))."
    case .structure, .swift, nil: return nil
    }
  }
}
