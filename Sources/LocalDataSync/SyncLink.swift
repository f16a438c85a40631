public import LocalData
import LocalDataFoundation

/// The state of sync that all calls of a router share: the events, the changes to send, and the clock.
final class SyncLink: ChangeFeature {
  let events = SyncEventHub()
  let outbox = SyncOutbox()
  let clock: any StorageClock
  private let behind = Lock(Behind())

  /// The changes that have not been sent yet, although they should have been.
  private struct Behind: Sendable {
    /// True at launch: the changes that an earlier launch could not send are unknown yet.
    var isBehind = true
    /// Keys whose change could not be noted.
    var unnoted: Set<SyncKey> = []
  }

  init(clock: any StorageClock) { self.clock = clock }

  func hook(for key: AnyStorageKey, on platform: StoragePlatform) -> (any ChangeHook)? {
    key.syncRefusal(on: platform) == nil ? SyncTicket(key.syncKey, key.syncPolicy, self) : nil
  }

  func catchUp(on router: StorageRouter, with changes: [FeatureChange], _ waits: CallWaits) async {
    // The switch of threads takes longer than the set of a preference.
    guard hasTransport || changes.contains(where: { $0.plan.sync?.hasChange == true }) else { return }
    await send(changes, on: router, waits)
  }

  @concurrent private func send(_ changes: [FeatureChange], on router: StorageRouter, _ waits: CallWaits) async {
    let sender = router.sync.sender
    for change in changes {
      if let ticket = change.plan.sync, let bytes = change.bytes {
        await waits.step { await sender.sendChange(of: change.key, change.plan, ticket, bytes) }
      } else if hasTransport, await !sender.isReady() {
        events.publish(.notSent(change.plan.subject, .unavailable))
      }
    }
    await router.sync.catchUpIfBehind(waits)
  }

  var hasTransport: Bool { outbox.hasTransport }

  func setTransport(_ transport: (any SyncTransport)?) {
    outbox.use(transport)
    isBehind = true
  }

  /// The histories of this router, which repair themselves.
  func histories(_ services: StorageServices) -> RepairingHistories {
    RepairingHistories(base: services.features.object(SyncHistoryKeeper.init(in:)).histories, events: events)
  }

  /// Runs one step on the histories on a separate thread.
  ///
  /// - Parameter plan: The plan of the key that an error names, if any.
  func run<Result: Sendable>(
    _ plan: KeyPlan? = nil,
    _ step: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) { return try await BlockingExecutor.shared.run(step) } catch {
      throw plan?.error(error, .sync) ?? StorageError(error, .none, .sync)
    }
  }

  /// A Boolean value that indicates whether something may have to be sent that no change has sent.
  var isBehind: Bool {
    get { behind.withLock { $0.isBehind } }
    set { behind.withLock { $0.isBehind = newValue } }
  }

  /// The keys whose change could not be noted in this process.
  var unnoted: Set<SyncKey> { behind.withLock { $0.unnoted } }

  func addUnnoted(_ key: SyncKey) {
    behind.withLock { behind in
      behind.unnoted.insert(key)
      behind.isBehind = true
    }
  }

  func removeUnnoted(_ key: SyncKey) { behind.withLock { _ = $0.unnoted.remove(key) } }
}

extension StorageFeature {
  /// Sync with the paired device. A catalog with a synced key names it.
  public static var sync: StorageFeature { StorageFeature { SyncLink(clock: $0) } }
}

extension StorageRouter {
  /// The state of sync of this router, which is made at its first use.
  nonisolated var syncLink: SyncLink {
    setup.withLock { [clock] setup in
      if let link = setup.feature as? SyncLink { return link }
      let link = SyncLink(clock: clock)
      setup.feature = link
      return link
    }
  }
}

/// The histories, with their damage repaired: a history that cannot be read is set aside, and this device becomes another one,
/// which requests all values.
struct RepairingHistories: Sendable {
  let base: any SyncHistoryStore
  let events: SyncEventHub

  func isKept(_ keyset: KeysetID) -> Bool { base.isKept(keyset) }

  func read<Result>(
    _ keyset: KeysetID, _ body: (SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    do throws(StorageProblem) { return try base.read(keyset, body) } catch { try repair(keyset, error) }
    return try base.read(keyset, body)
  }

  func change<Result>(
    _ keyset: KeysetID, isDurable: Bool = true, _ body: (inout SyncHistory) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    do throws(StorageProblem) { return try base.change(keyset, isDurable: isDurable, body) } catch {
      try repair(keyset, error)
    }
    return try base.change(keyset, isDurable: isDurable, body)
  }

  /// Sets a history aside if the fault is one of its bytes; throws every other fault.
  private func repair(_ keyset: KeysetID, _ fault: StorageProblem) throws(StorageProblem) {
    guard fault == .corrupted || fault == .unknownFormatVersion else { throw fault }
    if try base.setAside(keyset) { events.publish(.historySetAside) }
  }
}
