import Foundation

/// What was sent last, through the app's transport: the latest of every key, since a payload replaces the one before it.
final class SyncOutbox: Sendable {
  private let transport = Lock<(any SyncTransport)?>(nil)
  /// One at a time: a payload is read, changed and put. `Lock` does not allow a transport's own code under it.
  private let turn = NSLock()

  func use(_ transport: (any SyncTransport)?) { self.transport.withLock { $0 = transport } }

  /// Whether there is something to send to. May wait, as every call of a transport.
  var isReady: Bool { transport.withLock { $0 }?.session.isReady ?? false }

  /// Puts what is newer than what was put before. What does not fit is left out.
  ///
  /// - Returns: The problems of those entries that were not put.
  func put(_ entries: [SyncPayload.Entry]) -> [SyncKey: SyncEvent.SendingProblem] {
    func all(_ problem: SyncEvent.SendingProblem) -> [SyncKey: SyncEvent.SendingProblem] {
      Dictionary(entries.compactMap { $0.key }.map { ($0, problem) }, uniquingKeysWith: { $1 })
    }
    guard let transport = transport.withLock({ $0 }), transport.session.isReady else { return all(.unavailable) }
    turn.lock()
    defer { turn.unlock() }
    do {
      var box = Box(try transport.payload())
      var problems: [SyncKey: SyncEvent.SendingProblem] = [:]
      for entry in entries {
        guard let key = entry.key, !box.insert(entry, for: key) else { continue }
        problems[key] = .payloadFull(limit: SyncPayload.largest)
      }
      if box.isChanged { try transport.put(box.payload.bytes) }
      return problems
    } catch {
      // What a transport throws is its own affair, and may quote what it was given.
      return all(.transportFailed)
    }
  }
}

/// A payload in the making.
private struct Box {
  private var entries: [SyncKey: SyncPayload.Entry] = [:]
  private var size = SyncPayload.headerSize
  private(set) var isChanged = false

  /// What was put before. What cannot be read, as what a later version wrote, is none of this version's to keep.
  init(_ bytes: Data?) {
    guard let bytes else { return }
    let payload: SyncPayload
    do throws(SyncPayload.Refusal) { payload = try SyncPayload(bytes) } catch { return }
    for entry in payload.entries {
      guard let key = entry.key else { continue }
      entries[key] = entry
      size += entry.encoded.count
    }
  }

  /// Puts an entry in the place of an older one; `false` where it does not fit.
  mutating func insert(_ entry: SyncPayload.Entry, for key: SyncKey) -> Bool {
    if let former = entries[key], former.version >= entry.version { return true }
    let newSize = size + entry.encoded.count - (entries[key]?.encoded.count ?? 0)
    guard newSize <= SyncPayload.largest else { return false }
    entries[key] = entry
    size = newSize
    isChanged = true
    return true
  }

  /// Sorted, so that the same entries are the same bytes: the system sends no payload twice.
  var payload: SyncPayload {
    SyncPayload(entries: entries.values.sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) })
  }
}
