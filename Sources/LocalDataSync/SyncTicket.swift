import LocalData
import SmallFoundation

/// One call on a synced key. Its change gets a version, which is recorded before the value is touched.
///
/// The record is locked only while the version is recorded. No prompt is shown then, and no code of the app runs: the
/// change of an update, a serializer or a transport. A change whose version cannot be recorded is made all the same.
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
    /// The change was made, and its version could not be recorded.
    case unrecorded(StorageProblem)
  }

  init(_ key: SyncKey, _ policy: SyncPolicy, _ link: SyncLink, _ migration: MigrationWrite? = nil) {
    self.key = key
    self.policy = policy
    self.link = link
    self.migration = migration
  }

  func inMigration(_ write: MigrationWrite) -> any ChangeHook { SyncTicket(key, policy, link, write) }

  var outcome: Given { given.withLock { $0 } }

  /// Returns the records if this device takes part in sync: there is a transport, or there was one.
  private func records(of plan: KeyPlan, _ services: StorageServices) -> RepairingRecords? {
    let records = link.records(services)
    return link.hasTransport || records.isKept(plan.keyset) ? records : nil
  }

  func recording(_ plan: KeyPlan, _ services: StorageServices) -> ChangeRecording? {
    guard let records = records(of: plan, services) else { return nil }
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
      case .write(let bytes): return .write(record(bytes, over: look, address, attributes, in: records))
      case .remove:
        recordRemoval(over: look, at: address, in: records)
        return change
      }
    }
  }

  /// The value is the same: it keeps its version.
  func replaces(
    _ stored: Data, by bytes: Data, at address: StorageAddress, _ attributes: StorageAttributes,
    _ services: StorageServices
  ) throws(StorageProblem) {
    let records = link.records(services).base
    let keyset = KeysetID(of: address.container)
    guard records.isKept(keyset) else { return }
    let old = attributes.look(at: stored, address)
    let new = attributes.look(at: bytes, address)
    try records.change(keyset, isDurable: true) { $0.replaceFingerprint(of: key, old, by: new) }
  }

  func noteChange() { _ = isToSend() }

  /// Records that the next catching up must send the change of the call. Returns false if there is no change to send.
  func isToSend() -> Bool {
    switch outcome {
    case .nothing: return false
    case .unrecorded: link.addUnrecorded(key)
    case .version where policy == .automaticSmall: link.isBehind = true
    case .version: return false
    }
    return true
  }

  /// Records the version of a write, and returns the bytes to store.
  private func record(
    _ bytes: Data, over look: StoredLook, _ address: StorageAddress, _ attributes: StorageAttributes,
    in records: RepairingRecords
  ) -> Data {
    if let migration { return record(migration, of: bytes, over: look, address, attributes, in: records) }
    return begin(over: look, isRemoval: false, KeysetID(of: address.container), records) { (record, stamp) in
      let (bytes, fingerprint) = attributes.marked(bytes, with: stamp.version, address)
      record.setFingerprint(fingerprint, of: key)
      return bytes
    } ?? bytes
  }

  /// Records the version of a migrated value, if its key has versions, and returns the bytes to store.
  private func record(
    _ write: MigrationWrite, of bytes: Data, over look: StoredLook, _ address: StorageAddress,
    _ attributes: StorageAttributes, in records: RepairingRecords
  ) -> Data {
    let keyset = KeysetID(of: address.container)
    let isOffered = policy == .automaticSmall
    do throws(StorageProblem) {
      let origin = try origin(of: write, keyset, records)
      let isKnown = try records.read(keyset) { $0.entries[key] != nil }
      guard isKnown || origin != nil else { return bytes }
      return try records.change(keyset) { record in
        guard let version = write.version(of: key, over: look, origin, in: record) else { return bytes }
        let (marked, fingerprint) = attributes.marked(bytes, with: version, address)
        // The recorded version of the same value has no trace of the stored bytes to replace.
        if case .sameValue = write, fingerprint == nil { return bytes }
        write.begin(key, version, over: look, origin, isOffered: isOffered, in: &record)
        record.setFingerprint(fingerprint, of: key)
        if record.entries[key]?.isOffered == true { link.isBehind = true }
        return marked
      }
    } catch {
      // The value counts as a change that could not be recorded.
      given.withLock { [error] in $0 = .unrecorded(error) }
      return bytes
    }
  }

  /// Returns the origin of a migrated value; `nil` if no source of it has a version.
  private func origin(
    of write: MigrationWrite, _ keyset: KeysetID, _ records: RepairingRecords
  ) throws(StorageProblem) -> SyncOrigin? {
    guard case .earlierValue(let sources) = write else { return nil }
    var origins: [SyncOrigin] = []
    for case let source? in sources.map({ $0.map(SyncedSource.init) }) where records.isKept(source.keyset) {
      let origin = try records.read(source.keyset) { SyncOrigin(of: source, in: $0, now: link.clock.now) }
      if let origin { origins.append(origin) }
    }
    guard sources.count > 1, !origins.isEmpty else { return origins.first }
    return SyncOrigin.joined(origins, on: try records.read(keyset) { $0.device })
  }

  /// Records that a key without a value was removed under a former name, if that is its newest change.
  func takeRemoval(
    of names: [MigratedSource], _ plan: KeyPlan, _ services: StorageServices
  ) throws(StorageProblem) {
    let records = link.records(services)
    var newest: SyncOrigin?
    for name in names {
      let source = SyncedSource(name)
      guard records.isKept(source.keyset) else { continue }
      let origin = try records.read(source.keyset) { SyncOrigin(of: source, in: $0, now: link.clock.now) }
      guard let origin, newest.map({ $0.version < origin.version }) ?? true else { continue }
      if try !services.isStored(name.plan) { newest = origin }
    }
    guard let newest, try !services.isStored(plan) else { return }
    let isTaken = try records.change(plan.keyset) { newest.recordRemoval(of: key, in: &$0) }
    if isTaken, newest.isOffered { link.isBehind = true }
  }

  private func recordRemoval(over look: StoredLook, at address: StorageAddress, in records: RepairingRecords) {
    guard migration == nil else { return }
    begin(over: look, isRemoval: true, KeysetID(of: address.container), records) { _, _ in }
  }

  @discardableResult
  private func begin<Result>(
    over look: StoredLook, isRemoval: Bool, _ keyset: KeysetID, _ records: RepairingRecords,
    _ finish: (inout SyncRecord, SyncStamp) -> Result
  ) -> Result? {
    do throws(StorageProblem) {
      return try records.change(keyset) { record in
        let stamp = record.begin(
          key, over: look, isRemoval: isRemoval, isOffered: policy == .automaticSmall, now: link.clock.now)
        given.withLock { $0 = stamp.map { .version($0) } ?? .nothing }
        return stamp.map { finish(&record, $0) }
      }
    } catch {
      given.withLock { [error] in $0 = .unrecorded(error) }
      return nil
    }
  }
}
