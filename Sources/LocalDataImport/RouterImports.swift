public import LocalData
public import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// Functions for the stores of other libraries whose rows became records.
///
/// ```swift
/// import LocalDataImport
///
/// try await router.imports.run { print($0.record, $0.completed, $0.total) }
/// for report in try await router.imports.reports() { print(report.record, report.imported, report.leftOut) }
/// ```
public struct RouterImports: Sendable {
  let router: StorageRouter
}

extension StorageRouter {
  /// Functions for the stores of other libraries whose rows became records.
  public nonisolated var imports: RouterImports { RouterImports(router: self) }
}

@_spi(Generated) extension RecordOpening {
  /// The import of the rows of other libraries' stores.
  public static func imports(_ sources: @escaping @Sendable () -> [ImportSource]) -> RecordOpening {
    RecordOpening { router, address in DatabaseImports(sources(), router, address) }
  }
}

/// The imports of a database.
final class DatabaseImports: RecordOpener {
  private struct State: Sendable {
    /// The router holds the open databases.
    weak var router: StorageRouter?
    var isDone = false
  }

  let sources: [ImportSource]
  let address: StorageAddress
  private let state: Lock<State>

  init(_ sources: [ImportSource], _ router: StorageRouter, _ address: StorageAddress) {
    self.sources = sources
    self.address = address
    state = Lock(State(router: router))
  }

  var isDone: Bool {
    let state = state.withLock(\.self)
    return state.isDone || state.router.map { MigrationTurn.isRunning(on: $0, at: address) } ?? true
  }

  func open(_ store: RecordStore) async throws(StorageError) { try await run(store) }

  /// Imports what is not imported yet. Calls on the database that are a part of it find the database as it is.
  func run(
    _ store: RecordStore, again isAgain: Bool = false,
    _ progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws(StorageError) {
    // A process that removed all rows was killed before it had removed the sources.
    try await endRemoval(store)
    try await inTurn(store) { [sources, address] router in
      try await ImportRun(
        sources: sources, store: store, router: router, address: address, isAgain: isAgain, progress: progress
      ).run()
    }
    state.withLock { $0.isDone = true }
  }

  private func inTurn(
    _ store: RecordStore, _ body: @Sendable (StorageRouter) async throws -> Void
  ) async throws(StorageError) {
    guard let router = state.withLock(\.router) else { return }
    try await MigrationTurn.run(of: address, store.importCall.subject, on: router, body)
  }

  // MARK: The removal of all rows

  func notesOfRemoval(besides kept: Set<String>) -> [String: String] {
    var notes: [String: String] = [:]
    for source in sources {
      let mark = ImportMark(source: source.name, time: 0, isRemoved: true, isRemovalPending: true)
      for item in source.imports where !kept.contains(item.name) { notes[ImportMark.name(of: item.name)] = mark.text }
    }
    return notes
  }

  /// Removes the exclusive sources. A source that an earlier release writes later stays.
  func endRemoval(_ store: RecordStore) async throws(StorageError) {
    try await inTurn(store) { [sources] router in
      let marks = try await store.marks().filter { $0.value.isRemovalPending == true }
      guard !marks.isEmpty else { return }
      for source in sources where source.isExclusive && source.imports.contains(where: { marks[$0.name] != nil }) {
        try await source.remove(router)
      }
      try await store.write(store.markCall) { (session) throws(StorageProblem) in
        for (record, var mark) in marks {
          mark.isRemovalPending = nil
          try session.note(mark, of: record)
        }
      }
    }
  }
}

extension RouterImports {
  /// Imports the rows of all registered databases that are not imported yet.
  ///
  /// The first call on a database does it too. Call this function at launch to show the progress of a long import.
  ///
  /// ```swift
  /// try await router.imports.run { print("\($0.completed) of \($0.total)") }
  /// ```
  ///
  /// - Parameter progress: Called after each 1,000 rows, and at the end of each record.
  /// - Throws: ``StorageProblem/Code/migrationFailed`` with an ``ImportProblem`` if a store cannot be imported, and every other
  ///   ``StorageError`` if the store or the database cannot be used now. Nothing is changed then.
  @concurrent public func run(
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws(StorageError) {
    for (store, imports) in try imports() where !imports.isDone { try await imports.run(store, progress) }
  }

  /// Returns the results of all imports.
  ///
  /// ```swift
  /// for report in try await router.imports.reports() where report.leftOut > 0 {
  ///   print(report.record, report.leftOutRows.map(\.row))
  /// }
  /// ```
  ///
  /// - Returns: A report for each record whose rows were imported.
  /// - Throws: A ``StorageError`` if a database cannot be read now, or if its import fails.
  @concurrent public func reports() async throws(StorageError) -> [ImportReport] {
    var reports: [ImportReport] = []
    for (store, imports) in try imports() {
      let marks = try await store.marks()
      for source in imports.sources {
        var isPresent: Bool?
        do throws(StorageError) { isPresent = try await source.isPresent(router, imports.address) } catch {}
        for item in source.imports {
          guard let mark = marks[item.name], !mark.isRemoved else { continue }
          reports.append(
            ImportReport(
              source: source.name, record: item.name, imported: mark.imported, kept: mark.kept, leftOut: mark.leftOut,
              leftOutRows: mark.rows, time: Date(timeIntervalSinceReferenceDate: mark.time), isSourcePresent: isPresent)
          )
        }
      }
    }
    return reports
  }

  /// Imports the rows of all sources again. Records whose key is stored already stay as they are.
  ///
  /// Call it after the user has gone back to an earlier release, which has written to its old store, and has updated again. Rows of
  /// records that the user has deleted since their import come back. After the removal of all rows, only exclusive sources are
  /// imported.
  ///
  /// - Parameter progress: Called after each 1,000 rows, and at the end of each record.
  /// - Throws: Every error that ``run(progress:)`` throws.
  @concurrent public func runAgain(
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws(StorageError) {
    for (store, imports) in try imports() { try await imports.run(store, again: true, progress) }
  }

  /// Removes the sources that the catalog declares as `exclusive`: files with their logs and with the folder of Core Data's large
  /// values, and legacy keys.
  ///
  /// A source stays while a record of it is not imported, or was not imported since the removal of all rows. It also stays while
  /// rows were left out, unless `includingLeftOut` is true. A legacy key of which other keys take a part stays until each has its
  /// part. A store that an earlier release has changed since its import stays until ``runAgain(progress:)``.
  ///
  /// - Parameter includingLeftOut: True to remove sources of which rows were left out.
  /// - Returns: The names of the sources that are removed.
  /// - Throws: A ``StorageError`` if a source cannot be removed now.
  @discardableResult
  @concurrent public func removeSources(includingLeftOut: Bool = false) async throws(StorageError) -> [String] {
    var removed: [String] = []
    for (store, imports) in try imports() {
      let marks = try await store.marks()
      for source in imports.sources where source.isExclusive {
        let own = source.imports.compactMap { marks[$0.name] }
        // What an earlier release has written after the removal of all rows was never imported.
        guard own.count == source.imports.count, own.allSatisfy({ !$0.isRemoved }),
          includingLeftOut || own.allSatisfy({ $0.leftOut == 0 })
        else { continue }
        guard try await source.isUnchanged(router, since: own) else { continue }
        if try await source.remove(router) { removed.append(source.name) }
      }
    }
    return removed
  }

  /// The databases of the registered catalogs that have imports.
  private func imports() throws(StorageError) -> [(RecordStore, DatabaseImports)] {
    var imports: [(RecordStore, DatabaseImports)] = []
    for part in router.databases {
      guard let type = part.declaration as? any RecordDatabase.Type else { continue }
      let store = try RecordStore.of(type, on: router)
      if let opener = store.opener as? DatabaseImports { imports.append((store, opener)) }
    }
    return imports
  }
}

extension ImportSource {
  fileprivate func isPresent(_ router: StorageRouter, _ address: StorageAddress) async throws(StorageError) -> Bool {
    switch content {
    case .store(_, let place, _):
      try await inFiles(router) { (router) throws(StorageProblem) in try place.file(router)?.exists() ?? false }
    case .list(_, let read): try await MigrationTurn.run(of: address, subject, on: router, read) != nil
    }
  }

  /// Returns true if nothing was written to the source since its import.
  fileprivate func isUnchanged(_ router: StorageRouter, since marks: [ImportMark]) async throws(StorageError) -> Bool {
    guard case .store(_, let place, _) = content else { return true }
    let stamps = try await inFiles(router) { (router) throws(StorageProblem) in try place.file(router)?.storeStamps() }
    return marks.allSatisfy { $0.isUnchanged(stamps ?? []) }
  }

  /// Removes the source. Returns false if it stays, because keys need it.
  @discardableResult
  fileprivate func remove(_ router: StorageRouter) async throws(StorageError) -> Bool {
    switch content {
    case .store(let form, let place, _):
      try await inFiles(router) { (router) throws(StorageProblem) in try place.file(router)?.removeStore(form) }
      return true
    case .list(let key, _): return try await router.removeImported(key)
    }
  }
}

extension FileLocation {
  /// Removes a database with its log, its journal, and the folder of Core Data's large values.
  fileprivate func removeStore(_ form: ImportedForm) throws(StorageProblem) {
    guard let folder = try folder.open(creating: false) else { return }
    // The database is the last, so that a killed process leaves it to the next one.
    if case .coreData = form { try removeSupport(folder) }
    for suffix in ["-wal", "-shm", "-journal", ""] { try folder.unlink(name + suffix) }
    try folder.descriptor.sync()
  }

  private func removeSupport(_ folder: borrowing Folder) throws(StorageProblem) {
    let support = ImportedStore.support(of: self)
    if let folder = try support.open(creating: false) {
      if let external = try folder.folder(ImportedStore.externalFolder, creating: false) {
        for name in try external.names() { try external.unlink(name) }
        try folder.removeFolder(ImportedStore.externalFolder)
      }
      for name in try folder.names() { try folder.unlink(name) }
    }
    try folder.removeFolder(support.parts.last ?? "")
  }
}
