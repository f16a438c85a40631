import LocalData
import LocalDataFoundation

/// Sends changes to the paired device.
///
/// The router calls it, and passes the information about the router's keys as values and closures.
struct SyncSender: Sendable {
  let link: SyncLink
  let values: ValueAccess
  let settings: SyncSettings

  var histories: RepairingHistories { link.histories(values.services) }

  // MARK: A change

  /// Sends a change that was just made of a key with `automaticSmall`. Never fails: what goes wrong is an event. A later change of
  /// the key may be sent before it, and is not replaced.
  ///
  /// - Parameter bytes: Returns the serialized bytes of the written value; `nil` if the value was removed. The function does
  ///   not read the value again, because a read could prompt.
  func sendChange(
    of key: AnyStorageKey, _ plan: KeyPlan, _ ticket: SyncTicket,
    _ bytes: () throws -> Data?
  ) async {
    switch ticket.outcome {
    case .nothing: return
    case .unnoted(let fault):
      link.addUnnoted(ticket.key)
      link.events.publish(.versionNotNoted(plan.subject, plan.error(fault, .sync)))
    case .version(let stamp) where ticket.policy == .automaticSmall:
      await send(stamp, of: key, plan, ticket, bytes)
    case .version: return
    }
  }

  private func send(
    _ stamp: SyncStamp, of key: AnyStorageKey, _ plan: KeyPlan, _ ticket: SyncTicket,
    _ bytes: () throws -> Data?
  ) async {
    let entry: SyncPayload.Entry
    do {
      entry = try outgoing(key, plan, stamp, try bytes())
    } catch {
      let problem = error as? StorageProblem ?? .cannotEncode
      link.events.publish(.notSent(plan.subject, .failed(plan.error(problem))))
      return await withdraw(ticket.key, plan, ifLatest: stamp)
    }
    guard entry.size <= settings.limit else {
      link.events.publish(.notSent(plan.subject, .tooLarge(limit: settings.limit)))
      return await withdraw(ticket.key, plan, ifLatest: stamp)
    }
    let problems = await put([entry])
    publishResults(of: [(ticket.key, plan.subject)], problems)
  }

  /// Stops offering a version that cannot be sent: the paired device keeps its value.
  ///
  /// - Parameter stamp: The version; `nil` for the latest one.
  private func withdraw(_ key: SyncKey, _ plan: KeyPlan, ifLatest stamp: SyncStamp? = nil) async {
    let histories = histories
    // If this fails, the version is tried again later.
    do throws(StorageError) {
      try await link.run(plan) { () throws(StorageProblem) in
        try histories.change(plan.keyset, isDurable: false) { history in
          if let stamp, history.entries[key]?.latest != stamp.version { return }
          history.withdraw(key)
        }
      }
    } catch {}
  }

  // MARK: The latest value

  /// Returns the latest value of a key with its version, and offers it from now on; `nil` if there is no value to send. The
  /// caller holds the key's turn. If a prompt is needed, it is shown before the history is locked.
  ///
  /// - Parameter peer: The device whose acknowledged removals are left out; `nil` for none.
  func latest(
    _ key: AnyStorageKey, _ plan: KeyPlan, unlessRemovedOn peer: UUID? = nil
  ) async throws(StorageError) -> SyncPayload.Entry? {
    for isLastAttempt in [false, true] {
      let stored = try await values.stored(plan)
      var bytes: Data?
      if let stored {
        bytes = try await values.opened(stored, plan) { (opened) throws(StorageProblem) in
          try serialized(key, try key.coding.currentBytes(of: opened))
        }
      }
      guard bytes?.count ?? 0 <= settings.limit else {
        throw StorageError(.tooLargeToSync(limit: settings.limit), plan.subject)
      }
      let look = plan.attributes.look(at: stored, plan.address)
      let stamp = try await stamp(
        key.syncKey, plan, look, isSure: isLastAttempt, isOffered: true, unlessRemovedOn: peer)
      switch stamp {
      case .changed: continue
      case .none: return nil
      case .stamp(let stamp): return entry(key, plan, stamp, bytes)
      }
    }
    return nil
  }

  /// Notes a change of a manual key that could not be noted when it was made. The caller holds the key's turn. The value
  /// is neither opened nor sent.
  func noteChange(
    of key: AnyStorageKey, _ plan: KeyPlan
  ) async throws(StorageError) {
    let look = plan.attributes.look(at: try await values.stored(plan), plan.address)
    _ = try await stamp(key.syncKey, plan, look, isSure: true, isOffered: false)
  }

  private enum Stamp: Sendable {
    case none, changed
    case stamp(SyncStamp)
  }

  /// Returns the version to send a value with.
  ///
  /// - Parameter isSure: False if a value that is none of those noted has to be read again, because another process
  ///   may just have changed it.
  private func stamp(
    _ key: SyncKey, _ plan: KeyPlan, _ look: StoredLook, isSure: Bool, isOffered: Bool,
    unlessRemovedOn peer: UUID? = nil
  ) async throws(StorageError) -> Stamp {
    let histories = histories
    let now = link.clock.now
    let isUnnoted = link.unnoted.contains(key)
    let stamp = try await link.run(plan) { () throws(StorageProblem) in
      try histories.change(plan.keyset) { history -> Stamp in
        if history.knowledge(of: key, look) == .changed, !isSure { return .changed }
        let stamp =
          isUnnoted ? history.restamp(key, look, now: now) : history.stampToSend(key, look, now: now)
        guard let stamp, history.entries[key]?.isRemoved(stamp, on: peer) != true else { return .none }
        if isOffered { history.offer(key) } else if isUnnoted { history.withdraw(key) }
        return .stamp(stamp)
      }
    }
    link.removeUnnoted(key)
    return stamp
  }

  // MARK: Sending

  /// Sends entries together. Returns the entries that could not be sent, and reports an event for each of them.
  func send(
    _ entries: [(entry: SyncPayload.Entry, subject: StorageError.Subject)], isForced: Bool = false,
    isEverything: Bool = false
  ) async -> [SyncKey: SyncEvent.SendingProblem] {
    let problems = await put(entries.map(\.entry), isForced: isForced, isEverything: isEverything)
    publishResults(of: entries.compactMap { entry in entry.entry.key.map { ($0, entry.subject) } }, problems)
    return problems
  }

  /// Sends the versions that the paired device has not received and no change has sent: changes of another launch or process,
  /// changes that did not fit or had no session, and payloads of an earlier launch that the app has replaced.
  ///
  /// - Parameters:
  ///   - isForced: Puts a payload even if it has no entries, to acknowledge or to answer.
  ///   - offersAll: Whether values that have no version yet are sent too.
  ///   - waits: The waits of the call.
  ///   - note: Calls ``noteChange(of:_:)`` in the key's turn. The caller holds no turn.
  ///   - latest: Calls ``latest(_:_:)`` in the key's turn.
  func catchUp(
    isForced: Bool, offersAll: Bool, _ waits: CallWaits,
    note: (AnyStorageKey) async throws(StorageError) -> Void,
    latest: (AnyStorageKey) async throws(StorageError) -> SyncPayload.Entry?
  ) async {
    guard await isReady() else { return }
    link.isBehind = false
    do throws(StorageError) {
      let index = settings.index()
      await noteManualChanges(index, note)
      let wanted = try await waits.step { () async throws(StorageError) in
        try await missing(index, offersAll: offersAll)
      }
      var entries = [(entry: SyncPayload.Entry, subject: StorageError.Subject)]()
      var isEverything = true
      for key in wanted {
        // A prompt is shown only if the app sends the value itself.
        if mayPrompt(key) {
          isEverything = false
          continue
        }
        do throws(StorageError) {
          if let entry = try await latest(key) { entries.append((entry, key.subject)) }
        } catch {
          isEverything = false
          link.events.publish(.notSent(key.subject, SyncEvent.SendingProblem(error)))
          if error.code == .tooLargeToSync {
            await waits.step { await withdraw(key) }
          } else {
            link.isBehind = true
          }
        }
      }
      _ = await waits.step { await send(entries, isForced: isForced, isEverything: isEverything) }
    } catch {
      link.isBehind = true
      link.events.publish(.notSent(.none, .failed(error)))
    }
  }

  /// Notes the changes of manual keys that could not be noted. They are sent when the app calls `send`.
  private func noteManualChanges(
    _ index: SyncIndex,
    _ note: (AnyStorageKey) async throws(StorageError) -> Void
  ) async {
    for key in link.unnoted.compactMap({ index[$0] }) where key.syncPolicy == .manual && !mayPrompt(key) {
      // A failure is not reported, because the next call tries again.
      do throws(StorageError) { try await note(key) } catch { link.isBehind = true }
    }
  }

  /// Returns true if the system may show a prompt when the value is read.
  private func mayPrompt(_ key: AnyStorageKey) -> Bool {
    // A key without an address on this device has no value to read.
    do throws(StorageError) { return try settings.plan(key).mayPrompt } catch { return false }
  }

  private func withdraw(_ key: AnyStorageKey) async {
    do throws(StorageError) { await withdraw(key.syncKey, try settings.plan(key)) } catch {}
  }

  /// Returns the registered keys that are pending and not ready to be sent. A key that is no longer registered is not sent.
  private func missing(
    _ index: SyncIndex, offersAll: Bool
  ) async throws(StorageError) -> [AnyStorageKey] {
    let histories = histories
    let keysets = settings.keysets
    let outbox = link.outbox
    let (missing, known) = try await link.run { () throws(StorageProblem) in
      let peer = try histories.read(.app) { $0.peer }
      var pending: [SyncKey: SyncVersion] = [:]
      var known: Set<SyncKey> = []
      for keyset in keysets where histories.isKept(keyset) {
        try histories.read(keyset) { history in
          for (key, entry) in history.entries where entry.isPending(for: peer) { pending[key] = entry.latest }
          if offersAll { known.formUnion(history.entries.keys) }
        }
      }
      return (outbox.missing(pending), known)
    }
    let unnoted = link.unnoted.compactMap { index[$0] }.filter { $0.syncPolicy == .automaticSmall }
    var keys = missing.subtracting(unnoted.map(\.syncKey)).compactMap { index[$0] } + unnoted
    if offersAll {
      keys += index.keys.filter { $0.syncPolicy == .automaticSmall && !known.contains($0.syncKey) }
    }
    let platform = settings.platform
    return keys.filter { $0.syncRefusal(on: platform) == nil }
      .sorted { ($0.name, $0.domain.kind.rawValue) < ($1.name, $1.domain.kind.rawValue) }
  }

  /// Returns the registered keys with a policy, the members of registered families that a history names, and the device that
  /// they are sent to, if it is known.
  func keysToSend() async throws(StorageError) -> (keys: [AnyStorageKey], peer: UUID?) {
    let index = settings.index()
    let histories = histories
    let settings = settings
    let (noted, peer) = try await link.run { () throws(StorageProblem) in
      var keys: Set<SyncKey> = []
      for keyset in settings.keysets where histories.isKept(keyset) {
        try histories.read(keyset) { keys.formUnion($0.entries.keys) }
      }
      return (keys, try histories.read(.app) { $0.peer })
    }
    let members = index.families.flatMap { family in noted.compactMap { SyncIndex.member($0, of: family) } }
    return ((index.keys + members).filter { $0.syncRefusal(on: settings.platform) == nil }, peer)
  }

  func isReady() async -> Bool {
    let outbox = link.outbox
    return await BlockingExecutor.shared.run { outbox.isReady }
  }

  private func put(
    _ entries: [SyncPayload.Entry], isForced: Bool = false, isEverything: Bool = false
  ) async -> [SyncKey: SyncEvent.SendingProblem] {
    let outbox = link.outbox
    let source = source
    let problems = await BlockingExecutor.shared.run {
      outbox.put(entries, isForced: isForced, isEverything: isEverything, source)
    }
    // What does not fit is sent when the paired device has acknowledged a part of the rest.
    if !problems.isEmpty { link.isBehind = true }
    return problems
  }

  /// Publishes an event for each value: it was sent, or it has a problem.
  private func publishResults(
    of sent: [(SyncKey, StorageError.Subject)], _ problems: [SyncKey: SyncEvent.SendingProblem]
  ) {
    for (key, subject) in sent {
      link.events.publish(problems[key].map { .notSent(subject, $0) } ?? .sent(subject))
    }
  }
}

// MARK: Payloads

extension SyncSender {
  /// The functions by which the outbox uses the histories.
  var source: SyncOutbox.Source {
    let histories = histories
    let link = link
    let settings = settings
    return SyncOutbox.Source(
      header: { (last) throws(StorageProblem) in
        try histories.change(.app, isDurable: false) { $0.nextHeader(after: last, now: link.clock.now) }
      },
      pending: { (payload) throws(StorageProblem) in try histories.pending(of: payload, settings) })
  }

  private func outgoing(
    _ key: AnyStorageKey, _ plan: KeyPlan, _ stamp: SyncStamp, _ bytes: Data?
  ) throws(StorageProblem) -> SyncPayload.Entry {
    entry(key, plan, stamp, try serialized(key, bytes))
  }

  private func entry(
    _ key: AnyStorageKey, _ plan: KeyPlan, _ stamp: SyncStamp, _ bytes: Data?
  ) -> SyncPayload.Entry {
    let watch = key.syncing?.watchRepresentation
    return SyncPayload.Entry(
      key: key.syncKey, version: stamp.version, schema: watch?.schema ?? plan.schema,
      isWatchRepresentation: watch != nil, bytes: bytes)
  }
}

/// The bytes that are sent for serialized bytes.
private func serialized(_ key: AnyStorageKey, _ bytes: Data?) throws(StorageProblem) -> Data? {
  guard let bytes else { return nil }
  return try key.syncing?.outgoing(bytes) ?? bytes
}

extension RepairingHistories {
  /// Returns the entries that an earlier launch has put and that still have to be sent.
  fileprivate func pending(
    of payload: SyncPayload, _ settings: SyncSettings
  ) throws(StorageProblem) -> [SyncPayload.Entry] {
    let (device, peer) = try read(.app) { ($0.device, $0.peer) }
    guard payload.header.sender == device else { return [] }
    let index = settings.index()
    var pending: [SyncPayload.Entry] = []
    for entry in payload.entries {
      guard let key = entry.key, index.isEmpty || index[key] != nil else { continue }
      let isPending = try read(try settings.keyset(key)) { history in
        history.entries[key].map { $0.latest == entry.version && $0.isPending(for: peer) } ?? false
      }
      if isPending { pending.append(entry) }
    }
    return pending
  }
}

extension SyncHistory {
  /// Returns the header of the next payload.
  ///
  /// - Parameter last: The clock of the payload that this launch has put last, or `nil`.
  fileprivate mutating func nextHeader(after last: UInt64?, now: Date) -> SyncPayload.Header {
    changes.isHeadChanged = true
    let clock = clock.tick(now)
    puts.append(clock, after: last)
    return SyncPayload.Header(
      sender: device, clock: clock, asks: asks, addressee: peer,
      acknowledged: peer.flatMap { peers[$0]?.received } ?? SyncPut(), puts: puts)
  }
}
