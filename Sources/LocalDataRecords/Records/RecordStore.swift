public import LocalData
import RecordShapes
import SmallFoundation
import StorageStores
import StorageSystem
import StorageVocabulary

/// The open databases of a router.
final class RecordStores: KeyHolder {
  private let stores = Lock<[ObjectIdentifier: RecordStore]>([:])

  func lock() { for store in stores.withLock({ Array($0.values) }) { store.lock() } }

  func store(_ type: ObjectIdentifier, _ make: () throws(StorageError) -> RecordStore) throws(StorageError)
    -> RecordStore
  {
    if let known = stores.withLock({ $0[type] }) { return known }
    let made = try make()
    return stores.withLock { stores in
      let store = stores[type] ?? made
      stores[type] = store
      return store
    }
  }
}

/// The subject of a call, and what it needs.
struct RecordCall: Sendable {
  let subject: StorageError.Subject
  /// A Boolean value that indicates whether the call reads or writes encrypted fields, if the database has any.
  let usesKeys: Bool
  /// The largest size of a row.
  var limit = 0
}

/// A database of a router: calls run with a deadline, outside of Swift's threads, and their faults get a subject.
final class RecordStore: Sendable {
  let declaration: RecordDatabaseDeclaration
  private let file: RecordFile
  private let address: StorageAddress
  private let changes: ChangeHub
  /// The keys of encrypted fields; nil if no record has any.
  private let sealing: RecordSealing?
  private let timeout: Duration

  init(
    _ declaration: RecordDatabaseDeclaration, _ address: StorageAddress, _ router: StorageRouter,
    _ services: StorageServices
  ) throws(StorageError) {
    (self.declaration, self.address, self.changes, timeout) = (declaration, address, router.changes, services.timeout)
    let subject = StorageError.Subject(key: declaration.name, domain: declaration.domain.kind)
    do throws(RecordProblem) {
      let location: FileLocation?
      do throws(StorageFault) { location = try Self.location(address, services) } catch { throw .fault(error) }
      file = try RecordFile(declaration, at: location, patience: CallDeadline.ordinaryPatience)
    } catch { throw error.error(RecordCall(subject: subject, usesKeys: false), declaration) }
    sealing = RecordSealing(declaration, file, address, services, clock: router.clock)
  }

  /// Removes the keys of encrypted fields from memory.
  func lock() { sealing?.lock() }

  /// Returns the file of a database; `nil` if everything is in memory.
  private static func location(
    _ address: StorageAddress, _ services: StorageServices
  ) throws(StorageFault) -> FileLocation? {
    guard let locations = services.records.locations else { return nil }
    return try RecordDatabaseFile(address, try locations.get()).location
  }

  // MARK: Calls

  /// Runs one statement that reads, on this thread if it need not wait.
  func readHere<Result: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    let sealer = call.usesKeys ? sealing?.knownSealer : nil
    if call.usesKeys, sealing != nil, sealer == nil { return try await read(call, body) }
    do throws(RecordProblem) {
      return try file.read(mayWait: false, isOneStatement: true, sealer, body)
    } catch {
      switch error {
      case .fault(.busy), .otherKeys: return try await read(call, body)
      default: throw error.error(call, declaration)
      }
    }
  }

  func read<Result: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    try await run(call, isWriting: false) { [file] (sealer) throws(RecordProblem) in
      try file.read(mayWait: true, sealer, body)
    }
  }

  /// Runs `body` in a transaction that excludes other writers, and notifies the observers of the records that it has changed.
  func write<Result: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    try await run(call, isWriting: true) { [self] (sealer) throws(RecordProblem) in
      let (result, changed, hasDeleted) = try file.write(sealer) { (session) throws(StorageFault) in
        let result = try body(session)
        return (result, session.changed, session.hasDeleted)
      }
      for name in changed { changes.publishChange(at: change(of: name)) }
      // No copy of an encrypted value stays in the log.
      if hasDeleted, declaration.records().contains(where: { changed.contains($0.name) && !$0.sealed.isEmpty }) {
        do throws(StorageFault) { try file.emptyLog() } catch { throw .fault(error) }
      }
      return result
    }
  }

  /// Runs `body` as ``write(_:_:)`` does. If `body` throws, nothing is changed, and its error is the result.
  func writeUnlessThrown<Value: Sendable>(
    _ call: RecordCall, _ body: @escaping @Sendable (RecordSession) throws -> Value
  ) async throws(StorageError) -> Result<Value, any Error> {
    let thrown = Lock<(any Error)?>(nil)
    do throws(StorageError) {
      return .success(
        try await write(call) { (session) throws(StorageFault) in
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
  private func run<Result: Sendable>(
    _ call: RecordCall, isWriting: Bool,
    _ body: @escaping @Sendable (RecordSealer?) throws(RecordProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(RecordProblem) {
      return try await CallDeadline(patience: timeout).bound { [sealing] () async throws(RecordProblem) in
        // Another process may replace the file, and its keys, meanwhile.
        for _ in 0..<3 {
          let sealer = call.usesKeys ? try await sealing?.sealer(isForWriting: isWriting) : nil
          do throws(RecordProblem) {
            return try await BlockingExecutor.shared.run { () throws(RecordProblem) in try body(sealer) }
          } catch {
            guard case .otherKeys = error else { throw error }
            sealing?.lock()
          }
        }
        throw .otherKeys
      }
    } catch { throw error.error(call, declaration, isWriting ? .write : .read) }
  }

  // MARK: Observation

  private func change(of record: String) -> StorageAddress {
    StorageAddress(container: address.container, name: ".records/\(address.name)/\(record)")
  }

  /// Calls `body` after each change of a record by this router, until the result is released.
  func observe(_ record: String, _ body: @escaping @Sendable () -> Void) -> ChangeHub.Listener {
    let name = change(of: record).name
    return changes.listen(to: address.container) { if $0 == name { body() } }
  }
}

extension RecordProblem {
  /// The error for the app. A refusal names the field and its number.
  func error(
    _ call: RecordCall, _ declaration: RecordDatabaseDeclaration, _ operation: StorageError.Operation = .read
  ) -> StorageError {
    switch self {
    case .fault(let fault): return fault.recordError(call, operation)
    case .otherKeys: return .busy(call.subject)
    case .refused(let refusal):
      let columns = declaration.records().first { $0.name == refusal.record }?.columns
      let name = columns?.first { $0.number == refusal.number }?.name
      let field = "\(refusal.record).\(name ?? "") (number \(refusal.number), \(refusal.reason.rawValue))"
      return .newerSchema(.init(key: field, domain: call.subject.domain))
    }
  }
}

extension StorageFault {
  /// The error for the app, with the field in the subject if the fault is about one.
  func recordError(_ call: RecordCall, _ operation: StorageError.Operation) -> StorageError {
    if case .alreadyStored(let column?) = self {
      return .alreadyStored(.init(key: "\(call.subject.key ?? "").\(column)", domain: call.subject.domain))
    }
    return StorageError(self, call.subject, limit: call.limit, operation)
  }
}

extension StorageRouter {
  /// Returns the database of a record.
  ///
  /// - Throws: ``StorageError/unregistered(_:)`` if no registered catalog has it.
  nonisolated func store<Database: RecordDatabase>(_ type: Database.Type) throws(StorageError) -> RecordStore {
    let declaration = Database.declaration
    let (address, services) = try database(.records(type))
    return try services.records.object { _ in RecordStores() }.store(ObjectIdentifier(type)) {
      () throws(StorageError) in
      try RecordStore(declaration, address, self, services)
    }
  }
}

extension StorageCatalogPart {
  /// A database of records.
  public static func records<Database: RecordDatabase>(_ type: Database.Type) -> StorageCatalogPart {
    StorageCatalogPart(
      ObjectIdentifier(type), name: Database.declaration.name, domain: Database.declaration.domain,
      recordKeys: { RecordKeyValues($0) })
  }
}

extension StorageRecord {
  static var subject: StorageError.Subject {
    .init(key: declaration.name, domain: Database.declaration.domain.kind)
  }

  static var call: RecordCall {
    RecordCall(subject: subject, usesKeys: !declaration.sealed.isEmpty, limit: declaration.maxSize)
  }
}
