/// A conversion of a value to another type that needs no function of the app.
package enum ValueConversion: Sendable {
  /// It is the value.
  case same
  /// A number is true unless it is zero.
  case isNotZero
  /// The same number, if the type has it.
  case exactly
}

extension ValueType {
  /// Returns how a value of the type becomes one of another type, or nil if only the app can say it.
  package func conversion(to other: ValueType) -> ValueConversion? {
    if self == other { return .same }
    guard case .scalar(let source) = self, case .scalar(let destination) = other, source.isBinaryNumber else {
      return nil
    }
    if destination == .bool { return .isNotZero }
    return destination.isBinaryNumber ? .exactly : nil
  }
}

extension ScalarType {
  /// A Boolean value that indicates whether the type is a number that converts to the others.
  fileprivate var isBinaryNumber: Bool {
    switch self {
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .float: true
    case .string, .bool, .data, .date, .url, .uuid, .decimal: false
    }
  }
}
