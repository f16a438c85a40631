import Foundation
@_spi(Generated) import LocalData
import LocalDataTesting
import Observation
import Security
import LocalDataVocabulary
import SwiftUI

private let fake = FakeKeychain.shared
private let suite = "observation-" + UUID().uuidString
private let group = "group.observation." + UUID().uuidString

private func number(_ name: String, _ domain: StorageDomain, _ security: SecurityPolicy = .none) -> StorageKey<Int> {
  StorageKey<Int>(name: name, domain: domain, security: security, default: 0, owner: "o", description: "d")
}

/// Returns the key of a property.
private func plain(_ key: StorageKey<Int>) -> PlainPreferenceKey<Int> { PlainPreferenceKey(key) }

private enum Observed: StorageKeyCatalog {
  static let standard = number("observedStandard", .userDefaults())
  static let preference = number("observed", .userDefaults(suite: suite))
  static let shared = number("observedShared", .appGroupUserDefaults(identifier: group))
  static let dotted = number("observed.dotted@max", .userDefaults(suite: suite))
  static let sealed = number("observedSealed", .userDefaults(suite: suite), .recommended)
  static let item = number("observed", .keychain(service: "s"), .keychain(accessibility: .afterFirstUnlock))
  static let pin = number("pin", .keychain(service: "s"), .keychain(accessControl: .userPresence))
  static let file = number("observed", .encryptedFileSystem(directory: .documents), .recommended)
  static let plainFile = number("plain", .fileSystem(directory: .caches))
  static let all = [standard, preference, shared, dotted, sealed, item, file, plainFile]
  static var allKeys: [AnyStorageKey] { all.map { AnyStorageKey($0) } + [AnyStorageKey(pin)] }

  /// The suite as other code sees it, also another process.
  static func others(_ key: StorageKey<Int>) -> UserDefaults? {
    switch key.domain {
    case .userDefaults(let suite?): UserDefaults(suiteName: suite)
    case .userDefaults: .standard
    case .appGroupUserDefaults(let identifier?): UserDefaults(suiteName: identifier)
    default: nil
    }
  }

  static func otherWriter(sets value: Int, _ key: StorageKey<Int>) {
    others(key)?.set(Data("\(value)".utf8), forKey: key.name)
    FakeKeyValueObserving.notifyObservers(of: key.name)
  }

  /// The number of the observers of all preferences.
  static var observers: Int { all.map { FakeKeyValueObserving.count($0.name) }.reduce(0, +) }
}

private func router() throws -> StorageRouter {
  for key in Observed.all { Observed.others(key)?.removeObject(forKey: key.name) }
  return try Device(groups: ["TEAM.app", group]).launch(Observed.self)
}

/// Returns the result of a body that ends when it is cancelled, which happens after ten seconds.
private func inTime<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
  let task = Task { try await body() }
  let alarm = Task {
    try await Task.sleep(for: .seconds(10))
    task.cancel()
  }
  defer { alarm.cancel() }
  return try await task.value
}

/// The values that a task has seen.
private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Int] = []
  func add(_ value: Int) { lock.withLock { values.append(value) } }
  var all: [Int] { lock.withLock { values } }

  /// Waits until the last value is this one.
  func wait(for value: Int) async throws {
    for _ in 0..<2_000 {
      if all.last == value { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Broken("\(all) does not end in \(value)")
  }
}

private func expectNoObservers() async throws {
  for _ in 0..<400 where Observed.observers > 0 { try await Task.sleep(for: .milliseconds(5)) }
  try expect(Observed.observers, 0, "observers left")
}

func observationChecks(_ checks: Checks) async {
  for key in [Observed.standard, Observed.preference, Observed.shared] {
    await checks.check(
      "observation: a change by another writer is seen in \(key.domain.kind.rawValue), and the observer goes"
    ) {
      let router = try router()
      try await inTime {
        var values = router.values(of: key).makeAsyncIterator()
        try expect(try await values.next(), 0, "first")
        try require(FakeKeyValueObserving.count(key.name) == 1, "it has no observer")
        Observed.otherWriter(sets: 1, key)
        try expect(try await values.next(), 1, "of another writer")
        try await router.set(2, for: key)
        try expect(try await values.next(), 2, "of this process")
        Observed.otherWriter(sets: 2, key)
        Observed.others(key)?.removeObject(forKey: key.name)
        FakeKeyValueObserving.notifyObservers(of: key.name)
        try expect(try await values.next(), 0, "removed by another writer")
      }
      try await expectNoObservers()
    }
  }
  for key in Observed.all {
    await checks.check(
      "observation: \(key.name) in \(key.domain.kind.rawValue) returns changes by this process, the latest only"
    ) {
      let router = try router()
      try await inTime {
        var values = router.values(of: key).makeAsyncIterator()
        try expect(try await values.next(), 0, "first")
        for value in 1...20 { try await router.set(value, for: key) }
        try expect(try await values.next(), 20, "a slow consumer")
        try await router.update(key) { $0 += 1 }
        try expect(try await values.next(), 21, "an update")
        try await router.remove(key)
        try expect(try await values.next(), 0, "a removal")
      }
      try await expectNoObservers()
    }
    await checks.check(
      "observation: a task that is cancelled ends, and observes \(key.name) in \(key.domain.kind.rawValue) no longer"
    ) {
      let (router, seen) = (try router(), Seen())
      let task = Task { for try await value in router.values(of: key) { seen.add(value) } }
      try await seen.wait(for: 0)
      try await router.set(1, for: key)
      try await seen.wait(for: 1)
      task.cancel()
      try await inTime { try await task.value }
      try await expectNoObservers()
      try await router.set(2, for: key)
      try expect(seen.all, [0, 1], "values")
    }
  }
  await checks.check("observation: a locked device is an error, and the next change is seen after it") {
    let router = try router()
    try await router.set(1, for: Observed.item)
    fake.state = .beforeFirstUnlock
    var values = router.values(of: Observed.item).makeAsyncIterator()
    try await expectError("locked", "first") { try await values.next() }
    fake.state = .unlocked
    try await router.set(2, for: Observed.item)
    try expect(try await values.next(), 2, "after the unlock")
  }
  await catalogChecks(checks)
  await storedChecks(checks)
  await viewChecks(checks)
  await threadedChecks(checks)
}

private func catalogChecks(_ checks: Checks) async {
  await checks.check("observation: a catalog reports the keys that others and this process change, and shows no prompt")
  {
    let router = try router()
    try await router.set(1, for: Observed.pin)
    let prompts = fake.prompts
    try await inTime {
      var changes = router.changes(in: Observed.self).makeAsyncIterator()
      // Changes count from the first wait on.
      let first = Task { [changes] in
        var changes = changes
        let key = try await changes.next()
        return (key, changes)
      }
      for _ in 0..<2_000 where Observed.observers < 4 { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: .milliseconds(100))
      Observed.otherWriter(sets: 5, Observed.preference)
      let found: AnyStorageKey?
      (found, changes) = try await first.value
      try expect(found.map { "\($0)" }, "'observed' in userDefaults", "by another writer")
      Observed.otherWriter(sets: 6, Observed.shared)
      try expect(try await changes.next().map { "\($0)" }, "'observedShared' in appGroupUserDefaults", "of a group")
      for value in 1...5 { try await router.set(value, for: Observed.item) }
      try expect(try await changes.next().map { "\($0)" }, "'observed' in keychain", "an item")
      try await router.set(2, for: Observed.pin)
      try expect(try await changes.next().map { "\($0)" }, "'pin' in keychain", "an item that asks")
      // The same value is no change.
      Observed.otherWriter(sets: 6, Observed.shared)
      try await router.set(1, for: Observed.plainFile)
      try expect(try await changes.next().map { "\($0)" }, "'plain' in fileSystem", "a file")
    }
    // The write of the item that asks.
    try expect(fake.prompts, prompts + 1, "prompts")
    try await expectNoObservers()
  }
}

/// Waits until observation reports a change of what `body` reads.
private func isTold(of body: @escaping () -> Void, by cause: () async throws -> Void) async throws -> Bool {
  let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
  withObservationTracking(body) { continuation.yield() }
  try await cause()
  return try await inTime {
    var iterator = changes.makeAsyncIterator()
    return await iterator.next() != nil
  }
}

private func storedChecks(_ checks: Checks) async {
  for key in [Observed.standard, Observed.preference, Observed.shared] {
    await checks.check(
      "observation: @Stored in \(key.domain.kind.rawValue) is refreshed by another writer, and ends with its view"
    ) {
      let router = try router()
      do {
        let stored = Stored(plain(key), router: router)
        try expect(stored.wrappedValue, 0, "first")
        try require(
          try await isTold(of: { _ = stored.wrappedValue }) { Observed.otherWriter(sets: 3, key) },
          "not notified of another writer")
        try expect(stored.wrappedValue, 3, "of another writer")
        try require(
          try await isTold(of: { _ = stored.wrappedValue }) { try await router.set(4, for: key) },
          "not notified of the router")
        stored.wrappedValue += 1
        try expect(try await router.get(key), 5, "assigned")
        try require(
          try await isTold(of: { _ = stored.wrappedValue }) { Stored(plain(key), router: router).wrappedValue = 6 },
          "not notified of another view")
        try expect(stored.wrappedValue, 6, "of another view")
        Observed.others(key)?.set(["no": "number"], forKey: key.name)
        FakeKeyValueObserving.notifyObservers(of: key.name)
        try expect(stored.wrappedValue, 6, "the last value, if another object is stored")
        stored.wrappedValue = 9
        try require(stored.error != nil, "no error")
        try require(Observed.others(key)?.object(forKey: key.name) is [String: String], "it was replaced")
        Observed.otherWriter(sets: 7, key)
        try expect(stored.wrappedValue, 7, "a value again")
        stored.wrappedValue = 8
        try expect(try await router.get(key), 8, "assigned again")
      }
      try await expectNoObservers()
    }
  }
}

/// Checks a property of a view, whose struct is created again whenever the body of its parent runs.
private func viewChecks(_ checks: Checks) async {
  let key = Observed.preference
  await checks.check("observation: a view that is created again keeps an assignment that is not stored yet") {
    let (router, node) = (try router(), FakeViewNode())
    node.environment.storageRouter = router
    let first = node.install(Stored(plain(key)))
    try expect(first.wrappedValue, 0, "first")
    let (isBusy, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      _ = fault { () throws(StorageProblem) in
        try UserDefaultsHelper(newLocations()).update(address(Observed.standard), StorageAttributes()) { _ in
          isBusy.signal()
          isOver.wait()
          return .keep
        }
      }
    }
    await wait(for: isBusy)
    first.wrappedValue = 5
    let second = node.install(Stored(plain(key)))
    let seen = second.wrappedValue
    isOver.signal()
    try expect(seen, 5, "while another writer is at work")
    try await inTime {
      while try await router.get(key) != 5 { try await Task.sleep(for: .milliseconds(5)) }
    }
    try expect(node.install(Stored(plain(key))).wrappedValue, 5, "stored")
  }
  await checks.check("observation: a view that is created again keeps the last value and the error") {
    let (router, node) = (try router(), FakeViewNode())
    node.environment.storageRouter = router
    try await router.set(5, for: key)
    try expect(node.install(Stored(plain(key))).wrappedValue, 5, "first")
    for _ in 0..<5 { _ = node.install(Stored(plain(key))).wrappedValue }
    try expect(FakeKeyValueObserving.count(key.name), 1, "observers")
    Observed.others(key)?.set(["no": "number"], forKey: key.name)
    try expect(node.install(Stored(plain(key))).wrappedValue, 5, "the last value, if another object is stored")
    let last = node.install(Stored(plain(key)))
    try require(last.error != nil, "no error")
    last.wrappedValue = 9
    try require(Observed.others(key)?.object(forKey: key.name) is [String: String], "it was replaced")
    // Another key, or another router, has another value.
    try await router.set(3, for: Observed.standard)
    try expect(node.install(Stored(plain(Observed.standard))).wrappedValue, 3, "of another key")
    node.environment.storageRouter = StorageRouter.inMemory()
    try expect(node.install(Stored(plain(Observed.standard))).wrappedValue, 0, "of another router")
    let given = node.install(Stored(plain(Observed.standard), router: router))
    try expect(given.wrappedValue, 3, "of the router that is given")
  }
  await checks.check("observation: a property outside of a view reads no state of one") {
    let reads = FakeViewNode.readsOutside
    let stored = Stored(plain(key), router: try router())
    stored.wrappedValue = 4
    try expect(stored.wrappedValue, 4, "value")
    try expect(FakeViewNode.readsOutside, reads, "reads of a state")
  }
}

private func address(_ key: StorageKey<Int>) -> StorageAddress {
  StorageAddress(container: .preferences(suite: nil), name: key.name)
}

private func wait(for semaphore: DispatchSemaphore) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      semaphore.wait()
      continuation.resume()
    }
  }
}

private func threadedChecks(_ checks: Checks) async {
  await checks.check("observation: observers come and go while other threads write, and the last value is seen") {
    let (router, seen) = (try router(), Seen())
    let task = Task { for try await value in router.values(of: Observed.preference) { seen.add(value) } }
    try await seen.wait(for: 0)
    onThreads(4) { thread in
      for round in 0..<200 {
        if thread == 0 {
          Observed.otherWriter(sets: round + 1, Observed.preference)
        } else {
          let stored = Stored(plain(Observed.preference), router: router)
          _ = stored.wrappedValue
          if round % 10 == 0 { FakeKeyValueObserving.notifyObservers(of: Observed.preference.name) }
        }
      }
    }
    try await seen.wait(for: 200)
    try expect(seen.all, seen.all.sorted(), "the order of values")
    task.cancel()
    try await inTime { try await task.value }
    try await expectNoObservers()
  }
}
