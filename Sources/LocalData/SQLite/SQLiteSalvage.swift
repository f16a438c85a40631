#if os(Linux)
  import Foundation

  /// A table of a database of the library.
  struct SQLiteTable: Sendable {
    enum ColumnType: Sendable {
      case integer, text, blob
    }

    let name: String
    /// The statement that creates it.
    let schema: String
    /// The columns of the table, except one that is the rowid.
    let columns: [(name: String, type: ColumnType)]
    /// The columns of its primary key, all of them texts; empty if it has no index.
    var key: [String] = []
    /// A Boolean value that indicates whether a database without a row of it is of no use.
    var isRequired = false
    /// A Boolean value that indicates whether a database may lack it.
    var isOptional = false

    /// The index of the primary key. It contains the key and the rowid of each row.
    var index: String { "sqlite_autoindex_\(name)_1" }
  }

  /// The rows that a damaged database has lost.
  struct LostRows: Sendable, Equatable {
    /// The most keys that are remembered.
    static let most = 10_000

    /// The primary keys of lost rows.
    private(set) var keys: Set<[String]> = []
    /// A Boolean value that indicates whether these are all. If not, each row that is absent now may have been lost.
    var isComplete = true

    mutating func add(_ key: [String]) {
      if keys.count < Self.most { keys.insert(key) } else { isComplete = false }
    }
  }

  /// Copies the rows of a table of a damaged database to the same table of a new one, as far as SQLite can read them.
  ///
  /// Rows are read from the first and from the last one to the damage, and then in ranges between, so that several damaged
  /// pages cost no more than their own rows. Of two rows that are not in order, neither is copied there, since the rowid of
  /// either may be damaged. The lost rows are found with the index. A row whose key is another one in the index is not copied,
  /// since one of the two is damaged.
  struct SQLiteSalvage {
    private let source: SQLiteConnection
    private let target: SQLiteConnection
    private let table: SQLiteTable
    private let columns: String
    private var lost = LostRows()
    /// A Boolean value that indicates whether every row was read.
    private var isWhole = true

    /// A Boolean value that indicates whether the disk could not be read. That is no damage that rows can be read around.
    private var hasDiskFailed = false

    /// The most ranges that are searched.
    private static let mostRanges = 20_000
    /// The size of the first range after the last known row.
    private static let firstCount: Int64 = 4_096
    /// The size of the last one. SQLite assigns rowids in order, so that no table has larger ones.
    private static let lastCount: Int64 = 1 << 40

    private init(_ source: SQLiteConnection, _ target: SQLiteConnection, _ table: SQLiteTable) {
      (self.source, self.target, self.table) = (source, target, table)
      columns = table.columns.map(\.name).joined(separator: ", ")
    }

    /// Copies the rows, in one transaction of the target, and returns those that were lost. Returns `nil` if the disk cannot
    /// be read.
    ///
    /// - Throws: What keeps the source from being read for another reason than damage, and what keeps the target from being
    ///   written.
    static func copy(
      _ table: SQLiteTable, from source: SQLiteConnection, to target: SQLiteConnection
    ) throws(StorageFault) -> LostRows? {
      var salvage = SQLiteSalvage(source, target, table)
      return try target.transaction("BEGIN IMMEDIATE") { (_) throws(StorageFault) in
        try salvage.copyRows()
        let isIndexWhole = try table.key.isEmpty ? false : salvage.compareWithIndex()
        if !salvage.isWhole, !isIndexWhole { salvage.lost.isComplete = false }
        return salvage.hasDiskFailed ? nil : salvage.lost
      }
    }

    /// Returns true if a fault means that a page or a row is damaged.
    static func isDamage(_ fault: StorageFault) -> Bool { fault == .databaseDamaged || fault == .valueTooLarge }

    // MARK: Rows

    private mutating func copyRows() throws(StorageFault) {
      guard let rest = try copy(1...Int64.max) else { return }
      var count = 0
      for range in try ranges(of: rest) {
        var (ranges, next) = ([range], 0)
        while next < ranges.count, count < Self.mostRanges {
          let rest = try copy(ranges[next])
          (next, count) = (next + 1, count + 1)
          guard let rest, rest.lowerBound < rest.upperBound else { continue }
          let middle = rest.lowerBound + (rest.upperBound - rest.lowerBound) / 2
          ranges += [rest.lowerBound...middle, middle + 1...rest.upperBound]
        }
      }
    }

    /// Returns the ranges to search. If the last row cannot be read and is not in an index, each range is larger than the one
    /// before.
    private mutating func ranges(of rest: ClosedRange<Int64>) throws(StorageFault) -> [ClosedRange<Int64>] {
      guard rest.upperBound == .max else { return [rest] }
      let (last, isLast) = try lastRowid()
      var (ranges, lower): ([ClosedRange<Int64>], Int64) = ([], rest.lowerBound)
      if let last, lower <= last, last < .max - 4 * Self.lastCount {
        ranges.append(lower...last)
        lower = last + 1
      }
      if isLast { return ranges }
      var count = Self.firstCount
      while count <= Self.lastCount, lower < .max - count {
        ranges.append(lower...(lower + count - 1))
        (lower, count) = (lower + count, count * 2)
      }
      return ranges
    }

    /// Copies the rows of a range from both ends to the damage. Returns the range between that cannot be read, or `nil` if
    /// there is none.
    private mutating func copy(_ range: ClosedRange<Int64>) throws(StorageFault) -> ClosedRange<Int64>? {
      let up = try copy(range, isUpward: true)
      if up.isAll { return nil }
      isWhole = false
      let lower = up.last.map { $0 + 1 } ?? range.lowerBound
      guard lower <= range.upperBound else { return nil }
      let down = try copy(lower...range.upperBound, isUpward: false)
      if down.isAll { return nil }
      let upper = down.last.map { $0 - 1 } ?? range.upperBound
      return lower <= upper ? lower...upper : nil
    }

    /// Copies the rows of a range in one direction, and returns the last rowid before the damage.
    private mutating func copy(
      _ range: ClosedRange<Int64>, isUpward: Bool
    ) throws(StorageFault) -> (last: Int64?, isAll: Bool) {
      let sql = """
        SELECT rowid, \(columns) FROM \(table.name) NOT INDEXED WHERE rowid BETWEEN ? AND ?
        ORDER BY rowid \(isUpward ? "ASC" : "DESC")
        """
      var (last, isAll): (Int64?, Bool) = (nil, true)
      // A row that waits for the next one, which shows whether the two are in order.
      var waiting: [SQLiteValue]?
      var waitingID: Int64?
      var failure: StorageFault?
      do throws(StorageFault) {
        try source.rows(sql, [.integer(range.lowerBound), .integer(range.upperBound)]) { row in
          let rowid = row.integer(0)
          guard range.contains(rowid), waitingID.map({ isUpward ? $0 < rowid : $0 > rowid }) ?? true else {
            (isAll, waitingID) = (false, nil)
            return false
          }
          do throws(StorageFault) { try add(waiting, waitingID) } catch {
            failure = error
            return false
          }
          (last, waitingID, waiting) = (waitingID ?? last, rowid, values(of: row))
          return range.lowerBound < range.upperBound
        }
      } catch {
        try checkDamage(error)
        isAll = false
      }
      if let failure { throw failure }
      try add(waiting, waitingID)
      return (waitingID ?? last, isAll)
    }

    /// Throws the fault if it does not mean damage.
    private mutating func checkDamage(_ fault: StorageFault) throws(StorageFault) {
      guard Self.isDamage(fault) else { throw fault }
      if source.hasDiskFailed { hasDiskFailed = true }
    }

    /// Returns the values of a row without its rowid, or `nil` if one of them is of another type.
    private func values(of row: SQLiteRow) -> [SQLiteValue]? {
      var values: [SQLiteValue] = []
      for (index, column) in table.columns.enumerated() {
        guard let value = row.value(Int32(index + 1), as: column.type) else { return nil }
        values.append(value)
      }
      return values
    }

    private mutating func add(_ values: [SQLiteValue]?, _ rowid: Int64?) throws(StorageFault) {
      guard let rowid else { return }
      guard let values else {
        isWhole = false
        return
      }
      let placeholders = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
      let sql = "INSERT OR IGNORE INTO \(table.name) (rowid, \(columns)) VALUES (\(placeholders))"
      // The key of another row: one of the two is damaged.
      if try target.run(sql, [.integer(rowid)] + values) == 0 { isWhole = false }
    }

    // MARK: Index

    /// Calls `visit` with the rowid and key of the entries of the index, from both ends to the damage. Returns true if there
    /// is no damage.
    private mutating func entries(
      _ visit: (_ rowid: Int64, _ key: [String]?) throws(StorageFault) -> Void
    ) throws(StorageFault) -> Bool {
      // Damaged pages can lead to each other. An entry has four bytes and more.
      var left = try source.byteCount / 4
      for order in ["ASC", "DESC"] {
        let sql = """
          SELECT rowid, \(table.key.joined(separator: ", ")) FROM \(table.name) INDEXED BY \(table.index)
          ORDER BY \(table.key.map { "\($0) \(order)" }.joined(separator: ", "))
          """
        var failure: StorageFault?
        do throws(StorageFault) {
          try source.rows(sql) { row in
            left -= 1
            guard left >= 0 else { return false }
            let key = table.key.indices.compactMap { row.exactText(Int32($0 + 1)) }
            do throws(StorageFault) { try visit(row.integer(0), key.count == table.key.count ? key : nil) } catch {
              failure = error
            }
            return failure == nil
          }
          if let failure { throw failure }
          return order == "ASC" && left >= 0
        } catch {
          if let failure { throw failure }
          try checkDamage(error)
        }
      }
      return false
    }

    /// Returns the largest rowid that the index has, and whether all of the index can be read.
    private mutating func lastRowid() throws(StorageFault) -> (last: Int64?, isLast: Bool) {
      guard !table.key.isEmpty else { return (nil, false) }
      var last: Int64?
      let isLast = try entries { (rowid, _) in last = max(last ?? 0, rowid) }
      return (last, isLast)
    }

    /// Finds the rows that the index names and that were not copied. Returns true if the whole index can be read.
    private mutating func compareWithIndex() throws(StorageFault) -> Bool {
      var lost = self.lost
      var isReadable = true
      let (source, target, table) = (source, target, table)
      let isWhole = try entries { (rowid, key) throws(StorageFault) in
        guard let key else { return isReadable = false }
        let copied = try target.key(of: rowid, in: table)
        if copied == key { return }
        if let copied {
          if try source.indexHas(copied, rowid, in: table) {
            // The rowid of this entry is damaged. The table has the right rowid, if it has the row.
            if try target.rowid(of: key, in: table) == nil { lost.add(key) }
            return
          }
          // One of the two keys is damaged.
          lost.add(copied)
          try target.run("DELETE FROM \(table.name) WHERE rowid = ?", [.integer(rowid)])
        }
        lost.add(key)
        try target.run("DELETE FROM \(table.name) WHERE \(table.isKey)", key.map { .text($0) })
      }
      self.lost = lost
      return isWhole && isReadable
    }
  }

  extension SQLiteTable {
    /// The condition that selects the row of a key.
    fileprivate var isKey: String { key.map { "\($0) = ?" }.joined(separator: " AND ") }
  }

  extension SQLiteConnection {
    fileprivate func key(of rowid: Int64, in table: SQLiteTable) throws(StorageFault) -> [String]? {
      let sql = "SELECT \(table.key.joined(separator: ", ")) FROM \(table.name) WHERE rowid = ?"
      return try first(sql, [.integer(rowid)]) { row in table.key.indices.map { row.text(Int32($0)) ?? "" } }
    }

    fileprivate func rowid(of key: [String], in table: SQLiteTable) throws(StorageFault) -> Int64? {
      try first("SELECT rowid FROM \(table.name) WHERE \(table.isKey)", key.map { .text($0) }) { $0.integer(0) }
    }

    /// Returns true if the index of a damaged table names a rowid for a key. The table itself is not read.
    fileprivate func indexHas(_ key: [String], _ rowid: Int64, in table: SQLiteTable) throws(StorageFault) -> Bool {
      let sql = "SELECT rowid FROM \(table.name) INDEXED BY \(table.index) WHERE \(table.isKey)"
      do throws(StorageFault) { return try first(sql, key.map { .text($0) }) { $0.integer(0) } == rowid } catch {
        guard SQLiteSalvage.isDamage(error) else { throw error }
        return false
      }
    }
  }
#endif
