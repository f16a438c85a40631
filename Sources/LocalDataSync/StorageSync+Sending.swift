import LocalData
import LocalDataFoundation

/// The part of sync that needs the router: it finds the keys and takes their turns.
extension StorageSync {
  /// Sends the latest value of a key on request of the app.
  func send(_ key: AnyStorageKey) async throws(StorageError) {
    // The first use makes the state of sync, without which no synced key may be used.
    let sender = sender
    let plan = try await router.plan(for: key)
    let waits = CallWaits(router.timeout, of: .call)
    guard plan.sync != nil, await sender.isReady() else { throw StorageError(.syncUnavailable, plan.subject) }
    guard let entry = try await latest(key, plan, waits) else { return }
    let problems = await waits.step { await sender.send([(entry, plan.subject)]) }
    if let problem = problems[key.syncKey] { throw StorageError(problem, plan.subject) }
  }

  /// Sends the latest values of all registered keys, whether they were sent before or not.
  func sendEverything() async throws(StorageError) {
    let sender = sender
    guard await sender.isReady() else { throw StorageError(.syncUnavailable, .none) }
    let waits = CallWaits(router.timeout, of: .call)
    var entries = [(entry: SyncPayload.Entry, subject: StorageError.Subject)]()
    var first = StorageError?.none
    let (keys, peer) = try await waits.step { () async throws(StorageError) in try await sender.keysToSend() }
    for key in keys {
      do throws(StorageError) {
        let plan = try await router.plan(for: key)
        guard plan.sync != nil, let entry = try await latest(key, plan, waits, unlessRemovedOn: peer) else { continue }
        entries.append((entry, plan.subject))
      } catch {
        first = first ?? error
        router.syncLink.events.publish(.notSent(key.subject, SyncEvent.SendingProblem(error)))
      }
    }
    let problems = await waits.step { [isEverything = first == nil] in
      await sender.send(entries, isForced: true, isEverything: isEverything)
    }
    for (entry, subject) in entries where first == nil {
      guard let problem = entry.key.flatMap({ problems[$0] }) else { continue }
      // It is sent with the next payloads.
      if case .payloadFull = problem { continue }
      first = StorageError(problem, subject)
    }
    if let first { throw first }
  }

  /// Applies a payload, and sends a reply if the sender waits for one.
  func apply(_ payload: Data) async -> [SyncEvent] {
    let waits = CallWaits(router.timeout, of: .call)
    let receiver = SyncReceiver(
      link: router.syncLink, values: router.values(for: nil), settings: settings,
      host: SyncRouterAccess(router: router, waits: waits), waits: waits)
    let received = await receiver.receive(payload)
    if received.needsReply || received.offersAll || router.syncLink.isBehind {
      await catchUp(isForced: received.needsReply, offersAll: received.offersAll, waits)
    }
    return received.events
  }

  /// Sends the changes that were not sent when they were made, if there may be any. The caller holds no turn.
  ///
  /// - Parameter waits: The waits of the call that made a change.
  func catchUpIfBehind(_ waits: CallWaits) async {
    guard router.syncLink.hasTransport, router.syncLink.isBehind, !MigrationTurn.isRunning(on: router) else { return }
    await catchUp(isForced: false, offersAll: false, waits)
  }

  private func catchUp(isForced: Bool, offersAll: Bool, _ waits: CallWaits) async {
    await sender.catchUp(
      isForced: isForced, offersAll: offersAll, waits,
      note: { (key) throws(StorageError) in
        let plan = try await router.plan(for: key)
        guard plan.sync != nil else { return }
        try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
          try await router.sync.sender.noteChange(of: key, plan)
        }
      },
      latest: { (key) throws(StorageError) in
        let plan = try await router.plan(for: key)
        return plan.sync == nil ? nil : try await latest(key, plan, waits)
      })
  }

  /// Returns the latest value of a key with its version; `nil` if there is no value to send.
  private func latest(
    _ key: AnyStorageKey, _ plan: KeyPlan, _ waits: CallWaits, unlessRemovedOn peer: UUID? = nil
  ) async throws(StorageError) -> SyncPayload.Entry? {
    try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
      try await router.sync.settle(key, plan)
      if plan.retention != nil { try await KeyChange(key, plan, on: router).endRetention(mayPrompt: true) }
      return try await router.sync.sender.latest(key, plan, unlessRemovedOn: peer)
    }
  }

  /// Brings the value of a key's sources, or the version of its removal under a former name, to the key. The caller holds the
  /// key's turn.
  fileprivate func settle(
    _ key: AnyStorageKey, _ plan: KeyPlan
  ) async throws(StorageError) {
    let migration = KeyMigration(key, plan, on: router)
    try await migration.settle()
    guard let ticket = plan.sync else { return }
    let names = await migration.formerNames()
    let services = router.values(for: plan).services
    guard !names.isEmpty else { return }
    try await router.syncLink.run(plan) { () throws(StorageProblem) in
      try ticket.takeRemoval(of: names, plan, services)
    }
  }

  var sender: SyncSender {
    SyncSender(link: router.syncLink, values: router.values(for: nil), settings: settings)
  }

  private var settings: SyncSettings {
    let setup = router.setup
    let (limit, storage, keysets) = setup.withLock { ($0.sync.maxAutoSyncSize, $0.storage, $0.registry.keysets) }
    return SyncSettings(
      limit: min(limit, SyncPayload.largestValue), platform: storage.platform, keysets: keysets,
      index: { setup.withLock { $0.syncIndex } },
      plan: { (key) throws(StorageError) in
        try setup.withLock { (setup) throws(StorageError) in try setup.plan(key) }
      },
      keyset: { (key) throws(StorageProblem) in KeysetID(of: try StorageContainer(key.domain, storage)) })
  }
}

extension RouterSetup {
  fileprivate var syncIndex: SyncIndex {
    SyncIndex(keys: registry.listed.flatMap(\.keys), families: registry.listed.flatMap(\.families))
  }
}

/// The functions of the router that a receiver uses.
struct SyncRouterAccess: Sendable {
  let router: StorageRouter
  let waits: CallWaits

  /// Takes the key's turn, and brings the value of its sources to its address.
  func settle(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    guard key.migration != nil else { return }
    try await router.inTurn(at: plan.address, plan.subject, waits) { router throws(StorageError) in
      try await router.sync.settle(key, plan)
    }
  }

  /// Notes that a key's value is about to be written or removed. If it is removed, removes what its sources hold and what was moved
  /// aside from them. The caller holds the key's turn.
  func prepare(_ key: AnyStorageKey, _ plan: KeyPlan, isRemoval: Bool) async throws(StorageError) {
    let change = KeyChange(key, plan, on: router)
    let prepared = try await change.prepare(isRemoval ? .removal : .write)
    // The removal is not acknowledged before this has succeeded.
    if isRemoval { try await change.removeSources(prepared) }
  }

  /// Runs `body` with the turns of several keys: those that were free, or became free before the deadline of the call.
  func inTurns(of plans: [KeyPlan], _ body: @Sendable (_ held: Set<AddressID>) async -> Void) async {
    let addresses = Dictionary(plans.map { (AddressID($0), $0.address) }, uniquingKeysWith: { one, _ in one })
    await waits.step {
      if MigrationTurn.isRunning(on: router) { return await body(Set(addresses.keys)) }
      var held: [AddressID: StorageAddress] = [:]
      // Each turn is taken once, and all calls take turns in the same order, so that two such calls never wait for each other.
      for (id, address) in addresses.sorted(by: { $0.key < $1.key }) where await router.turns.take(address) {
        held[id] = address
      }
      await body(Set(held.keys))
      for address in held.values { router.turns.end(address) }
    }
  }
}

extension StorageError {
  fileprivate init(_ problem: SyncEvent.SendingProblem, _ subject: Subject) {
    switch problem {
    case .unavailable, .transportFailed: self.init(.syncUnavailable, subject)
    case .tooLarge(let limit), .payloadFull(let limit): self.init(.tooLargeToSync(limit: limit), subject)
    case .failed(let error): self = error
    }
  }
}

extension SyncEvent.SendingProblem {
  init(_ error: StorageError) {
    self =
      switch error.code {
      case .tooLargeToSync: .tooLarge(limit: error.limit ?? 0)
      case .syncUnavailable: .unavailable
      default: .failed(error)
      }
  }
}

extension KeyMigration {
  /// Returns the sources that the key was renamed from, unless the key has a value that is newer than theirs.
  func formerNames() async -> [MigratedSource] {
    guard key.migration != nil, let candidate = await unsettled() else { return [] }
    let sources = candidate.steps.filter { $0.sources.count == 1 }.flatMap(\.sources).filter { !$0.isInPlace }
    return sources.map { MigratedSource(key: $0.key, plan: $0.plan, stored: nil) }
  }
}
