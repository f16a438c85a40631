import LocalData
import LocalDataRecords
public import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// A value that a column of another library's store contains. Generated code reads it.
@_spi(Generated) public protocol ImportedValue: Sendable {
  /// Reads a column.
  init(importing row: borrowing ImportedRow, _ column: Int) throws
}

/// The reason for which a row is left out.
struct BadValue: Error {
  let reason: LeftOutRow.Reason

  static let wrongType = BadValue(reason: .wrongType)
}

extension ImportedRow {
  /// Returns the text of a column.
  fileprivate borrowing func text(_ column: Int) throws -> String {
    // SQLite converts the text of a store in UTF-16.
    if reader.store.isUTF16, row.has(.text, position(column)) { _ = row.text(position(column)) }
    guard let text = row.validText(position(column)) else { throw BadValue.wrongType }
    return text
  }

  fileprivate borrowing func integer(_ column: Int) throws -> Int64 {
    guard let number = row.exactInteger(position(column)) else { throw BadValue.wrongType }
    return number
  }

  /// Returns the number of a column. SQLite stores a number without a fraction as an integer if the column lets it.
  fileprivate borrowing func real(_ column: Int) throws -> Double {
    if let number = row.exactReal(position(column)) { return number }
    return Double(try integer(column))
  }
}

@_spi(Generated) extension String: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    self = row.reader.isRowNumber[column] ? "\(try row.integer(column))" : try row.text(column)
  }
}

@_spi(Generated) extension Bool: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    let number = try row.integer(column)
    guard (0...1).contains(number) else { throw BadValue.wrongType }
    self = number == 1
  }
}

@_spi(Generated) extension ImportedValue where Self: FixedWidthInteger {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    guard let value = Self(exactly: try row.integer(column)) else { throw BadValue.wrongType }
    self = value
  }
}

@_spi(Generated) extension Int: ImportedValue {}
@_spi(Generated) extension Int8: ImportedValue {}
@_spi(Generated) extension Int16: ImportedValue {}
@_spi(Generated) extension Int32: ImportedValue {}
@_spi(Generated) extension Int64: ImportedValue {}
@_spi(Generated) extension UInt: ImportedValue {}
@_spi(Generated) extension UInt8: ImportedValue {}
@_spi(Generated) extension UInt16: ImportedValue {}
@_spi(Generated) extension UInt32: ImportedValue {}
@_spi(Generated) extension UInt64: ImportedValue {}

@_spi(Generated) extension Double: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws { self = try row.real(column) }
}

@_spi(Generated) extension Float: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws { self = Float(try row.real(column)) }
}

@_spi(Generated) extension Data: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    guard row.row.has(.blob, row.position(column)) else { throw BadValue.wrongType }
    let bytes = row.row.blob(row.position(column))
    self = row.reader.isExternal(column) ? try row.reader.store.external(bytes) : bytes
  }
}

@_spi(Generated) extension UUID: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    if row.reader.isRowNumber[column] {
      self = row.reader.key(ofRow: try row.integer(column), column)
    } else if let uuid = try row.row.uuid(row.position(column)) ?? UUID(uuidString: row.text(column)) {
      self = uuid
    } else {
      throw BadValue.wrongType
    }
  }
}

@_spi(Generated) extension URL: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    guard let url = URL(string: try row.text(column)) else { throw BadValue.wrongType }
    self = url
  }
}

@_spi(Generated) extension Decimal: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    // The shortest text of a binary number is the decimal number that was stored.
    let decimal: Decimal?
    if let number = row.row.exactInteger(row.position(column)) {
      decimal = Decimal(string: "\(number)")
    } else if let number = row.row.exactReal(row.position(column)) {
      decimal = Decimal(string: "\(number)")
    } else {
      decimal = Decimal(recordText: try row.text(column))
    }
    guard let decimal else { throw BadValue.wrongType }
    self = decimal
  }
}

@_spi(Generated) extension Date: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    let dates = row.reader.store.dates
    if dates == .iso8601 {
      self.init(timeIntervalSince1970: try row.reader.store.seconds(in: row.text(column)))
      return
    }
    let number = try row.real(column)
    guard number.isFinite else { throw BadValue.wrongType }
    self = dates.date(of: number)
  }
}

@_spi(Generated) extension Optional: ImportedValue where Wrapped: ImportedValue {
  public init(importing row: borrowing ImportedRow, _ column: Int) throws {
    self = row.isNull(column) ? nil : try Wrapped(importing: row, column)
  }
}

extension ImportedStore {
  /// Returns the seconds since 1970 of a text such as `2025-10-09 08:53:20.125`, `2025-10-09T08:53:20Z` or `2025-10-09`. Without an
  /// offset it is in UTC.
  fileprivate func seconds(in text: String) throws -> Double {
    // SQLite rounds the fraction. Without the hyphen, the text could be a number of days.
    let start = text.firstIndex(of: ".") ?? text.endIndex
    let digits = text[start...].dropFirst().prefix { $0.isNumber }
    let whole = text[..<start] + text[digits.endIndex...]
    let seconds =
      try connection.first("SELECT CAST(strftime('%s', ?) AS INTEGER)", [.text(String(whole))]) { row in
        row.exactInteger(0)
      } ?? nil
    guard let seconds, whole.dropFirst(4).first == "-", let fraction = Double("0.\(digits)0") else {
      throw BadValue.wrongType
    }
    return Double(seconds) + fraction
  }
}
