/// The form of a value that is no collection. The name of a case is the name of the runtime's methods that read and write
/// such values.
package enum RecordElementKind: String {
  case text, bool, integer, unsigned, real, float, date, seconds, data, uuid, url, decimal
  case textEnumeration, integerEnumeration
  /// A Swift type of the app.
  case json
  /// A struct of `types`.
  case message
}

/// Columns.
extension RecordElementKind {
  /// The case of `RecordDeclaration.Storage`.
  var storage: String {
    switch self {
    case .text, .url, .decimal, .textEnumeration, .json: "text"
    case .bool, .integer, .unsigned, .integerEnumeration: "integer"
    case .real, .float, .date, .seconds: "real"
    case .data, .uuid, .message: "blob"
    }
  }

  /// The method that writes a column.
  var writeMethod: String {
    switch self {
    case .textEnumeration, .integerEnumeration: "enumeration"
    // It refuses a fraction, as the wire format does.
    case .seconds: rawValue
    default: columnName
    }
  }

  /// A Boolean value that indicates whether writing a column can fail. SQLite has no NaN, and JSON may refuse a value.
  var failsToWrite: Bool {
    switch self {
    case .real, .float, .date, .seconds, .json: true
    default: false
    }
  }

  /// The method that reads a column, which has one form of integers and one of dates.
  var columnName: String {
    switch self {
    case .unsigned: Self.integer.rawValue
    case .seconds: Self.date.rawValue
    default: rawValue
    }
  }
}

/// The wire format.
extension RecordElementKind {
  /// The type of a field on the wire, as protobuf numbers them.
  private var wireType: Int {
    switch self {
    case .bool, .integer, .unsigned, .seconds, .integerEnumeration: 0
    case .real: 1
    case .float: 5
    default: 2
    }
  }

  /// The tag of a field with a number.
  func tag(_ number: Int) -> Int { number * 8 + wireType }

  /// The tags that a field of any type can have.
  static func tags(_ number: Int) -> [Int] { [0, 1, 2, 5].map { number * 8 + $0 } }

  /// The tag of a message, or of a list whose values are one field.
  static func lengthTag(_ number: Int) -> Int { number * 8 + 2 }

  /// The method that writes and reads a list of such values as one field, or nil if there is none.
  var packedMethod: String? {
    switch self {
    case .integer, .unsigned: "packedIntegers"
    case .real: "packedReals"
    case .float: "packedFloats"
    case .bool: "packedBools"
    default: nil
    }
  }

  /// A Boolean value that indicates whether the wire format has no value that it leaves out.
  package var isAlwaysWritten: Bool { zero == nil }

  /// The value that the wire format leaves out, or nil if it always writes the field.
  var zero: String? {
    switch self {
    case .text: "\"\""
    case .bool: "false"
    case .integer, .unsigned, .real, .float: "0"
    case .data: "Data()"
    case .seconds: "Date(timeIntervalSince1970: 0)"
    case .date, .uuid, .url, .decimal, .textEnumeration, .integerEnumeration, .json, .message: nil
    }
  }
}
