import Darwin
import Foundation
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared

/// Encrypted values of the app in each of its stores, and values of a group.
enum SealedCatalog: StorageKeyCatalog {
  static let suite = "sealed-catalog-" + UUID().uuidString
  static let group = "group.sealed." + UUID().uuidString
  static let own = [
    text("standard", .userDefaults(), .recommended),
    text("suite", .userDefaults(suite: suite), .recommended),
    text("item", .keychain(service: "s"), .recommended),
    text("file", .fileSystem(directory: .documents), .recommended),
    text("custom", .encryptedFileSystem(directory: .custom("a/b")), .recommended),
  ]
  static let shared = [
    text("preference", .appGroupUserDefaults(identifier: group), .recommended),
    text("file", .appGroupFileSystem(identifier: group, directory: .caches), .recommended),
  ]
  static let all = own + shared
  static var allKeys: [AnyStorageKey] { all.map { AnyStorageKey($0) } }

  /// A device whose app has stored all values.
  static func device(_ encryption: EncryptionConfiguration = EncryptionConfiguration()) async throws -> Device {
    let device = Device(groups: ["TEAM.app", group])
    device.encryption = encryption
    removePreferences()
    let router = try device.launch(SealedCatalog.self)
    for (index, key) in all.enumerated() { try await router.set("value \(index)", for: key) }
    return device
  }

  /// UserDefaults are those of the process, and not of a folder.
  static func removePreferences() {
    UserDefaults.standard.removeObject(forKey: "standard")
    UserDefaults(suiteName: suite)?.removeObject(forKey: "suite")
    UserDefaults(suiteName: group)?.removeObject(forKey: "preference")
  }

  /// Requires that every value can be read.
  static func expectValues(_ router: StorageRouter, _ what: String) async throws {
    for (index, key) in all.enumerated() {
      try expect(try await router.get(key), "value \(index)", "\(what), \(index)")
    }
  }
}

func keyRotationChecks(_ checks: Checks) async {
  await checks.check("rotation: the values of every store have the new key, and the old ones can be destroyed") {
    let device = try await SealedCatalog.device()
    let before = fake.contents
    let progress = CallCounter()
    let rotation = try await device.launch(SealedCatalog.self).maintenance.rotateKeys { _ in _ = progress.next() }
    try expect(rotation.failures.map { "\($0)" }, [], "failures")
    try expect(rotation.reencrypted, 7, "values")
    try expect(progress.count, 7, "steps")
    try require(fake.contents != before, "the keychain has the same records")
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after the rotation")
    try expect(try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys(), 2, "destroyed keys")
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after the destruction")
    try expect(try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys(), 0, "destroyed keys, again")
  }
  await checks.check("rotation: a launch that has the old key in memory reads and writes on") {
    let device = try await SealedCatalog.device()
    let (other, main) = (
      try device.launch(SealedCatalog.self, isExtension: true), try device.launch(SealedCatalog.self)
    )
    try await SealedCatalog.expectValues(other, "before")
    try await main.maintenance.rotateKeys()
    try await SealedCatalog.expectValues(other, "after the rotation")
    for (index, key) in SealedCatalog.all.enumerated() { try await other.set("value \(index)", for: key) }
    try expect(try await main.maintenance.destroyRetiredKeys(), 2, "destroyed keys")
    for (index, key) in SealedCatalog.all.enumerated() { try await other.set("value \(index)", for: key) }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after the destruction")
  }
  await checks.check("rotation: one that ends after any call of the keychain is continued with the same new key") {
    var isComplete = false
    var count = 0
    while !isComplete {
      try require(count < 500, "it never ends")
      let device = try await SealedCatalog.device()
      let router = try device.launch(SealedCatalog.self)
      _ = device.keychainFails(after: count)
      do { isComplete = try await router.maintenance.rotateKeys().isComplete } catch is StorageError {}
      device.keychainWorks()
      try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after \(count) calls")
      let rotation = try await device.launch(SealedCatalog.self).maintenance.rotateKeys()
      try require(rotation.isComplete, "after \(count) calls: \(rotation.failures)")
      // A rotation that had ended begins another one.
      let destroyed = try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys()
      try require(
        isComplete ? destroyed == 4 : 2...3 ~= destroyed, "after \(count) calls \(destroyed) keys were destroyed")
      try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after \(count) calls and destruction")
      count += 7
    }
  }
  await checks.check("rotation: an unfinished one keeps its old keys") {
    let device = try await SealedCatalog.device()
    let router = try device.launch(SealedCatalog.self)
    try await expectError("locked", "rotation") {
      try await router.maintenance.rotateKeys { progress in
        if progress.completed == 2 { fake.state = .beforeFirstUnlock }
      }
    }
    fake.state = .unlocked
    try await expectError("retiredKeyInUse", "destruction") { try await router.maintenance.destroyRetiredKeys() }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "values")
  }
  await checks.check("rotation: values of UserDefaults that were not loaded keep the old keys") {
    guard geteuid() != 0 else { return }
    let device = try await SealedCatalog.device()
    try await device.launch(SealedCatalog.self).maintenance.rotateKeys()
    // The record of the suites cannot be read before the first unlock.
    let record = device.folder.appendingPathComponent("data/.local-data.suites").path
    chmod(record, 0)
    defer { chmod(record, 0o600) }
    let router = try device.launch(SealedCatalog.self)
    do {
      throw Broken("\(try await router.maintenance.destroyRetiredKeys()) were destroyed")
    } catch is StorageError {}
    chmod(record, 0o600)
    // The refused call has destroyed that of the group.
    try expect(try await router.maintenance.destroyRetiredKeys(), 1, "destroyed keys")
  }
  await backupChecks(checks)
  await unreadableChecks(checks)
}

/// What a backup of the app's folders brings back.
private func backupChecks(_ checks: Checks) async {
  await checks.check("rotation: a file of a backup from before it is read as long as the retired key is there") {
    let device = try await SealedCatalog.device()
    let file = device.folder.appendingPathComponent("data/documents/file")
    let old = try Data(contentsOf: file)
    try await device.launch(SealedCatalog.self).maintenance.rotateKeys()
    try old.write(to: file)
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "restored")
    try await expectError("retiredKeyInUse", "destruction") {
      try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys()
    }
    try expect(try await device.launch(SealedCatalog.self).maintenance.rotateKeys().reencrypted, 7, "next rotation")
    // The refused call has destroyed the first one of the group.
    try expect(try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys(), 3, "destroyed keys")
    try old.write(to: file)
    try await expectError("authenticationFailed", "a value whose key was destroyed") {
      try await device.launch(SealedCatalog.self).get(SealedCatalog.own[3])
    }
    let lost = try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData()
    try expect(lost.keys.map { "\($0)" }, ["'file' in fileSystem"], "lost")
    let router = try device.launch(SealedCatalog.self)
    try await router.set("value 3", for: SealedCatalog.own[3])
    try await SealedCatalog.expectValues(router, "set anew")
  }
}

/// What cannot be read now, because the device is locked or was not unlocked yet.
private func unreadableChecks(_ checks: Checks) async {
  await checks.check("rotation: a file of a locked device keeps the old key, and is encrypted again later") {
    let device = try await SealedCatalog.device()
    defer { FakeDarwin.isProtected = nil }
    FakeDarwin.isProtected = { $0.hasSuffix("/custom") }
    try await expectError("locked", "get") { try await device.launch(SealedCatalog.self).get(SealedCatalog.own[4]) }
    try await expectError("locked", "rotation") { try await device.launch(SealedCatalog.self).maintenance.rotateKeys() }
    try await expectError("retiredKeyInUse", "destruction") {
      try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys()
    }
    FakeDarwin.isProtected = nil
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "unlocked")
    let continued = try await device.launch(SealedCatalog.self).maintenance.rotateKeys()
    try expect(continued.reencrypted, 7, "values")
    FakeDarwin.isProtected = { $0.hasSuffix("/custom") }
    try await expectError("locked", "destruction") {
      try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys()
    }
    FakeDarwin.isProtected = nil
    // The refused call has destroyed that of the group.
    try expect(try await device.launch(SealedCatalog.self).maintenance.destroyRetiredKeys(), 1, "destroyed keys")
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after the destruction")
  }
  for hasSentinel in [true, false] {
    await checks.check(
      "rotation: a suite that is not loaded keeps the old key (\(hasSentinel ? "with" : "without") the sentinel)"
    ) {
      let device = try await SealedCatalog.device()
      let suite = SealedCatalog.suite
      guard let sealed = UserDefaults(suiteName: suite)?.data(forKey: "suite") else { throw Broken("no value") }
      var values: [String: Any] = ["suite": sealed]
      if hasSentinel { values["LocalData.sentinel"] = true }
      let restarted = try Device(restarting: device, unloaded: [suite: values])
      do {
        let rotation = try await restarted.launch(SealedCatalog.self).maintenance.rotateKeys()
        try expect(rotation.failures.map(caseName), ["locked"], "failures")
      } catch let error as StorageError { try expect(caseName(of: error), "locked", "rotation") }
      do {
        let count = try await restarted.launch(SealedCatalog.self).maintenance.destroyRetiredKeys()
        throw Broken("\(count) were destroyed")
      } catch is StorageError {}
      let lost = try? await restarted.launch(SealedCatalog.self).maintenance.abandonEncryptedData()
      try expect(lost?.folders ?? [], [], "abandoned")
      // The next process sees the suite.
      for (name, value) in values { UserDefaults(suiteName: suite)?.set(value, forKey: name) }
      let next = try Device(restarting: restarted, unloaded: [:])
      try await SealedCatalog.expectValues(next.launch(SealedCatalog.self), "loaded")
      let rotation = try await next.launch(SealedCatalog.self).maintenance.rotateKeys()
      try require(rotation.isComplete, "\(rotation.failures)")
      _ = try await next.launch(SealedCatalog.self).maintenance.destroyRetiredKeys()
      try await SealedCatalog.expectValues(next.launch(SealedCatalog.self), "after the destruction")
    }
  }
  await checks.check("rotation: the app and an extension rotate at once, while others write, and nothing is lost") {
    let device = try await SealedCatalog.device()
    let launches = try (0..<3).map { try device.launch(SealedCatalog.self, isExtension: $0 > 0) }
    for _ in 0..<3 {
      async let first = launches[0].maintenance.rotateKeys()
      async let second = launches[1].maintenance.rotateKeys()
      async let third: Void = {
        for _ in 0..<5 {
          for (index, key) in SealedCatalog.all.enumerated() { try await launches[2].set("value \(index)", for: key) }
        }
      }()
      _ = try await (first, second, third)
      try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "after both")
      let last = try await launches[1].maintenance.rotateKeys()
      try require(last.isComplete, "\(last.failures)")
      try require(try await launches[0].maintenance.destroyRetiredKeys() >= 2, "no key was destroyed")
      for launch in launches { try await SealedCatalog.expectValues(launch, "after the destruction") }
    }
  }
}
