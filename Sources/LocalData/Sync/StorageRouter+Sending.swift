import Foundation
import StorageVocabulary

extension StorageRouter {
  /// Sends a change that a key with `automaticSmall` was just given. Never an error of the change: what goes wrong is an event.
  ///
  /// - Parameter value: What was written; `nil` where it was removed. It is not read again: that could prompt.
  func sendChange<Value>(of key: StorageKey<Value>, _ plan: KeyPlan, to value: Value?) async {
    guard let ticket = plan.sync, ticket.policy == .automaticSmall, let stamp = ticket.stamp else { return }
    do throws(StorageError) {
      let entry: SyncPayload.Entry
      do throws(StorageFault) {
        let bytes = try value.flatMap { (value) throws(StorageFault) in try key.coding.serialize(value) }
        entry = try outgoing(AnyStorageKey(key), plan, stamp, bytes)
      } catch {
        throw StorageError(error, plan.subject, limit: plan.maxSize)
      }
      let limit = setup.withLock { $0.sync.maxAutoSyncSize }
      guard entry.size <= limit else { return syncEvents.tell(.notSent(plan.subject, .tooLarge(limit: limit))) }
      tell(await put([entry]), of: [(ticket.key, plan.subject)])
    } catch {
      syncEvents.tell(.notSent(plan.subject, .failed(error)))
    }
  }

  /// Sends what a key has now, because the app asks.
  func send(_ key: AnyStorageKey) async throws(StorageError) {
    let plan = try await plan(for: key)
    guard await isReadyToSend(), let ticket = plan.sync else { throw .syncUnavailable(plan.subject) }
    guard let entry = try await latest(key, plan) else { return }
    let problems = await put([entry])
    if let problem = problems[ticket.key] { throw StorageError(problem, plan.subject) }
    tell(problems, of: [(ticket.key, plan.subject)])
  }

  /// Sends what all registered keys have now.
  func sendAll() async throws(StorageError) {
    guard await isReadyToSend() else { throw .syncUnavailable(.init(key: nil, domain: nil)) }
    var entries: [SyncPayload.Entry] = []
    var subjects: [(SyncKey, StorageError.Subject)] = []
    var first: StorageError?
    for key in try await keysToSend() {
      do throws(StorageError) {
        let plan = try await plan(for: key)
        guard plan.sync != nil, let entry = try await latest(key, plan) else { continue }
        entries.append(entry)
        subjects.append((key.syncKey, plan.subject))
      } catch {
        first = first ?? error
        syncEvents.tell(.notSent(key.subject, SyncEvent.SendingProblem(error)))
      }
    }
    let problems = await put(entries)
    tell(problems, of: subjects)
    for (key, subject) in subjects where first == nil {
      if let problem = problems[key] { first = StorageError(problem, subject) }
    }
    if let first { throw first }
  }

  /// The registered keys with a policy, and the members of registered families that a record names.
  private func keysToSend() async throws(StorageError) -> [AnyStorageKey] {
    let (registry, configuration) = setup.withLock { ($0.registry, $0.storage) }
    let index = SyncIndex(registry)
    var keys = index.keys
    for family in index.families {
      let subject = StorageError.Subject(key: family.name, domain: family.domain.kind)
      let keyset: KeysetID
      do throws(StorageFault) { keyset = KeysetID(of: try StorageContainer(family.domain, configuration)) } catch {
        throw StorageError(error, subject, limit: 0)
      }
      let recorded = try await records(nil, subject) { (records) throws(StorageFault) in
        try records.locked(keyset) { Array($0.record.entries.keys) }
      }
      keys += recorded.compactMap { SyncIndex.member($0, of: family) }
    }
    return keys.filter { $0.syncRefusal(on: configuration.platform) == nil }
  }

  /// What a key has now, with its version; `nil` where there is nothing to send. The turn of the key is taken meanwhile.
  private func latest(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> SyncPayload.Entry? {
    try await inTurn(at: plan.place) { router throws(StorageError) in
      try await router.settle(key, plan)
      guard let ticket = plan.sync, let (stamp, stored) = try await router.stored(plan, ticket) else { return nil }
      let opener = try await router.opener(for: stored, plan)
      let entry = try await router.perform(plan) { (_) throws(StorageFault) in
        try outgoing(
          key, plan, stamp,
          try stored.map { (stored) throws(StorageFault) in
            try key.coding.currentBytes(of: try plan.opened(stored, opener))
          })
      }
      let limit = router.setup.withLock { $0.sync.maxAutoSyncSize }
      guard entry.size <= limit else { throw .tooLargeToSync(plan.subject, limit: limit) }
      return entry
    }
  }

  /// The stored bytes with their version, of one moment.
  private func stored(
    _ plan: KeyPlan, _ ticket: SyncTicket
  ) async throws(StorageError) -> (stamp: SyncStamp, bytes: Data?)? {
    let store = ready(for: plan).base(for: plan)
    return try await records(plan, plan.subject) { (records) throws(StorageFault) in
      try records.locked(plan.keyset) { (open) throws(StorageFault) in
        let bytes = try store.read(plan.place, plan.attributes)
        guard let found = open.record.stampToSend(ticket.key, isPresent: bytes != nil) else { return nil }
        if found.isNew { try open.save() }
        return (found.stamp, bytes)
      }
    }
  }

  /// Runs one step on the records, on a thread of its own.
  func records<Result: Sendable>(
    _ plan: KeyPlan?, _ subject: StorageError.Subject,
    _ step: @escaping @Sendable (any SyncRecordStore) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    let records = ready(for: plan).syncRecords
    do throws(StorageFault) {
      return try await BlockingExecutor.shared.run { () throws(StorageFault) in try step(records) }
    } catch {
      throw StorageError(error, subject, limit: plan?.maxSize ?? 0)
    }
  }

  private func isReadyToSend() async -> Bool {
    let outbox = outbox
    return await BlockingExecutor.shared.run { outbox.isReady }
  }

  private func put(_ entries: [SyncPayload.Entry]) async -> [SyncKey: SyncEvent.SendingProblem] {
    let outbox = outbox
    return await BlockingExecutor.shared.run { outbox.put(entries) }
  }

  private func tell(_ problems: [SyncKey: SyncEvent.SendingProblem], of sent: [(SyncKey, StorageError.Subject)]) {
    for (key, subject) in sent {
      syncEvents.tell(problems[key].map { .notSent(subject, $0) } ?? .sent(subject))
    }
  }
}

/// What travels for serialized bytes.
private func outgoing(
  _ key: AnyStorageKey, _ plan: KeyPlan, _ stamp: SyncStamp, _ bytes: Data?
) throws(StorageFault) -> SyncPayload.Entry {
  SyncPayload.Entry(
    key: key.syncKey, version: stamp.version, schema: plan.identity.schema,
    isWatchForm: key.syncing?.watchForm != nil,
    bytes: try bytes.map { (bytes) throws(StorageFault) in try key.syncing?.outgoing(bytes) ?? bytes })
}

extension SyncPayload.Entry {
  /// Of the value alone.
  fileprivate var size: Int { bytes?.count ?? 0 }
}

extension StorageError {
  fileprivate init(_ problem: SyncEvent.SendingProblem, _ subject: Subject) {
    self =
      switch problem {
      case .unavailable, .transportFailed: .syncUnavailable(subject)
      case .tooLarge(let limit), .payloadFull(let limit): .tooLargeToSync(subject, limit: limit)
      case .failed(let error): error
      }
  }
}

extension SyncEvent.SendingProblem {
  fileprivate init(_ error: StorageError) {
    self =
      switch error {
      case .tooLargeToSync(_, let limit): .tooLarge(limit: limit)
      case .syncUnavailable: .unavailable
      default: .failed(error)
      }
  }
}
