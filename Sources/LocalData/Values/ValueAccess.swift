package import LocalDataFoundation
import LocalDataStores

/// Reads, writes, updates and removes the stored value of one key, without the key's migrations.
///
/// The caller holds the turn of the key, except for a read that does not wait. A change prepares its keys first, which may wait.
/// A read gets the key when it has the bytes. One uninterrupted step uses the store. The functions run on the actor of their caller.
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
    return try await run(isQuick: isQuick) { () throws(StorageError) in
      try plan.naming { () throws(StorageProblem) in try step(store) }
    }
  }

  /// Runs a step: at once if it need not wait, otherwise on a separate thread.
  ///
  /// - Parameter isQuick: False if the step may take long although it need not wait.
  func run<Result: Sendable>(
    isQuick: Bool = true, _ step: @escaping @Sendable () throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    if isQuick, let result = try atOnce(step) { return result }
    return try await onThread(step)
  }

  /// Runs a step that writes: at once if the store need not wait, otherwise on a separate thread. Such steps queue for a
  /// thread, for no longer than to the deadline of the call, or for the timeout if there is no call.
  ///
  /// - Parameter changesValue: False if the step changes no value, so that no observer of the value is notified.
  package func write<Result: Sendable>(
    _ plan: KeyPlan, changesValue: Bool = true,
    _ step: @escaping @Sendable (KeyedValue) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    try await runWrite(plan, changesValue: changesValue) { (value) throws(StorageError) in
      try plan.naming(.write) { () throws(StorageProblem) in try step(value) }
    }
  }

  private func runWrite<Result: Sendable>(
    _ plan: KeyPlan, changesValue: Bool = true,
    _ step: @escaping @Sendable (KeyedValue) throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let value = KeyedValue(plan, self)
    // Also after a failure: a write that was not acknowledged may have been made.
    defer { if changesValue { changes.publishChange(at: plan.address) } }
    // Other writes wait for a file: their value would be serialized and sealed before that, and again on the thread.
    if plan.isWrittenAtOnce, value.note == nil,
      let result = try atOnce({ () throws(StorageError) in try step(value) })
    {
      return result
    }
    let container = StorageAddress(allOf: plan.address.container)
    guard await writers.take(container, patience: services.timeout) else { throw plan.error(.busy, .write) }
    defer { writers.end(container) }
    return try await onThread { () throws(StorageError) in try step(value) }
  }

  /// Returns the result of a step, or `nil` if it would have to wait. Then it has changed nothing, and is to run again on a
  /// thread that may wait.
  private func atOnce<Result>(_ step: () throws(StorageError) -> Result) throws(StorageError) -> Result? {
    do throws(StorageError) { return try CallDeadline.withoutWaiting(step) } catch {
      guard error.code == .busy else { throw error }
      return nil
    }
  }

  private func onThread<Result: Sendable>(
    _ step: @escaping @Sendable () throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let session = AuthenticationSession.current
    return try await services.run { () throws(StorageError) in try AuthenticationSession.bound(session, step) }
  }

  // MARK: Stored bytes

  /// Returns true if anything is stored. Never prompts.
  package func isStored(_ plan: KeyPlan) async throws(StorageError) -> Bool {
    try await perform(plan) { (store) throws(StorageProblem) in try store.exists(plan.address, plan.attributes) }
  }

  /// Returns the stored bytes, or `nil` if no value is stored.
  ///
  /// - Parameter mayPrompt: False if the user must not be asked. Then a read that needs a prompt is an error.
  package func stored(_ plan: KeyPlan, mayPrompt: Bool = true) async throws(StorageError) -> Data? {
    if !mayPrompt {
      return try await AuthenticationSession.silently { () throws(StorageError) in try await stored(plan) }
    }
    return try await perform(plan) { (_) throws(StorageProblem) in
      try self.prepareState(plan)
      return try self.storedNow(plan, plan.attributes)
    }
  }

  /// Prepares the state of the preferences. After this, a call finds out without waiting whether a value was written.
  func prepareState(_ plan: KeyPlan) throws(StorageProblem) {
    if plan.isPreference { _ = try store(of: plan).state(of: plan.address.container) }
  }

  /// Returns the stored bytes, or `nil` if no value is stored. The calling thread may have to wait.
  func storedNow(_ plan: KeyPlan, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    let bytes = try store(of: plan).read(plan.address, attributes)
    plan.meter?.note(bytes?.count)
    return bytes
  }

  /// Returns the stored value, opened with the key's own policy, or `nil` if no value is stored.
  func openedStored(_ plan: KeyPlan) async throws(StorageError) -> OpenedValue? {
    guard let stored = try await stored(plan) else { return nil }
    return try await opened(stored, plan)
  }

  /// Opens stored bytes with the key's own policy.
  package func opened(_ stored: Data, _ plan: KeyPlan) async throws(StorageError) -> OpenedValue {
    try await opened(stored, plan) { $0 }
  }

  /// Opens stored bytes with the key's own policy, and returns the result of `use`.
  package func opened<Result: Sendable>(
    _ stored: Data, _ plan: KeyPlan, _ use: @escaping @Sendable (OpenedValue) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let opener = try await opener(for: stored, plan)
    return try await run(isQuick: stored.count <= plan.attributes.maxPromptSize) { () throws(StorageError) in
      try plan.naming { () throws(StorageProblem) in try use(try plan.opened(stored, opener)) }
    }
  }

  /// Removes the stored value, if there is one.
  func removeStored(_ plan: KeyPlan) async throws(StorageError) {
    try await write(plan) { (value) throws(StorageProblem) in try value.remove() }
  }

  /// Removes the stored value if it is still `seen`, and returns true if it was removed.
  func removeStored(_ seen: Data?, _ plan: KeyPlan) async throws(StorageError) -> Bool {
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

  // MARK: Bytes that are no value

  /// The number of attempts while other processes keep writing the bytes. After that, the call throws `busy`.
  package static let attemptsToMoveAside = 8

  /// Moves stored bytes that cannot be decoded aside, unless other bytes are stored now. The calling thread may have to wait.
  func moveAside(_ stored: Data, _ plan: KeyPlan) throws(StorageError) {
    let start = ContinuousClock.now
    defer { changes.publishChange(at: plan.address) }
    do throws(StorageProblem) {
      let isMoved = try services.quarantine.move(stored, from: KeyedValue(plan, self))
      if isMoved { log.report(.quarantine, plan.subject, stored, .now - start) }
    } catch {
      let error = plan.error(error, .write)
      log.report(.quarantine, plan.subject, stored, .now - start, error)
      throw error
    }
  }

  /// Removes the copies of a removed value, see ``KeyedValue/removeCopies(isPurged:)``.
  package func removeCopies(_ plan: KeyPlan, isPurged: Bool) async throws(StorageError) {
    try await write(plan, changesValue: false) { (value) throws(StorageProblem) in
      try value.removeCopies(isPurged: isPurged)
    }
  }

  // MARK: Keys of the encryption

  /// Returns what opens values of the key, if that is in memory; `nil` otherwise, or if values are stored plain.
  func knownOpener(_ plan: KeyPlan) -> Opener? {
    plan.sealing.flatMap { services.encryption.knownOpener(for: $0, keyset: plan.keyset) }
  }

  /// Returns what seals values of the key, or `nil` if they are stored plain. Creates the master key if there never was
  /// one.
  package func sealer(for plan: KeyPlan) async throws(StorageError) -> Sealer? {
    guard let policy = plan.sealing else { return nil }
    do throws(StorageProblem) {
      let store = store(of: plan)
      return try await services.encryption.sealer(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.address.name
      ) { () throws(StorageProblem) in plan.hasMigration ? nil : try store.read(plan.address, plan.attributes) }
    } catch { throw plan.error(error) }
  }

  /// Returns what opens stored bytes of the key, or `nil` if there are none or values are stored plain.
  package func opener(for stored: Data?, _ plan: KeyPlan) async throws(StorageError) -> Opener? {
    guard let policy = plan.sealing, let stored else { return nil }
    do throws(StorageProblem) {
      let header = try EnvelopeHeader.parse(stored)
      return try await services.encryption.opener(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.address.name, header: header)
    } catch { throw plan.error(error) }
  }

  /// Returns serialized bytes as they are stored, for a change that is made later.
  package func secured(_ bytes: Data, _ plan: KeyPlan) async throws(StorageError) -> Data {
    let prepared = try await sealer(for: plan)
    let sealer = ValueSealer(plan: plan, sealer: prepared, time: await timeOfWriting(plan))
    return try plan.naming { () throws(StorageProblem) in try sealer.secured(bytes) }
  }

  /// Runs `body`, which seals values with the key of a plan. Runs it again with other keys if the keys were changed meanwhile.
  func withCurrentKeys<Result>(
    _ plan: KeyPlan, _ body: () async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    guard plan.sealing?.keySource == .masterKey else { return try await body() }
    var revision = services.encryption.revision
    for _ in 0..<Self.attemptsToSeal {
      do throws(StorageError) { return try await body() } catch {
        let latest = services.encryption.revision
        guard error.code == .busy, latest != revision else { throw error }
        revision = latest
      }
    }
    return try await body()
  }

  private static let attemptsToSeal = 4

  // MARK: Changes

  /// Changes a value in one step: prepares what seals it, and runs `step` as ``write(_:changesValue:_:)`` does. Runs it again with
  /// other keys if the keys were changed meanwhile.
  ///
  /// - Parameter time: The time of writing; `nil` for the present one.
  package func change<Result: Sendable>(
    _ plan: KeyPlan, at time: Date? = nil,
    _ step: @escaping @Sendable (KeyedValue, ValueSealer) throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    // Off the router's actor, so that a slow serializer or change keeps no other call from it.
    try await withCurrentKeys(plan) { @concurrent () async throws(StorageError) in
      let prepared = try await sealer(for: plan)
      let now = if let time { time } else { await timeOfWriting(plan) }
      let sealer = ValueSealer(plan: plan, sealer: prepared, time: now)
      return try await runWrite(plan) { (value) throws(StorageError) in try step(value, sealer) }
    }
  }
}
