@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary
import TestSupport
import Testing

/// The cells of the matrix of fates that a change of a declaration changes.
@Suite struct FateDifferenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The fact of ``StoredFacts`` that changes.
    var fact: String
    var old: String
    var new: String
    var event: StorageEvent
    var outcomes: [Fate.Outcome]

    init(_ fact: String, _ old: String, _ new: String, _ event: StorageEvent, _ outcomes: Fate.Outcome...) {
      self.fact = fact
      self.old = old
      self.new = new
      self.event = event
      self.outcomes = outcomes
    }

    var testDescription: String { fact }
  }

  private static let file = "domain: {fileSystem: {directory: documents}}, security: none"
  private static let plain = "domain: userDefaults, security: none"

  private static func item(_ security: String = "accessibility: whenUnlocked", in group: String = "") -> String {
    let domain = group.isEmpty ? "keychain" : "{keychain: {\(group)}}"
    return "domain: \(domain), security: {keychain: {\(security)}}"
  }

  private static let cases = [
    Case("domain", plain, item(), .reinstall, .lost, .kept),
    Case(
      "isInCaches", file, "domain: {fileSystem: {directory: caches}}, security: none", .encryptedBackup, .kept, .lost),
    Case("isInBackup", file, "\(file), backup: false", .encryptedBackup, .kept, .lost),
    Case(
      "fileProtection", file, "domain: {encryptedFileSystem: {directory: documents}}", .deviceLocked,
      .kept, .cannotBeReadNow),
    Case("accessibility", item(), item("accessibility: whenUnlockedThisDeviceOnly"), .encryptedBackup, .kept, .lost),
    Case(
      "accessControl", item(), item("accessibility: whenUnlocked, accessControl: userPresence"), .relaunch, .kept,
      .asksUser),
    Case("isSynchronizable", item(), item(in: "synchronizable: true"), .iCloudRestore, .lost, .mayBeLost),
    Case(
      "isInGroupKeychain", item(in: "accessGroup: ABCDE12345.a"), item(in: "accessGroup: group.a"), .teamTransfer,
      .cannotBeOpened, .notDecidable),
    Case("seal", plain, "domain: userDefaults, security: recommended", .iCloudRestore, .kept, .cannotBeOpened),
    Case("end", plain, "\(plain), retention: {until: relaunch}", .relaunch, .kept, .lost),
    Case("isMoved", plain, "\(plain), name: b, migration: {from: {name: value}}", .downgrade, .kept, .cannotBeReadNow),
    Case(
      "isUpgraded", plain, "\(plain), schema: 2, upgrade: [{from: 1, transform: A.up}]", .downgrade, .kept,
      .cannotBeReadNow),
    Case("availability", plain, "\(plain), availability: phoneOnly", .watchPairedAgain, .notDecidable, .kept),
    Case(
      "isSent", "\(plain), availability: phoneWithWatchSync, syncPolicy: never",
      "\(plain), availability: phoneWithWatchSync, syncPolicy: automaticSmall", .watchPairedAgain, .notDecidable, .kept),
  ]

  @Test func everyFactHasACase() {
    let facts = Mirror(reflecting: StoredFacts(domain: .keychain)).children.compactMap(\.label)
    // No field changes a key into a pair, a sign-out is in no cell, and a change of a backup is none of its keys.
    let others: Set = ["isKeyPair", "isKeptAtSignOut", "isInOwnBackup"]
    #expect(Self.cases.map(\.fact) == facts.filter { !others.contains($0) })
  }

  @Test(arguments: cases) func aChangedFactChangesACell(_ sample: Case) throws {
    func catalog(_ fields: String) throws -> Today {
      try Today(
        """
        localdata: 1
        catalog: Test
        defaults: {type: String, owner: Team}
        keys:
          value: {\(fields), description: What a test stores.}
        """)
    }
    let changes = try changes(catalog(sample.old), catalog(sample.new))
    #expect(changes.allSatisfy { $0.name == "value" && $0.before != $0.after && !$0.reason.isEmpty })
    let cell = changes.first { $0.event == sample.event.title }
    #expect(cell.map { [$0.before, $0.after] } == sample.outcomes.map(\.text), "\(changes)")
  }

  private struct DatabaseCase: Sendable {
    var change: String
    var event: StorageEvent
    var plain: [Fate.Outcome]
    var sealed: [Fate.Outcome]
  }

  private static let databaseCases = [
    DatabaseCase(change: "backup: false", event: .encryptedBackup, plain: [.kept, .lost], sealed: [.kept, .lost]),
    DatabaseCase(
      change: "protection: complete", event: .deviceLocked, plain: [.kept, .cannotBeReadNow],
      sealed: [.kept, .cannotBeReadNow]),
    DatabaseCase(
      change: "sealing: {encrypted: {keySource: {external: vault}}}", event: .reinstall, plain: [], sealed: []),
    DatabaseCase(
      change: "sealing: {encrypted: {keySource: {external: vault}}}", event: .deviceLocked, plain: [],
      sealed: [.kept, .notDecidable]),
    DatabaseCase(
      change: "movedFrom: [{name: old, domain: {fileSystem: {directory: documents}}}]", event: .downgrade,
      plain: [.kept, .cannotBeReadNow],
      sealed: [.kept, .cannotBeReadNow]),
  ]

  @Test(arguments: databaseCases.indices) func aChangedDatabaseChangesItsCells(_ index: Int) throws {
    func catalog(_ field: String) throws -> Today {
      try Today(
        """
        localdata: 1
        catalog: Test
        defaults: {owner: Team}
        databases:
          main: {domain: {fileSystem: {directory: documents}}, \(field)description: What a test stores.}
        records:
          Note:
            database: main
            description: A note of the user.
            fields: {id: {type: Int, number: 1}, text: {type: String, number: 2, encrypted: true}}
        """)
    }
    let sample = Self.databaseCases[index]
    let changes = try changes(catalog(""), catalog("\(sample.change), "))
    for (name, outcomes) in [("main, plain fields", sample.plain), ("main, encrypted fields", sample.sealed)] {
      let cell = changes.first { $0.name == name && $0.event == sample.event.title }
      #expect((cell.map { [$0.before, $0.after] } ?? []) == outcomes.map(\.text), "\(name): \(changes)")
    }
  }

  private func changes(_ old: Today, _ new: Today) -> [FateChange] {
    let changes = CatalogDifference.changes(from: old.state, to: new.state, [])
    return FateDifference.changes(from: old.state, to: new.state, changes)
  }
}
