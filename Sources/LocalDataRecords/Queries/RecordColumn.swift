public import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// A column that queries can compare and sort by. An encrypted field has none.
public struct RecordColumn<Record: StorageRecord, Value: RecordValue>: Sendable {
  /// The position in the columns of the record's declaration.
  let position: Int

  @_spi(Generated) public init(_ position: Int) { self.position = position }

  /// Returns a condition that is true for the rows with a value. The comparison with nil finds the rows without a value.
  ///
  /// Texts are equal if they have the same Unicode scalars.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value, or nil.
  /// - Returns: The condition.
  public static func == (column: Self, value: Value) -> RecordPredicate<Record> {
    let value = value.recordLiteral.value
    if case .null = value { return RecordPredicate([.column(column.position), .sql(" IS NULL")]) }
    return column.compared(" = ", value)
  }

  /// Returns a condition that is true for the rows with another value, and for those without one. The comparison with nil
  /// finds the rows with any value.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value, or nil.
  /// - Returns: The condition.
  public static func != (column: Self, value: Value) -> RecordPredicate<Record> { !(column == value) }

  private func compared(_ operation: String, _ value: SQLiteValue) -> RecordPredicate<Record> {
    RecordPredicate([.column(position), .sql(operation), .value(value)])
  }

  /// Returns a condition that is true if the column has one of the values.
  private func equalsAny(of values: some Sequence<Value.Unwrapped>) -> RecordPredicate<Record> {
    RecordPredicate(column: position, isIn: values.map { .value($0.recordLiteral.value) })
  }
}

extension RecordPredicate {
  /// Creates a condition that is true if a column has one of the values.
  fileprivate init(column: Int, isIn values: [RecordCondition.Piece]) {
    guard let last = values.last else {
      self.init([.sql("FALSE")])
      return
    }
    // The next power of two: a connection keeps each statement prepared, and the text of a statement contains the count.
    let count = min(values.count.roundedUpToPowerOfTwo, RecordCondition.mostValues)
    let all = values + Array(repeating: last, count: max(count - values.count, 0))
    let list = all.flatMap { [$0, .sql(", ")] }.dropLast()
    self.init([.column(column), .sql(" IN (")] + list + [.sql(")")])
  }
}

extension RecordColumn where Value.Unwrapped: RecordOrderedValue {
  /// Returns a condition that is true for the rows with a smaller value.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value that the column is compared with.
  /// - Returns: The condition, which is false for the rows without a value.
  public static func < (column: Self, value: Value.Unwrapped) -> RecordPredicate<Record> {
    column.compared(" < ", value.recordLiteral.value)
  }

  /// Returns a condition that is true for the rows with the value or a smaller one.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value that the column is compared with.
  /// - Returns: The condition, which is false for the rows without a value.
  public static func <= (column: Self, value: Value.Unwrapped) -> RecordPredicate<Record> {
    column.compared(" <= ", value.recordLiteral.value)
  }

  /// Returns a condition that is true for the rows with a larger value.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value that the column is compared with.
  /// - Returns: The condition, which is false for the rows without a value.
  public static func > (column: Self, value: Value.Unwrapped) -> RecordPredicate<Record> {
    column.compared(" > ", value.recordLiteral.value)
  }

  /// Returns a condition that is true for the rows with the value or a larger one.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value that the column is compared with.
  /// - Returns: The condition, which is false for the rows without a value.
  public static func >= (column: Self, value: Value.Unwrapped) -> RecordPredicate<Record> {
    column.compared(" >= ", value.recordLiteral.value)
  }

  /// Returns a condition that is true for the rows with one of the values.
  ///
  /// - Parameter values: The values. If there are none, the condition is false.
  /// - Returns: The condition.
  public func isIn(_ values: some Sequence<Value.Unwrapped>) -> RecordPredicate<Record> { equalsAny(of: values) }

  /// The order from the smallest value to the largest. Rows without a value are first.
  public var ascending: RecordOrder<Record> { RecordOrder(position: position, isDescending: false) }
  /// The order from the largest value to the smallest. Rows without a value are last.
  public var descending: RecordOrder<Record> { RecordOrder(position: position, isDescending: true) }
}

extension RecordColumn where Value.Unwrapped: RawRepresentable {
  /// Returns a condition that is true for the rows with one of the values.
  ///
  /// - Parameter values: The values. If there are none, the condition is false.
  /// - Returns: The condition.
  public func isIn(_ values: some Sequence<Value.Unwrapped>) -> RecordPredicate<Record> { equalsAny(of: values) }

  /// The order from the smallest raw value to the largest. Rows without a value are first.
  public var ascending: RecordOrder<Record> { RecordOrder(position: position, isDescending: false) }
  /// The order from the largest raw value to the smallest. Rows without a value are last.
  public var descending: RecordOrder<Record> { RecordOrder(position: position, isDescending: true) }
}

extension RecordColumn where Value.Unwrapped == UUID {
  /// Returns a condition that is true for the rows with one of the values.
  ///
  /// - Parameter values: The values. If there are none, the condition is false.
  /// - Returns: The condition.
  public func isIn(_ values: some Sequence<UUID>) -> RecordPredicate<Record> { equalsAny(of: values) }
}

extension RecordColumn where Value.Unwrapped == String {
  /// Returns a condition that is true for the texts that begin with the Unicode scalars of another text.
  ///
  /// - Parameter prefix: The beginning. If it is empty, the condition is true for every text.
  /// - Returns: The condition.
  public func hasPrefix(_ prefix: String) -> RecordPredicate<Record> {
    let isNotBefore = self >= prefix
    guard let end = prefix.firstTextAfterItsPrefix else { return isNotBefore }
    return isNotBefore && self < end
  }

  /// Returns a condition that is true for the texts that contain the Unicode scalars of another text.
  ///
  /// - Parameter text: The text to look for. If it is empty, the condition is true for every text.
  /// - Returns: The condition.
  public func contains(_ text: String) -> RecordPredicate<Record> {
    RecordPredicate([.sql("instr("), .column(position), .sql(", "), .value(.text(text)), .sql(") > 0")])
  }
}

/// The blind index of an encrypted field. Queries can compare it for equality only.
///
/// ```swift
/// let credentials = try await router.credentials.where { $0.iss == issuer && $0.type != "VerifiableId" }.fetchAll()
/// ```
public struct BlindColumn<Record: StorageRecord, Value: RecordValue>: Sendable {
  /// The position in the columns of the record's declaration.
  let position: Int
  /// The number of the field.
  let number: Int

  @_spi(Generated) public init(_ position: Int, _ number: Int) {
    self.position = position
    self.number = number
  }

  /// Returns a condition that is true for the rows with a value. The comparison with nil finds the rows without a value.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value, or nil.
  /// - Returns: The condition.
  public static func == (column: Self, value: Value) -> RecordPredicate<Record> {
    let value = value.recordLiteral.value
    if case .null = value { return RecordPredicate([.column(column.position), .sql(" IS NULL")]) }
    let pieces: [RecordCondition.Piece] = [.sql(" IN ("), .blind(value, number: column.number), .sql(")")]
    return RecordPredicate([.column(column.position)] + pieces)
  }

  /// Returns a condition that is true for the rows with another value, and for those without one. The comparison with nil
  /// finds the rows with any value.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - value: The value, or nil.
  /// - Returns: The condition.
  public static func != (column: Self, value: Value) -> RecordPredicate<Record> { !(column == value) }

  /// Returns a condition that is true for the rows with one of the values.
  ///
  /// - Parameter values: The values. If there are none, the condition is false.
  /// - Returns: The condition.
  public func isIn(_ values: some Sequence<Value.Unwrapped>) -> RecordPredicate<Record> {
    RecordPredicate(column: position, isIn: values.map { .blind($0.recordLiteral.value, number: number) })
  }
}

extension String {
  /// The first text, in the order of Unicode scalars, after all texts that begin with this one; nil if there is none.
  ///
  /// SQLite compares the bytes of UTF-8, whose order is that of the scalars.
  fileprivate var firstTextAfterItsPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // No scalar is between U+D7FF and U+E000.
      guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
      scalars.append(next)
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      return text
    }
    return nil
  }
}

extension Int {
  fileprivate var roundedUpToPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
