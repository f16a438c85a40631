import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
import Security
import LocalDataVocabulary

private let fake = FakeKeychain.shared

private func router(_ folder: URL) -> StorageRouter {
  StorageRouter(configuration: StorageConfiguration(applicationName: "runner", roots: StorageRoots(below: folder)))
}

private func key(
  _ domain: StorageDomain, _ security: SecurityPolicy,
  migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
) -> StorageKey<String?> {
  StorageKey<String?>(
    name: "token", domain: domain, security: security, owner: "o", description: "d", migration: migration)
}

/// A key of preferences that reads as 7 if nothing is stored.
private func number(_ suite: String, _ policy: CorruptionPolicy) -> StorageKey<Int> {
  StorageKey<Int>(
    name: "number", domain: .userDefaults(suite: suite), security: .none, default: 7, owner: "o", description: "d",
    options: StorageKeyOptions(onCorruption: policy))
}

private enum ForeignCatalog: StorageKeyCatalog {
  static let suite = "foreign-catalog-" + UUID().uuidString
  static var allKeys: [AnyStorageKey] { [AnyStorageKey(number(suite, .useDefault))] }
}

/// Checks of maintenance over the preferences of Apple's platforms.
private func preferencesMaintenanceChecks(_ checks: Checks) async {
  await checks.check("router: an object of another library in UserDefaults is not written again") {
    guard let others = UserDefaults(suiteName: ForeignCatalog.suite) else { throw Broken("no suite") }
    others.set(5, forKey: "number")
    let router = router(temporaryFolder())
    try router.registerCatalog(ForeignCatalog.self)
    let result = await router.maintenance.resecure()
    try expect(result.rewritten, [], "written again")
    try expect(others.object(forKey: "number") as? Int, 5, "object")
  }
  await checks.check("router: a damaged record of the suites is set aside") {
    fake.reset()
    let folder = temporaryFolder()
    let (first, second) = ("sealed-" + UUID().uuidString, "sealed-" + UUID().uuidString)
    try await router(folder).set("precious", for: key(.userDefaults(suite: first), .recommended))
    let record = folder.appendingPathComponent("data/.local-data.suites")
    try require(FileManager.default.fileExists(atPath: record.path), "there is no record")
    try Data("damaged".utf8).write(to: record)
    let router = router(folder)
    let other = key(.userDefaults(suite: second), .recommended)
    do {
      try await router.set("new", for: other)
      throw Broken("no error")
    } catch let error as StorageError {
      guard error.code == .locationsDamaged else { throw Broken("\(error)") }
    }
    let result = try await router.maintenance.setAsideDamaged(.userDefaults(suite: second))
    try expect(result.files.count, 1, "files")
    try expect(try await router.maintenance.setAsideFiles().map(\.url), result.files, "listed")
    try await router.set("new", for: other)
    try expect(try await router.get(other), "new", "new")
    try expect(try await router.get(key(.userDefaults(suite: first), .recommended)), "precious", "old")
  }
}

/// Objects that no key of JSON has stored.
private let foreignObjects: [any Sendable] = ["text", 5, ["a": 1], [1, 2], Date(timeIntervalSince1970: 0)]

private func jsonTextChecks(_ checks: Checks) async {
  await checks.check("router: the JSON of another library in a text of UserDefaults is the value, and stays a text") {
    let suite = "texts-" + UUID().uuidString
    guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
    let sizes = StorageKey<[Int]>(
      name: "sizes", domain: .userDefaults(suite: suite), security: .none, serializer: .jsonText, default: [],
      owner: "o", description: "d")
    others.set("[1, 2]", forKey: "sizes")
    let router = router(temporaryFolder())
    try expect(try await router.get(sizes), [1, 2], "value")
    try expect(try router.value(sizes), [1, 2], "value at once")
    try expect(try await router.update(sizes) { $0.append(3) }, [1, 2, 3], "after an update")
    try expect(UserDefaults(suiteName: suite)?.object(forKey: "sizes") as? String, "[1,2,3]", "what others see")
    others.set([1, 2], forKey: "sizes")
    do {
      throw Broken("a list was read as \(try await router.get(sizes))")
    } catch let error as StorageError {
      try expect(error.code, .cannotDecode, "code of a list")
    }
  }
}

private func dateFormChecks(_ checks: Checks) async {
  await checks.check("router: a number or a text that other code stores in UserDefaults is the date, and stays one") {
    let suite = "dates-" + UUID().uuidString
    guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
    func key(_ name: String, _ serializer: Serializer<Date>) -> StorageKey<Date?> {
      StorageKey<Date?>(
        name: name, domain: .userDefaults(suite: suite), security: .none, serializer: serializer, owner: "o",
        description: "d")
    }
    let number = key("number", .propertyList(dates: .secondsSince1970))
    let text = key("text", .propertyList(dates: .iso8601))
    others.set(1_700_000_000, forKey: "number")
    others.set("2023-11-14T22:13:20Z", forKey: "text")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let router = router(temporaryFolder())
    try expect(try await router.get(number), date, "number")
    try expect(try router.value(text), date, "text")
    try await router.set(date + 60.5, for: number)
    try await router.set(date + 60, for: text)
    try expect(others.object(forKey: "number") as? Double, 1_700_000_060.5, "number that others see")
    try expect(others.object(forKey: "text") as? String, "2023-11-14T22:14:20Z", "text that others see")
  }
  await checks.check("router: further forms of a key are read from UserDefaults, also where the declared one is data") {
    let suite = "forms-" + UUID().uuidString
    guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
    let domain = StorageDomain.userDefaults(suite: suite)
    let isDark = StorageKey<Bool>("isDark", domain, .none, .json, default: false)
      .reading(Serializer<Int>.propertyList, by: { $0 != 0 })
    let speed = StorageKey<Double?>("speed", domain, .none, .propertyList)
      .reading(Serializer<Int>.json, by: { Double(exactly: $0) })
    others.set(1, forKey: "isDark")
    others.set(Data("2".utf8), forKey: "speed")
    let router = router(temporaryFolder())
    try expect(try await router.get(isDark), true, "a number")
    try expect(try router.value(speed), 2, "data")
    try expect(try await router.update(isDark) { $0.toggle() }, false, "after an update")
    try expect(others.data(forKey: "isDark"), Data("false".utf8), "the declared form that others see")
    try expect(try await router.get(isDark), false, "the declared form")
    try await router.set(2.5, for: speed)
    try expect(others.object(forKey: "speed") as? Double, 2.5, "the number that others see")
  }
  await checks.check("router: a map of UserDefaults with dates and data is read, and stays one") {
    let suite = "maps-" + UUID().uuidString
    guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
    let settings = StorageKey<AnyCodable?>(
      name: "settings", domain: .userDefaults(suite: suite), security: .none, serializer: .propertyList, owner: "o",
      description: "d")
    let date = Date(timeIntervalSince1970: 0)
    others.set(["end": date, "icon": Data([1]), "count": 1] as [String: Any], forKey: "settings")
    let router = router(temporaryFolder())
    try expect(
      try await router.get(settings), ["end": .date(date), "icon": .data(Data([1])), "count": 1], "value")
    try await router.set(["end": .date(date + 1)], for: settings)
    try expect(others.dictionary(forKey: "settings")?["end"] as? Date, date + 1, "what others see")
  }
}

private func foreignObjectChecks(_ checks: Checks) async {
  for (index, object) in foreignObjects.enumerated() {
    await checks.check("router: an object of another kind in UserDefaults is no value (\(index))") {
      let (folder, suite) = (temporaryFolder(), "foreign-\(index)-" + UUID().uuidString)
      guard let others = UserDefaults(suiteName: suite) else { throw Broken("no suite") }
      let subject = StorageError.Subject(key: "number", domain: .userDefaults)
      others.set(object, forKey: "number")

      let router = router(folder)
      do {
        throw Broken("it was read as \(try router.value(number(suite, .throw)))")
      } catch let error as StorageError {
        try expect(error, StorageError(.corrupted, subject), "with throw")
      }

      let lenient = number(suite, .useDefault)
      try expect(try await router.get(lenient), 7, "with useDefault")
      try expect(try router.value(lenient), 7, "at once")
      try require(others.object(forKey: "number") != nil, "it was removed")
      try expect(try await router.update(lenient) { $0 += 1 }, 8, "after an update")
      try expect(try await router.get(number(suite, .throw)), 8, "as stored")

      for isAtOnce in [false, true] {
        others.set(object, forKey: "number")
        let key = number(suite, .quarantine)
        try expect(isAtOnce ? try router.value(key) : try await router.get(key), 7, "with quarantine")
        try require(others.object(forKey: "number") == nil, "it is still there")
      }
      let files = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("data/.quarantine").path
      ).filter { !$0.hasPrefix(".") }
      try expect(files.count, 1, "files")
      try await router.remove(number(suite, .quarantine))
    }
  }
  await checks.check("router: a default that the app registers is not stored, whatever its kind") {
    let key = number("registered", .quarantine)
    UserDefaults.standard.register(defaults: ["number": "text"])
    let router = router(temporaryFolder())
    try expect(try await router.get(key), 7, "value")
    try expect(try router.value(key), 7, "value at once")
    try expect(try await router.update(key) { $0 += 1 }, 8, "after an update")
    try await router.remove(key)
    try expect(try await router.get(key), 7, "after a removal")
  }
  for name in ["launchArgument", "globalValue"] {
    let domain = StorageDomain.userDefaults()
    func number(_ corruption: CorruptionPolicy) -> StorageKey<Int> {
      StorageKey<Int>(
        name: name, domain: domain, security: .none, serializer: .propertyList, default: 7, owner: "o",
        description: "d", options: StorageKeyOptions(onCorruption: corruption))
    }
    await checks.check("router: the \(name) is shown in every suite, and is not stored in one") {
      FakeGlobalDomain.set("theirs", forKey: "globalValue")
      defer { FakeGlobalDomain.set(nil, forKey: "globalValue") }
      let router = router(temporaryFolder())
      for key in [number(.throw), number(.quarantine)] {
        try expect(try await router.exists(key), false, "exists")
        try expect(try await router.get(key), 7, "value")
        try expect(try router.value(key), 7, "value at once")
        try expect(try await router.update(key) { $0 += 1 }, 8, "after an update")
        try expect(try await router.get(key), 8, "stored value")
        UserDefaults.standard.synchronize()
        try expect(UserDefaults.standard.persistentDomain(forName: "runner")?[name] as? Int, 8, "what others see")
        try await router.remove(key)
        try expect(try await router.exists(key), false, "exists after the removal")
        try expect(try await router.get(key), 7, "after the removal")
      }
      try expect(try await router.maintenance.quarantined().count, 0, "values that were moved aside")
      let target = text(name, .userDefaults(suite: "shownTarget"), .none) { destination in
        let source = text(name, .userDefaults(suite: "shownSource"), .none)
        return AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(source)))
      }
      try expect(try await router.get(target), nil, "the value of a source that has none")
    }
  }
  await checks.check("router: a default that the app registers does not keep a migration from its source") {
    UserDefaults.standard.register(defaults: ["migrated": Data(#""registered""#.utf8)])
    let router = router(temporaryFolder())
    UserDefaults(suiteName: "migrated-source")?.set(Data(#""mine""#.utf8), forKey: "migrated")
    let target = migrated("migrated-target", from: "migrated-source")
    try expect(try await router.get(target), "mine", "value")
    try await router.set("registered", for: target)
    try expect(try await router.get(target), "registered", "a stored value that is the same")
    let other = migrated("migrated-other", from: "migrated-empty")
    try expect(try await router.get(other), nil, "the value of a source without one")
  }
}

/// A key whose value may still be in another suite.
private func migrated(_ suite: String, from earlier: String) -> StorageKey<String?> {
  let source = StorageKey<String?>(
    name: "migrated", domain: .userDefaults(suite: earlier), security: .none, owner: "o", description: "d")
  return StorageKey<String?>(
    name: "migrated", domain: .userDefaults(suite: suite), security: .none, owner: "o", description: "d",
    migration: { destination in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(source)))
    })
}

func routerChecks(_ checks: Checks) async {
  await foreignObjectChecks(checks)
  await jsonTextChecks(checks)
  await dateFormChecks(checks)
  await preferencesMaintenanceChecks(checks)
  await checks.check("router: values of every domain are stored, read and removed") {
    fake.reset()
    fake.accessGroups = ["TEAM.app", "group.test"]
    let router = router(temporaryFolder())
    for (domain, security) in [
      (.userDefaults(), .none), (.userDefaults(suite: "x"), .recommended), (.keychain(), .keychain()),
      (.fileSystem(directory: .documents), .recommended), (.encryptedFileSystem(directory: .caches), .recommended),
    ] as [(StorageDomain, SecurityPolicy)] {
      let key = key(domain, security)
      try await router.set("one", for: key)
      try expect(try await router.get(key), "one", "\(domain)")
      try await router.update(key) { $0 = ($0 ?? "") + "!" }
      try expect(try await router.get(key), "one!", "\(domain)")
      try await router.remove(key)
      try expect(try await router.get(key), nil, "\(domain)")
    }
  }

  for (from, to) in [(nil, "TEAM.shared"), ("TEAM.shared", nil)] as [(String?, String?)] {
    await checks.check(
      "router: a value moves from \(from ?? "no access group") to \(to ?? "no access group") and stays"
    ) {
      fake.reset()
      fake.accessGroups = ["TEAM.app", "TEAM.shared"]
      let folder = temporaryFolder()
      let source = key(.keychain(service: "s", accessGroup: from), .keychain())
      try await router(folder).set("precious", for: source)
      let destination = key(.keychain(service: "s", accessGroup: to), .keychain()) { destination in
        AnyStorageMigration(
          SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(source)))
      }
      let router = router(folder)
      _ = try await router.get(destination)
      try expect(try await router.get(destination), "precious", "afterwards (keychain: \(fake.contents))")
    }
  }

  await checks.check("router: an app group's master key is not the app's") {
    fake.reset()
    fake.accessGroups = ["TEAM.app", "group.test"]
    let folder = temporaryFolder()
    let group = key(.appGroupFileSystem(identifier: "group.test", directory: .documents), .recommended)
    let own = key(.fileSystem(directory: .documents), .recommended)
    let router = router(folder)
    try await router.set("the group's", for: group)
    try await router.set("the app's", for: own)
    try expect(fake.contents.count, 2, "records in the keychain")
  }
  await checks.check("router: the app's record and a group's are written apart") {
    fake.reset()
    fake.accessGroups = ["TEAM.app", "group.test"]
    let folder = temporaryFolder()
    let group = key(.appGroupFileSystem(identifier: "group.test", directory: .documents), .recommended)
    let own = key(.fileSystem(directory: .documents), .recommended)
    // The app's first, so that both are there; then something that writes the app's record again.
    let first = router(folder)
    try await first.set("the app's", for: own)
    try await first.set("the group's", for: group)
    try expect(fake.contents.count, 2, "records in the keychain")
    let stretched = key(
      .fileSystem(directory: .caches), .encrypted(.aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000))))
    try await first.set("stretched", for: stretched)
    let second = router(folder)
    try expect(try await second.get(own), "the app's", "the app's value")
    try expect(try await second.get(group), "the group's", "the group's value")
  }
  for domain in [
    .userDefaults(), .userDefaults(suite: "sealed"), .fileSystem(directory: .documents),
    .fileSystem(directory: .custom("a/b")),
  ] as [StorageDomain] {
    await checks.check("router: a master key that is lost is not made anew beside what it has sealed in \(domain)") {
      fake.reset()
      let folder = temporaryFolder()
      let sealed = key(domain, .recommended)
      try await router(folder).set("sealed", for: sealed)
      // All of the keychain is lost.
      fake.reset()
      defer { UserDefaults.standard.removeObject(forKey: "token") }
      do {
        try await router(folder).set(
          "new",
          for: StorageKey<String?>(
            name: "another", domain: .fileSystem(directory: .caches), security: .recommended, owner: "o",
            description: "d"))
        throw Broken("a new one was made")
      } catch is StorageError {}
    }
  }
  await checks.check("router: what others keep in Documents does not keep the first value from being sealed") {
    // There the folder is the app's and its user's, not the library's.
    fake.reset()
    let folder = temporaryFolder()
    let documents = folder.appendingPathComponent("data/documents")
    try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    let theirs = documents.appendingPathComponent("theirs")
    try Data("x".utf8).write(to: theirs)
    chmod(theirs.path, 0)
    try await router(folder).set("sealed", for: key(.fileSystem(directory: .caches), .recommended))
  }
}
