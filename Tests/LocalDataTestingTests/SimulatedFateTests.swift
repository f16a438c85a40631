import LocalData
import LocalDataTesting
import LocalDataAudit
import LocalDataVocabulary
import Testing

/// The table of fates says what the runtime does after an event.
@Suite struct SimulatedFateTests {
  /// A declaration of a value.
  struct Declaration: Sendable, CustomTestStringConvertible {
    var domain: StorageDomain
    var security: SecurityPolicy
    var retention: Retention?
    var isInBackup = true
    var masterKey = KeychainAccessibility.afterFirstUnlock

    var testDescription: String { facts.name }

    var facts: StoredFacts {
      let descriptor = StorageKeyDescriptor(
        member: "value", name: "value", valueType: "String", domain: domain, security: security, owner: "Tests",
        description: "A text.", retention: retention, backup: isInBackup)
      return descriptor.storedFacts(masterKey: masterKey)
    }

    var key: StorageKey<String?> {
      StorageKey<String?>(
        name: "value", domain: domain, security: security, owner: "Tests", description: "A text.",
        options: StorageKeyOptions(retention: retention, backup: isInBackup))
    }
  }

  private static let group = "group.t"
  private static let preferences: [StorageDomain] = [.userDefaults(), .appGroupUserDefaults(identifier: group)]
  private static let files: [StorageDomain] = [FileDirectory.documents, .caches].flatMap {
    [.fileSystem(directory: $0), .appGroupFileSystem(identifier: group, directory: $0)]
  }
  private static let masterKeys: [KeychainAccessibility] = [
    .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .whenUnlocked, .whenPasscodeSetThisDeviceOnly,
  ]

  static let declarations: [Declaration] =
    (preferences + files).map { Declaration(domain: $0, security: .none) }
    + (preferences + files + [.keychain(), .encryptedFileSystem(directory: .documents)]).flatMap { domain in
      masterKeys.map { Declaration(domain: domain, security: .recommended, masterKey: $0) }
    }
    + KeychainAccessibility.allCases.map { Declaration(domain: .keychain(), security: .keychain(accessibility: $0)) }
    + [
      Declaration(
        domain: .keychain(), security: .keychain(accessibility: .afterFirstUnlock, accessControl: .userPresence)),
      Declaration(domain: .keychain(), security: .keychain(), retention: .untilReinstall),
      Declaration(domain: .keychain(), security: .recommended, retention: .untilReinstall),
      Declaration(domain: .keychain(), security: .keychain(), retention: .untilRelaunch),
      Declaration(domain: .userDefaults(), security: .none, retention: .untilRelaunch),
      Declaration(domain: .fileSystem(directory: .documents), security: .recommended, retention: .untilRelaunch),
      Declaration(domain: .userDefaults(), security: .none, retention: .maxAge(seconds: 86_400)),
      Declaration(domain: .fileSystem(directory: .documents), security: .none, isInBackup: false),
      Declaration(domain: .fileSystem(directory: .documents), security: .recommended, isInBackup: false),
      Declaration(domain: .encryptedFileSystem(directory: .documents), security: .recommended, isInBackup: false),
    ]

  /// The events that can be simulated in a process.
  static let events: [StorageEvent] = [
    .deviceLocked, .relaunch, .update, .reinstall, .restoreSameDevice, .encryptedBackup, .unencryptedBackup,
    .directTransfer, .iCloudRestore, .signOut,
  ]

  @Test(arguments: declarations) func aValueHasTheFateOfItsFacts(_ declaration: Declaration) async throws {
    for event in Self.events {
      let fate = FateTable.fate(of: declaration.facts, at: event)
      let device = try SimulatedDevice(masterKey: declaration.masterKey)
      let first = try device.launch()
      try await first.set("abc", for: declaration.key)
      // The process knows nothing of the keys that it has used, as if it was launched later.
      try device.undergo(event)
      let router = event == .signOut || event == .deviceLocked ? first : try device.launch()
      if event == .deviceLocked { await router.lock() }
      let found = await Found(router, declaration.key)
      #expect(found.mayBe(fate.outcome), "\(event.rawValue): \(found) is not \(fate)")
      guard fate.outcome == .cannotBeReadNow else { continue }
      device.unlock()
      #expect(await Found(router, declaration.key) == .value, "\(event.rawValue): it cannot be read later")
    }
  }

  @Test func everyOutcomeOfThatKindIsSeen() {
    var seen: Set<Fate.Outcome> = []
    for declaration in Self.declarations {
      for event in Self.events { seen.insert(FateTable.fate(of: declaration.facts, at: event).outcome) }
    }
    #expect(seen.isSuperset(of: [.kept, .lost, .mayBeLost, .cannotBeOpened, .cannotBeReadNow, .asksUser]))
  }

  // MARK: Earlier releases

  private static func text(
    _ name: String, migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.", migration: migration
    )
  }

  private static func downgrade(_ change: (inout StorageKeyDescriptor) -> Void) -> Fate {
    var descriptor = StorageKeyDescriptor(
      member: "value", name: "value", valueType: "String", domain: .userDefaults(), security: .none, owner: "Tests",
      description: "A text.")
    change(&descriptor)
    return FateTable.fate(of: descriptor.storedFacts(), at: .downgrade)
  }

  @Test func anEarlierReleaseReadsWhatItDeclaresInTheSameForm() async throws {
    let device = try SimulatedDevice(masterKey: .afterFirstUnlock)
    try await device.launch().set("abc", for: Self.text("value"))
    #expect(await Found(try device.launch(), Self.text("value")) == .value)
    #expect(Self.downgrade { _ in }.outcome == .kept)
  }

  @Test func anEarlierReleaseDoesNotFindAMovedValue() async throws {
    let device = try SimulatedDevice(masterKey: .afterFirstUnlock)
    let old = Self.text("old")
    let new = Self.text("new") { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old))) }
    try await device.launch().set("abc", for: old)
    #expect(await Found(try device.launch(), new) == .value)
    #expect(await Found(try device.launch(), old) == .absent)
    #expect(await Found(try device.launch(), new) == .value)
    #expect(Self.downgrade { $0.migration = "from old" }.outcome == .cannotBeReadNow)
  }

  @Test func anEarlierReleaseRefusesANewerSchema() async throws {
    let device = try SimulatedDevice(masterKey: .afterFirstUnlock)
    let old = Self.text("value")
    let new = Self.text("value").upgrading(by: SchemaUpgrades(decoding: .json) { (text: String) in text + "!" })
    try await device.launch().set("abc", for: new)
    #expect(await Found(try device.launch(), old) == .newerSchema)
    #expect(await Found(try device.launch(), new) == .value)
    #expect(Self.downgrade { $0.schema = 2 }.outcome == .cannotBeReadNow)
  }

  // MARK: Sign-out

  @Test func onlyACallOfTheAppRemovesAValueAtSignOut() async throws {
    let device = try SimulatedDevice(masterKey: .afterFirstUnlock)
    let router = try device.launch()
    try await router.set("abc", for: SignedOutCatalog.token)
    try device.undergo(.signOut)
    #expect(await Found(try device.launch(), SignedOutCatalog.token) == .value)
    try await device.launch().removeAll(in: SignedOutCatalog.self)
    #expect(await Found(try device.launch(), SignedOutCatalog.token) == .absent)
  }

  private enum SignedOutCatalog: StorageKeyCatalog {
    static let token = SimulatedFateTests.text("token")
    static var allKeys: [AnyStorageKey] { [AnyStorageKey(token)] }
  }
}

/// What a read of a value finds.
private enum Found: Equatable {
  case value, absent, locked, keyMaterialMissing, newerSchema
  case other(String)

  init(_ router: StorageRouter, _ key: StorageKey<String?>) async {
    do throws(StorageError) {
      self = try await router.get(key) == nil ? .absent : .value
    } catch {
      self =
        switch error.code {
        case .locked: .locked
        case .keyMaterialMissing: .keyMaterialMissing
        case .newerSchema: .newerSchema
        default: .other("\(error)")
        }
    }
  }

  /// Returns true if the runtime may find this where the table has an outcome.
  func mayBe(_ outcome: Fate.Outcome) -> Bool {
    switch outcome {
    // Nobody is asked in a simulation.
    case .kept, .asksUser: self == .value
    case .lost: self == .absent
    case .mayBeLost: self == .value || self == .absent
    case .cannotBeOpened: self == .keyMaterialMissing
    case .cannotBeReadNow: self == .locked
    case .notDecidable: true
    }
  }
}
