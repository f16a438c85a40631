import LocalDataRecordKeys
public import LocalData
import LocalDataShapes
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// The open databases of a router.
final class RecordStores: KeyHolder {
  private let stores = Lock<[ObjectIdentifier: RecordStore]>([:])

  func lock() { for store in stores.withLock({ Array($0.values) }) { store.lock() } }

  func known(_ type: ObjectIdentifier) -> RecordStore? { stores.withLock { $0[type] } }

  /// Adds an open database, unless another thread was faster. Returns the one to use.
  func add(_ made: RecordStore, _ type: ObjectIdentifier) -> RecordStore {
    stores.withLock { stores in
      let store = stores[type] ?? made
      stores[type] = store
      return store
    }
  }
}

/// A database of a router: calls run with a deadline, outside of Swift's threads, and their problems get a subject.
package final class RecordStore: Sendable {
  package let declaration: RecordDatabaseDeclaration
  let file: RecordFile
  private let observers: RecordObservers
  private let log: StorageLog
  /// The keys of encrypted fields; nil if no record has any.
  private let sealing: RecordSealing?
  /// The record keys as they are stored, also if no declared record has encrypted fields.
  private let keys: RecordKeys?
  /// The move from an address of an earlier release; nil if there is none.
  let move: RecordMove?
  /// The steps of another product before the first call; nil if there are none, or if the database is in memory.
  package let opener: (any RecordOpener)?
  private let timeout: Duration
  private let container: StorageContainer
  private let scans: RecordScans
  /// The launch whose first call deletes the rows of earlier launches; nil if there is nothing to do.
  private let beginning: Lock<ProcessLaunch?>

  init(
    _ declaration: RecordDatabaseDeclaration, _ address: StorageAddress, movedFrom earlier: [StorageAddress],
    _ router: StorageRouter, _ services: StorageServices, content: [String]? = nil
  ) throws(StorageError) {
    self.declaration = declaration
    timeout = services.timeout
    container = address.container
    scans = RecordScans(router.log, declaration.domain.kind, isRefused: services.refusesScans)
    log = router.log
    let endsAtRelaunch = declaration.records().contains { $0.retention.endsAtRelaunch }
    beginning = Lock(endsAtRelaunch && !services.launch.isExtension ? services.launch : nil)
    func keys(_ domain: StorageDomain.Kind, _ address: StorageAddress) -> RecordKeys? {
      guard case .encrypted(let policy) = declaration.sealing else { return nil }
      return RecordKeys(
        services.encryption, policy, domain: domain, container: address.container, database: address.name,
        clock: router.clock)
    }
    let ownKeys = keys(declaration.domain.kind, address)
    do throws(StorageProblem) {
      let locations = try services.records.locations?.get()
      let database = if let locations { try RecordDatabaseFile(address, locations) } else { RecordDatabaseFile?.none }
      file = try RecordFile(
        declaration, at: database?.location, content: content, patience: CallDeadline.ordinaryPatience,
        clock: router.clock
      ) {
        // The list is that of a file which is gone, and the new one has the declared tables. If it cannot be replaced now, it
        // stays. The first keys begin a list where there is none.
        do throws(StorageProblem) {
          guard let ownKeys, try !ownKeys.listed().isEmpty else { return }
          try ownKeys.relist(as: SealedNumber.all(of: RecordShape(declaration.records())))
        } catch {}
      }
      move = try RecordMove(
        earlier, file.creation, locations, keys: { keys($0.identity(ofKey: 1).domain, $0.address) },
        destination: database)
    } catch { throw StorageError(error, declaration.call.subject) }
    opener = file.creation == nil ? nil : declaration.opening?.opener(router, address)
    observers = RecordObservers(file, address)
    self.keys = ownKeys
    sealing = RecordSealing(declaration, file, ownKeys)
  }

  /// Removes the keys of encrypted fields from memory.
  func lock() { sealing?.lock() }

  /// Calls `body` after each change of a record, until the result is released.
  func observe(_ record: String, _ body: @escaping @Sendable () -> Void) -> [any Sendable] {
    observers.observe(record, body)
  }

  // MARK: Calls

  package func read<Result: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let result = RecordResult(body)
    try await inTransaction(.read, call, result.body)
    return try result.get(call)
  }

  /// Runs `body` in a transaction that excludes other writers, and notifies the observers of the records that it has changed.
  ///
  /// `body` finds no row whose retention has ended: they are deleted before.
  package func write<Result: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let result = RecordResult(body)
    try await inTransaction(.write, call, result.body)
    return try result.get(call)
  }

  /// Runs `body` in a transaction, as ``read(_:_:)`` and ``write(_:_:)`` do.
  func inTransaction(
    _ access: RecordAccess, _ call: RecordCall, _ body: @escaping RecordBody
  ) async throws(StorageError) {
    var call = call
    call.subject.place = container
    if access == .readHere, try readHere(call, body) { return }
    if let opener, !opener.isDone { try await opener.open(self) }
    try await onThread(call, isWriting: access == .write) { [self] (sealer) throws(StorageProblem) in
      if access == .write { try write(sealer, body) } else { try read(sealer, body) }
    }
  }

  /// Runs one statement that reads, on this thread. Returns false if it would have to wait.
  private func readHere(_ call: RecordCall, _ body: RecordBody) throws(StorageError) -> Bool {
    let sealer = call.usesKeys ? sealing?.knownSealer : nil
    let isOpen = move?.isDone ?? true && opener?.isDone ?? true && beginning.withLock { $0 == nil }
    guard isOpen, !call.usesKeys || sealing == nil || sealer != nil else { return false }
    let obstacle: RecordObstacle?
    do throws(StorageProblem) {
      obstacle = try CallDeadline.withoutWaiting { () throws(StorageProblem) in
        try read(isOneStatement: true, sealer, body)
      }
    } catch {
      if error == .busy { return false }
      throw error.recordError(call, .read)
    }
    guard let obstacle else { return true }
    if case .otherKeys = obstacle { return false }
    throw obstacle.error(call, declaration)
  }

  private func read(
    isOneStatement: Bool = false, _ sealer: RecordSealer?, _ body: RecordBody
  ) throws(StorageProblem) -> RecordObstacle? {
    var ended: RecordSession?
    let obstacle = try file.read(isOneStatement: isOneStatement, sealer) { (session) throws(StorageProblem) in
      session.scans = scans
      try body(session)
      ended = session
    }
    if obstacle == nil, let ended { report(ended) }
    return obstacle
  }

  private func write(_ sealer: RecordSealer?, _ body: RecordBody) throws(StorageProblem) -> RecordObstacle? {
    try commit(sealer) { (session) throws(StorageProblem) in
      try session.deleteEnded()
      session.scans = scans
      try body(session)
      try session.deleteSurplus()
    }
  }

  func commit(
    _ sealer: RecordSealer?, _ body: (RecordSession) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> RecordObstacle? {
    var ended: RecordSession?
    let obstacle = try file.write(sealer) { (session) throws(StorageProblem) in
      try body(session)
      ended = session
    }
    guard obstacle == nil, let ended else { return obstacle }
    report(ended)
    observers.publishChange(of: ended.changed)
    // No copy of an encrypted value stays in the log.
    if let deletion = ended.deletion,
      declaration.records().contains(where: { ended.changed.contains($0.name) && !$0.sealed.isEmpty })
    {
      do throws(StorageProblem) { try file.emptyLog() } catch {
        // The change of the app is stored. The next deletion or checkpoint empties the log of rows that have ended.
        if deletion == .byApp { throw error }
      }
    }
    return nil
  }

  /// Logs the damaged rows that a call has left out, and the rows that their retention could not delete, by the names of their
  /// records.
  private func report(_ session: RecordSession) {
    if session.damaged.isEmpty, session.undeleted.isEmpty { return }
    func subject(_ record: String) -> StorageError.Subject { .init(key: record, domain: declaration.domain.kind) }
    for record in session.damaged.keys.inOrder {
      log.report(.skip, subject(record), rows: session.damaged[record] ?? 0)
    }
    for (record, fault) in session.undeleted {
      log.report(.expire, subject(record), nil, .zero, StorageError(fault, subject(record), .write))
    }
  }

  /// Deletes the rows that were kept until this launch of the app, once. A call that reads does not create the file for it.
  private func beginLaunch(_ sealer: RecordSealer?, isWriting: Bool) throws(StorageProblem) -> RecordObstacle? {
    guard let launch = beginning.withLock({ $0 }) else { return nil }
    if !isWriting, try !file.exists { return nil }
    let obstacle = try commit(sealer) { (session) throws(StorageProblem) in try session.begin(launch) }
    if obstacle == nil { beginning.withLock { $0 = nil } }
    return obstacle
  }

  /// Deletes the rows whose retention has ended, and returns the names of their records.
  func sweep() async throws(StorageError) -> [String] {
    let retained = declaration.records().filter { $0.retention != nil }.map(\.name)
    if retained.isEmpty { return [] }
    let call = declaration.call
    // A sweep creates no database.
    guard try await read(call, { (session) throws(StorageProblem) in try session.hasEnded() }) else { return [] }
    let (names, undeleted) = try await write(call) { (session) throws(StorageProblem) in
      try session.deleteSurplus(ofAll: true)
      return (retained.filter(session.changed.contains), session.undeleted)
    }
    if let (record, fault) = undeleted.first { throw StorageError(fault, call.subject.named(record), .write) }
    return names
  }

  /// Returns true if the file exists. A move from an address of an earlier release is not made.
  package func exists() async throws(StorageError) -> Bool {
    try await onFile { (file) throws(StorageProblem) in try file.exists }
  }

  /// Copies the file as this release uses it, with what is in its log, to a file that does not exist.
  func copy(to url: URL) async throws(StorageError) {
    let name = url.lastPathComponent
    guard url.isFileURL, !["", "/", ".", ".."].contains(name) else {
      throw StorageError(.invalidName, declaration.call.subject)
    }
    // The first call of a launch moves and merges a file of an earlier release.
    try await read(declaration.call) { _ in }
    try await onFile { (file) throws(StorageProblem) in
      let folder = FolderLocation(root: StorageRoot(url.deletingLastPathComponent()), parts: [])
      try file.copy(to: FileLocation(folder: folder, name: name))
    }
  }

  /// Repairs the file, and those at the addresses of earlier releases.
  func repair(_ cause: StorageCatalogPart.RepairCause) async throws(StorageError) -> StorageCatalogPart.Repaired {
    let repaired = try await onFile { [self] (file) throws(StorageProblem) in
      try file.repair(cause, declaration.domain.kind, keys, and: move?.earlier ?? [], usesLists: sealing != nil)
    }
    sealing?.lock()
    if !repaired.files.isEmpty {
      // The merge seals an empty part into each row that has lost its own. If the keys cannot be read now, the next call does it.
      do throws(StorageError) { try await read(declaration.call) { _ in } } catch {}
    }
    observers.publishChange(of: Set(declaration.records().map(\.name)))
    return repaired
  }

  /// Runs a step that needs no tables.
  func onFile<Result: Sendable>(
    _ body: @escaping @Sendable (RecordFile) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) {
      return try await BlockingExecutor.shared.run { [file] () throws(StorageProblem) in try body(file) }
    } catch { throw StorageError(error, declaration.call.subject) }
  }

  /// Removes all rows and record keys, also those at addresses of earlier releases. It needs no key, and creates no file.
  ///
  /// If the list in the keychain cannot be removed now, the rows are removed all the same before the error is thrown.
  func removeEverything() async throws(StorageError) {
    defer {
      sealing?.lock()
      observers.publishChange(of: Set(declaration.records().map(\.name)))
    }
    do throws(StorageProblem) {
      try await CallDeadline(patience: timeout).bound { [self] () async throws(StorageProblem) in
        try await move?.discard()
        try await BlockingExecutor.shared.run { [file, keys, opener] () throws(StorageProblem) in
          let unlisting = Result { () throws(StorageProblem) in try keys?.unlist() }
          try file.removeAll(noting: opener?.notesOfRemoval(besides: []) ?? [:])
          try unlisting.get()
        }
      }
    } catch { throw StorageError(error, declaration.call.subject, .write) }
    try await opener?.endRemoval(self)
  }

  /// Runs `body` as ``write(_:_:)`` does. If `body` throws, nothing is changed, and its error is the result.
  package func writeUnlessThrown<Value: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws -> Value
  ) async throws(StorageError) -> Result<Value, any Error> {
    let thrown = Lock<(any Error)?>(nil)
    do throws(StorageError) {
      return .success(
        try await write(call) { (session) throws(StorageProblem) in
          thrown.withLock { $0 = nil }
          do { return try body(session) } catch {
            thrown.withLock { $0 = error }
            // Any fault undoes the changes.
            throw .notFound
          }
        })
    } catch {
      guard let cause = thrown.withLock({ $0 }) else { throw error }
      return .failure(cause)
    }
  }

  /// Runs a call on another thread, with the keys that it needs.
  func onThread(
    _ call: RecordCall, isWriting: Bool,
    _ body: @escaping @Sendable (RecordSealer?) throws(StorageProblem) -> RecordObstacle?
  ) async throws(StorageError) {
    let obstacle: RecordObstacle?
    do throws(StorageProblem) {
      obstacle = try await CallDeadline(patience: timeout).bound { () async throws(StorageProblem) in
        try await attempt(call, isWriting: isWriting, body)
      }
    } catch { throw error.recordError(call, isWriting ? .write : .read) }
    if let obstacle { throw obstacle.error(call, declaration) }
  }

  /// Attempts a call until it is made, or until there is an obstacle that cannot be mended.
  private func attempt(
    _ call: RecordCall, isWriting: Bool,
    _ body: @escaping @Sendable (RecordSealer?) throws(StorageProblem) -> RecordObstacle?
  ) async throws(StorageProblem) -> RecordObstacle? {
    if let refusal = file.refusal { return .refused(refusal) }
    if let move, let obstacle = try await move.move(isWriting: isWriting) { return obstacle }
    var mergeNeedsKeys = false
    // Another process may replace the file, and its keys, meanwhile.
    for attempt in 0..<6 {
      let usesKeys = call.usesKeys || mergeNeedsKeys
      let sealer = usesKeys ? try await sealing?.sealer(isForWriting: isWriting || mergeNeedsKeys) : nil
      do throws(StorageProblem) {
        let obstacle = try await BlockingExecutor.shared.run { [self] () throws(StorageProblem) -> RecordObstacle? in
          if let obstacle = try beginLaunch(sealer, isWriting: isWriting) { return obstacle }
          return try body(sealer)
        }
        switch obstacle {
        case .otherKeys: sealing?.lock()
        case .needsKeys: mergeNeedsKeys = true
        default: return obstacle
        }
      } catch {
        // Another process may have stored the first key since it was looked for.
        guard error == .keyMaterialMissing, call.usesKeys, sealer == nil, attempt == 0 else { throw error }
      }
    }
    return .otherKeys
  }
}

extension RecordDatabaseDeclaration {
  /// A call on the database itself.
  var call: RecordCall { RecordCall(subject: .init(key: name, domain: domain.kind), usesKeys: false) }
}

extension RecordObstacle {
  /// The error for the app. A refusal names the field and its number.
  func error(_ call: RecordCall, _ declaration: RecordDatabaseDeclaration) -> StorageError {
    switch self {
    case .otherKeys, .needsKeys, .unmerged: return StorageError(.busy, call.subject)
    case .twoFiles: return StorageError(.migrationFailed, call.subject.named(declaration.name))
    case .refused(let refusal):
      let detail = "number \(refusal.number), \(refusal.reason.rawValue)"
      return StorageError(.newerSchema, call.subject.named(name(refusal.record, refusal.number, detail, declaration)))
    case .untransformed(let record, let number, let problem, let cause):
      let subject = call.subject.named(name(record, number, "number \(number)", declaration))
      return StorageError(cause == nil ? problem : .migrationFailed, subject, .migrate, underlyingError: cause)
    }
  }

  private func name(
    _ record: String, _ number: Int, _ detail: String, _ declaration: RecordDatabaseDeclaration
  ) -> String {
    let columns = declaration.records().first { $0.name == record }?.columns
    let name = columns?.first { $0.number == number }?.name
    return "\(record).\(name ?? "") (\(detail))"
  }
}

extension StorageProblem {
  /// The error for the app, with the field in the subject if the problem is about one.
  func recordError(_ call: RecordCall, _ operation: StorageError.Operation) -> StorageError {
    StorageError(self, field.map { call.subject.field($0) } ?? call.subject, operation)
  }
}

extension StorageError.Subject {
  /// A field of this record.
  func field(_ name: String) -> Self {
    var field = named("\(key ?? "").\(name)")
    field.isField = true
    return field
  }

  /// Another part of the same container.
  func named(_ key: String) -> Self {
    var subject = self
    subject.key = key
    return subject
  }
}

extension RecordStore {
  /// Returns the database of a type, which is opened at the first call.
  ///
  /// - Parameter content: The content of a database in memory that no call has used yet.
  /// - Throws: ``StorageProblem/Code/unregistered`` if no registered catalog has it.
  package static func of<Database: RecordDatabase>(
    _ type: Database.Type, on router: StorageRouter, content: [String]? = nil
  ) throws(StorageError) -> RecordStore {
    let id = ObjectIdentifier(type)
    // The database was registered when it was opened.
    if let known = router.openDatabases?.object({ _ in RecordStores() }).known(id) { return known }
    let (address, earlier, services) = try StorageCatalogPart.records(type).opening(on: router)
    let made = try RecordStore(Database.declaration, address, movedFrom: earlier, router, services, content: content)
    return services.records.object { _ in RecordStores() }.add(made, id)
  }
}

extension StorageCatalogPart {
  /// A database of records.
  public static func records<Database: RecordDatabase>(_ type: Database.Type) -> StorageCatalogPart {
    StorageCatalogPart(
      type, name: Database.declaration.name, domain: Database.declaration.domain,
      movedFrom: Database.declaration.movedFrom.map { ($0.name, $0.domain) }, recordKeys: { RecordKeyValues($0) },
      sweep: { (router) throws(StorageError) in
        let store = try RecordStore.of(type, on: router)
        let ended = try await store.sweep().map { StorageError.Subject(key: $0, domain: type.declaration.domain.kind) }
        try await store.onFile { (file) throws(StorageProblem) in try file.giveBackPages() }
        return ended
      },
      removeAll: { (router, scope) throws(StorageError) in try await router.remove(scope, in: type) },
      repair: { (router, cause) throws(StorageError) in try await RecordStore.of(type, on: router).repair(cause) })
  }
}
