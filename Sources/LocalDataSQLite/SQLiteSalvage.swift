import LocalDataFoundation
package import LocalDataSystem

/// Copies the rows of a table of a damaged database to the same table of a new one, as far as SQLite can read them.
///
/// The table is read from the first row to the damage, and then from the last row to the damage. If several pages are
/// damaged, the rows between the first and the last of these pages are lost.
package struct SQLiteSalvage {
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  private let table: SQLiteTable
  private let columns: String
  /// A Boolean value that indicates whether every row was copied.
  private var isWhole = true
  /// A Boolean value that indicates whether the disk could not be read. That is no damage that rows can be read around.
  private var hasDiskFailed = false

  private init(_ source: SQLiteConnection, _ target: SQLiteConnection, _ table: SQLiteTable) {
    self.source = source
    self.target = target
    self.table = table
    columns = table.columns.map(\.name).joined(separator: ", ")
  }

  /// Copies the rows, in one transaction of the target.
  ///
  /// - Returns: True if every row was copied, false if some were lost, and `nil` if the disk cannot be read.
  /// - Throws: What keeps the source from being read for another reason than damage, and what keeps the target from being
  ///   written.
  package static func copy(
    _ table: SQLiteTable, from source: SQLiteConnection, to target: SQLiteConnection
  ) throws(StorageProblem) -> Bool? {
    var salvage = SQLiteSalvage(source, target, table)
    return try target.transaction("BEGIN IMMEDIATE") { (_) throws(StorageProblem) in
      if try !salvage.copyRows(isUpward: true) { _ = try salvage.copyRows(isUpward: false) }
      if !table.key.isEmpty { try salvage.readIndex() }
      return salvage.hasDiskFailed ? nil : salvage.isWhole
    }
  }

  /// Returns true if a fault means that a page or a row is damaged.
  package static func isDamage(_ fault: StorageProblem) -> Bool {
    [.databaseDamaged, .valueTooLarge].contains(fault.code)
  }

  /// Copies the rows in one direction to the damage. Returns true if there is none.
  private mutating func copyRows(isUpward: Bool) throws(StorageProblem) -> Bool {
    let row = table.rowNumber
    let order = isUpward ? "ASC" : "DESC"
    let sql = "SELECT \(row), \(columns) FROM \(table.name) NOT INDEXED ORDER BY \(row) \(order)"
    var last: Int64? = nil
    var failure: StorageProblem? = nil
    var isAll: Bool = true
    do throws(StorageProblem) {
      try source.rows(sql) { row in
        let rowid = row.integer(0)
        // Rows that are not in order are on a damaged page. Damaged pages can lead to each other.
        isAll = last.map { isUpward ? $0 < rowid : rowid < $0 } ?? true
        guard isAll else { return false }
        last = rowid
        do throws(StorageProblem) { try add(row, rowid) } catch { failure = error }
        return failure == nil
      }
    } catch {
      try checkDamage(error)
      isAll = false
    }
    if let failure { throw failure }
    if !isAll { isWhole = false }
    return isAll
  }

  /// Reads the index, as far as it is not damaged. Its pages are read again when they are overwritten. If the disk cannot read
  /// them, nothing has changed yet here.
  private mutating func readIndex() throws(StorageProblem) {
    // Damaged pages can lead to each other. An entry has four bytes and more.
    var left = try source.byteCount / 4
    do throws(StorageProblem) {
      try source.rows("SELECT rowid FROM \(table.name) INDEXED BY \(table.index) ORDER BY \(table.key[0])") { _ in
        left -= 1
        return left > 0
      }
    } catch { try checkDamage(error) }
  }

  /// Throws the fault if it does not mean damage.
  private mutating func checkDamage(_ fault: StorageProblem) throws(StorageProblem) {
    guard Self.isDamage(fault) else { throw fault }
    if source.hasDiskFailed { hasDiskFailed = true }
  }

  /// Copies a row, unless one of its values is of another type, or another row has its key.
  private mutating func add(_ row: SQLiteRow, _ rowid: Int64) throws(StorageProblem) {
    var values: [SQLiteValue] = [.integer(rowid)]
    for (index, column) in table.columns.enumerated() {
      let isNull = table.isNullable && row.isNull(Int32(index + 1))
      guard let value = isNull ? .null : row.value(Int32(index + 1), as: column.type) else {
        isWhole = false
        return
      }
      values.append(value)
    }
    let placeholders = Array(repeating: "?", count: values.count).joined(separator: ", ")
    let sql = "INSERT OR IGNORE INTO \(table.name) (\(table.rowNumber), \(columns)) VALUES (\(placeholders))"
    if try target.run(sql, values) == 0 { isWhole = false }
  }
}
