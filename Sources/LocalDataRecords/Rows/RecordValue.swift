import LocalDataShapes
public import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// A value that a column contains: text, a number, a date, data, an enum of these, or an optional one.
public protocol RecordValue: Sendable {
  /// The type itself, or the type that an optional wraps.
  associatedtype Unwrapped: RecordValue = Self
  /// The stored form of the value.
  var recordLiteral: RecordLiteral { get }
}

/// A value that queries can compare by its order: text, a number, or a date.
public protocol RecordOrderedValue: RecordValue {}

/// The stored form of a value.
public struct RecordLiteral: Sendable {
  let value: SQLiteValue

  init(_ value: SQLiteValue) { self.value = value }
}

extension RecordLiteral: CustomStringConvertible, CustomReflectable {
  public var description: String { "RecordLiteral(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SQLiteValue {
  /// The bytes that stand for the value in associated data and blind indexes; nil for NULL. See `EncryptedFormat.md`.
  var canonicalBytes: Data? {
    switch self {
    case .integer(let value): withUnsafeBytes(of: value.bigEndian) { Data($0) }
    // Zero and minus zero are equal.
    case .real(let value): withUnsafeBytes(of: (value == 0 ? 0 : value).bitPattern.bigEndian) { Data($0) }
    case .text(var value): value.withUTF8 { Data($0) }
    case .blob(let value): value
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Data($0) }
    case .null: nil
    }
  }
}

extension RecordSealer {
  /// Returns the blind index of a value of a field; nil for NULL.
  func blindIndex(of value: SQLiteValue, record: String, field: Int) throws(StorageProblem) -> Int64? {
    guard let bytes = value.canonicalBytes else { return nil }
    return try blindIndex(bytes, record: record, field: field)
  }

  /// Returns the blind indexes of a value of a field under every record key. Rows that are not sealed with the newest key yet
  /// have those of their key.
  func blindIndexes(of value: SQLiteValue, record: String, field: Int) throws(StorageProblem) -> [Int64] {
    guard let bytes = value.canonicalBytes else { return [] }
    var indexes: [Int64] = []
    for key in keys.keys.inOrder { indexes.append(try blindIndex(bytes, record: record, field: field, key: key)) }
    return indexes
  }
}

extension RecordKey {
  /// The bytes that stand for the key in the associated data of the row's sealed part.
  var canonicalBytes: Data { recordLiteral.value.canonicalBytes ?? Data() }
}

extension RecordValue where Self: FixedWidthInteger {
  public var recordLiteral: RecordLiteral { RecordLiteral(.integer(Int64(clamping: self))) }
}

extension RecordValue where Self: RawRepresentable, RawValue: RecordValue {
  public var recordLiteral: RecordLiteral { rawValue.recordLiteral }
}

// UInt and UInt64 are missing, because SQLite sorts their upper half before zero.
extension Int: RecordOrderedValue {}
extension Int8: RecordOrderedValue {}
extension Int16: RecordOrderedValue {}
extension Int32: RecordOrderedValue {}
extension Int64: RecordOrderedValue {}
extension UInt8: RecordOrderedValue {}
extension UInt16: RecordOrderedValue {}
extension UInt32: RecordOrderedValue {}

extension Bool: RecordValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.integer(self ? 1 : 0)) }
}

extension Double: RecordOrderedValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.real(self)) }
}

extension Float: RecordOrderedValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.real(Double(self))) }
}

extension Date: RecordOrderedValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.real(timeIntervalSinceReferenceDate)) }
}

extension String: RecordOrderedValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.text(self)) }
}

extension Data: RecordValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.blob(self)) }
}

extension UUID: RecordValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.uuid(self)) }
}

extension URL: RecordValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.text(absoluteString)) }
}

extension Decimal: RecordValue {
  public var recordLiteral: RecordLiteral { RecordLiteral(.text(recordText)) }
}

extension Optional: RecordValue where Wrapped: RecordValue {
  public typealias Unwrapped = Wrapped.Unwrapped

  public var recordLiteral: RecordLiteral { self?.recordLiteral ?? RecordLiteral(.null) }
}
