import Foundation
import LocalData
import LocalDataMaintenance
import LocalDataSecretService
import Testing

/// Keystores whose key is in a real keyring. `check-secret-service` starts the keyring and says which state it is in.
private enum State: String {
  /// The keyring is new and unlocked. The folder is empty.
  case unlocked
  /// Another service has opened the same keyring, and the folder is as the tests of `unlocked` left it.
  case restarted
  /// There is no session bus.
  case absent

  static let current = ProcessInfo.processInfo.environment["SECRET_SERVICE_STATE"].flatMap(State.init)
  static let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["SECRET_SERVICE_FOLDER"] ?? "/nowhere")
}

private let token = StorageKey<String?>(
  name: "token", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A secret.")
private let note = StorageKey<String?>(
  name: "note", domain: .appGroupUserDefaults(identifier: "group.test"), security: .recommended, owner: "Tests",
  description: "An encrypted text.")

private enum Catalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(token), .key(note)] }
}

/// A router as another process has it.
private func router(_ folder: String, _ source: RootKeySource = .secretService, app: String = "App") -> StorageRouter {
  let roots = StorageRoots(below: State.folder.appendingPathComponent(folder))
  return StorageRouter(configuration: StorageConfiguration(applicationName: app, roots: roots, rootKeySource: source))
}

private func hasKeyFile(_ folder: String) -> Bool {
  FileManager.default.fileExists(atPath: State.folder.appendingPathComponent(folder + "/data/keystore.key").path)
}

private let locked = StorageError(.locked, .init(key: "token", domain: .keychain))
private let missing = StorageError(.keyMaterialMissing, .init(key: "token", domain: .keychain))

@Suite(.serialized, .enabled(if: State.current == .unlocked)) struct UnlockedKeyringTests {
  @Test func aKeystoreIsOpenedWithItsItem() async throws {
    for key in [token, note] {
      #expect(try await router("first").get(key) == nil)
      try await router("first").set("a", for: key)
      #expect(try await router("first").get(key) == "a")
    }
    #expect(!hasKeyFile("first"))
    // One item for the app's keystore, and one for the group's.
    #expect(try Keyring.items(["application": "App"]).count == 2)
    #expect(try Keyring.items(["application": "App", "group": "group.test"]).count == 1)
    let conflict = StorageError(
      .rootKeySourceConflict(recorded: "service.secretService"), .init(key: "token", domain: .keychain))
    await #expect(throws: conflict) { try await router("first", .keyFile).get(token) }
  }

  @Test func appsAndFoldersHaveTheirOwnItems() async throws {
    for (folder, app) in [("second", "App"), ("third", "Other"), ("fourth", "Other")] {
      try await router(folder, app: app).set(folder, for: token)
    }
    for (folder, app) in [("second", "App"), ("third", "Other"), ("fourth", "Other")] {
      #expect(try await router(folder, app: app).get(token) == folder)
    }
    #expect(try Keyring.items(["application": "Other"]).count == 2)
    // A folder that was moved finds its item.
    try FileManager.default.moveItem(
      at: State.folder.appendingPathComponent("second"), to: State.folder.appendingPathComponent("moved"))
    #expect(try await router("moved").get(token) == "second")
    #expect(try await router("first").get(token) == "a")
  }

  @Test func theSourceIsChangedBothWays() async throws {
    try await router("changed", .keyFile).set("a", for: token)
    try await router("changed", .keyFile).set("a", for: note)
    for (old, new) in [(RootKeySource.keyFile, RootKeySource.secretService), (.secretService, .keyFile)] {
      let changing = router("changed", new)
      try changing.registerCatalog(Catalog.self)
      #expect(try await changing.maintenance.changeRootKeySource(from: old) == 2)
      #expect(try await changing.maintenance.changeRootKeySource(from: old) == 0)
      for key in [token, note] { #expect(try await router("changed", new).get(key) == "a") }
      #expect(hasKeyFile("changed") == (new == .keyFile))
    }
  }

  @Test func aDeletedItemIsAnErrorAndStaysOne() async throws {
    try await router("lost", app: "Lost").set("a", for: token)
    let items = try Keyring.items(["application": "Lost"])
    #expect(items.count == 1)
    for item in items { try Keyring.call(item, "org.freedesktop.Secret.Item.Delete") }
    await #expect(throws: missing) { try await router("lost", app: "Lost").get(token) }
    await #expect(throws: missing) { try await router("lost", app: "Lost").set("b", for: token) }
    #expect(try Keyring.items(["application": "Lost"]).isEmpty)
    #expect(try await router("lost", app: "Lost").maintenance.abandonKeystores().count == 1)
    try await router("lost", app: "Lost").set("b", for: token)
    #expect(try await router("lost", app: "Lost").get(token) == "b")
  }

  /// The last one: nothing unlocks the keyring again without a desktop.
  @Test func aLockedKeyringIsAnErrorAndAsksNobody() async throws {
    let open = router("first")
    #expect(try await open.get(token) == "a")
    try Keyring.call(
      "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
      "array:objpath:/org/freedesktop/secrets/collection/login")
    // The root key is in memory until it is dropped.
    #expect(try await open.get(token) == "a")
    await open.lock()
    await #expect(throws: locked) { try await open.get(token) }
    await #expect(throws: locked) { try await open.set("b", for: token) }
    #expect(try await open.exists(token))
    #expect(try await router("new").get(token) == nil)
    await #expect(throws: locked) { try await router("new").set("a", for: token) }
    #expect(try await router("new").get(token) == nil)
    #expect(!hasKeyFile("new"))
    // Without a desktop no user can answer.
    await #expect(throws: locked) { try await router("first", .secretService(asksToUnlock: true)).get(token) }
    await #expect(throws: StorageError(.locked, .init(key: nil, domain: .keychain))) {
      try await router("first").maintenance.abandonKeystores()
    }
  }
}

@Suite(.enabled(if: State.current == .restarted)) struct RestartedKeyringTests {
  @Test func everythingIsStillThere() async throws {
    for key in [token, note] { #expect(try await router("first").get(key) == "a") }
    #expect(try await router("third", app: "Other").get(token) == "third")
    try await router("new").set("a", for: token)
    #expect(try await router("new").get(token) == "a")
    #expect(try Keyring.items(["application": "App", "group": "group.test"]).count == 2)
  }
}

@Suite(.enabled(if: State.current == .absent)) struct AbsentKeyringTests {
  @Test func aMissingServiceIsAnErrorAndLosesNothing() async throws {
    let subject = StorageError.Subject(key: "token", domain: .keychain)
    let failed = StorageError(.keyMaterialProviderFailed(KeyMaterialSource(id: "secretService")), subject)
    await #expect(throws: failed) { try await router("first").get(token) }
    await #expect(throws: failed) { try await router("first").set("b", for: token) }
    #expect(try await router("first").exists(token))
    await #expect(throws: failed) { try await router("none").set("a", for: token) }
    #expect(try await router("none").get(token) == nil)
    #expect(!hasKeyFile("none"))
  }

  /// The package has the trait SecretService alone, and so no PBKDF2.
  @Test func passphrasesNeedTheirTrait() async throws {
    let refusal = StorageError(.invalidCatalog(.keyDerivation), .init(key: "diary", domain: .userDefaults))
    #expect("\(refusal)".contains("trait Passphrases"))
    let diaries = router("diaries", .keyFile)
    diaries.registerKeyMaterialProvider(Passphrase(), for: source)
    #expect(throws: refusal) { try diaries.registerCatalog(Diary.self) }
    await #expect(throws: refusal) { try await diaries.set("a", for: diary) }
    await #expect(throws: refusal) { try await diaries.get(diary) }

    let keystore = router("passphrase", .passphrase(source))
    keystore.registerKeyMaterialProvider(Passphrase(), for: source)
    let unopened = StorageError(.invalidCatalog(.keyDerivation), .init(key: "token", domain: .keychain))
    await #expect(throws: unopened) { try await keystore.set("a", for: token) }
    try await router("passphrase", .keyFile).set("b", for: token)
    #expect(try await router("passphrase", .keyFile).get(token) == "b")
    let conflict = StorageError(.rootKeySourceConflict(recorded: "keyFile"), .init(key: "token", domain: .keychain))
    await #expect(throws: conflict) { try await keystore.get(token) }
  }
}

private let source = KeyMaterialSource(id: "passphrase")
private let diary = StorageKey<String?>(
  name: "diary", domain: .userDefaults(),
  security: .encrypted(.init(keyDerivation: .pbkdf2(iterations: 600_000), keySource: .external(source))),
  owner: "Tests", description: "A text.")

private enum Diary: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(diary)] }
}

private struct Passphrase: KeyMaterialProviding {
  func keyMaterial(for keyName: String) async throws -> Data { Data("correct horse".utf8) }
}

/// Calls of the keyring besides the library, with `dbus-send`.
private enum Keyring {
  struct Failed: Error {
    var output: String
  }

  /// Returns the paths of the items with some attributes.
  static func items(_ attributes: [String: String]) throws -> [String] {
    let dictionary = attributes.map { "\($0.key),\($0.value)" }.joined(separator: ",")
    let answer = try call(
      "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.SearchItems", "dict:string:string:" + dictionary)
    return answer.split(separator: "\"").map(String.init)
      .filter { $0.hasPrefix("/org/freedesktop/secrets/collection/") }
  }

  @discardableResult
  static func call(_ path: String, _ method: String, _ arguments: String...) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", path, method] + arguments
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(output: text) }
    return text
  }
}
