import LocalDataModel

/// The form in which a value is written to a column and to the wire format. It selects the methods of the runtime.
package enum RecordValueKind: Equatable {
  case single(RecordElementKind)
  case list(RecordElementKind)
  case set(RecordElementKind)
  case map(key: RecordElementKind, value: RecordElementKind)

  /// Selects the form of a type. `types` are the types of the run by name. An optional has the form of what it wraps.
  init(_ type: ValueType, _ types: [String: ResolvedType], isInSeconds: Bool = false) {
    switch type {
    case .optional(let wrapped): self.init(wrapped, types, isInSeconds: isInSeconds)
    case .list(let element): self = .list(RecordElementKind(element, types))
    case .set(let element): self = .set(RecordElementKind(element, types))
    case .map(let key, let value):
      self = .map(key: RecordElementKind(key, types), value: RecordElementKind(value, types))
    case .scalar, .declared, .swift:
      let kind = RecordElementKind(type, types)
      self = .single(kind == .date && isInSeconds ? .seconds : kind)
    }
  }
}

extension RecordElementKind {
  /// Selects the form of an element. The generator refuses collections of collections.
  fileprivate init(_ type: ValueType, _ types: [String: ResolvedType]) {
    switch type {
    case .scalar(let scalar): self.init(scalar)
    case .declared(let name):
      switch types[name]?.form {
      case .stringEnum: self = .textEnumeration
      case .intEnum: self = .integerEnumeration
      case .structure: self = .message
      case .swift, nil: self = .json
      }
    case .swift, .list, .set, .map, .optional: self = .json
    }
  }

  private init(_ scalar: ScalarType) {
    self =
      switch scalar {
      case .string: .text
      case .bool: .bool
      case .int, .int8, .int16, .int32, .int64: .integer
      case .uint, .uint8, .uint16, .uint32, .uint64: .unsigned
      case .double: .real
      case .float: .float
      case .data: .data
      case .date: .date
      case .url: .url
      case .uuid: .uuid
      case .decimal: .decimal
      }
  }
}

extension RecordValueKind {
  var isCollection: Bool { if case .single = self { false } else { true } }

  /// A Boolean value that indicates whether a column contains the wire format.
  var isWire: Bool { isCollection || self == .single(.message) }

  /// A Boolean value that indicates whether queries can compare a column.
  var isComparable: Bool { !isWire && self != .single(.json) }

  /// A Boolean value that indicates whether the values are read into an array first.
  var isPackedSet: Bool { if case .set(let element) = self { element.packedMethod != nil } else { false } }

  /// The case of `RecordDeclaration.Storage`.
  var storage: String { if case .single(let kind) = self { kind.storage } else { "blob" } }

  /// The value that the wire format leaves out, or nil if it always writes the field.
  var zero: String? {
    switch self {
    case .single(let kind): kind.zero
    case .list, .set: "[]"
    case .map: "[:]"
    }
  }
}
