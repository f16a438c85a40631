import LocalData
import LocalDataFoundation

/// Stores the newer values of a payload. They are not sent back.
///
/// Code of the app (serializers, upgrades, migrations and key providers) runs before any history is locked and before the
/// turns of several keys are taken.
struct SyncReceiver: Sendable {
  let link: SyncLink
  let values: ValueAccess
  let settings: SyncSettings
  let host: SyncRouterAccess
  /// The waits for everything in the payload.
  let waits: CallWaits

  var histories: RepairingHistories { link.histories(values.services) }

  /// The outcome of a payload.
  struct Received: Sendable {
    var events: [SyncEvent]
    /// The sender waits for an acknowledgement, or for values.
    var needsReply = false
    /// The sender has sent all of its values: values that it does not have may be sent to it now.
    var offersAll = false
  }

  /// The values that are compared and written together, with two durable commits of a history.
  private static let batch = 200

  func receive(_ bytes: Data) async -> Received {
    let payload: SyncPayload
    do throws(SyncPayload.Refusal) { payload = try SyncPayload(bytes) } catch {
      let event = SyncEvent.ignored(.none, .init(error))
      link.events.publish(event)
      return Received(events: [event])
    }
    let header = payload.header
    guard HybridClock.accepts(header.clock, at: link.clock.now) else {
      let event = SyncEvent.ignored(.none, .counterOutOfRange)
      link.events.publish(event)
      return Received(events: [event])
    }
    var events: [SyncEvent] = []
    do throws(StorageError) {
      let conversation = try await waits.step { () async throws(StorageError) in try await begin(header, payload) }
      // What the former device has acknowledged, this one may not have.
      if conversation.isOfOtherPeer { link.isBehind = true }
      events = conversation.events
      events.forEach(link.events.publish)
      events += await apply(payload, from: conversation.isRemembered ? header.sender : nil)
      return try await waits.step { [events] () async throws(StorageError) in
        try await end(header, conversation, payload, events)
      }
    } catch {
      let event = SyncEvent.ignored(.none, .failed(error))
      link.events.publish(event)
      return Received(events: events + [event])
    }
  }

  // MARK: The conversation

  private func begin(
    _ header: SyncPayload.Header, _ payload: SyncPayload
  ) async throws(StorageError) -> SyncConversation {
    let histories = histories
    let outbox = link.outbox
    let settings = settings
    let now = link.clock.now
    let source = SyncSender(link: link, values: values, settings: settings).source
    return try await link.run { () throws(StorageProblem) in
      let conversation = try histories.change(.app, isDurable: false) { $0.begin(header, payload, now: now) }
      if conversation.isOfferedAll {
        for keyset in settings.keysets where histories.isKept(keyset) {
          try histories.change(keyset, isDurable: false) { $0.offerAll(to: header.sender) }
        }
      }
      if conversation.isAddressed {
        for (key, version) in try outbox.acknowledge(upTo: header.acknowledged.clock, source) {
          try histories.change(try settings.keyset(key), isDurable: false) {
            $0.acknowledge(version, of: key, by: header.sender)
          }
        }
      }
      return conversation
    }
  }

  private func end(
    _ header: SyncPayload.Header, _ conversation: SyncConversation, _ payload: SyncPayload, _ events: [SyncEvent]
  ) async throws(StorageError) -> Received {
    let histories = histories
    let outbox = link.outbox
    let settings = settings
    let now = link.clock.now
    let index = settings.index()
    let outcome = SyncOutcome(events: events, catalogs: index.fingerprint)
    return try await link.run { () throws(StorageProblem) in
      var result = Received(events: events)
      let end = try histories.change(.app, isDurable: true) { $0.end(header, conversation, outcome, now: now) }
      result.offersAll = end.isComplete
      // A payload for another device acknowledges nothing of this one. If the current payload of this device has a higher
      // clock, the sender had not received it yet, or it was put as the answer. Otherwise the sender does not know with which
      // device it is paired now.
      let isSaid = outbox.says {
        $0.sender == end.device && $0.addressee == header.sender && $0.acknowledged.clock >= end.received.clock
          && (conversation.isAddressed || $0.clock > header.clock)
      }
      let isAwaited = !payload.entries.isEmpty || !conversation.isAddressed || conversation.isOfOtherPeer
      let isAnswering = end.isAnswering || conversation.isOfferedAll
      result.needsReply = isAnswering || end.isAsking || isAwaited && !isSaid
      return result
    }
  }

  // MARK: Entries

  /// Returns an event for each entry, in their order. Entries that are not newer than the stored value have no event.
  ///
  /// - Parameter sender: The device that has these values; `nil` if it may not have them any more.
  private func apply(_ payload: SyncPayload, from sender: UUID?) async -> [SyncEvent] {
    var events: [SyncEvent] = []
    let index = settings.index()
    let application = SyncApplication(link: link, values: values, host: host, sender: sender)
    for start in stride(from: 0, to: payload.entries.count, by: Self.batch) {
      var changes = [ReceivedChange]()
      var outcomes = [Int: SyncEvent]()
      let end = min(start + Self.batch, payload.entries.count)
      for number in start..<end {
        switch await prepared(payload.entries[number], index) {
        case .change(var change):
          change.number = number
          changes.append(change)
        case .ignored(let event): outcomes[number] = event
        }
      }
      outcomes.merge(await application.apply(changes)) { $1 }
      events += (start..<end).compactMap { outcomes[$0] }
    }
    events.forEach(link.events.publish)
    return events
  }

  private enum Prepared: Sendable {
    case change(ReceivedChange)
    case ignored(SyncEvent)
  }

  /// Checks an entry, upgrades its value and secures it with the policy of this device's key.
  private func prepared(_ entry: SyncPayload.Entry, _ index: SyncIndex) async -> Prepared {
    // The name came from another device, and may be a family member's: no event has it.
    guard let name = entry.key, let key = index[name] else {
      return .ignored(.ignored(.init(key: nil, domain: entry.key?.domain.kind), .unknownKey))
    }
    do throws(StorageError) {
      if let refusal = key.syncRefusal(on: settings.platform) { return .ignored(.ignored(key.subject, refusal)) }
      let plan = try await host.router.plan(for: key)
      if let refusal = refusal(of: entry, for: key, plan) { return .ignored(.ignored(plan.subject, refusal)) }
      var change = ReceivedChange(entry: entry, name: name, key: key, plan: plan)
      guard let bytes = entry.bytes else {
        try await settle(key, plan)
        return .change(change)
      }
      let current: Data
      do throws(StorageProblem) {
        current = try key.coding.checkedBytes(of: OpenedValue(bytes: bytes, schema: entry.schema))
      } catch {
        return .ignored(.ignored(plan.subject, error == .newerValue ? .newerValue : .wrongType))
      }
      // The value of a source may be newer, or its removal.
      try await host.settle(key, plan)
      change.secured = try await waits.step { () async throws(StorageError) in
        try await values.secured(current, plan)
      }
      return .change(change)
    } catch {
      return .ignored(.ignored(key.subject, .failed(error)))
    }
  }

  /// Brings the value of a key's sources to its address before a removal, because it may be newer. The removal also removes a
  /// value that can never be read.
  private func settle(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    do throws(StorageError) { try await host.settle(key, plan) } catch {
      switch error.code {
      case .cannotDecode, .corrupted, .authenticationFailed, .keyMaterialMissing, .invalidated, .migrationFailed: return
      default: throw error
      }
    }
  }

  /// Returns why an entry is not for its key, as far as its version does not matter. A removal has neither schema nor type.
  private func refusal(
    of entry: SyncPayload.Entry, for key: AnyStorageKey, _ plan: KeyPlan
  ) -> SyncEvent.ReceivingProblem? {
    // The other device sends its own smaller form back.
    if key.syncing?.watchRepresentation != nil { return .watchRepresentation }
    guard HybridClock.accepts(entry.version.counter, at: link.clock.now) else { return .counterOutOfRange }
    guard let bytes = entry.bytes else { return nil }
    if entry.schema > plan.schema { return .newerSchema }
    if entry.schema == 0 { return .olderSchema }
    if bytes.count > min(plan.maxSize, settings.limit) { return .tooLarge }
    return nil
  }
}

extension AnyKeyCoding {
  /// Returns received bytes as today's schema writes them, if they are a value of the key.
  fileprivate func checkedBytes(of opened: OpenedValue) throws(StorageProblem) -> Data {
    guard opened.schema == schema else { return try currentBytes(of: opened) }
    _ = try deserializeAny(opened)
    return opened.bytes
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
