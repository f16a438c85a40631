@testable import LocalDataStores
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A large database of a launched app, one page of which is damaged.
  struct SalvageFixture {
    /// The part of a database that a page belongs to.
    enum Page: String, Sendable, CaseIterable, CustomTestStringConvertible {
      case tableLeaf, tableInterior, tableRoot, indexLeaf, indexInterior, indexRoot, overflow

      var testDescription: String { rawValue }

      fileprivate var type: UInt8? {
        switch self {
        case .tableLeaf: 0x0d
        case .tableInterior: 0x05
        case .indexLeaf: 0x0a
        case .indexInterior: 0x02
        case .tableRoot, .indexRoot, .overflow: nil
        }
      }
    }

    static let pageSize = 4_096
    /// The number of the value that needs overflow pages.
    static let large = 5_000

    let app: RelaunchedApp
    /// The database's path below the fixture's folder.
    let file: String
    let table: SQLiteTable

    static func preferences(_ app: RelaunchedApp) -> SalvageFixture {
      SalvageFixture(app: app, file: "data/preferences/standard.db", table: UserDefaultsHelper.tables[0])
    }

    static func keystore(_ app: RelaunchedApp) -> SalvageFixture {
      SalvageFixture(app: app, file: "data/keystore.db", table: KeystoreItem.table)
    }

    var path: String { app.fixture.path(file) }
    var url: URL { URL(fileURLWithPath: path) }

    func connection() throws -> SQLiteConnection {
      try SQLiteConnection(path: path, isDurable: false, until: .now + .seconds(10))
    }

    /// A long name, so that the index has several levels.
    static func name(_ number: Int) -> String {
      "key.\((number * 7_919) % 100_000)." + String(repeating: "n", count: 60)
    }

    static func value(_ number: Int) -> String {
      number == large ? String(repeating: "Z", count: 20_000) : String(repeating: "v\(number).", count: 24)
    }

    /// The rows of the table, by their keys.
    func rows() throws -> [[String]: Data] {
      let connection = try connection()
      var found: [[String]: Data] = [:]
      let columns = table.columns.map(\.name).joined(separator: ", ")
      try connection.rows("SELECT \(columns) FROM \(table.name) NOT INDEXED") { row in
        found[table.key.indices.map { row.text(Int32($0)) ?? "" }] = row.blob(Int32(table.columns.count - 1))
        return true
      }
      return found
    }

    /// The values of columns of a table, as texts and bytes.
    func content(of columns: String, _ table: String) throws -> [Data] {
      var found: [Data] = []
      try connection().rows("SELECT \(columns) FROM \(table)") { row in
        for column in 0..<row.count { found.append(row.blob(column)) }
        return true
      }
      return found
    }

    /// Moves everything into the database's file, and changes its bytes. Connections that are open notice that the file has
    /// been replaced.
    @discardableResult
    func change(_ body: (inout Data) throws -> Void) throws -> Data {
      try connection().checkpoint(truncating: true)
      var bytes = try Data(contentsOf: url)
      try body(&bytes)
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try bytes.write(to: url)
      return bytes
    }

    /// Overwrites a page, and returns the damaged file.
    @discardableResult
    func damage(_ page: Page) throws -> Data {
      let number = try number(of: page)
      return try change { $0.overwrite(number) }
    }

    /// Returns the number of a page, from 1.
    func number(of page: Page) throws -> Int {
      let connection = try connection()
      try connection.checkpoint(truncating: true)
      var roots: [String: Int] = [:]
      try connection.rows("SELECT name, rootpage FROM sqlite_master") { row in
        roots[row.text(0) ?? ""] = Int(row.integer(1))
        return true
      }
      if page == .tableRoot { return try #require(roots[table.name]) }
      if page == .indexRoot { return try #require(roots[table.index]) }
      let bytes = try Data(contentsOf: url)
      let numbers = (2...(bytes.count / Self.pageSize)).filter { number in
        let content = bytes.page(number)
        // An overflow page begins with the number of the next one. A free page is empty.
        guard let type = page.type else { return content.first == 0 && content.dropFirst(100).contains { $0 != 0 } }
        return content.first == type && !roots.values.contains(number)
      }
      return try #require(numbers.isEmpty ? nil : numbers[numbers.count / 2])
    }

    /// Returns the number of the page of a table that contains a text.
    func number(ofLeafWith text: String) throws -> Int {
      try connection().checkpoint(truncating: true)
      let bytes = try Data(contentsOf: url)
      return try #require(
        (2...(bytes.count / Self.pageSize)).first { number in
          bytes.page(number).first == 0x0d && bytes.page(number).range(of: Data(text.utf8)) != nil
        })
    }

    /// The content of a page in the database's file.
    func page(_ number: Int) throws -> Data { try Data(contentsOf: url).page(number) }

    /// Flips a bit of the rowid of a row of preferences, which stays in its place, and returns the damaged file.
    func damageRowid(of number: Int) throws -> Data {
      let name = Data(Self.name(number).utf8)
      let rowid = try #require(
        try connection().first("SELECT rowid FROM preference WHERE name = ?", [.text(Self.name(number))]) {
          $0.integer(0)
        })
      let leaf = try self.number(ofLeafWith: Self.name(number))
      return try change { bytes in
        let start = (leaf - 1) * Self.pageSize
        let position = try #require(bytes[start..<(start + Self.pageSize)].range(of: name)?.lowerBound)
        // The rowid is before the header of the row, which has at most five bytes: two bytes of seven bits.
        let first = UInt8(0x80 | rowid >> 7)
        let found = try #require(
          (position - 8..<position).last { bytes[$0] == first && bytes[$0 + 1] == UInt8(rowid & 0x7f) })
        bytes[found] ^= 0x40
      }
    }

    /// Flips a bit of the rowid that the index has for a row of preferences, and returns the damaged file.
    func damageIndexRowid(of number: Int) throws -> Data {
      let name = Data(Self.name(number).utf8)
      try connection().checkpoint(truncating: true)
      let bytes = try Data(contentsOf: url)
      let leaf = try #require(
        (2...(bytes.count / Self.pageSize)).first { number in
          [0x0a, 0x02].contains(bytes.page(number).first) && bytes.page(number).range(of: name) != nil
        })
      return try change { bytes in
        let start = (leaf - 1) * Self.pageSize
        let end = try #require(bytes[start..<(start + Self.pageSize)].range(of: name)?.upperBound)
        // The rowid follows the name: two bytes.
        bytes[end] ^= 0x04
      }
    }

    /// The names of the files beside the database.
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    }

    /// The names of unfinished files beside the database.
    func drafts() throws -> [String] { try names().filter { $0.contains(".new") } }
  }

  extension Data {
    func page(_ number: Int) -> Data {
      Data(dropFirst((number - 1) * SalvageFixture.pageSize).prefix(SalvageFixture.pageSize))
    }

    mutating func overwrite(_ number: Int) {
      let start = startIndex + (number - 1) * SalvageFixture.pageSize
      replaceSubrange(
        start..<(start + SalvageFixture.pageSize), with: repeatElement(0x55, count: SalvageFixture.pageSize))
    }
  }
#endif
