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
    /// Its columns, without one that is the rowid.
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
  /// Rows are read from the first and from the last one to the damage, and then from points in between, so that several
  /// damaged pages cost no more than their own rows. The index tells which rows were lost. A row whose key is another one in
  /// the index is not copied, since one of the two is damaged.
  struct SQLiteSalvage {
    private let source: SQLiteConnection
    private let target: SQLiteConnection
    private let table: SQLiteTable
    private let columns: String
    private var lost = LostRows()
    /// A Boolean value that indicates whether every row was read.
    private var isWhole = true

    /// The most points between that rows are looked for at: a few seconds.
    private static let mostPoints = 20_000
    /// The rowids after the last one that was read, if no index tells the last one.
    private static let rowsAfterLast: Int64 = 4_096

    private init(_ source: SQLiteConnection, _ target: SQLiteConnection, _ table: SQLiteTable) {
      (self.source, self.target, self.table) = (source, target, table)
      columns = table.columns.map(\.name).joined(separator: ", ")
    }

    /// Copies the rows, in one transaction of the target, and returns those that were lost.
    ///
    /// - Throws: What keeps the source from being read for another reason than damage, and what keeps the target from being
    ///   written.
    static func copy(
      _ table: SQLiteTable, from source: SQLiteConnection, to target: SQLiteConnection
    ) throws(StorageFault) -> LostRows {
      var salvage = SQLiteSalvage(source, target, table)
      return try target.transaction("BEGIN IMMEDIATE") { (_) throws(StorageFault) in
        try salvage.copyRows()
        let isIndexWhole = try table.key.isEmpty ? false : salvage.compareWithIndex()
        if !salvage.isWhole, !isIndexWhole { salvage.lost.isComplete = false }
        return salvage.lost
      }
    }

    /// Returns true if a fault says that a page or a row is damaged.
    static func isDamage(_ fault: StorageFault) -> Bool { fault == .databaseDamaged || fault == .valueTooLarge }

    // MARK: Rows

    private mutating func copyRows() throws(StorageFault) {
      guard var rest = try copy(1...Int64.max) else { return }
      isWhole = false
      if rest.upperBound == .max {
        // The last rows cannot be read.
        let last = try lastRowid() ?? min(rest.lowerBound, .max - Self.rowsAfterLast) + Self.rowsAfterLast
        guard rest.lowerBound <= last else { return }
        rest = rest.lowerBound...last
      }
      var (ranges, next) = ([rest], 0)
      while next < min(ranges.count, Self.mostPoints) {
        let range = ranges[next]
        next += 1
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        for half in [range.lowerBound...middle, min(middle + 1, range.upperBound)...range.upperBound] {
          if let rest = try copy(half), rest.count > 1 { ranges.append(rest) }
        }
      }
    }

    /// Copies the rows of a range from both ends to the damage. Returns the range between that cannot be read, or `nil` if
    /// there is none.
    private mutating func copy(_ range: ClosedRange<Int64>) throws(StorageFault) -> ClosedRange<Int64>? {
      let up = try copy(range, isUpward: true)
      if up.isAll || up.last == range.upperBound { return nil }
      let lower = up.last.map { $0 + 1 } ?? range.lowerBound
      let down = try copy(lower...range.upperBound, isUpward: false)
      if down.isAll || down.last == lower { return nil }
      return lower...(down.last.map { $0 - 1 } ?? range.upperBound)
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
      var failure: StorageFault?
      do throws(StorageFault) {
        try source.rows(sql, [.integer(range.lowerBound), .integer(range.upperBound)]) { row in
          let rowid = row.integer(0)
          // A damaged page can lead to another part of the table.
          isAll = range.contains(rowid) && last.map { isUpward ? $0 < rowid : $0 > rowid } ?? true
          guard isAll else { return false }
          do throws(StorageFault) { try add(row) } catch { failure = error }
          last = rowid
          return failure == nil
        }
      } catch {
        guard Self.isDamage(error) else { throw error }
        isAll = false
      }
      if let failure { throw failure }
      return (last, isAll)
    }

    private mutating func add(_ row: SQLiteRow) throws(StorageFault) {
      var values = [SQLiteValue.integer(row.integer(0))]
      for (index, column) in table.columns.enumerated() {
        guard let value = row.value(Int32(index + 1), as: column.type) else {
          isWhole = false
          return
        }
        values.append(value)
      }
      let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
      let sql = "INSERT OR IGNORE INTO \(table.name) (rowid, \(columns)) VALUES (\(places))"
      // The key of another row: one of the two is damaged.
      if try target.run(sql, values) == 0 { isWhole = false }
    }

    // MARK: Index

    /// Calls `visit` with the rowid and key of the entries of the index, from both ends to the damage. Returns true if there
    /// is no damage.
    private func entries(
      _ visit: (_ rowid: Int64, _ key: [String]?) throws(StorageFault) -> Void
    ) throws(StorageFault) -> Bool {
      for order in ["ASC", "DESC"] {
        let sql = """
          SELECT rowid, \(table.key.joined(separator: ", ")) FROM \(table.name) INDEXED BY \(table.index)
          ORDER BY \(table.key.map { "\($0) \(order)" }.joined(separator: ", "))
          """
        var failure: StorageFault?
        do throws(StorageFault) {
          try source.rows(sql) { row in
            let key = table.key.indices.compactMap { row.exactText(Int32($0 + 1)) }
            do throws(StorageFault) { try visit(row.integer(0), key.count == table.key.count ? key : nil) } catch {
              failure = error
            }
            return failure == nil
          }
          if let failure { throw failure }
          return order == "ASC"
        } catch {
          if let failure { throw failure }
          guard Self.isDamage(error) else { throw error }
        }
      }
      return false
    }

    private func lastRowid() throws(StorageFault) -> Int64? {
      guard !table.key.isEmpty else { return nil }
      var last: Int64?
      _ = try entries { (rowid, _) in last = max(last ?? 0, rowid) }
      return last
    }

    /// Finds the rows that the index names and that were not copied. Returns true if the index is whole.
    private mutating func compareWithIndex() throws(StorageFault) -> Bool {
      let keys = table.key.joined(separator: ", ")
      let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
      var lost = self.lost
      var isReadable = true
      let isWhole = try entries { (rowid, key) throws(StorageFault) in
        guard let key else { return isReadable = false }
        let copied = try target.first("SELECT \(keys) FROM \(table.name) WHERE rowid = ?", [.integer(rowid)]) { row in
          key.indices.map { row.text(Int32($0)) ?? "" }
        }
        if copied == key { return }
        // One of the two keys is damaged, and another row with the key too.
        lost.add(key)
        if let copied { lost.add(copied) }
        try target.run("DELETE FROM \(table.name) WHERE rowid = ?", [.integer(rowid)])
        try target.run("DELETE FROM \(table.name) WHERE \(condition)", key.map { .text($0) })
      }
      self.lost = lost
      return isWhole && isReadable
    }
  }
#endif
