import LocalData
import LocalDataShapes
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// Reads all rows of a database.
struct RecordScan {
  /// What is in a database, without a look at its rows.
  struct Contents: Sendable {
    /// `nil` if there is no file.
    var size: Int?
    var records: [Maintenance.Record]
    var hasUndeclaredFields: Bool
  }

  private let store: RecordStore

  init(_ store: RecordStore) { self.store = store }

  private func call(usesKeys: Bool) -> RecordCall {
    let declaration = store.declaration
    return RecordCall(
      subject: .init(key: declaration.name, domain: declaration.domain.kind), usesKeys: usesKeys)
  }

  func contents() async throws(StorageError) -> Contents {
    let declarations = store.declaration.records()
    var contents = try await store.read(call(usesKeys: false)) { (session) throws(StorageProblem) in
      let connection = try session.use()
      var records: [Maintenance.Record] = []
      for declaration in declarations {
        let sql = "SELECT count(*) FROM \(try session.statements(declaration).table)"
        let count = try connection.first(sql, [], { $0.integer(0) }) ?? 0
        records.append(.init(name: declaration.name, count: Int(count)))
      }
      return Contents(
        size: Int(try connection.size(of: .database) + connection.size(of: .log)), records: records,
        hasUndeclaredFields: session.tables.shape.hasFields(besides: declarations))
    }
    // The read has moved the file, if an earlier release had it at another address.
    if try await !store.exists() {
      contents.size = nil
      contents.hasUndeclaredFields = false
    }
    return contents
  }

  /// Returns the rows that cannot be read. The user is not asked for the keys of encrypted fields.
  func damaged() async throws(StorageError) -> [Maintenance.DamagedRecord] {
    let types = store.declaration.types()
    let domain = store.declaration.domain.kind
    let found = try await AuthenticationSession.silently { [store] () throws(StorageError) in
      try await store.read(call(usesKeys: usesKeys)) { (session) throws(StorageProblem) in
        var damaged: [Maintenance.DamagedRecord] = []
        for type in types { damaged += try Self.damaged(type, session, domain) }
        return damaged
      }
    }
    return found
  }

  /// Removes rows that are still damaged, and returns their number.
  func remove(_ records: [Maintenance.DamagedRecord]) async throws(StorageError) -> Int {
    let types = store.declaration.types()
    let domain = store.declaration.domain.kind
    let names = Set(types.map { $0.declaration.name })
    guard records.contains(where: { names.contains($0.record.key ?? "") && $0.record.domain == domain }) else {
      return 0
    }
    return try await AuthenticationSession.silently { [store] () throws(StorageError) in
      try await store.write(call(usesKeys: usesKeys)) { (session) throws(StorageProblem) in
        var count = 0
        for type in types {
          let statements = try session.statements(type.declaration)
          for row in try Self.damaged(type, session, domain) where row.isDamaged && records.contains(where: row.isSame)
          {
            let sql = "DELETE FROM \(statements.table) WHERE \(statements.rowNumber) = ?"
            count += try session.delete(type.declaration.name, sql, [.integer(row.row)])
            session.note(type.declaration.name, .byApp)
          }
        }
        return count
      }
    }
  }

  private var usesKeys: Bool { store.declaration.types().contains { !$0.declaration.sealed.isEmpty } }

  private static func damaged<Record: StorageRecord>(
    _ type: Record.Type, _ session: RecordSession, _ domain: StorageDomain.Kind
  ) throws(StorageProblem) -> [Maintenance.DamagedRecord] {
    let subject = StorageError.Subject(key: Record.declaration.name, domain: domain)
    let statements = try session.statements(Record.declaration)
    let sealer = session.sealer
    let position = Int32(statements.columns.count)
    var damaged: [Maintenance.DamagedRecord] = []
    let number = statements.rowNumber
    let sql = "SELECT \(statements.list), \(number) FROM \(statements.table) ORDER BY \(number)"
    try session.use().rows(sql, []) { (row) throws(StorageProblem) in
      do throws(StorageProblem) { _ = try Record(RecordRow(row, sealer: sealer)) } catch {
        if error == .newerValue { return true }
        damaged.append(
          .init(record: subject, row: row.integer(position), problem: StorageError(error, subject)))
      }
      return true
    }
    return damaged
  }
}

extension Maintenance.DamagedRecord {
  /// A Boolean value that indicates whether the row itself is damaged. Its key may be there later.
  fileprivate var isDamaged: Bool { [.corrupted, .authenticationFailed, .cannotDecode].contains(problem.code) }

  fileprivate func isSame(_ other: Self) -> Bool { record == other.record && row == other.row }
}

extension RecordShape {
  /// Returns true if there are records or fields that no declaration has.
  fileprivate func hasFields(besides declarations: [RecordDeclaration]) -> Bool {
    records.contains { name, record in
      guard let declaration = declarations.first(where: { $0.name == name }) else { return true }
      let numbers = Set(declaration.columns.map(\.number) + declaration.sealed.map(\.number))
      return !numbers.isSuperset(of: record.columns.keys) || !numbers.isSuperset(of: record.sealed.keys)
    }
  }
}
