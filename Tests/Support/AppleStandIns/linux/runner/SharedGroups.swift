import Foundation
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let attributes = StorageAttributes()

/// A key in an access group that other apps of the team use too, one that has moved away from there, and one of the app alone.
private enum Keys: StorageKeyCatalog {
  static let shared = key("token", .keychain(service: "s", accessGroup: "TEAM.shared"))
  static let earlier = key("moved", .keychain(service: "s", accessGroup: "TEAM.earlier"))
  static let moved = key("moved", .keychain(service: "s")) { destination in
    AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(earlier)))
  }
  static let own = key("own", .fileSystem(directory: .documents))

  static var allKeys: [AnyStorageKey] { [AnyStorageKey(shared), AnyStorageKey(moved), AnyStorageKey(own)] }

  private static func key(
    _ name: String, _ domain: StorageDomain,
    migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: domain, security: .recommended, owner: "o", description: "d", migration: migration)
  }
}

private func router(_ folder: URL, isRegistered: Bool = true) throws -> StorageRouter {
  let router = StorageRouter(
    configuration: StorageConfiguration(applicationName: "runner", roots: StorageRoots(below: folder)))
  if isRegistered { try router.registerCatalog(Keys.self) }
  return router
}

private func resetKeychain(_ groups: [String] = ["TEAM.app", "TEAM.shared", "TEAM.earlier"]) {
  fake.reset()
  fake.accessGroups = groups
}

/// An envelope that a master key has sealed which is lost now.
private func foreignEnvelope() async throws -> Data {
  resetKeychain()
  let folder = temporaryFolder()
  try await router(folder).set("theirs", for: Keys.own)
  let bytes = try Data(contentsOf: folder.appendingPathComponent("data/documents/own"))
  resetKeychain()
  return bytes
}

/// The keychain as another app of the team has it.
private let otherApp = KeychainHelper(
  in: FolderLocation(root: StorageRoot(URL(fileURLWithPath: "/nowhere")), parts: []),
  accessGroup: DefaultAccessGroup { () throws(StorageProblem) in "TEAM.other" })

/// Other objects in the app's UserDefaults.
private func otherObjectChecks(_ checks: Checks) async {
  await checks.check("rotation: objects of others in UserDefaults are passed over") {
    resetKeychain()
    let name = "others-" + UUID().uuidString
    UserDefaults.standard.set("text", forKey: name)
    defer { UserDefaults.standard.removeObject(forKey: name) }
    let router = try router(temporaryFolder())
    try await router.set("own", for: Keys.own)
    try expect(try await router.maintenance.rotateKeys().reencrypted, 1, "rotation")
    try expect(try await router.maintenance.destroyRetiredKeys(), 1, "destroyed keys")
    try expect(try await router.maintenance.abandonEncryptedData().folders, [], "moved values")
    try expect(UserDefaults.standard.string(forKey: name), "text", "the object")
  }
}

/// Values that are sealed with the app's master key in access groups that it shares with other apps.
func sharedGroupChecks(_ checks: Checks) async {
  await otherObjectChecks(checks)
  await checks.check("shared groups: a rotation encrypts the values there again, and the old key can be destroyed") {
    resetKeychain()
    let folder = temporaryFolder()
    try await router(folder).set("shared", for: Keys.shared)
    try await router(folder, isRegistered: false).set("earlier", for: Keys.earlier)
    let router = try router(folder)
    let rotation = try await router.maintenance.rotateKeys()
    try expect(rotation.failures.map { "\($0)" }, [], "failures")
    try expect(rotation.reencrypted, 2, "values")
    try expect(try await router.maintenance.destroyRetiredKeys(), 1, "destroyed keys")
    try expect(try await router.get(Keys.shared), "shared", "value")
    try expect(try await router.get(Keys.moved), "earlier", "the value of a migration's source")
  }
  await checks.check("shared groups: a value that a retired key has sealed keeps the key") {
    resetKeychain()
    let folder = temporaryFolder()
    let router = try router(folder)
    try await router.set("shared", for: Keys.shared)
    let item = address("token", group: "TEAM.shared")
    guard let old = try helperAsTheApp().read(item, attributes) else { throw Broken("no item") }
    try await router.maintenance.rotateKeys()
    try helperAsTheApp().write(old, to: item, attributes)
    do {
      throw Broken("\(try await router.maintenance.destroyRetiredKeys()) were destroyed")
    } catch let error as StorageError {
      try expect("\(error)", "\(StorageError(.retiredKeyInUse, .init(key: "token", domain: .keychain)))", "error")
    }
    try expect(try await router.get(Keys.shared), "shared", "value")
  }
  await checks.check("shared groups: a locked item of another library does not prevent the first encrypted write") {
    for group in ["TEAM.app", "TEAM.shared"] {
      resetKeychain()
      let item: [String: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "theirs", kSecAttrAccount: "a",
        kSecAttrAccessGroup: group, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecValueData: Data([1]),
      ]
      try expect(SecItemAdd(item, nil), errSecSuccess, "adding")
      fake.state = .locked
      let router = try router(temporaryFolder())
      try await router.set("own", for: Keys.own)
      try expect(try await router.get(Keys.own), "own", "value beside an item in \(group)")
    }
  }
  await checks.check("shared groups: a locked item of the library's own service prevents a new master key") {
    let ours = try await foreignEnvelope()
    let locked = StorageAttributes(accessibility: .whenUnlocked)
    try helperAsTheApp().write(ours, to: address("ours", group: "TEAM.shared"), locked)
    fake.state = .locked
    try await expectError("locked", "set") { try await router(temporaryFolder()).set("own", for: Keys.own) }
  }
  await checks.check("shared groups: what another app has sealed there is left alone and hinders nothing") {
    let theirs = try await foreignEnvelope()
    let damaged = theirs.prefix(4) + Data(repeating: 0xff, count: theirs.count - 4)
    let (item, other) = (address("theirs", group: "TEAM.shared"), address("damaged", group: "TEAM.shared"))
    try otherApp.write(theirs, to: item, attributes)
    try otherApp.write(damaged, to: other, attributes)
    let router = try router(temporaryFolder())
    // The first value of this app makes its master key.
    try await router.set("own", for: Keys.own)
    try expect(try await router.maintenance.rotateKeys().reencrypted, 1, "rotation")
    try expect(try await router.maintenance.destroyRetiredKeys(), 1, "destroyed keys")
    try expect(try await router.maintenance.abandonEncryptedData(includingDamaged: true).folders, [], "moved values")
    try expect(try otherApp.read(item, attributes), theirs, "their value")
    try expect(try otherApp.read(other, attributes), damaged, "their damaged value")
    try expect(try await router.get(Keys.own), "own", "value")
  }
  await checks.check("shared groups: a master key that is lost is not made anew beside what it has sealed there") {
    let ours = try await foreignEnvelope()
    let item = address("ours", group: "TEAM.shared")
    try helperAsTheApp().write(ours, to: item, attributes)
    let router = try router(temporaryFolder())
    do {
      try await router.set("own", for: Keys.own)
      throw Broken("a new one was made")
    } catch let error as StorageError {
      try expect(error, StorageError(.keyMaterialMissing, .init(key: "own", domain: .fileSystem)), "error")
    }
    try expect(try await router.maintenance.abandonEncryptedData().unregistered, 1, "abandoned values")
    try expect(try helperAsTheApp().exists(item, attributes), false, "the abandoned item exists")
    try await router.set("own", for: Keys.own)
    try expect(try await router.get(Keys.own), "own", "value")
  }
  await checks.check("shared groups: without the entitlement of a group nothing is destroyed, and all else works") {
    resetKeychain(["TEAM.app"])
    let router = try router(temporaryFolder())
    try await router.set("own", for: Keys.own)
    try expect(try await router.maintenance.rotateKeys().reencrypted, 1, "rotation")
    try expect(try await router.maintenance.abandonEncryptedData(includingDamaged: true).folders, [], "moved values")
    do {
      throw Broken("\(try await router.maintenance.destroyRetiredKeys()) were destroyed")
    } catch let error as StorageError {
      try expect("\(error)", "\(StorageError(.missingEntitlement, .init(key: nil, domain: nil)))", "error")
    }
  }
}

/// The keychain as this app has it, with the default group of its routers.
private func helperAsTheApp() -> KeychainHelper {
  KeychainHelper(
    in: FolderLocation(root: StorageRoot(URL(fileURLWithPath: "/nowhere")), parts: []), accessGroup: .shared)
}
