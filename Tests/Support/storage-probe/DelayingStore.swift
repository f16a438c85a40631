import Foundation
import LocalData

/// Waits for some milliseconds before each call, as a busy machine does at any of them.
struct Delays: Sendable {
  private let seed: UInt64

  /// Those that the environment asks for: `LOCALDATA_PROBE_DELAYS=<seed>`.
  static let ofEnvironment = ProcessInfo.processInfo.environment["LOCALDATA_PROBE_DELAYS"].flatMap { UInt64($0) }
    .map { Delays(seed: $0) }

  func wait() throws(StorageProblem) {
    try CallDeadline.requireWaiting()
    var random = SystemRandomNumberGenerator()
    // Most calls wait for nothing, so that some processes are far ahead of others.
    if (random.next() ^ seed) % 3 == 0 { usleep(UInt32.random(in: 0..<20_000, using: &random)) }
  }
}

/// A store whose calls are delayed, or come after a change by another process.
struct DelayingStore: ValueStore {
  let base: any ValueStore
  var delays: Delays?
  /// Called before each update.
  var willUpdate: @Sendable (any ValueStore, StorageAddress, StorageAttributes) throws(StorageProblem) -> Void = {
    (_, _, _) throws(StorageProblem) in
  }

  var removesAtNextLaunch: Bool { base.removesAtNextLaunch }

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try delays?.wait()
    return try base.read(address, attributes)
  }

  func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try delays?.wait()
    return try base.exists(address, attributes)
  }

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try delays?.wait()
    try base.write(bytes, to: address, attributes)
  }

  func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try delays?.wait()
    try base.remove(address, attributes)
  }

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try delays?.wait()
    try willUpdate(base, address, attributes)
    try base.update(address, attributes, change)
  }

  func names(
    in container: StorageContainer, _ visit: (String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try delays?.wait()
    try base.names(in: container, visit)
  }

  func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
    try delays?.wait()
    try base.makeDurable(container)
  }

  func purge(_ container: StorageContainer) throws(StorageProblem) {
    try delays?.wait()
    try base.purge(container)
  }
}

extension StorageRouter {
  /// A router of an app, whose calls are late if the environment says so.
  static func probe(_ configuration: StorageConfiguration) -> StorageRouter {
    guard let delays = Delays.ofEnvironment else { return StorageRouter(configuration: configuration) }
    return StorageRouter(configuration: configuration) { setup in
      var services = StorageServices.live(setup)
      let logs = services.migrationLog
      services.preferences = DelayingStore(base: services.preferences, delays: delays)
      services.keychain = DelayingStore(base: services.keychain, delays: delays)
      services.files = DelayingStore(base: services.files, delays: delays)
      services.migrationLog = { (keyset) throws(StorageProblem) in
        var log = try logs(keyset)
        (log.willRead, log.willAppend) = (delays.wait, delays.wait)
        return log
      }
      return services
    }
  }
}
