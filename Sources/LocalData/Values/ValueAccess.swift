package import LocalDataFoundation
import LocalDataStores

/// Reads, writes, updates and removes the stored value of one key, without the key's migrations.
///
/// The caller holds the turn of the key, except for a prompt read. Keys are prepared first, which may wait. Then one
/// uninterrupted step uses the store. The functions run on the actor of their caller.
package final class ValueAccess: Sendable {
  package let services: StorageServices
  let clock: any StorageClock
  let launch: LaunchTime
  package let changes: ChangeHub
  package let log: StorageLog
  /// The calls that change values and may block, so that those which wait for one container leave threads to the others.
  let writers = TurnQueue(limit: ValueAccess.mostWriters)

  private static let mostWriters = 8

  init(_ services: StorageServices, clock: any StorageClock, changes: ChangeHub, log: StorageLog) {
    self.services = services
    self.clock = clock
    launch = LaunchTime(min(services.launch.startedAt, clock.now))
    self.changes = changes
    self.log = log
  }

  /// The store of a key's values. It checks and records no change, see ``KeyedValue``.
  package func store(of plan: KeyPlan) -> any ValueStore { services.base(for: plan.address.container) }

  /// Runs a step that reads the key's store: at once if the store need not wait, otherwise on a separate thread.
  ///
  /// - Parameter isQuick: False if the step may take long although the store need not wait.
  package func perform<Result: Sendable>(
    _ plan: KeyPlan, isQuick: Bool = true,
    _ step: @escaping @Sendable (any ValueStore) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let store = store(of: plan)
    do throws(StorageProblem) {
      if isQuick, let result = try atOnce({ () throws(StorageProblem) in try step(store) }) { return result }
      return try await onThread { () throws(StorageProblem) in try step(store) }
    } catch { throw plan.error(error) }
  }

  /// Runs a step that writes: at once if the store need not wait, otherwise on a separate thread. Such steps queue for a
  /// thread, for no longer than to the deadline of the call, or for the timeout if there is no call.
  ///
  /// - Parameter changesValue: False if the step changes no value, so that no observer of the value is notified.
  package func write<Result: Sendable>(
    _ plan: KeyPlan, changesValue: Bool = true,
    _ step: @escaping @Sendable (KeyedValue) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let value = KeyedValue(plan, self)
    // Also after a failure: a write that was not acknowledged may have been made.
    defer { if changesValue { changes.publishChange(at: plan.address) } }
    do throws(StorageProblem) {
      // Other writes wait for a file: their value would be serialized and sealed before that, and again on the thread.
      if plan.isWrittenAtOnce, let result = try atOnce({ () throws(StorageProblem) in try step(value) }) {
        return result
      }
      let container = StorageAddress(allOf: plan.address.container)
      guard await writers.take(container, patience: services.timeout) else { throw StorageProblem.busy }
      defer { writers.end(container) }
      return try await onThread { () throws(StorageProblem) in try step(value) }
    } catch { throw plan.error(error, .write) }
  }

  /// Returns the result of a step, or `nil` if it would have to wait. Then it has changed nothing, and is to run again on a
  /// thread that may wait.
  private func atOnce<Result>(_ step: () throws(StorageProblem) -> Result) throws(StorageProblem) -> Result? {
    do throws(StorageProblem) { return try CallDeadline.withoutWaiting(step) } catch {
      guard error == .busy else { throw error }
      return nil
    }
  }

  /// Runs a step that uses no store: at once if it has few bytes to work on, otherwise on a separate thread.
  package func compute<Result: Sendable>(
    _ plan: KeyPlan, on bytes: Data?,
    _ step: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) {
      if bytes?.count ?? 0 <= plan.attributes.maxPromptSize { return try step() }
      return try await services.run(step)
    } catch { throw plan.error(error) }
  }

  private func onThread<Result: Sendable>(
    _ step: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageProblem) -> Result {
    let session = AuthenticationSession.current
    return try await services.run { () throws(StorageProblem) in try AuthenticationSession.bound(session, step) }
  }

  // MARK: Stored bytes

  /// Returns true if anything is stored. Never prompts.
  package func isStored(_ plan: KeyPlan) async throws(StorageError)
    -> Bool
  {
    try await perform(plan) { (store) throws(StorageProblem) in try store.exists(plan.address, plan.attributes) }
  }

  /// Returns the stored bytes, or `nil` if no value is stored.
  package func stored(_ plan: KeyPlan) async throws(StorageError)
    -> Data?
  {
    let bytes = try await perform(plan) { (store) throws(StorageProblem) in
      // After this, a call finds out without waiting whether a value was written.
      if plan.isPreference { _ = try store.state(of: plan.address.container) }
      return try store.read(plan.address, plan.attributes)
    }
    plan.meter?.note(bytes?.count)
    return bytes
  }

  /// Returns the stored value, opened with the key's own policy, or `nil` if no value is stored.
  func openedStored(
    _ plan: KeyPlan
  ) async throws(StorageError) -> OpenedValue? {
    guard let stored = try await stored(plan) else { return nil }
    return try await opened(stored, plan)
  }

  /// Opens stored bytes with the key's own policy.
  package func opened(
    _ stored: Data, _ plan: KeyPlan
  ) async throws(StorageError) -> OpenedValue {
    let opener = try await opener(for: stored, plan)
    return try await compute(plan, on: stored) { () throws(StorageProblem) in try plan.opened(stored, opener) }
  }

  /// Removes the stored value, if there is one.
  func removeStored(_ plan: KeyPlan) async throws(StorageError) {
    try await write(plan) { (value) throws(StorageProblem) in try value.remove() }
  }

  /// Removes the stored value if it is still `seen`, and returns true if it was removed.
  func removeStored(
    _ seen: Data?, _ plan: KeyPlan
  ) async throws(StorageError) -> Bool {
    try await write(plan) { (value) throws(StorageProblem) in try value.replace(seen, with: nil) }
  }

  /// Removes all copies of removed values from the key's container.
  func purge(_ plan: KeyPlan) async throws(StorageError) {
    try await write(plan, changesValue: false) { (value) throws(StorageProblem) in
      try value.store.purge(plan.address.container)
    }
  }

  /// Makes earlier writes to the key's container durable.
  func makeDurable(_ plan: KeyPlan) async throws(StorageError) {
    try await write(plan, changesValue: false) { (value) throws(StorageProblem) in
      try value.store.makeDurable(plan.address.container)
    }
  }

  // MARK: Keys of the encryption

  /// Returns what seals values of the key, or `nil` if they are stored plain. Creates the master key if there never was
  /// one.
  package func sealer(
    for plan: KeyPlan
  ) async throws(StorageError) -> Sealer? {
    guard let policy = plan.sealing else { return nil }
    do throws(StorageProblem) {
      let store = store(of: plan)
      return try await services.encryption.sealer(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.address.name
      ) { () throws(StorageProblem) in plan.hasMigration ? nil : try store.read(plan.address, plan.attributes) }
    } catch { throw plan.error(error) }
  }

  /// Returns what opens stored bytes of the key, or `nil` if there are none or values are stored plain.
  package func opener(
    for stored: Data?, _ plan: KeyPlan
  ) async throws(StorageError) -> Opener? {
    guard let policy = plan.sealing, let stored else { return nil }
    do throws(StorageProblem) {
      let header = try EnvelopeHeader.parse(stored)
      return try await services.encryption.opener(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.address.name, header: header)
    } catch { throw plan.error(error) }
  }

  /// Runs `body` with what seals values of the key. Runs it again with other keys if the keys were changed since they were
  /// prepared.
  func sealing<Result>(
    _ plan: KeyPlan,
    _ body: (Sealer?) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    guard plan.sealing != nil else { return try await body(nil) }
    var attempts = SealingAttempts(plan, services)
    repeat {
      let sealer = try await sealer(for: plan)
      do throws(StorageError) { return try await body(sealer) } catch { try attempts.check(error) }
    } while true
  }
}

/// Reads, writes and updates values instead of bytes.
extension ValueAccess {
  /// Returns the value of a key. If no value is stored, returns the default or throws the error for an absent value.
  func value<Value>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan
  ) async throws(StorageError) -> Value {
    try await found(coding, plan, in: try await stored(plan)).value
  }

  /// Stores the bytes that `serialize` returns, sealed if the key is encrypted. They are serialized, sealed and written in one step,
  /// because the switch of threads takes most of the time.
  func store(
    _ plan: KeyPlan,
    _ serialize: @escaping @Sendable () throws(StorageProblem) -> Data?
  ) async throws(StorageError) {
    // Off the router's actor, so that a slow serializer keeps no other call from it.
    try await sealing(plan) { @concurrent (sealer) async throws(StorageError) in
      let now = await timeOfWriting(plan)
      try await write(plan) { (value) throws(StorageProblem) in
        guard let bytes = try serialize() else { throw .cannotEncode }
        let secured = try plan.secured(bytes, sealer, at: now)
        plan.meter?.note(secured.count)
        try value.write(secured)
      }
    }
  }

  /// Reads, changes and writes a value. No other writer can change the value in between.
  func update<Value: Sendable, Failure: Error>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> ValueUpdate<Value, Failure> {
    // Off the router's actor, so that a slow change keeps no other call from it.
    try await sealing(plan) { @concurrent (sealer) async throws(StorageError) in
      try await update(coding, plan, sealer, change)
    }
  }

  private func update<Value: Sendable, Failure: Error>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan, _ sealer: Sealer?,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> ValueUpdate<Value, Failure> {
    // Between a look at the stored header and the update another process may seal under another key: look again then.
    var moved: Data?
    for _ in 0..<Self.attemptsToMoveAside {
      let seen = plan.sealing == nil ? nil : try await stored(plan)
      let opener = try await opener(for: seen, plan)
      let now = await timeOfWriting(plan)
      // The functions that change threads would be slower with a generic result.
      let step = Lock(UpdateStep<Value, Failure>.sealedOtherwise)
      try await write(plan) { (value) throws(StorageProblem) in
        let made = try value.updated(coding, opener, sealer, now, change)
        step.withLock { $0 = made }
      }
      switch step.withLock({ $0 }) {
      case .done(let update, let unused):
        if let unused { log.report(.useDefault, plan.subject, unused) }
        return update
      case .corrupt(let stored):
        if stored == moved { throw StorageError(.cannotDecode, plan.subject) }
        try await moveAside(stored, plan)
        moved = stored
      case .sealedOtherwise: break
      }
    }
    throw StorageError(.busy, plan.subject)
  }
}

/// The attempts of a step that seals. It is repeated with other keys if the keys were changed since they were prepared.
package struct SealingAttempts {
  private let plan: KeyPlan
  private let encryption: EncryptionHelper
  private var revision: Int
  private var left = 4

  /// Creates the attempts of a step before its keys are prepared.
  package init(_ plan: KeyPlan, _ services: StorageServices) {
    self.plan = plan
    encryption = services.encryption
    revision = services.encryption.revision
  }

  /// Throws the error of an attempt, unless another attempt with other keys can succeed.
  package mutating func check(_ error: StorageError) throws(StorageError) {
    let latest = encryption.revision
    guard error.code == .busy, plan.sealing?.keySource == .masterKey, latest != revision, left > 0 else { throw error }
    revision = latest
    left = left - 1
  }
}

/// The result of an update.
enum ValueUpdate<Value: Sendable, Failure: Error>: Sendable {
  case written(Value)
  /// The value means absence, and the caller has to remove the stored value with its sources, if it is still these bytes.
  case removal(Value, of: Data?)
  /// The change threw an error, and no value was written.
  case abandoned(Failure)
}

/// The outcome of one step of an update.
private enum UpdateStep<Value: Sendable, Failure: Error>: Sendable {
  /// - Parameter unused: The stored bytes that cannot be decoded, and for which the key's default was used.
  case done(ValueUpdate<Value, Failure>, unused: Data?)
  /// The stored bytes are no value of the key, and are to be moved aside first.
  case corrupt(Data)
  /// The stored bytes need another key than was made ready.
  case sealedOtherwise
}

extension KeyedValue {
  /// One read, change and write under the store's lock.
  fileprivate func updated<Value: Sendable, Failure: Error>(
    _ coding: KeyCoding<Value>, _ opener: Opener?, _ sealer: Sealer?, _ now: Date,
    _ change: (inout Value) throws(Failure) -> Void
  ) throws(StorageProblem) -> UpdateStep<Value, Failure> {
    var step = UpdateStep<Value, Failure>.sealedOtherwise
    try self.update { (stored) throws(StorageProblem) in
      // If another process has written meanwhile, the store calls this again: the earlier decision was not written.
      step = .sealedOtherwise
      if plan.sealing != nil, let stored {
        guard let opener, opener.canOpen(try EnvelopeHeader.parse(stored)) else { return .keep }
      }
      var value: Value
      var unused: Data?
      switch try plan.decoded(stored, opener, coding) {
      case .value(let found): value = found
      case .corrupt(let bytes):
        if plan.onCorruption == .quarantine {
          step = .corrupt(bytes)
          return .keep
        }
        value = try coding.deserialize(nil)
        unused = bytes
      }
      do throws(Failure) { try change(&value) } catch {
        step = .done(.abandoned(error), unused: unused)
        return .keep
      }
      guard let bytes = try coding.serialize(value) else {
        step = .done(.removal(value, of: stored), unused: unused)
        return .keep
      }
      step = .done(.written(value), unused: unused)
      let secured = try plan.secured(bytes, sealer, at: now)
      plan.meter?.note(secured.count)
      return .write(secured)
    }
    return step
  }
}
