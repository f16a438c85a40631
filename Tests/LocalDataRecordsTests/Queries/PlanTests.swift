@_spi(Generated) import ExampleKeys
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataRecords
import LocalDataSQLite
import Testing

/// Each index that the sample's wallet declares is used by the query that it is declared for.
struct PlanTests {
  private let router = StorageRouter.inMemory()

  init() throws { try router.registerCatalog(WalletCatalog.self) }

  @Test func eachDeclaredIndexIsUsedByItsQuery() async throws {
    let count = try await router.read(WalletDatabase.self) { wallet in
      try Self.examine(Credential.self, wallet.session) + Self.examine(SharingHistory.self, wallet.session)
        + Self.examine(IDTokenHistory.self, wallet.session)
    }
    #expect(count >= 5)
  }

  /// Returns the number of indexes of a record.
  private static func examine<Record: StorageRecord>(_ type: Record.Type, _ session: RecordSession) throws -> Int {
    let declaration = Record.declaration
    for index in declaration.indexes + declaration.unique {
      let positions = index.compactMap { number in declaration.columns.firstIndex { $0.number == number } }
      let name = ([declaration.name] + positions.map { declaration.columns[$0].name }).joined(separator: ".")
      // The rows with a value, and in the order of the last column if there are several.
      let plan = try plan(
        Record.self, equal: positions.count == 1 ? positions : positions.dropLast(), positions, session)
      #expect(plan.count == 1, "\(name): \(plan)")
      #expect(plan.first?.hasPrefix("SEARCH main.\(declaration.name) USING INDEX \(name) (") == true, "\(plan)")
    }
    // SQLite looks for the rows that refer to a row that is deleted.
    for (position, column) in declaration.columns.enumerated() where column.references != nil {
      let plan = try plan(Record.self, equal: [position], [], session)
      #expect(plan.first?.hasPrefix("SEARCH main.\(declaration.name) USING INDEX ") == true, "\(plan)")
    }
    return declaration.indexes.count + declaration.unique.count
  }

  private static func plan<Record: StorageRecord>(
    _ type: Record.Type, equal: some Sequence<Int>, _ ordered: [Int], _ session: RecordSession
  ) throws -> [String] {
    var selection = RecordSelection()
    for position in equal { selection.add(RecordCondition([.column(position), .sql(" = "), .value(.integer(0))])) }
    selection.orders = ordered.suffix(1).map { RecordOrderTerm(position: $0, isDescending: true) }
    let statements = try session.tables.statements(Record.declaration)
    let (sql, values) = try selection.clauses(statements, session)
    return try session.use().plan(of: statements.select + sql, values)
  }
}
