import LocalData
import LocalDataFoundation

/// One call on a synced key. Its change gets a version, which is noted before the value is touched.
///
/// The history is locked only while the version is noted. No prompt is shown then, and no code of the app runs: the
/// change of an update, a serializer or a transport. A change whose version cannot be noted is made all the same.
final class SyncTicket: ChangeHook {
  let key: SyncKey
  let policy: SyncPolicy
  /// The kind of the writes of a migration; `nil` for a change of the app.
  private let migration: MigrationWrite?
  private let link: SyncLink
  private let given = Lock<Given>(.nothing)

  /// The outcome of the change of a call.
  enum Given: Sendable {
    /// The call has changed no value, or no value that is sent.
    case nothing
    case version(SyncStamp)
    /// The change was made, and its version could not be noted.
    case unnoted(StorageProblem)
  }

  init(_ key: SyncKey, _ policy: SyncPolicy, _ link: SyncLink, _ migration: MigrationWrite? = nil) {
    self.key = key
    self.policy = policy
    self.link = link
    self.migration = migration
  }

  func inMigration(_ write: MigrationWrite) -> any ChangeHook { SyncTicket(key, policy, link, write) }

  var outcome: Given { given.withLock { $0 } }

  /// A Boolean value that indicates whether the call has made a change that is to be sent, or that could not be noted.
  var hasChange: Bool { if case .nothing = outcome { false } else { true } }

  /// Returns the histories if this device takes part in sync: there is a transport, or there was one.
  private func histories(of plan: KeyPlan, _ services: StorageServices) -> RepairingHistories? {
    let histories = link.histories(services)
    return link.hasTransport || histories.isKept(plan.keyset) ? histories : nil
  }

  func note(_ plan: KeyPlan, _ services: StorageServices) -> ChangeNote? {
    guard let histories = histories(of: plan, services) else { return nil }
    let address = plan.address
    let attributes = plan.attributes
    return { [self] change, seen in
      let look: StoredLook =
        switch seen {
        case .read(let stored): attributes.look(at: stored, address)
        case .unread(let isStored): isStored ? .present : .absent
        }
      switch change {
      case .keep: return change
      case .write(let bytes): return .write(note(bytes, over: look, address, attributes, in: histories))
      case .remove:
        noteRemoval(over: look, at: address, in: histories)
        return change
      }
    }
  }

  /// The value is the same: it keeps its version.
  func replaces(
    _ stored: Data, by bytes: Data, at address: StorageAddress, _ attributes: StorageAttributes,
    _ services: StorageServices
  ) throws(StorageProblem) {
    let histories = link.histories(services).base
    let keyset = KeysetID(of: address.container)
    guard histories.isKept(keyset) else { return }
    let old = attributes.look(at: stored, address)
    let new = attributes.look(at: bytes, address)
    try histories.change(keyset, isDurable: true) { $0.replaceFingerprint(of: key, old, by: new) }
  }

  /// Notes that the next catching up must send the change of the call. Returns false if there is no change to send.
  @discardableResult func noteChange() -> Bool {
    switch outcome {
    case .nothing: return false
    case .unnoted: link.addUnnoted(key)
    case .version where policy == .automaticSmall: link.isBehind = true
    case .version: return false
    }
    return true
  }

  /// Notes the version of a write, and returns the bytes to store.
  private func note(
    _ bytes: Data, over look: StoredLook, _ address: StorageAddress, _ attributes: StorageAttributes,
    in histories: RepairingHistories
  ) -> Data {
    if let migration { return note(migration, of: bytes, over: look, address, attributes, in: histories) }
    return begin(over: look, isRemoval: false, KeysetID(of: address.container), histories) { (history, stamp) in
      let (bytes, fingerprint) = attributes.marked(bytes, with: stamp.version, address)
      history.setFingerprint(fingerprint, of: key)
      return bytes
    } ?? bytes
  }

  /// Notes the version of a migrated value, if its key has versions, and returns the bytes to store.
  private func note(
    _ write: MigrationWrite, of bytes: Data, over look: StoredLook, _ address: StorageAddress,
    _ attributes: StorageAttributes, in histories: RepairingHistories
  ) -> Data {
    let keyset = KeysetID(of: address.container)
    let isOffered = policy == .automaticSmall
    do throws(StorageProblem) {
      let origin = try origin(of: write, keyset, histories)
      let isKnown = try histories.read(keyset) { $0.entries[key] != nil }
      guard isKnown || origin != nil else { return bytes }
      return try histories.change(keyset) { history in
        guard let version = write.version(of: key, over: look, origin, in: history) else { return bytes }
        let (marked, fingerprint) = attributes.marked(bytes, with: version, address)
        // The noted version of the same value has no trace of the stored bytes to replace.
        if case .sameValue = write, fingerprint == nil { return bytes }
        write.begin(key, version, over: look, origin, isOffered: isOffered, in: &history)
        history.setFingerprint(fingerprint, of: key)
        if history.entries[key]?.isOffered == true { link.isBehind = true }
        return marked
      }
    } catch {
      // The value counts as a change that could not be noted.
      given.withLock { [error] in $0 = .unnoted(error) }
      return bytes
    }
  }

  /// Returns the origin of a migrated value; `nil` if no source of it has a version.
  private func origin(
    of write: MigrationWrite, _ keyset: KeysetID, _ histories: RepairingHistories
  ) throws(StorageProblem) -> SyncOrigin? {
    guard case .earlierValue(let sources) = write else { return nil }
    var origins: [SyncOrigin] = []
    for case let source? in sources.map({ $0.map(SyncedSource.init) }) where histories.isKept(source.keyset) {
      let origin = try histories.read(source.keyset) { SyncOrigin(of: source, in: $0, now: link.clock.now) }
      if let origin { origins.append(origin) }
    }
    guard sources.count > 1, !origins.isEmpty else { return origins.first }
    return SyncOrigin.joined(origins, on: try histories.read(keyset) { $0.device })
  }

  /// Notes that a key without a value was removed under a former name, if that is its newest change.
  func takeRemoval(
    of names: [MigratedSource], _ plan: KeyPlan, _ services: StorageServices
  ) throws(StorageProblem) {
    let histories = link.histories(services)
    var newest: SyncOrigin?
    for name in names {
      let source = SyncedSource(name)
      guard histories.isKept(source.keyset) else { continue }
      let origin = try histories.read(source.keyset) { SyncOrigin(of: source, in: $0, now: link.clock.now) }
      guard let origin, newest.map({ $0.version < origin.version }) ?? true else { continue }
      if try !services.isStored(name.plan) { newest = origin }
    }
    guard let newest, try !services.isStored(plan) else { return }
    let isTaken = try histories.change(plan.keyset) { newest.noteRemoval(of: key, in: &$0) }
    if isTaken, newest.isOffered { link.isBehind = true }
  }

  private func noteRemoval(over look: StoredLook, at address: StorageAddress, in histories: RepairingHistories) {
    guard migration == nil else { return }
    begin(over: look, isRemoval: true, KeysetID(of: address.container), histories) { _, _ in }
  }

  @discardableResult
  private func begin<Result>(
    over look: StoredLook, isRemoval: Bool, _ keyset: KeysetID, _ histories: RepairingHistories,
    _ finish: (inout SyncHistory, SyncStamp) -> Result
  ) -> Result? {
    do throws(StorageProblem) {
      return try histories.change(keyset) { history in
        let stamp = history.begin(
          key, over: look, isRemoval: isRemoval, isOffered: policy == .automaticSmall, now: link.clock.now)
        given.withLock { $0 = stamp.map { .version($0) } ?? .nothing }
        return stamp.map { finish(&history, $0) }
      }
    } catch {
      given.withLock { [error] in $0 = .unnoted(error) }
      return nil
    }
  }
}
