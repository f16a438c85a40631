import Darwin
import Foundation
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let suite = "corruption-" + UUID().uuidString
private let group = "group.corruption." + UUID().uuidString

/// A store whose keys may have a policy.
private struct Address: Sendable {
  let what: String, domain: StorageDomain, security: SecurityPolicy

  /// The key of the first and the third release, and that of the second, which does not decode its values.
  var old: StorageKey<String?> { text("value", domain, security) }
  func key(_ policy: CorruptionPolicy) -> StorageKey<Int> {
    StorageKey<Int>(
      name: "value", domain: domain, security: security, default: 7, owner: "o", description: "d",
      options: StorageKeyOptions(onCorruption: policy))
  }

  /// A list of one key, which is registered under the index of its place.
  static let all = [
    Address(what: "UserDefaults", domain: .userDefaults(suite: suite), security: .none),
    Address(what: "UserDefaults of a group", domain: .appGroupUserDefaults(identifier: group), security: .none),
    Address(what: "sealed UserDefaults", domain: .userDefaults(suite: suite), security: .recommended),
    Address(what: "the keychain", domain: .keychain(service: "s"), security: .recommended),
    Address(what: "a file", domain: .encryptedFileSystem(directory: .documents), security: .recommended),
  ]
}

private enum UserDefaultsCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [AnyStorageKey(Address.all[0].key(.quarantine)), AnyStorageKey(Address.all[1].key(.quarantine))]
  }
}
private enum OldUserDefaultsCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(Address.all[0].old), AnyStorageKey(Address.all[1].old)] }
}
private enum SealedAddresses: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { Address.all[2...].map { AnyStorageKey($0.key(.quarantine)) } }
}
private enum OldSealedAddresses: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { Address.all[2...].map { AnyStorageKey($0.old) } }
}

private func device() -> Device {
  UserDefaults(suiteName: suite)?.removeObject(forKey: "value")
  UserDefaults(suiteName: group)?.removeObject(forKey: "value")
  return Device(groups: ["TEAM.app", group])
}

func corruptionChecks(_ checks: Checks) async {
  for (index, address) in Address.all.enumerated() {
    let isPlain = address.security == .none
    func launchOld(_ device: Device) throws -> StorageRouter {
      isPlain ? try device.launch(OldUserDefaultsCatalog.self) : try device.launch(OldSealedAddresses.self)
    }
    func launchNew(_ device: Device) throws -> StorageRouter {
      isPlain ? try device.launch(UserDefaultsCatalog.self) : try device.launch(SealedAddresses.self)
    }
    await checks.check(
      "corruption: \(address.what) has the default, an error or a copy, and the release before reads its value"
    ) {
      let device = device()
      try await launchOld(device).set("abc", for: address.old)
      let plain = try device.launch()
      try await expectError("cannotDecode", "throw") { try await plain.get(address.key(.throw)) }
      if isPlain { try expect(try await plain.get(address.key(.useDefault)), 7, "the default") }
      // Rolled back.
      try expect(try await launchOld(device).get(address.old), "abc", "by the release before")
      try expect(try await launchNew(device).get(address.key(.quarantine)), 7, "moved aside")
      try expect(try await launchNew(device).exists(address.key(.quarantine)), false, "exists")
      try await launchNew(device).set(8, for: address.key(.quarantine))
      let values = try await launchNew(device).maintenance.quarantined()
      try expect(values.map { "\($0.key)" }, ["\(AnyStorageKey(address.old))"], "values")
      try expect(try await launchNew(device).get(address.key(.quarantine)), 8, "a new value")

      // The third release reads both again.
      let third = try launchOld(device)
      try await expectError("alreadyStored", "restore") { try await third.maintenance.restore(values[0]) }
      try expect(try await third.maintenance.restore(values[0], replacing: true), true, "restored")
      try expect(try await launchOld(device).get(address.old), "abc", "restored value")
      try expect(try await launchOld(device).maintenance.quarantined().count, 0, "values left")
    }
    guard !isPlain else { continue }
    await checks.check("corruption: a copy from \(address.what) is sealed, is rotated, and lost only with its key") {
      let device = device()
      try await launchOld(device).set("precious", for: address.old)
      _ = try await launchNew(device).get(address.key(.quarantine))
      let copies = try FileManager.default.contentsOfDirectory(
        at: device.folder.appendingPathComponent("data/.quarantine"), includingPropertiesForKeys: nil
      ).filter { !$0.lastPathComponent.hasPrefix(".") }
      try expect(copies.count, 1, "files")
      try require(try Data(contentsOf: copies[0]).range(of: Data("precious".utf8)) == nil, "a copy is not encrypted")
      try expect(try await launchNew(device).maintenance.rotateKeys().reencrypted, 1, "rotated")
      try expect(try await launchNew(device).maintenance.destroyRetiredKeys(), 1, "destroyed keys")
      for value in try await launchOld(device).maintenance.quarantined() {
        try expect(try await launchOld(device).maintenance.restore(value), true, "restored")
      }
      try expect(try await launchOld(device).get(address.old), "precious", "value")
    }
    await checks.check(
      "corruption: \(address.what) on a locked device, or after a lost keychain, is not corrupt (\(index))"
    ) {
      let device = device()
      try await launchOld(device).set("abc", for: address.old)
      fake.state = .beforeFirstUnlock
      let router = try launchNew(device)
      try await expectError("locked", "get") { try await router.get(address.key(.quarantine)) }
      fake.state = .unlocked
      try expect(try await launchNew(device).maintenance.quarantined().count, 0, "values")
      try expect(try await launchOld(device).get(address.old), "abc", "value")
      guard address.domain.kind != .keychain else { return }
      fake.reset()
      fake.accessGroups = ["TEAM.app", group]
      try await expectError("keyMaterialMissing", "get") { try await launchNew(device).get(address.key(.quarantine)) }
      try expect(try await launchNew(device).maintenance.quarantined().count, 0, "values after the loss")
    }
  }
  await objectChecks(checks)
}

/// Objects that other code has stored in UserDefaults.
private func objectChecks(_ checks: Checks) async {
  await checks.check("corruption: an object of other code is moved aside whole, and is back after a restoration") {
    let device = device()
    guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
    // What @AppStorage stores is not the JSON that this key stores.
    others.set(41, forKey: "value")
    let router = try device.launch(UserDefaultsCatalog.self)
    try expect(try await router.get(Address.all[0].key(.quarantine)), 7, "value")
    try require(others.object(forKey: "value") == nil, "it is still there")
    let values = try await router.maintenance.quarantined()
    try expect(values.count, 1, "values")
    try await expectError("corrupted", "restored by a release that does not read it either") {
      try await router.maintenance.restore(values[0])
    }
    try expect(try await router.maintenance.quarantined().count, 1, "values that are kept")
    try await router.remove(Address.all[0].key(.quarantine))
    try expect(try await router.maintenance.quarantined().count, 0, "values of a removed key")
  }
  await checks.check("corruption: a change by other code while a value is moved aside is kept") {
    let device = device()
    guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
    others.set(Data(#""abc""#.utf8), forKey: "value")
    let router = try device.launch(UserDefaultsCatalog.self)
    // The value was read, and is not moved yet.
    let once = Once()
    FakeDarwin.onLock = { path, isTaken in
      guard isTaken, path.contains(".quarantine") else { return }
      once { UserDefaults(suiteName: suite)?.set(Data("9".utf8), forKey: "value") }
    }
    defer { FakeDarwin.onLock = nil }
    try expect(try await router.get(Address.all[0].key(.quarantine)), 9, "value")
    FakeDarwin.onLock = nil
    try expect(try await router.maintenance.quarantined().count, 0, "values")
    try expect(others.data(forKey: "value"), Data("9".utf8), "object")
  }
}
