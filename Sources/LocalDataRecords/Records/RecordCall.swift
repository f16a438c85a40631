package import LocalData
import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// The subject of a call, and what it needs.
package struct RecordCall: Sendable {
  package var subject: StorageError.Subject
  /// A Boolean value that indicates whether the call reads or writes encrypted fields, if the database has any.
  let usesKeys: Bool

  package init(subject: StorageError.Subject, usesKeys: Bool) {
    self.subject = subject
    self.usesKeys = usesKeys
  }
}

extension StorageRecord {
  static var subject: StorageError.Subject {
    .init(key: declaration.name, domain: Database.declaration.domain.kind)
  }

  static var call: RecordCall {
    RecordCall(subject: subject, usesKeys: !declaration.sealed.isEmpty)
  }
}

/// A part of a transaction. It does not depend on the type of its result, so that the code of all calls exists once.
typealias RecordBody = @Sendable (RecordSession) throws(StorageProblem) -> Void

/// The access of a call to the rows.
enum RecordAccess: Sendable {
  /// One statement that reads, on the thread of the caller if it need not wait.
  case readHere
  case read, write
}

/// The result of a part of a transaction, which may run more than once. The last result counts.
struct RecordResult<Value: Sendable>: Sendable {
  /// Runs the part, and keeps its result.
  let body: RecordBody
  private let value = Lock<Value?>(nil)

  init(_ body: @escaping @Sendable (RecordSession) throws(StorageProblem) -> Value) {
    self.body = { [value] (session) throws(StorageProblem) in
      let result = try body(session)
      value.withLock { $0 = result }
    }
  }

  func get(_ call: RecordCall) throws(StorageError) -> Value {
    // A call that returns has run the part.
    guard let value = value.withLock({ $0 }) else { throw StorageError(.busy, call.subject) }
    return value
  }
}

extension RecordCall {
  /// Runs a part of a transaction on a database, as a logged call.
  func logged<Database: RecordDatabase, Result: Sendable>(
    _ operation: StorageLogEntry.Operation, _ access: RecordAccess, in database: Database.Type,
    on router: StorageRouter, _ body: @escaping @Sendable (RecordSession) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let result = RecordResult(body)
    try await logged(operation, access, on: router, result.body) { () throws(StorageError) in
      try RecordStore.of(database, on: router)
    }
    return try result.get(self)
  }

  private func logged(
    _ operation: StorageLogEntry.Operation, _ access: RecordAccess, on router: StorageRouter,
    _ body: @escaping RecordBody, store: () throws(StorageError) -> RecordStore
  ) async throws(StorageError) {
    try await router.log.begin(operation, on: subject).run { () async throws(StorageError) in
      try await store().inTransaction(access, self, body)
    }
  }
}
