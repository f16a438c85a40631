import Foundation
import LocalData
import LocalDataSync
import ProbeKeys

/// A run of the probe that times sets of a synced key: `storage-probe sync <folder> <way> <count> <sets>`.
///
/// The ways: `unsynced`, keys that are not synced; `unlinked`, synced keys without a transport; `acknowledged`, with a
/// paired device that has acknowledged every value; `unacknowledged`, with one that has never answered. `count` keys are
/// set once, then one of them `sets` times. Prints the seconds of each of these sets.
struct SyncTimeCommand {
  private let folder: String
  private let way: String
  private let count: Int
  private let sets: Int

  init?(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 5, words[0] == "sync", let count = Int(words[3]), let sets = Int(words[4]) else { return nil }
    (folder, way, self.count, self.sets) = (words[1], words[2], count, sets)
  }

  func run() async -> Int32 {
    do throws(StorageError) {
      let keys = (0..<count).map(key)
      let router = StorageRouter(
        configuration: .probe(in: folder, platform: .phone))
      try ProbeCatalog.register(keys.map { .key($0) }, on: router)
      let (phone, watch) = (ProbeTransport(), ProbeTransport())
      if way.hasSuffix("acknowledged") { router.sync.setTransport(phone) }
      for (number, key) in keys.enumerated() { try await router.set(number, for: key) }
      if way == "acknowledged" { try await acknowledge(keys, router, phone, watch) }
      for number in 0..<sets {
        let start = ContinuousClock.now
        try await router.set(number, for: keys[0])
        let time = ContinuousClock.now - start
        print(Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds))
      }
      return 0
    } catch {
      print(error)
      return 3
    }
  }

  private func key(_ number: Int) -> StorageKey<Int> {
    StorageKey(
      name: "value\(number)", domain: .userDefaults(), security: .none, default: 0, owner: "Tests",
      description: "A number of two devices.", syncPolicy: way == "unsynced" ? .never : .automaticSmall)
  }

  /// Lets a watch receive everything and answer.
  private func acknowledge(
    _ keys: [StorageKey<Int>], _ router: StorageRouter, _ phone: ProbeTransport, _ watch: ProbeTransport
  ) async throws(StorageError) {
    let other = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .watch))
    try ProbeCatalog.register(keys.map { .key($0) }, on: other)
    other.sync.setTransport(watch)
    for _ in 0..<3 {
      if let payload = phone.put { await other.sync.receive(payload) }
      if let payload = watch.put { await router.sync.receive(payload) }
    }
  }
}

/// A transport that keeps what was put last.
///
/// `@unchecked Sendable`: `last` is touched with `lock` held alone.
private final class ProbeTransport: SyncTransport, @unchecked Sendable {
  private let lock = NSLock()
  private var last: Data?

  var put: Data? { lock.withLock { last } }
  let session = SyncSession(isActivated: true, isPaired: true, isInstalled: true)
  func payload() throws -> Data? { put }
  func put(_ payload: Data) throws { lock.withLock { last = payload } }
}
