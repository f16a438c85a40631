import Foundation
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let suite = "housekeeping-" + UUID().uuidString
private var defaults: UserDefaults { UserDefaults(suiteName: suite) ?? .standard }

/// The first release, with keys that the second has no longer.
private enum First: StorageKeyCatalog {
  static let preference = text("preference", .userDefaults(suite: suite), .none)
  static let retired = text("retired", .userDefaults(suite: suite), .none)
  static let item = text("item", .keychain(service: "s"), .keychain(accessibility: .whenUnlocked))
  static let retiredItem = text("retired", .keychain(service: "s"), .keychain())
  static let pin = text("pin", .keychain(service: "s"), .keychain(accessControl: .userPresence))
  static let file = text("file", .fileSystem(directory: .documents), .none)
  static let sealed = text("sealed", .encryptedFileSystem(directory: .applicationSupport), .recommended)
  static let retiredFile = text("retired", .fileSystem(directory: .documents), .recommended)
  static let all = [preference, retired, item, retiredItem, pin, file, sealed, retiredFile]
  static var allKeys: [AnyStorageKey] { all.map { AnyStorageKey($0) } }
}

/// The second release: it forgot the keys that it has no longer.
private enum Second: StorageKeyCatalog {
  static let item = text("item", .keychain(service: "s"), .keychain(accessibility: .afterFirstUnlockThisDeviceOnly))
  static let file = text("file", .fileSystem(directory: .documents), .none, StorageKeyOptions(backup: false))
  static let all = [First.preference, item, First.pin, file, First.sealed]
  static var allKeys: [AnyStorageKey] { all.map { AnyStorageKey($0) } }
}

/// The third release: it reserves their names, and deletes what is left.
private enum Third: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { Second.allKeys }
  static var reservedNameRows: StorageCatalogRows? {
    StorageCatalogRows(
      [First.retired, First.retiredItem, First.retiredFile].map {
        StorageReservedName(name: $0.name, domain: $0.domain, deletesLeftovers: true)
      })
  }
}

private func device() async throws -> Device {
  let device = Device()
  for name in ["preference", "retired", "theirs"] { defaults.removeObject(forKey: name) }
  let router = try device.launch(First.self)
  for key in First.all { try await router.set("value", for: key) }
  defaults.set(["an object"], forKey: "theirs")
  return device
}

func housekeepingChecks(_ checks: Checks) async {
  await checks.check("orphans: what an earlier release has left is found in every store, and nothing else") {
    let device = try await device()
    try expect(
      await device.launch(First.self).maintenance.orphans().values.map(\.name), ["theirs"], "of the first release")
    let prompts = fake.prompts
    let orphans = await (try device.launch(Second.self)).maintenance.orphans()
    try expect(orphans.failures.map { "\($0)" }, [], "failures")
    // No record of a master key, no sentinel, and no file of the library.
    try expect(
      orphans.values.map { "\($0.domain.kind.rawValue) \($0.name)" }.sorted(),
      ["fileSystem retired", "keychain retired", "userDefaults retired", "userDefaults theirs"], "orphans")
    try expect(fake.prompts, prompts, "prompts")
    fake.state = .beforeFirstUnlock
    let locked = await (try device.launch(Second.self)).maintenance.orphans()
    try expect(locked.failures.map(caseName), ["locked"], "failures before the first unlock")
  }
  await checks.check("sweep: reserved names are deleted in every store, and nothing else is") {
    let device = try await device()
    try expect(await device.launch(Second.self).maintenance.sweep().leftovers.count, 0, "by the second release")
    fake.state = .beforeFirstUnlock
    let locked = await (try device.launch(Third.self)).maintenance.sweep()
    try require(!locked.leftovers.contains { $0.domain == .keychain }, "an item was removed before the first unlock")
    try require(locked.failures.contains { caseName(of: $0) == "locked" }, "\(locked.failures)")
    fake.state = .unlocked
    let sweep = await (try device.launch(Third.self)).maintenance.sweep()
    try expect(sweep.failures.map { "\($0)" }, [], "failures")
    try expect(
      Set((locked.leftovers + sweep.leftovers).map { "\($0)" }),
      ["'retired' in userDefaults", "'retired' in keychain", "'retired' in fileSystem"], "leftovers")
    let old = try device.launch(First.self)
    for key in [First.retired, First.retiredItem, First.retiredFile] {
      try expect(try await old.get(key), nil, "removed")
    }
    for key in Second.all { try expect(try await device.launch(Second.self).get(key), "value", "\(key.name)") }
    try expect(defaults.array(forKey: "theirs") as? [String], ["an object"], "an object of others")
  }
  await checks.check("sweep: a draft that a killed writer left is removed, and no file of another program") {
    let device = try await device()
    let documents = device.folder.appendingPathComponent("data/documents")
    try Data("x".utf8).write(to: documents.appendingPathComponent(".DS_Store"))
    try Data("x".utf8).write(to: documents.appendingPathComponent(".local-data.new"))
    let sweep = await (try device.launch(Second.self)).maintenance.sweep()
    try expect(sweep.failures.map { "\($0)" }, [], "failures")
    try expect(sweep.drafts, 1, "drafts")
    try require(FileManager.default.fileExists(atPath: documents.appendingPathComponent(".DS_Store").path), "theirs")
    try expect(try await device.launch(Second.self).get(Second.file), "value", "value")
  }
  await checks.check("inventory: it counts what is stored, shows no prompt, and says what is locked") {
    let device = try await device()
    try await device.launch(Second.self).remove(First.sealed)
    let prompts = fake.prompts
    let entries = await (try device.launch(Second.self)).maintenance.inventory()
    try expect(
      entries.map { "\(StorageError.Subject(key: $0.key.key, domain: $0.key.domain)) \($0.count)" },
      [
        "'preference' in userDefaults 1", "'item' in keychain 1", "'pin' in keychain 1", "'file' in fileSystem 1",
        "'sealed' in encryptedFileSystem 0",
      ], "entries")
    try expect(entries.map(\.size), [7, 7, nil, 7, nil], "sizes")
    try expect(entries.compactMap(\.problem).map { "\($0)" }, [], "problems")
    try expect(fake.prompts, prompts, "prompts")
    fake.state = .beforeFirstUnlock
    let locked = await (try device.launch(Second.self)).maintenance.inventory()
    try expect(locked.map { $0.problem.map(caseName) }, [nil, "locked", nil, nil, nil], "problems of a locked device")
  }
  await resecuringChecks(checks)
  await recordChecks(checks)
}

private func resecuringChecks(_ checks: Checks) async {
  await checks.check("resecure: an item has the accessibility of the new release, and its value; no other is touched") {
    let device = try await device()
    try expect(try await device.launch(Second.self).get(Second.item), "value", "read by the new release")
    try expect(fake.protectionOf["item"], "ak/0", "before")
    let (pin, prompts) = (fake.protectionOf["pin"], fake.prompts)
    let result = await (try device.launch(Second.self)).maintenance.resecure()
    try expect(result.failures.map { "\($0)" }, [], "failures")
    try expect(
      result.rewritten.map { "\($0)" },
      [
        "'item' in keychain (service 's')", "'file' in fileSystem (directory documents)",
        "'sealed' in encryptedFileSystem (directory applicationSupport)",
      ],
      "rewritten")
    try expect(fake.protectionOf["item"], "cku/0", "after")
    try expect(fake.protectionOf["pin"], pin, "an item that asks")
    try expect(fake.prompts, prompts, "prompts")
    // In the background, and by the release that is rolled back to.
    fake.state = .locked
    try expect(try await device.launch(Second.self).get(Second.item), "value", "on a locked device")
    try expect(try await device.launch(First.self).get(First.item), "value", "by the first release")
    fake.state = .unlocked
    _ = await (try device.launch(First.self)).maintenance.resecure()
    try expect(fake.protectionOf["item"], "ak/0", "rolled back")
    try expect(try await device.launch(First.self).get(First.item), "value", "rolled back")
  }
  await checks.check("resecure: a locked device keeps the item as it is, and says so") {
    let device = try await device()
    fake.state = .locked
    let result = await (try device.launch(Second.self)).maintenance.resecure()
    try expect(result.failures, [StorageError(.locked, .init(key: "item", domain: .keychain))], "failures")
    fake.state = .unlocked
    try expect(fake.protectionOf["item"], "ak/0", "protection")
    try expect(try await device.launch(Second.self).get(Second.item), "value", "value")
  }
  await checks.check("resecure: an item of another library is written again with its value") {
    let device = Device()
    SecItemAdd(
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "item",
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecValueData: Data(#""theirs""#.utf8),
      ], nil)
    let result = await (try device.launch(Second.self)).maintenance.resecure()
    try expect(result.rewritten.map { "\($0)" }, ["'item' in keychain (service 's')"], "rewritten")
    try expect(fake.protectionOf["item"], "cku/0", "protection")
    try expect(try await device.launch(Second.self).get(Second.item), "theirs", "value")
  }
  await checks.check("resecure: a value that another process sets meanwhile is not overwritten by the old one") {
    let device = try await device()
    let once = Once()
    fake.before = { call in
      guard call == "change" else { return nil }
      once {
        do { try anotherHelper().write(Data(#""newer""#.utf8), to: address("item"), StorageAttributes()) } catch {}
      }
      return nil
    }
    _ = await (try device.launch(Second.self)).maintenance.resecure()
    device.keychainWorks()
    try expect(try await device.launch(Second.self).get(Second.item), "newer", "value")
    try expect(fake.protectionOf["item"], "cku/0", "protection")
  }
  await checks.check("resecure: a master key that an earlier installation left has the configured accessibility") {
    let device = try await SealedCatalog.device()
    try expect(fake.protectionOf["MasterKey"], "ck/0", "of the first release")
    try device.reinstall()
    device.encryption.masterKeyAccessibility = .afterFirstUnlockThisDeviceOnly
    let router = try device.launch(SealedCatalog.self)
    try expect(try await router.get(SealedCatalog.own[2]), "value 2", "an item that is left")
    fake.state = .beforeFirstUnlock
    try expect(await router.maintenance.resecure().failures.map(caseName).first, "locked", "failures")
    fake.state = .unlocked
    let result = await router.maintenance.resecure()
    try expect(result.failures.map { "\($0)" }, [], "failures")
    for (name, protection) in fake.protectionOf where name.hasPrefix("MasterKey") && !name.contains("installation") {
      try expect(protection, "cku/0", name)
    }
    try expect(try await device.launch(SealedCatalog.self).get(SealedCatalog.own[2]), "value 2", "afterwards")
    try device.restoreOnAnotherDevice()
    try await expectError("keyMaterialMissing", "on another device") {
      try await device.launch(SealedCatalog.self).get(SealedCatalog.own[2])
    }
  }
  await checks.check("resecure: a file keeps its time, and has the file protection of its domain") {
    let device = try await device()
    let file = device.folder.appendingPathComponent("data/support/sealed").path
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file)
    FakeProtection.forget()
    _ = await (try device.launch(Second.self)).maintenance.resecure()
    try expect(
      FakeProtection.protections,
      [FileProtectionType.complete, .completeUntilFirstUserAuthentication].map(\.rawValue).sorted(), "protections")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    try expect(attributes[.modificationDate] as? Date, past, "time")
    try expect(try await device.launch(First.self).get(First.sealed), "value", "value")
  }
}

private func recordChecks(_ checks: Checks) async {
  await checks.check("set aside: a damaged record of the files' folder is an error, and mended; the files are there") {
    let device = try await device()
    let url = device.folder.appendingPathComponent("data/.files.location")
    try require(FileManager.default.fileExists(atPath: url.path), "there is no record")
    try Data("damaged".utf8).write(to: url)
    let router = try device.launch(First.self)
    try await expectError("locationsDamaged", "get") { try await router.get(First.file) }
    let result = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
    try expect(result.files.count, 1, "files")
    try expect(result.affected, [], "affected keys")
    for key in First.all { try expect(try await device.launch(First.self).get(key), "value", "\(key.name)") }
    let files = try await router.maintenance.setAsideFiles()
    try expect(files.map(\.url), result.files, "listed")
    try expect(try await router.maintenance.removeSetAsideFiles(files), 1, "removed")
    for domain in [.userDefaults(suite: suite), .keychain(service: "s")] as [StorageDomain] {
      try expect(try await router.maintenance.setAsideDamaged(domain).files, [], "files of \(domain)")
    }
    for key in First.all { try expect(try await device.launch(First.self).get(key), "value", "\(key.name)") }
  }
}
