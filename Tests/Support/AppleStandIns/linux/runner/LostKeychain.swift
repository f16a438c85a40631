import Darwin
import Foundation
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let thisDeviceOnly = EncryptionConfiguration(masterKeyAccessibility: .afterFirstUnlockThisDeviceOnly)

/// A device that was restored from a backup: its files and preferences are there, and the master keys are not.
private func restoredDevice() async throws -> Device {
  let device = try await SealedCatalog.device(thisDeviceOnly)
  try await device.launch(PlainCatalog.self).set("kept", for: PlainCatalog.item)
  try await device.launch(PlainCatalog.self).set("lost", for: PlainCatalog.deviceItem)
  try device.restoreOnAnotherDevice()
  return device
}

/// Values that need no master key.
private enum PlainCatalog: StorageKeyCatalog {
  static let item = text("plain", .keychain(service: "s"), .keychain(accessibility: .afterFirstUnlock))
  static let deviceItem = text(
    "device", .keychain(service: "s"), .keychain(accessibility: .whenUnlockedThisDeviceOnly))
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(item), AnyStorageKey(deviceItem)] }
}

/// Requires that no key of the catalog can be read or set, and that no master key was made.
private func expectMissing(_ router: StorageRouter, _ keys: [StorageKey<String?>], _ what: String) async throws {
  for key in keys {
    try await expectError("keyMaterialMissing", "\(what), get") { try await router.get(key) }
    try await expectError("keyMaterialMissing", "\(what), set") { try await router.set("new", for: key) }
  }
}

func lostKeychainChecks(_ checks: Checks) async {
  await checks.check("lost keychain: a restored device has nothing but errors until the values are abandoned") {
    let device = try await restoredDevice()
    try await expectMissing(device.launch(SealedCatalog.self), SealedCatalog.all, "restored")
    let plain = try device.launch(PlainCatalog.self)
    try expect(try await plain.get(PlainCatalog.item), "kept", "an item that may leave its device")
    try expect(try await plain.get(PlainCatalog.deviceItem), nil, "an item of the other device")

    let router = try device.launch(SealedCatalog.self)
    let lost = try await router.maintenance.abandonEncryptedData()
    try expect(Set(lost.keys.map { "\($0)" }), Set(SealedCatalog.allKeys.map { "\($0)" }), "lost")
    try expect(lost.unregistered, 0, "unregistered")
    try expect(lost.folders.count, 2, "folders")
    for (index, key) in SealedCatalog.all.enumerated() {
      try expect(try await router.get(key), nil, "after")
      try await router.set("value \(index)", for: key)
    }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "set anew")
    try expect(try await plain.get(PlainCatalog.item), "kept", "the plain item")
    try expect(
      try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData().folders, [], "abandoned again")

    let files = try await router.maintenance.setAsideFiles()
    try expect(files.count, 7, "files")
    let modes = try files.map {
      try FileManager.default.attributesOfItem(atPath: $0.url.path)[.posixPermissions] as? Int
    }
    try expect(Set(modes), [0o600], "modes")
    try expect(try await router.maintenance.removeSetAsideFiles(files), 7, "removed")
    try expect(try await router.maintenance.setAsideFiles().count, 0, "files left")
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "afterwards")
  }
  await checks.check("lost keychain: the recipe of Durability.md, on a device that was restored from iCloud") {
    let device = try await SealedCatalog.device()
    let plain = text("plain", .fileSystem(directory: .documents), .none)
    try await device.launch().set("kept", for: plain)
    try await device.launch(PlainCatalog.self).set("item", for: PlainCatalog.item)
    try device.restoreWithoutKeychain()
    for isFirstLaunch in [true, false] {
      let router = try device.launch(SealedCatalog.self)
      var lost: [StorageError.Subject] = []
      do {
        _ = try await router.get(SealedCatalog.own[0])
      } catch let error as StorageError where error.code == .keyMaterialMissing {
        lost = try await router.maintenance.abandonEncryptedData().keys
      }
      // The value of the keychain is lost with the keychain.
      try expect(lost.count, isFirstLaunch ? SealedCatalog.all.count - 1 : 0, "lost keys")
      if isFirstLaunch {
        for (index, key) in SealedCatalog.all.enumerated() { try await router.set("value \(index)", for: key) }
      }
    }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "set anew")
    try expect(try await device.launch().get(plain), "kept", "a plain file")
    try expect(try await device.launch(PlainCatalog.self).get(PlainCatalog.item), nil, "an item")
  }
  await checks.check("lost keychain: one that is only locked now loses nothing") {
    let device = try await SealedCatalog.device()
    fake.state = .beforeFirstUnlock
    try await expectError("locked", "get") { try await device.launch(SealedCatalog.self).get(SealedCatalog.own[3]) }
    try await expectError("locked", "abandon") {
      try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData()
    }
    try await expectError("locked", "abandon with damaged values") {
      try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData(includingDamaged: true)
    }
    fake.state = .unlocked
    try expect(try await device.launch(SealedCatalog.self).maintenance.setAsideFiles().count, 0, "files")
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "values")
  }
  for count in 1...6 {
    await checks.check("lost keychain: an abandonment that ends after \(count) values is continued") {
      let device = try await restoredDevice()
      defer { FakeDarwin.fullSyncFailure = nil }
      do {
        let lost = try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData { progress in
          if progress.completed == count { FakeDarwin.fullSyncFailure = EIO }
        }
        throw Broken("it ended: \(lost)")
      } catch is StorageError {}
      FakeDarwin.fullSyncFailure = nil
      let router = try device.launch(SealedCatalog.self)
      // The group's values come after those of the app, which can have a new master key then.
      let left = count < SealedCatalog.own.count ? SealedCatalog.own : SealedCatalog.shared
      for key in left {
        try await expectError("keyMaterialMissing", "set too early") { try await router.set("new", for: key) }
      }
      let lost = try await router.maintenance.abandonEncryptedData()
      try require(7 - count...8 - count ~= lost.keys.count, "\(lost.keys.count) lost")
      for (index, key) in SealedCatalog.all.enumerated() { try await router.set("value \(index)", for: key) }
      try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "set anew")
      try expect(try await router.maintenance.setAsideFiles().count, 7, "files")
    }
  }
  await checks.check("lost keychain: a locked file keeps all from being abandoned, and no key is made beside it") {
    let device = try await restoredDevice()
    defer { FakeDarwin.isProtected = nil }
    FakeDarwin.isProtected = { $0.hasSuffix("/custom") }
    try await expectError("locked", "abandon") {
      try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData()
    }
    for key in SealedCatalog.own {
      do {
        try await device.launch(SealedCatalog.self).set("new", for: key)
        throw Broken("a key was made")
      } catch is StorageError {}
    }
    FakeDarwin.isProtected = nil
    try await expectMissing(device.launch(SealedCatalog.self), SealedCatalog.all, "unlocked")
    let lost = try await device.launch(SealedCatalog.self).maintenance.abandonEncryptedData()
    try expect(lost.keys.count, 7, "lost")
    let router = try device.launch(SealedCatalog.self)
    for (index, key) in SealedCatalog.all.enumerated() { try await router.set("value \(index)", for: key) }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "set anew")
  }
  await checks.check("lost keychain: an app that was installed again has its keychain, and nothing to abandon") {
    let device = try await SealedCatalog.device()
    try device.reinstall()
    SealedCatalog.removePreferences()
    let router = try device.launch(SealedCatalog.self)
    // The item in the keychain and its master key have both survived.
    try expect(try await router.get(SealedCatalog.own[2]), "value 2", "item")
    try expect(try await router.maintenance.abandonEncryptedData().folders, [], "folders")
    for (index, key) in SealedCatalog.all.enumerated() where index != 2 {
      try expect(try await router.get(key), nil, "after")
      try await router.set("value \(index)", for: key)
    }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "set anew")
    try expect(fake.contents.filter { $0.contains("/LocalData/MasterKey") }.count, 2, "records")
  }
  await checks.check("lost keychain: a damaged record of the master key is an error, and abandonment mends it") {
    let device = try await SealedCatalog.device()
    let status = SecItemUpdate(
      [
        kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "TEAM.app", kSecAttrService: "LocalData",
        kSecAttrAccount: "MasterKey",
      ], [kSecValueData: Data("damaged".utf8)])
    try expect(status, errSecSuccess, "status")
    let router = try device.launch(SealedCatalog.self)
    try await expectError("keyMaterialDamaged", "get") { try await router.get(SealedCatalog.own[3]) }
    try await expectError("keyMaterialDamaged", "set") { try await router.set("new", for: SealedCatalog.own[3]) }
    let lost = try await router.maintenance.abandonEncryptedData()
    try expect(lost.keys.count, SealedCatalog.own.count, "lost")
    for (index, key) in SealedCatalog.own.enumerated() { try await router.set("value \(index)", for: key) }
    try await SealedCatalog.expectValues(device.launch(SealedCatalog.self), "set anew, or of the group")
  }
}
