import Foundation
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let suite = "retention-" + UUID().uuidString

/// A store of Apple's platforms with a policy.
private let stores: [(what: String, domain: StorageDomain, security: SecurityPolicy)] = [
  ("UserDefaults", .userDefaults(suite: suite), .none),
  ("sealed UserDefaults", .userDefaults(suite: suite), .recommended),
  ("the keychain", .keychain(service: "s"), .keychain(accessibility: .afterFirstUnlock)),
  (
    "the synchronized keychain", .keychain(service: "s", synchronizable: true),
    .keychain(accessibility: .afterFirstUnlock)
  ),
  ("a file", .fileSystem(directory: .documents), .none),
  ("an encrypted file", .encryptedFileSystem(directory: .documents), .recommended),
]

private func key(_ index: Int, _ retention: Retention?) -> StorageKey<String?> {
  text("r\(index)", stores[index].domain, stores[index].security, StorageKeyOptions(retention: retention))
}

/// Releases that keep the values of the same names for different times.
private enum Plain: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { stores.indices.map { AnyStorageKey(key($0, nil)) } }
}
private enum Day: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { stores.indices.map { AnyStorageKey(key($0, .maxAge(seconds: 86_400))) } }
}
private enum Relaunch: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { stores.indices.map { AnyStorageKey(key($0, .untilRelaunch)) } }
}
private enum Reinstall: StorageKeyCatalog {
  static let items = [2, 3]
  static let sealed = text(
    "sealed", .keychain(service: "s"), .recommended, StorageKeyOptions(retention: .untilReinstall))
  static let plain = text("unlimited", .keychain(service: "s"), .keychain(accessibility: .afterFirstUnlock))
  static var keys: [StorageKey<String?>] { items.map { key($0, .untilReinstall) } + [sealed] }
  static var allKeys: [AnyStorageKey] { keys.map { AnyStorageKey($0) } + [AnyStorageKey(plain)] }
}

/// A device without values in the suite of these checks.
private func device() -> Device {
  for index in stores.indices { UserDefaults(suiteName: suite)?.removeObject(forKey: "r\(index)") }
  return Device()
}

/// Returns true if anything is stored for a store's key, as other code sees it.
private func isStored(_ index: Int, _ device: Device) -> Bool {
  switch stores[index].domain {
  case .userDefaults: UserDefaults(suiteName: suite)?.object(forKey: "r\(index)") != nil
  case .keychain: fake.contents.contains { $0.contains("/s/r\(index)") }
  default: FileManager.default.fileExists(atPath: device.folder.appendingPathComponent("data/documents/r\(index)").path)
  }
}

/// Sets the time of a store's file to that of the clock.
private func dateFile(_ index: Int, _ device: Device) throws {
  guard stores[index].domain == .fileSystem(directory: .documents) else { return }
  let file = device.folder.appendingPathComponent("data/documents/r\(index)").path
  try FileManager.default.setAttributes([.modificationDate: device.clock.now], ofItemAtPath: file)
}

func retentionChecks(_ checks: Checks) async {
  for (index, store) in stores.enumerated() {
    await ageChecks(checks, index, store.what)
    await relaunchChecks(checks, index, store.what)
  }
  await reinstallChecks(checks)
  await sweepOfEndedChecks(checks)
}

private func ageChecks(_ checks: Checks, _ index: Int, _ what: String) async {
  await checks.check("retention: a value in \(what) ends with its age, and a clock that is set back ends nothing") {
    let (device, key) = (device(), key(index, .maxAge(seconds: 86_400)))
    try await device.launch(Day.self).set("old", for: key)
    device.clock.advance(by: 86_390)
    try expect(try await device.launch(Day.self).get(key), "old", "before its end")
    device.clock.advance(by: -10 * 86_400)
    try expect(try await device.launch(Day.self).get(key), "old", "the clock was set back")
    try expect(await device.launch(Day.self).maintenance.sweep().ended, [], "the clock was set back, swept")
    device.clock.advance(by: 10 * 86_400 + 20)
    try expect(try await device.launch(Day.self).get(key), nil, "at its end")
    try require(!isStored(index, device), "it is still stored")
    // A write begins a new age.
    try await device.launch(Day.self).set("new", for: key)
    device.clock.advance(by: 80_000)
    try await device.launch(Day.self).update(key) { $0 = ($0 ?? "") + "er" }
    device.clock.advance(by: 80_000)
    try expect(try await device.launch(Day.self).get(key), "newer", "after an update")
  }
  // UserDefaults has no times.
  let isKnown = stores[index].domain != .userDefaults(suite: suite) || stores[index].security == .recommended
  await checks.check(
    "retention: a value in \(what) of a release without one counts from its \(isKnown ? "write" : "first read")"
  ) {
    let (device, limited, plain) = (device(), key(index, .maxAge(seconds: 86_400)), key(index, nil))
    try await device.launch(Plain.self).set("old", for: plain)
    try dateFile(index, device)
    device.clock.advance(by: 86_000)
    try expect(try await device.launch(Day.self).get(limited), "old", "by the release with a retention")
    // Rolled back.
    device.clock.advance(by: 86_000)
    try expect(try await device.launch(Plain.self).get(plain), "old", "by the release without")
    try expect(try await device.launch(Day.self).get(limited), isKnown ? nil : "old", "rolled forward")
    device.clock.advance(by: 1_000)
    try expect(try await device.launch(Day.self).get(limited), nil, "a day later")
  }
  await checks.check("retention: a value in \(what) that seems to be of the future ages from its time, if it has one") {
    let (device, limited, plain) = (device(), key(index, .maxAge(seconds: 86_400)), key(index, nil))
    // The time in an encrypted value is not replaced.
    if stores[index].security == .recommended { return }
    device.clock.advance(by: 10 * 86_400)
    try await device.launch(Plain.self).set("old", for: plain)
    try dateFile(index, device)
    device.clock.advance(by: -10 * 86_400)
    try expect(try await device.launch(Day.self).get(limited), "old", "at the first read")
    device.clock.advance(by: 86_000)
    try expect(try await device.launch(Day.self).get(limited), "old", "before its end")
    device.clock.advance(by: 1_000)
    try expect(try await device.launch(Day.self).get(limited), isKnown ? "old" : nil, "a day later")
    device.clock.advance(by: 10 * 86_400)
    try expect(try await device.launch(Day.self).get(limited), nil, "a day after its time")
  }
}

private func relaunchChecks(_ checks: Checks, _ index: Int, _ what: String) async {
  await checks.check("retention: a value in \(what) is kept until the app is launched again") {
    let (device, key) = (device(), key(index, .untilRelaunch))
    let first = try device.launch(Relaunch.self)
    try await first.set("session", for: key)
    device.clock.advance(by: 10 * 86_400)
    try expect(try await first.get(key), "session", "in the same launch")
    let widget = try device.launch(Relaunch.self, isExtension: true)
    try expect(try await widget.get(key), "session", "in an extension")
    try expect(await widget.maintenance.sweep().ended, [], "swept by an extension")
    try expect(try await first.get(key), "session", "after the extension was launched")
    let second = try device.launch(Relaunch.self)
    try expect(try await second.get(key), nil, "in the next launch")
    try require(!isStored(index, device), "it is still stored")
    // What is written with a clock that was set back belongs to this launch all the same.
    device.clock.advance(by: -5 * 86_400)
    try await second.set("again", for: key)
    try expect(try await second.get(key), "again", "set with a clock that was set back")
    device.clock.advance(by: 5 * 86_400)
    try expect(try await second.get(key), "again", "after the clock was set right")
  }
}

private func reinstallChecks(_ checks: Checks) async {
  func stored(_ device: Device) async throws -> Device {
    let router = try device.launch(Reinstall.self)
    for key in Reinstall.keys { try await router.set("first", for: key) }
    try await router.set("unlimited", for: Reinstall.plain)
    return device
  }
  await checks.check("retention: items of the keychain end with the installation, and others stay") {
    let device = try await stored(device())
    for _ in 0..<3 {
      device.clock.advance(by: 100 * 86_400)
      let router = try device.launch(Reinstall.self)
      for key in Reinstall.keys { try expect(try await router.get(key), "first", "in the same installation") }
    }
    try device.reinstall()
    let router = try device.launch(Reinstall.self)
    for key in Reinstall.keys { try expect(try await router.get(key), nil, "installed again") }
    try expect(fake.contents.filter { $0.contains("/s/") }.count, 1, "items of the app")
    try expect(try await router.get(Reinstall.plain), "unlimited", "another item")
    for key in Reinstall.keys { try await router.set("second", for: key) }
    for _ in 0..<2 {
      let router = try device.launch(Reinstall.self)
      for key in Reinstall.keys { try expect(try await router.get(key), "second", "in the new installation") }
    }
  }
  await checks.check(
    "retention: after an installation, an extension that is launched first ends nothing, and the app does"
  ) {
    let device = try await stored(device())
    try device.reinstall()
    let widget = try device.launch(Reinstall.self, isExtension: true)
    for key in Reinstall.keys { try expect(try await widget.get(key), "first", "in the extension") }
    let router = try device.launch(Reinstall.self)
    for key in Reinstall.keys { try expect(try await router.get(key), nil, "in the app") }
  }
  await checks.check("retention: an installation that a locked device cannot see ends nothing before the unlock") {
    let device = try await stored(device())
    try device.reinstall()
    fake.state = .beforeFirstUnlock
    let router = try device.launch(Reinstall.self)
    for key in Reinstall.keys { try await expectError("locked", "get") { try await router.get(key) } }
    try expect(await router.maintenance.sweep().ended, [], "swept")
    fake.state = .unlocked
    for key in Reinstall.keys { try expect(try await router.get(key), nil, "unlocked") }
    try expect(try await router.get(Reinstall.plain), "unlimited", "another item")
  }
  await checks.check(
    "retention: a marker or an item that could not be made takes no first installation for another one"
  ) {
    for count in 0..<12 {
      let (device, key) = (device(), Reinstall.keys[0])
      // An extension makes neither.
      try await device.launch(Reinstall.self, isExtension: true).set("first", for: key)
      _ = device.keychainFails(after: count)
      do { _ = try await device.launch(Reinstall.self).get(key) } catch is StorageError {}
      device.keychainWorks()
      try expect(try await device.launch(Reinstall.self).get(key), "first", "after \(count) calls")
      try device.reinstall()
      try expect(try await device.launch(Reinstall.self).get(key), nil, "installed again, \(count)")
    }
  }
  await checks.check("retention: a backup that brings back the files alone, or all, is no other installation") {
    for isKeychainLost in [true, false] {
      let device = try await stored(device())
      if isKeychainLost { fake.reset() }
      let router = try device.launch(Reinstall.self)
      try expect(try await router.get(Reinstall.keys[0]), isKeychainLost ? nil : "first", "restored")
      try await router.set("second", for: Reinstall.keys[0])
      try expect(try await device.launch(Reinstall.self).get(Reinstall.keys[0]), "second", "set after it")
    }
  }
}

private func sweepOfEndedChecks(_ checks: Checks) async {
  await checks.check("retention: a sweep removes what has ended in every store, and nothing else") {
    let device = device()
    let router = try device.launch(Day.self)
    for index in stores.indices { try await router.set("old", for: key(index, .maxAge(seconds: 86_400))) }
    device.clock.advance(by: 40_000)
    try await router.set("young", for: key(2, .maxAge(seconds: 86_400)))
    device.clock.advance(by: 50_000)
    fake.state = .beforeFirstUnlock
    let early = await (try device.launch(Day.self)).maintenance.sweep()
    try require(
      !early.ended.contains { $0.key == "r3" } && isStored(3, device), "an item was removed before the unlock")
    try require(early.failures.contains { caseName(of: $0) == "locked" }, "\(early.failures)")
    fake.state = .unlocked
    let sweep = await (try device.launch(Day.self)).maintenance.sweep()
    try expect(sweep.failures.map { "\($0)" }, [], "failures")
    try expect(stores.indices.filter { isStored($0, device) }, [2], "what is left")
    try expect(try await device.launch(Day.self).get(key(2, .maxAge(seconds: 86_400))), "young", "value")
  }
}
