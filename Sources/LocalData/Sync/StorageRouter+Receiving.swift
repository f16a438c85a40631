import Foundation
import StorageVocabulary

extension StorageRouter {
  /// Stores what is newer in a payload, key by key. Nothing of it is sent.
  func applyReceived(_ bytes: Data) async -> [SyncEvent] {
    let payload: SyncPayload
    do throws(SyncPayload.Refusal) { payload = try SyncPayload(bytes) } catch {
      return tell([.ignored(.init(key: nil, domain: nil), .init(error))])
    }
    let index = SyncIndex(setup.withLock { $0.registry })
    var events: [SyncEvent] = []
    for entry in payload.entries {
      if let event = await apply(entry, index) { events += tell([event]) }
    }
    return events
  }

  private func tell(_ events: [SyncEvent]) -> [SyncEvent] {
    events.forEach(syncEvents.tell)
    return events
  }

  /// What became of one entry; `nil` where it is not newer than what is stored.
  private func apply(_ entry: SyncPayload.Entry, _ index: SyncIndex) async -> SyncEvent? {
    // The name came from outside, and may be a family member's: it is not told.
    guard let name = entry.key, let key = index[name] else {
      return .ignored(.init(key: nil, domain: entry.key?.domain.kind), .unknownKey)
    }
    do throws(StorageError) {
      if let refusal = key.syncRefusal(on: setup.withLock { $0.storage.platform }) {
        return .ignored(key.subject, refusal)
      }
      let plan = try await plan(for: key)
      if let refusal = refusal(of: entry, for: key, plan) { return .ignored(plan.subject, refusal) }
      let outcome = try await inTurn(at: plan.place) { router throws(StorageError) in
        // What the key's sources hold is older than anything that was sent.
        try await router.settle(key, plan)
        let outcome = try await router.store(entry, plan, as: name)
        if outcome == .applied, entry.bytes == nil, let noted = try await router.noteRemoval(key, plan) {
          try await router.removeSources(noted)
        }
        return outcome
      }
      switch outcome {
      case .applied: return .received(plan.subject)
      case .notNewer: return nil
      case .implausible: return .ignored(plan.subject, .counterOutOfRange)
      }
    } catch {
      return .ignored(key.subject, .failed(error))
    }
  }

  /// Why an entry is not for its key, as far as its version does not matter.
  private func refusal(
    of entry: SyncPayload.Entry, for key: AnyStorageKey, _ plan: KeyPlan
  ) -> SyncEvent.ReceivingProblem? {
    // Where a smaller form is sent, what comes back is no whole value.
    if key.syncing?.watchForm != nil { return .watchForm }
    if entry.schema != plan.identity.schema {
      return entry.schema > plan.identity.schema ? .newerSchema : .olderSchema
    }
    guard let bytes = entry.bytes else { return nil }
    if bytes.count > min(plan.maxSize, setup.withLock { $0.sync.maxAutoSyncSize }) { return .tooLarge }
    do throws(StorageFault) { try key.syncing?.check(bytes) } catch { return .wrongType }
    return nil
  }

  private enum Outcome: Sendable {
    case applied, notNewer, implausible
  }

  /// Compares versions and writes, in one uninterrupted step under the record's lock.
  private func store(
    _ entry: SyncPayload.Entry, _ plan: KeyPlan, as key: SyncKey
  ) async throws(StorageError) -> Outcome {
    let sealer = entry.bytes == nil ? nil : try await sealer(for: plan)
    let (store, now) = (ready(for: plan).base(for: plan), clock.now)
    return try await records(plan, plan.subject) { (records) throws(StorageFault) in
      try records.locked(plan.keyset) { (open) throws(StorageFault) in
        let isPresent = try store.exists(plan.place, plan.attributes)
        guard open.record.isPlausible(entry.version) else { return .implausible }
        guard
          open.record.accepts(entry.stamp, for: key, isPresent: isPresent, isWatchForm: entry.isWatchForm)
        else { return .notNewer }
        let stored = try entry.bytes.map { (bytes) throws(StorageFault) in try plan.secured(bytes, sealer, at: now) }
        open.record.beginReceived(entry.stamp, for: key, isPresent: isPresent)
        try open.save()
        if let stored {
          try store.write(stored, to: plan.place, plan.attributes)
        } else {
          try store.remove(plan.place, plan.attributes)
        }
        open.record.settle(entry.stamp, for: key, isWatchForm: entry.isWatchForm)
        try open.save()
        return .applied
      }
    }
  }
}

extension SyncEvent.ReceivingProblem {
  fileprivate init(_ refusal: SyncPayload.Refusal) {
    self =
      switch refusal {
      case .malformed: .malformedPayload
      case .unknownVersion: .unknownPayloadVersion
      case .tooLarge: .payloadTooLarge
      }
  }
}
