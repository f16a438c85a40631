import LocalData
import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// The import of all records of a database, in one transaction. A marker for each record keeps it from being imported again.
struct ImportRun: Sendable {
  let sources: [ImportSource]
  let store: RecordStore
  let router: StorageRouter
  /// The address of the database.
  let address: StorageAddress
  /// A Boolean value that indicates whether records with a marker are imported too.
  let isAgain: Bool
  let progress: @Sendable (ImportProgress) -> Void

  /// A source that is there, with what was read of it before the transaction.
  private struct Opened: Sendable {
    let source: ImportSource
    let file: FileLocation?
    /// The objects that records are made with: one of the app for all rows, or the elements of a list.
    let objects: [any Sendable]
  }

  /// Imports the records that have no marker, if their source is there.
  func run() async throws(StorageError) {
    let marks = try await store.marks()
    var opened: [Opened] = []
    for source in sources where source.imports.contains(where: { isDue(source, marks[$0.name]) }) {
      if let next = try await open(source) { opened.append(next) }
    }
    guard !opened.isEmpty else { return }
    let result = try await store.writeUnlessThrown(store.importCall) { [opened] session in
      try importAll(opened, session)
    }
    guard case .failure(let error) = result else { return }
    throw error as? StorageError ?? StorageError(.migrationFailed, store.importCall.subject, underlyingError: error)
  }

  /// Returns true if a record with this marker is imported by this run.
  private func isDue(_ source: ImportSource, _ mark: ImportMark?) -> Bool {
    guard let mark else { return true }
    // A source that the app may not remove still has the rows of a user who has signed out.
    return isAgain && (source.isExclusive || !mark.isRemoved)
  }

  /// Returns a source that is there, with the object of the app or the elements of a list.
  private func open(_ source: ImportSource) async throws(StorageError) -> Opened? {
    switch source.content {
    case .store(_, let place, let prepare):
      guard let file = try await source.inFiles(router, { (router) throws(StorageProblem) in try place.file(router) }),
        try await source.inFiles(router, { _ throws(StorageProblem) in try file.exists() })
      else { return nil }
      let object = try await MigrationTurn.run(of: address, source.subject, on: router, prepare)
      return Opened(source: source, file: file, objects: [object])
    case .list(_, let read):
      let elements = try await MigrationTurn.run(of: address, source.subject, on: router, read)
      return elements.map { Opened(source: source, file: nil, objects: $0) }
    }
  }

  // MARK: The transaction

  private func importAll(_ opened: [Opened], _ session: RecordSession) throws {
    // Another process may have imported the records meanwhile.
    var marks = try session.marks()
    var stores: [String: ImportedStore] = [:]
    var stamps: [String: [String]] = [:]
    let items = opened.flatMap { opened in opened.source.imports.map { (item: $0, opened: opened) } }
    for (item, opened) in parentsFirst(items) where isDue(opened.source, marks[item.name]) {
      let source = opened.source
      let subject = StorageError.Subject(key: item.name, domain: store.declaration.domain.kind)
      do {
        if stores[source.name] == nil, let file = opened.file, case .store(let form, _, _) = source.content {
          stores[source.name] = try ImportedStore(source.name, form, file)
          stamps[source.name] = try file.storeStamps()
        }
        var mark = ImportMark(source: source.name, time: router.clock.now.timeIntervalSinceReferenceDate)
        mark.stamps = stamps[source.name]
        let isFirst = marks[item.name]?.isRemoved ?? true
        var rows = try ImportedRows(item, into: session, opened.objects, isFirst: isFirst, mark, progress)
        try rows.importAll(from: stores[source.name])
        marks[item.name, default: mark].add(rows.mark)
        if let mark = marks[item.name] { try session.note(mark, of: item.name) }
      } catch let problem as ImportProblem {
        throw StorageError(.migrationFailed, subject, underlyingError: problem)
      } catch let problem as StorageProblem {
        guard problem == .databaseDamaged, stores[source.name] == nil else {
          throw StorageError(problem, subject, .migrate)
        }
        throw StorageError(.migrationFailed, source.subject, underlyingError: ImportProblem.noDatabase)
      }
    }
    // The time of a long import does not count as waiting.
    CallDeadline.current?.renew()
  }

  /// Returns the imports in an order in which no record comes before one to which it refers.
  private func parentsFirst(
    _ items: [(item: AnyRecordImport, opened: Opened)]
  ) -> [(item: AnyRecordImport, opened: Opened)] {
    var waiting = items
    var sorted: [(item: AnyRecordImport, opened: Opened)] = []
    while !waiting.isEmpty {
      let names = Set(waiting.map(\.item.name))
      // Of records that refer to each other in a circle, the first comes first.
      let next = waiting.firstIndex { entry in
        !entry.item.declaration.columns.contains { column in
          column.references.map { names.contains($0) && $0 != entry.item.name } ?? false
        }
      }
      sorted.append(waiting.remove(at: next ?? 0))
    }
    return sorted
  }
}

/// The rows of one record on their way into its table.
private struct ImportedRows {
  /// A row that refers to a missing record, which may be made from a row after it.
  private struct Waiting {
    let row: Int64
    /// A Boolean value that indicates whether it is stored without the reference.
    let isStored: Bool
  }

  private let item: AnyRecordImport
  private let session: RecordSession
  private let objects: [any Sendable]
  private let progress: @Sendable (ImportProgress) -> Void
  /// A Boolean value that indicates whether a row whose key is stored may have been imported before.
  private let hadRows: Bool
  private var waiting: [Waiting] = []
  private(set) var mark: ImportMark

  init(
    _ item: AnyRecordImport, into session: RecordSession, _ objects: [any Sendable], isFirst: Bool, _ mark: ImportMark,
    _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) throws {
    self.item = item
    self.session = session
    self.objects = objects
    self.mark = mark
    self.progress = progress
    // The number of a row says nothing about the records that the app has stored by itself.
    hadRows = try session.hasRows(item.declaration) && !(isFirst && item.hasNumberAsKey)
  }

  mutating func importAll(from store: ImportedStore?) throws {
    if let table = item.table, let store, let object = objects.first {
      try importRows(of: ImportReader(table, in: store), store, object)
    } else {
      for (index, element) in objects.enumerated() { try add(nil, element, Int64(index)) }
      progress(.init(record: item.name, completed: objects.count, total: objects.count))
      try retry { row, rows in try rows.add(nil, rows.objects[Int(row.row)], row.row, isStored: row.isStored) }
    }
    // Rows that could be read, but whose parents are missing or whose keys are taken, do not mean that the source is wrong.
    let first = mark.rows.first { $0.reason != .missingReference && $0.reason != .duplicate }
    if let first, mark.imported == 0, mark.kept == 0 { throw ImportProblem.noRow(first) }
  }

  private mutating func importRows(of reader: ImportReader, _ store: ImportedStore, _ object: any Sendable) throws {
    let statement = reader.statement
    let total = try store.connection.first(statement.count) { Int($0.integer(0)) } ?? 0
    var done = 0
    try reader.visit(statement.all) { row in
      try add((row.row, reader), object, row.number)
      done += 1
      if done % 1_000 == 0 || done == total { progress(.init(record: item.name, completed: done, total: total)) }
    }
    try retry { waiting, rows in
      try reader.visit(statement.one, [.integer(waiting.row)]) { row in
        try rows.add((row.row, reader), object, waiting.row, isStored: waiting.isStored)
      }
    }
  }

  /// Adds the waiting rows until no further one finds the record to which it refers.
  private mutating func retry(_ add: (Waiting, inout ImportedRows) throws -> Void) throws {
    var rows: [Waiting]
    repeat {
      rows = waiting
      waiting = []
      // A row that is read before those to which it refers, in turn, needs one round alone.
      for row in rows.reversed() { try add(row, &self) }
    } while waiting.count < rows.count
    for row in waiting where !row.isStored {
      mark.leaveOut(.init(row: row.row, field: nil, reason: .missingReference))
    }
  }

  private mutating func add(
    _ row: AnyRecordImport.Row?, _ object: any Sendable, _ number: Int64, isStored: Bool = false
  ) throws {
    do {
      let stored = try item.add(row, object, session, !isStored)
      if stored != .nothing, !isStored { mark.imported += 1 }
      if stored != .all { waiting.append(Waiting(row: number, isStored: stored != .nothing)) }
    } catch let problem as StorageProblem where problem.code == .alreadyStored && hadRows && problem.field == keyName {
      mark.kept += 1
    } catch {
      let (reason, field) = try Self.reason(for: error, of: row?.1.field)
      mark.leaveOut(.init(row: number, field: field, reason: reason))
    }
  }

  private var keyName: String? { item.declaration.columns.first?.name }

  /// Returns the reason for which a row is left out.
  ///
  /// - Parameter field: The field that was read last.
  /// - Throws: An error that is not about the row.
  private static func reason(
    for error: any Error, of field: String?
  ) throws -> (LeftOutRow.Reason, field: String?) {
    switch error {
    case let error as BadValue: return (error.reason, field)
    case is StorageError, is ImportProblem: throw error
    case let problem as StorageProblem:
      switch problem.code {
      case .alreadyStored: return (.duplicate, problem.field)
      case .valueTooLarge: return (.tooLarge, nil)
      case .cannotEncode, .invalidValue: return (.cannotEncode, problem.field)
      default: throw problem
      }
    default: return (.transformFailed, field)
    }
  }
}

extension ImportSource {
  var subject: StorageError.Subject { .init(key: name, domain: nil) }

  /// Runs a step on files.
  func inFiles<Result: Sendable>(
    _ router: StorageRouter, _ body: @escaping @Sendable (StorageRouter) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) {
      return try await BlockingExecutor.shared.run { () throws(StorageProblem) in try body(router) }
    } catch { throw StorageError(error, subject) }
  }
}

extension RecordStore {
  var importCall: RecordCall {
    RecordCall(subject: .init(key: declaration.name, domain: declaration.domain.kind), usesKeys: true)
  }

  /// A call that reads or writes markers alone.
  var markCall: RecordCall { RecordCall(subject: importCall.subject, usesKeys: false) }

  /// Returns the markers of the database, by the stored names of the records.
  func marks() async throws(StorageError) -> [String: ImportMark] {
    try await read(markCall) { (session) throws(StorageProblem) in try session.marks() }
  }
}

extension RecordSession {
  func marks() throws(StorageProblem) -> [String: ImportMark] {
    var marks: [String: ImportMark] = [:]
    let prefix = ImportMark.name(of: "")
    try use().rows("SELECT name, value FROM local_data WHERE name GLOB 'import.*'") { (row) throws(StorageProblem) in
      guard let name = row.text(0), let text = row.text(1), let mark = ImportMark(text) else { throw .databaseDamaged }
      marks[String(name.dropFirst(prefix.count))] = mark
      return true
    }
    return marks
  }

  func note(_ mark: ImportMark, of record: String) throws(StorageProblem) {
    try use(changing: true).run(
      "INSERT OR REPLACE INTO local_data VALUES (?, ?)", [.text(ImportMark.name(of: record)), .text(mark.text)])
  }

  fileprivate func hasRows(_ declaration: RecordDeclaration) throws(StorageProblem) -> Bool {
    try use().first("SELECT 1 FROM \(statements(declaration).table)") { _ in true } ?? false
  }
}
