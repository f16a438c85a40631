import Foundation
import LocalAuthentication
import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared
private let controlled = StorageAttributes(accessibility: .whenUnlocked, accessControl: .biometryCurrentSet)

/// Checks what the user is asked, and what is lost when the enrolled fingers change.
func keychainPromptChecks(_ checks: Checks) {
  checks.check("keychain: nothing else waits while the user is asked") {
    let store = helper()
    try store.write(Data([1]), to: address("asked"), controlled)
    let (isAsked, isAnswered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let once = Once()
    fake.before = { call in
      guard call == "find" else { return nil }
      once {
        isAsked.signal()
        isAnswered.wait()
      }
      return nil
    }
    let asked = Thread {
      do { try store.update(address("asked"), controlled) { _ in .write(Data([2])) } } catch {}
    }
    asked.start()
    isAsked.wait()
    let isWritten = DispatchSemaphore(value: 0)
    let other = Thread {
      do {
        try store.write(Data([3]), to: address("other"), StorageAttributes())
        try store.update(address("other"), StorageAttributes()) { _ in .write(Data([4])) }
        try store.remove(address("other"), StorageAttributes())
        isWritten.signal()
      } catch {}
    }
    other.start()
    let result = isWritten.wait(timeout: .now() + 5)
    isAnswered.signal()
    try require(result == .success, "another item's writer waits for the answer")
  }
  checks.check("keychain: an update that is overtaken asks once") {
    let (one, other) = (helper(), anotherHelper())
    try one.write(Data([1]), to: address("a"), controlled)
    var looks = 0
    try one.update(address("a"), controlled) { (bytes) throws(StorageProblem) in
      looks += 1
      if looks == 1 { try other.write(Data([2]), to: address("a"), controlled) }
      return .write((bytes ?? Data()) + [3])
    }
    try expect(looks, 2, "looks")
    try expect(fake.prompts, 1, "prompts")
    try expect(try one.read(address("a"), controlled), Data([2, 3]), "value")
  }
  for (origin, isOurs) in [("the library", true), ("another library", false)] {
    checks.check("keychain: an item of \(origin) whose enrolment changed is invalidated, and can be set and removed") {
      let store = helper(patience: .milliseconds(200))
      func add(_ byte: UInt8) throws {
        if isOurs { return try store.write(Data([byte]), to: address("a"), controlled) }
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryCurrentSet, nil)
        let item: [String: Any] = [
          kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a",
          kSecAttrAccessControl: control as Any, kSecValueData: Data([byte]),
        ]
        try expect(SecItemAdd(item, nil), errSecSuccess, "adding")
      }
      try add(1)
      fake.changeEnrolment()
      try expect(try store.exists(address("a"), controlled), true, "exists")
      try expect(
        fault { () throws(StorageProblem) in try store.read(address("a"), controlled) }, .invalidated, "read")
      try expect(
        fault { () throws(StorageProblem) in try store.update(address("a"), controlled) { _ in .write(Data()) } },
        .invalidated, "update")
      try store.write(Data([2]), to: address("a"), controlled)
      try expect(try store.read(address("a"), controlled), Data([2]), "set anew")
      fake.changeEnrolment()
      try store.remove(address("a"), controlled)
      try expect(try store.read(address("a"), controlled), nil, "removed")
    }
  }
}

private let pin = StorageKey<String?>(
  name: "pin", domain: .keychain(service: "s"),
  security: .keychain(accessibility: .whenUnlocked, accessControl: .biometryCurrentSet), owner: "o", description: "d")
private let seed = StorageKey<String?>(
  name: "seed", domain: .keychain(service: "s"),
  security: .keychain(accessibility: .whenUnlocked, accessControl: .userPresence), owner: "o", description: "d")

/// The key of `pin` in a release that does not protect it.
private let openPin = StorageKey<String?>(
  name: "pin", domain: .keychain(service: "s"), security: .keychain(), owner: "o", description: "d",
  options: StorageKeyOptions(retention: .maxAge(seconds: 60)))

private enum OpenCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(openPin)] }
}

private enum GuardedCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(pin)] }
}

private let sealed = text("secret", .encryptedFileSystem(directory: .documents), .recommended)

private enum GuardedAndSealedCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(pin), AnyStorageKey(sealed)] }
}

private func router() -> StorageRouter {
  StorageRouter(
    configuration: StorageConfiguration(applicationName: "runner", roots: StorageRoots(below: temporaryFolder())))
}

private func key(_ group: String?) -> StorageKey<String?> {
  StorageKey<String?>(
    name: "token", domain: .keychain(service: "s", accessGroup: group), security: .keychain(), owner: "o",
    description: "d")
}

private enum OwnCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(key(nil))] }
}
private enum NamedCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(key("TEAM.app"))] }
}
private enum SharedCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(key("TEAM.shared"))] }
}

/// The same through the router.
func routerKeychainChecks(_ checks: Checks) async {
  await checks.check("router: one call asks once, whatever it does") {
    fake.reset()
    let router = router()
    try await router.set("1", for: pin)
    for (what, call) in [
      ("get", { _ = try await router.get(pin) }),
      ("a set that overwrites", { try await router.set("1", for: pin) }),
      ("update", { try await router.update(pin) { $0 = ($0 ?? "") + "2" } }),
      ("an update that removes", { try await router.update(pin) { $0 = nil } }),
    ] as [(String, () async throws -> Void)] {
      let before = fake.prompts
      try await call()
      try expect(fake.prompts - before, 1, "prompts of \(what)")
    }
    try expect(try await router.get(pin), nil, "removed")
  }
  for asks in [false, true] {
    await checks.check("router: an item with an access control hinders no encryption (asks for attributes: \(asks))") {
      fake.reset()
      try await router().set("1", for: pin)
      fake.asksForAttributes = asks
      let router = router()
      try router.registerCatalog(GuardedAndSealedCatalog.self)
      try await router.set("2", for: sealed)
      try expect(try await router.maintenance.rotateKeys().reencrypted, 1, "rotation")
      try expect(try await router.get(sealed), "2", "value")
      try expect(fake.prompts, 0, "prompts")
      // A list of the container's values is whole, or fails.
      let found = fault { () throws(StorageProblem) in
        try anotherHelper().names(in: address("pin").container) { _ in true }
      }
      try expect(found, asks ? .locked : nil, "names")
    }
  }
  await checks.check("router: authenticated calls share one prompt with the given reason, which ends with them") {
    fake.reset()
    let router = router()
    try await router.set("1", for: pin)
    try await router.set("2", for: seed)
    let values = try await router.authenticated(reason: "Unlock the wallet") {
      [try await router.get(pin), try await router.get(seed), try await router.get(pin)]
    }
    try expect(values, ["1", "2", "1"], "values")
    try expect(fake.prompts, 1, "prompts")
    try expect(fake.lastReason, StoragePlatform.current == .watch ? "" : "Unlock the wallet", "reason")
    _ = try await router.get(pin)
    try expect(fake.prompts, 2, "prompts afterwards")
  }
  await checks.check("router: a write within authenticated calls shows the given reason and shares their prompt") {
    fake.reset()
    let router = router()
    try await router.set("1", for: pin)
    try await router.authenticated(reason: "Change the PIN") {
      try await router.set("2", for: pin)
      try await router.update(pin) { $0 = ($0 ?? "") + "3" }
    }
    try expect(fake.prompts, 1, "prompts")
    try expect(fake.lastReason, StoragePlatform.current == .watch ? "" : "Change the PIN", "reason")
    fake.answer = .cancels
    do {
      try await router.set("4", for: pin)
      throw Broken("it is overwritten without the user")
    } catch let error as StorageError where error.code == .userCancelled {}
    fake.answer = .allows
    try expect(try await router.get(pin), "23", "value")
  }
  await checks.check("router: a task that outlives the calls in which it began asks by itself") {
    fake.reset()
    let router = router()
    try await router.set("1", for: pin)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let later = Task.detached { () async throws -> String? in
      // The task inherits what is bound within the calls.
      try await router.authenticated(reason: "Unlock the wallet") {
        Task {
          for await _ in ends { break }
          return try await router.get(pin)
        }
      }.value
    }
    // The calls have ended when the task goes on.
    usleep(50_000)
    continuation.yield()
    try expect(try await later.value, "1", "value")
    try expect(fake.prompts, 1, "prompts")
    try expect(fake.lastReason, "", "reason of the task's own prompt")
  }
  await checks.check("router: maintenance does not ask the user for a value that an earlier release protected") {
    fake.reset()
    try await router().set("1", for: pin)
    let router = router()
    try router.registerCatalog(OpenCatalog.self)
    let entries = await router.maintenance.inventory()
    try expect(entries.map(\.isPresent), [true], "present")
    try expect(await router.maintenance.resecure().rewritten, [], "written again")
    try expect(await router.maintenance.sweep().ended, [], "ended")
    try expect(try await router.exists(openPin), true, "exists")
    try expect(fake.prompts, 0, "prompts")
    try expect(try await router.get(openPin), "1", "value")
  }
  await checks.check("router: resecure protects an item with a new access control, and shows no prompt") {
    fake.reset()
    try await router().set("1", for: openPin)
    try expect(try await router().get(openPin), "1", "value")
    try expect(fake.prompts, 0, "prompts of the earlier release")
    let router = router()
    try router.registerCatalog(GuardedCatalog.self)
    for rewritten in [1, 0] {
      let result = await router.maintenance.resecure()
      try expect(result.rewritten.count, rewritten, "written again")
      try expect(result.failures, [], "failures")
      try expect(fake.prompts, 0, "prompts of the maintenance")
    }
    fake.answer = .cancels
    do {
      _ = try await router.get(pin)
      throw Broken("it is not protected")
    } catch let error as StorageError where error.code == .userCancelled {}
    fake.answer = .allows
    try expect(try await router.get(pin), "1", "value")
  }
  await checks.check("router: an enrolment that changed is an error that says so, and set mends it") {
    fake.reset()
    let router = router()
    try await router.set("1", for: pin)
    fake.changeEnrolment()
    for call in [{ _ = try await router.get(pin) }, { try await router.update(pin) { _ in } }]
      as [() async throws -> Void]
    {
      do {
        try await call()
        throw Broken("no error")
      } catch let error as StorageError {
        guard error.code == .invalidated else { throw Broken("\(error)") }
      }
    }
    try await router.set("2", for: pin)
    try expect(try await router.get(pin), "2", "set anew")
  }
  await checks.check("router: no group and the default group are one address for registration") {
    fake.reset()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    let router = router()
    try router.registerCatalog(OwnCatalog.self)
    try router.registerCatalog(SharedCatalog.self)
    do {
      try router.registerCatalog(NamedCatalog.self)
      throw Broken("two keys of one address are registered")
    } catch let error as StorageError {
      guard error.problem == .invalidCatalog(.duplicateKey) else { throw Broken("\(error)") }
    }
    try await router.set("own", for: key(nil))
    try await router.set("shared", for: key("TEAM.shared"))
    try expect(try await router.get(key("TEAM.app")), "own", "by its name")
    try expect(try await router.get(key("TEAM.shared")), "shared", "the other group")
  }
  await checks.check("router: a value moves between no group and the name of the default group by staying where it is")
  {
    fake.reset()
    fake.accessGroups = ["TEAM.app", "TEAM.shared"]
    for (from, to) in [(nil, "TEAM.app"), ("TEAM.app", nil)] as [(String?, String?)] {
      fake.reset()
      try await router().set("precious", for: key(from))
      let source = key(from)
      let destination = StorageKey<String?>(
        name: "token", domain: .keychain(service: "s", accessGroup: to), security: .keychain(), owner: "o",
        description: "d",
        migration: { destination in
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(source)))
        })
      for _ in 0..<2 { try expect(try await router().get(destination), "precious", "\(from ?? "-") to \(to ?? "-")") }
      try expect(fake.contents.count, 1, "items")
    }
  }
  await checks.check("router: a default access group that changes is an error with the setting that keeps the old one")
  {
    fake.reset()
    fake.accessGroups = ["TEAM.app", "TEAM.new"]
    let folder = temporaryFolder()
    func router(_ group: String?) -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "runner", roots: StorageRoots(below: folder), defaultKeychainAccessGroup: group))
    }
    let sealed = text("secret", .encryptedFileSystem(directory: .documents), .recommended)
    try expect(try await router("TEAM.new").get(key(nil)), nil, "a group without items")
    try await router(nil).set("1", for: key(nil))
    try await router(nil).set("2", for: sealed)
    let changed = router("TEAM.new")
    for call in [
      { _ = try await changed.get(key(nil)) }, { _ = try await changed.exists(key(nil)) },
      { try await changed.set("3", for: key(nil)) }, { try await changed.remove(key(nil)) },
      { _ = try await changed.get(sealed) },
    ] as [() async throws -> Void] {
      do {
        try await call()
        throw Broken("no error")
      } catch let error as StorageError {
        guard error.code == .accessGroupChanged, let recorded = error.recorded, let current = error.current else {
          throw Broken("\(error)")
        }
        try expect([recorded, current], ["TEAM.app", "TEAM.new"], "groups")
        try require("\(error)".contains("defaultKeychainAccessGroup: \"TEAM.app\""), "no setting: \(error)")
      }
    }
    try expect(try await router("TEAM.app").get(key(nil)), "1", "value with the setting")
    try expect(try await router(nil).get(sealed), "2", "encrypted value")
    try expect(fake.contents.allSatisfy { $0.hasPrefix("TEAM.app/") }, true, "items")
  }
  await checks.check("router: only calls on keys with an access control use an authentication context") {
    fake.reset()
    let router = router()
    let keys = [
      text("item", .keychain(service: "s"), .keychain()), text("sealed", .keychain(service: "s"), .recommended),
      text("secret", .encryptedFileSystem(directory: .documents), .recommended),
      text("file", .fileSystem(directory: .documents), .none), text("preference", .userDefaults(), .recommended),
      text("plain", .userDefaults(), .none),
    ]
    let before = LAContext.count
    for key in keys {
      try expect(try await router.exists(key), false, "exists")
      try await router.set("1", for: key)
      try expect(try await router.get(key), "1", "value")
      try await router.update(key) { $0 = "2" }
      try await router.remove(key)
      try expect(LAContext.count - before, 0, "contexts of \(key)")
    }
    try await router.set("1", for: pin)
    _ = try await router.get(pin)
    try require(LAContext.count > before, "no context of a key with an access control")
  }
  await checks.check("router: a value that an earlier release protected is read with one prompt and the given reason") {
    fake.reset()
    try await router().set("1", for: pin)
    let router = router()
    let value = try await router.authenticated(reason: "Unlock") { try await router.get(openPin) }
    try expect(value, "1", "value")
    try expect(fake.prompts, 1, "prompts")
    try expect(fake.lastReason, StoragePlatform.current == .watch ? "" : "Unlock", "reason")
  }
  checks.check("router: no call names no group") { try expect(fake.callsWithoutGroup, [], "calls without a group") }
}
