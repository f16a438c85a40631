import LocalData
import LocalDataFoundation

/// The changes that the paired device has not acknowledged, ready to be sent. A payload replaces the one before it.
///
/// `@unchecked Sendable`: every mutable property is used only while `turn` is locked.
final class SyncOutbox: @unchecked Sendable {
  private let transport = Lock<(any SyncTransport)?>(nil)
  /// Locked while a payload is made and put. ``Lock`` allows no code of a transport while it is held.
  private let turn = NSLock()
  private var items: [SyncKey: Item] = [:]
  private var size = SyncPayload.headerSize
  /// The keys whose items no payload has contained yet.
  private var unsent: [SyncKey] = []
  /// The payload that this process has put last.
  private var lastPut: Data?
  /// The clock of the last header, whether its payload could be put or not.
  private var lastClock: UInt64?
  /// A Boolean value that indicates whether the outbox has changed since the last payload.
  private var isChanged = false
  /// The device that has been offered everything.
  private var completeFor: UUID?

  struct Item: Sendable {
    var version: SyncVersion
    var encoded: Data
    /// The clock of the first payload that contained it.
    var sentAt: UInt64?
  }

  func use(_ transport: (any SyncTransport)?) {
    self.transport.withLock { $0 = transport }
  }

  var hasTransport: Bool { transport.withLock { $0 != nil } }

  /// A Boolean value that indicates whether there is something to send to. May wait, as every call of a transport.
  var isReady: Bool { transport.withLock { $0 }?.session.isReady ?? false }

  /// The functions by which a put uses the history. They are called without the lock of the history.
  struct Source: Sendable {
    /// Returns the header of the next payload, given the clock of the one that this launch has put last.
    var header: @Sendable (UInt64?) throws(StorageProblem) -> SyncPayload.Header
    /// Returns which of the entries of an earlier payload are still to be sent.
    var pending: @Sendable (SyncPayload) throws(StorageProblem) -> [SyncPayload.Entry]
  }

  /// Puts entries together with the unacknowledged ones. Entries that do not fit are left out.
  ///
  /// - Parameters:
  ///   - isForced: Puts a payload even if its content has not changed.
  ///   - isEverything: Whether the entries, with those in the outbox, are all versions that the paired device has not
  ///     received.
  /// - Returns: The problems of those entries that were not put.
  func put(
    _ entries: [SyncPayload.Entry], isForced: Bool = false, isEverything: Bool = false, _ source: Source
  ) -> [SyncKey: SyncEvent.SendingProblem] {
    func all(_ problem: SyncEvent.SendingProblem) -> [SyncKey: SyncEvent.SendingProblem] {
      Dictionary(entries.compactMap { $0.key }.map { ($0, problem) }, uniquingKeysWith: { $1 })
    }
    guard let transport = transport.withLock({ $0 }), transport.session.isReady else { return all(.unavailable) }
    turn.lock()
    defer { turn.unlock() }
    do throws(StorageProblem) {
      try takeOver(try Self.payload(of: transport), source)
      var problems: [SyncKey: SyncEvent.SendingProblem] = [:]
      for entry in entries {
        guard let key = entry.key, !insert(entry, for: key) else { continue }
        problems[key] = .payloadFull(limit: SyncPayload.largest)
      }
      if isForced || isChanged { try put(isEverything && problems.isEmpty, through: transport, source) }
      return problems
    } catch {
      return all(error == .notFound ? .transportFailed : .failed(StorageError(error, .none, .sync)))
    }
  }

  /// Returns the last payload of a transport. Its error is not passed on, because it may quote the payload.
  private static func payload(of transport: any SyncTransport) throws(StorageProblem) -> Data? {
    do { return try transport.payload() } catch { throw .notFound }
  }

  private func put(
    _ isEverything: Bool, through transport: any SyncTransport, _ source: Source
  ) throws(StorageProblem) {
    var header = try source.header(lastClock)
    lastClock = header.clock
    if isEverything { completeFor = header.addressee }
    header.isComplete = header.addressee != nil && completeFor == header.addressee
    let bytes = SyncPayload.bytes(header, items.values.lazy.map(\.encoded), size: size)
    do { try transport.put(bytes) } catch { throw .notFound }
    lastPut = bytes
    isChanged = false
    for key in unsent where items[key]?.sentAt == nil { items[key]?.sentAt = header.clock }
    unsent = []
  }

  /// Takes what another launch has put, and is still to be sent, from the transport.
  private func takeOver(_ bytes: Data?, _ source: Source) throws(StorageProblem) {
    guard bytes != lastPut else { return }
    // The app has replaced it, or the system has, or it was put by an earlier launch.
    isChanged = isChanged || lastPut != nil
    let wasChanged = isChanged
    guard let bytes else { return }
    let payload: SyncPayload
    // A payload that cannot be read is not replaced: a later version may have put it.
    do throws(SyncPayload.Refusal) { payload = try SyncPayload(bytes) } catch { return }
    if payload.header.isComplete { completeFor = payload.header.addressee }
    for entry in try source.pending(payload) {
      guard let key = entry.key, items[key] == nil, insert(entry, for: key) else { continue }
      items[key]?.sentAt = payload.header.clock
    }
    isChanged = wasChanged
    lastPut = bytes
  }

  /// Replaces an older entry of the same key by a new one. Returns false if it does not fit.
  private func insert(_ entry: SyncPayload.Entry, for key: SyncKey) -> Bool {
    if let former = items[key], former.version >= entry.version { return true }
    let encoded = entry.encoded
    let newSize = size + encoded.count - (items[key]?.encoded.count ?? 0)
    guard newSize <= SyncPayload.largest else { return false }
    items[key] = Item(version: entry.version, encoded: encoded)
    unsent.append(key)
    size = newSize
    isChanged = true
    return true
  }

  // MARK: Acknowledgements

  /// Removes the entries that a device has received with payloads up to a clock, and returns them.
  func acknowledge(upTo clock: UInt64, _ source: Source) throws(StorageProblem) -> [SyncKey: SyncVersion] {
    guard let transport = transport.withLock({ $0 }) else { return [:] }
    turn.lock()
    defer { turn.unlock() }
    try takeOver(try Self.payload(of: transport), source)
    let received = items.filter { item in item.value.sentAt.map { $0 <= clock } ?? false }
    for (key, item) in received {
      items[key] = nil
      size -= item.encoded.count
    }
    return received.mapValues(\.version)
  }

  /// Returns the keys whose given versions are not in the outbox.
  func missing(_ pending: [SyncKey: SyncVersion]) -> Set<SyncKey> {
    turn.lock()
    defer { turn.unlock() }
    return Set(pending.filter { items[$0.key]?.version != $0.value }.keys)
  }

  /// Returns true if the current payload, as far as the transport still has it, already contains the information of a new
  /// header.
  func says(_ isEnough: (SyncPayload.Header) -> Bool) -> Bool {
    guard let transport = transport.withLock({ $0 }) else { return true }
    turn.lock()
    defer { turn.unlock() }
    do {
      guard let bytes = try transport.payload() else { return false }
      return isEnough(try SyncPayload(bytes).header)
    } catch {
      return false
    }
  }
}
