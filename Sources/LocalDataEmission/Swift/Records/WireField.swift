package import LocalDataModel

/// A field of the wire format, as the emitted code reads and writes it.
///
/// A field is read into a local variable of its name, and then assigned.
package struct WireField {
  package let name: String
  package let number: Int
  let type: ValueType
  package let kind: RecordValueKind
  /// The default as Swift, or nil if the field has none.
  let defaultText: String?
  /// The name of the local variable.
  let local: String

  /// Creates a field of a record or of a struct. Its variable gets an underscore in front, which no name in a catalog
  /// has, if the emitted code needs the name for something else.
  init(_ name: String, _ number: Int, _ type: ValueType, _ kind: RecordValueKind, defaultText: String?) {
    self.name = name
    self.number = number
    self.type = type
    self.kind = kind
    self.defaultText = defaultText
    local = Self.localName(name)
  }

  /// Creates the key or the value of an entry of a map.
  init(entry name: String, _ number: Int, _ type: ValueType, _ kind: RecordValueKind) {
    self.name = name
    self.number = number
    self.type = type
    self.kind = kind
    defaultText = nil
    local = name
  }

  static func localName(_ name: String) -> String { taken.contains(name) ? "_" + name : name.swiftIdentifier }

  private static let taken: Set<String> = [
    "row", "reader", "writer", "field", "entry", "element", "key", "value", "unknownFields",
  ]
}

extension WireField {
  package var isOptional: Bool { if case .optional = type { true } else { false } }

  /// The type without `?`.
  package var plainType: ValueType { if case .optional(let wrapped) = type { wrapped } else { type } }

  /// The value of a field that a message does not contain, or nil if the field is nil then, or is needed.
  ///
  /// Neither nil nor an empty collection is written. A default in their place would replace them at the next reading.
  /// Because of that, the generator refuses optional collections in a message.
  var absentValue: String? {
    if kind.isCollection { return kind.zero }
    return isOptional ? nil : defaultText ?? kind.zero
  }

  /// A Boolean value that indicates whether a message without the field is corrupted.
  var isNeeded: Bool { !isOptional && absentValue == nil }

  /// A Boolean value that indicates whether the zero value is written.
  package var isAlwaysWritten: Bool { absentValue != kind.zero || kind.zero == nil }
}

extension ValueType {
  /// The type of the elements of a list or a set.
  package var elementType: ValueType {
    switch self {
    case .list(let element), .set(let element): element
    default: self
    }
  }

  /// The types of the keys and the values of a map.
  package var entryTypes: (key: ValueType, value: ValueType) {
    if case .map(let key, let value) = self { (key, value) } else { (self, self) }
  }
}
