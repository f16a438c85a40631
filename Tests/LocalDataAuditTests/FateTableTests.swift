import Foundation
import LocalDataAudit
import LocalDataVocabulary
import Testing

/// The table of fates: its rules, its cells, and the document that shows a part of it.
struct FateTableTests {
  // MARK: Rules

  static let masterKeys: [KeychainAccessibility] = [
    .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .whenUnlocked, .whenPasscodeSetThisDeviceOnly,
  ]

  /// Facts of every domain with every protection that a catalog can declare, and some that it cannot.
  static let everything: [StoredFacts] = {
    let domains: [StorageDomain] =
      [.userDefaults(), .appGroupUserDefaults(), .encryptedFileSystem(directory: .documents)]
      + [FileDirectory.documents, .caches].flatMap {
        [.fileSystem(directory: $0), .appGroupFileSystem(directory: $0)]
      }
      + [.keychain(), .keychain(accessGroup: "group.a"), .keychain(synchronizable: true)]
    let external = SecurityPolicy.encrypted(.external(source: KeyMaterialSource(id: "a")))
    let items = KeychainAccessibility.allCases.flatMap { accessibility in
      [nil, KeychainAccessControl.userPresence].map {
        SecurityPolicy.keychain(accessibility: accessibility, accessControl: $0)
      }
    }
    var all: [StoredFacts] = []
    for domain in domains {
      for security in [.none, .recommended, external] + (domain.kind == .keychain ? items : []) {
        for masterKey in masterKeys {
          for isInBackup in [true, false] {
            all.append(StoredFacts(domain, security, isInBackup: isInBackup, masterKey: masterKey))
          }
        }
      }
    }
    for change in changes {
      var facts = StoredFacts(.keychain(), .recommended)
      change(&facts)
      all.append(facts)
    }
    return all
  }()

  private static let changes: [@Sendable (inout StoredFacts) -> Void] = [
    { $0.end = .relaunch }, { $0.end = .reinstall }, { $0.isMoved = true }, { $0.isUpgraded = true },
    { $0.availability = .phoneOnly }, { $0.availability = .watchOnly }, { $0.isSent = true }, { $0.isKeyPair = true },
    { $0.isInOwnBackup = true },
    { $0.fileProtection = .completeUnlessOpen }, { $0.fileProtection = .complete },
  ]

  @Test func everyRuleAndOutcomeHasACell() {
    let fates = Set(Self.everything.flatMap(FateTable.fates))
    #expect(Set(fates.map(\.rule)) == Set(FateTable.rules))
    #expect(Set(fates.map(\.outcome)) == Set(Fate.Outcome.allCases))
  }

  @Test func rulesAndReasonsAreSentences() {
    #expect(Set(FateTable.rules.map(\.id)).count == FateTable.rules.count)
    for text in FateTable.rules.map(\.title) + Self.everything.flatMap(FateTable.fates).map(\.reason) {
      #expect(text.hasSuffix(".") && !text.hasSuffix("..") && text.first?.isUppercase ?? false, "\(text)")
    }
  }

  @Test(arguments: FateTable.rules.map(\.source)) func aSourceIsAPublicPageOrADocument(_ source: String) {
    if source.hasPrefix("https://") {
      #expect(source.wholeMatch(of: /https:\/\/[a-z.\-]+\.[a-z]+\/[^ ]*/) != nil)
    } else {
      #expect(FileManager.default.fileExists(atPath: Self.project.appendingPathComponent(source).path))
    }
  }

  @Test func otherFactsHaveAnotherName() {
    let facts = Set(Self.everything)
    #expect(Set(Self.everything.map(\.name)).count == facts.count, "other facts have the same name, or are equal")
    #expect(facts.count > 100)
  }

  // MARK: Cells

  @Test(arguments: [
    (StorageDomain.userDefaults(), SecurityPolicy.recommended, StorageEvent.iCloudRestore, Fate.Outcome.cannotBeOpened),
    (.userDefaults(), .recommended, .encryptedBackup, .kept), (.userDefaults(), .none, .iCloudRestore, .kept),
    (.userDefaults(), .none, .teamTransfer, .kept), (.userDefaults(), .recommended, .teamTransfer, .cannotBeOpened),
    (.appGroupUserDefaults(), .none, .teamTransfer, .notDecidable),
    (.appGroupUserDefaults(), .none, .reinstall, .mayBeLost),
    (.keychain(), .keychain(), .teamTransfer, .cannotBeOpened),
    (.keychain(), .keychain(), .deviceLocked, .cannotBeReadNow),
    (.keychain(accessGroup: "group.a"), .keychain(), .teamTransfer, .notDecidable),
    (.keychain(), .keychain(accessibility: .always), .deviceLocked, .kept),
    (.keychain(), .keychain(accessControl: .userPresence), .relaunch, .asksUser),
    (.keychain(), .keychain(accessControl: .userPresence), .encryptedBackup, .lost),
    (.keychain(), .keychain(accessControl: .userPresence), .directTransfer, .notDecidable),
    (.keychain(synchronizable: true), .keychain(), .iCloudRestore, .mayBeLost),
    (.keychain(), .keychain(accessibility: .whenPasscodeSetThisDeviceOnly), .restoreSameDevice, .lost),
    (.keychain(), .keychain(accessibility: .whenUnlockedThisDeviceOnly), .restoreSameDevice, .kept),
    (.fileSystem(directory: .caches), .none, .update, .mayBeLost),
    (.fileSystem(directory: .caches), .none, .directTransfer, .notDecidable),
    (.encryptedFileSystem(directory: .documents), .recommended, .deviceLocked, .cannotBeReadNow),
    (.keychain(), .keychain(), .ownBackup, .lost), (.keychain(), .keychain(), .signOut, .kept),
    (.userDefaults(), .none, .watchPairedAgain, .notDecidable),
  ])
  func aCell(
    _ domain: StorageDomain, _ security: SecurityPolicy, _ event: StorageEvent, _ outcome: Fate.Outcome
  ) {
    #expect(FateTable.fate(of: StoredFacts(domain, security), at: event).outcome == outcome)
  }

  /// Backups leave out a file that is excluded. Preferences and keychain items cannot be excluded.
  @Test(arguments: StorageDomain.Kind.allCases, StorageEvent.allCases)
  func anExcludedFileIsInNoBackup(_ kind: StorageDomain.Kind, _ event: StorageEvent) {
    var facts = StoredFacts(domain: kind)
    facts.accessibility = kind == .keychain ? .afterFirstUnlock : nil
    let contained = FateTable.fate(of: facts, at: event)
    facts.isInBackup = false
    let excluded = FateTable.fate(of: facts, at: event)
    let lost: [StorageEvent] = [.restoreSameDevice, .encryptedBackup, .unencryptedBackup, .iCloudRestore]
    if kind.isFile, lost.contains(event) {
      #expect(contained.outcome == .kept && excluded.outcome == .lost)
    } else if kind.isFile, event == .directTransfer {
      #expect(contained.outcome == .kept && excluded.outcome == .notDecidable)
    } else {
      #expect(excluded == contained)
    }
  }

  /// Neither an access control nor a lost master key keeps the app from restoring what its file contains.
  @Test(arguments: everything) func appsBackupKeepsWhatItContains(_ facts: StoredFacts) {
    var facts = facts
    facts.isInOwnBackup = false
    #expect(FateTable.fate(of: facts, at: .ownBackup).outcome == .lost)
    facts.isInOwnBackup = true
    #expect(FateTable.fate(of: facts, at: .ownBackup).outcome == .kept)
  }

  @Test func aValueThatIsSentIsOnTheWatchAgain() {
    var facts = StoredFacts(.userDefaults(), .none)
    facts.isSent = true
    #expect(FateTable.fate(of: facts, at: .watchPairedAgain).outcome == .kept)
    facts.availability = .watchOnly
    #expect(FateTable.fate(of: facts, at: .watchPairedAgain).outcome == .notDecidable)
  }

  // MARK: The document

  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The columns of the document's table.
  private static let columns: [[StoredFacts]] = [
    [StoredFacts(.userDefaults(), .none), StoredFacts(.fileSystem(directory: .documents), .none)],
    [
      StoredFacts(.userDefaults(), .recommended), StoredFacts(.fileSystem(directory: .documents), .recommended),
      StoredFacts(.encryptedFileSystem(directory: .documents), .recommended),
    ],
    [StoredFacts(.keychain(), .keychain()), StoredFacts(.keychain(), .recommended)],
    [StoredFacts(.keychain(), .keychain(accessibility: .whenUnlockedThisDeviceOnly))],
    [StoredFacts(.keychain(), .keychain(accessControl: .userPresence))],
    [StoredFacts(.keychain(synchronizable: true), .keychain())],
  ]

  private static let rows: [String: [StorageEvent]] = [
    "the same device, from any backup": [.restoreSameDevice],
    "another device, from an encrypted backup": [.encryptedBackup],
    "another device, by a direct transfer": [.directTransfer],
    "another device, from iCloud or an unencrypted backup": [.iCloudRestore, .unencryptedBackup],
    "the app is deleted and installed again": [.reinstall],
  ]

  private static let words: [String: Fate.Outcome] = [
    "kept": .kept, "lost": .lost, "arrives and cannot be opened": .cannotBeOpened, "asks the user": .asksUser,
    "in iCloud Keychain": .mayBeLost, "not documented": .notDecidable,
  ]

  /// `Durability.md` and the table say the same.
  @Test func theDocumentShowsTheTable() throws {
    let file = Self.project.appendingPathComponent("Sources/LocalData/LocalData.docc/Durability.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## Restored devices\n").last)
    let lines = section.split(separator: "\n").filter { $0.contains("|") }.prefix(2 + Self.rows.count)
    var found: Set<String> = []
    for line in lines.dropFirst(2) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let events = try #require(Self.rows[cells[0]], "\(cells[0])")
      found.insert(cells[0])
      try #require(cells.count == Self.columns.count + 1)
      for (cell, facts) in zip(cells.dropFirst(), Self.columns) {
        for (event, fact) in events.flatMap({ event in facts.map { (event, $0) } }) {
          #expect(
            FateTable.fate(of: fact, at: event).outcome == Self.words[cell], "\(fact.name), \(event.rawValue): \(cell)")
        }
      }
    }
    #expect(found.count == Self.rows.count)
  }
}
