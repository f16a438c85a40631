@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataVocabulary
import Testing

/// The classes of changes of databases and records.
@Suite struct RecordDifferenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var path: String
    var change: RecordFindingTests.Change
    var classes: [ChangeClass]

    init(_ path: String, _ classes: ChangeClass..., change: @escaping RecordFindingTests.Change) {
      (self.path, self.classes, self.change) = (path, classes, change)
    }

    var testDescription: String { path }
  }

  private func report(_ old: RecordCatalog, _ new: RecordCatalog) throws -> DifferenceReport {
    let before = try old.release("1.0")
    let findings = ReleaseComparison(today: new.state).findings(against: [Baseline(state: before)])
    return DifferenceReport(
      changes: CatalogDifference.changes(from: before, to: new.state, findings), findings: findings, title: "1.0")
  }

  private static func renumbered(_ number: Int) -> ResolvedType.Form {
    .structure([
      .init(name: "key", type: .scalar(.string), defaultValue: nil, description: nil, number: 1),
      .init(name: "value", type: .optional(.scalar(.string)), defaultValue: nil, description: nil, number: number),
    ])
  }

  static let cases: [Case] = [
    Case("owner") { $0.database.owner = "Others" }, Case("access", .source) { $0.database.access = .public },
    Case("protection", .security) { $0.database.protection = .completeUnlessOpen },
    Case("name", .storage) { $0.database.name = "purse" },
    Case("movedFrom") { $0.database.movedFrom = [.init(name: "old", domain: $0.database.domain)] },
    Case("backup", .storage) { $0.database.isInBackup = false },
    Case("sealing", .storage) { $0.database.sealing = .encrypted(.init(keySource: .external(.init(id: "pin")))) },
    Case("sealing") { $0.database.sealing = .encrypted(.init(algorithm: .aes256GCM)) },
    Case("description") { $0.history.description = "Another." },
    Case("member", .source) { $0.history.member = "visits" },
    Case("name", .storage) { $0.history.storedName = "Visit" }, Case("indexes") { $0.history.indexes = [] },
    Case("unique", .storage) { $0.history.unique = [[6]] },
    Case("keepFirst", .storage) { ($0.history.unique, $0.history.existing) = ([[6]], [[6]: .keepFirst]) },
    Case("keepLast", .storage) { ($0.history.unique, $0.history.existing) = ([[6]], [[6]: .keepLast]) },
    Case("cascading", .storage) {
      ($0.history.unique, $0.history.existing) = ([[6]], [[6]: .init(kept: .keepLast, cascades: true)])
    },
    Case("deprecated") { $0.history.deprecation = .init(reason: "Unused.", renamedTo: nil) },
    Case("retention", .storage) { $0.history.retention = .untilRelaunch },
    Case("onCorruption", .behavior) { $0.history.skipsDamaged = true },
    Case("expires", .source) { $0.history.expires = "createdAt" },
    Case("retention", .storage) { $0.history.retention = .dated(by: "createdAt", maxAge: 86_400, maxCount: nil) },
    Case("key", .source, .storage) { $0.credential.key = "format" },
    Case("reserved", .storage) { $0.history.reserved = [] }, Case("maxSize") { $0.history.maxSize = 4096 },
    Case("sensitivity", .privacy) {
      $0.history.sensitivity = .public
      for index in $0.history.fields.indices { $0.history.fields[index].sensitivity = .public }
    },
    Case("privacy", .privacy) {
      $0.history.privacy = .init(isCollected: true, dataType: .userID, purposes: [.analytics])
      for index in $0.history.fields.indices { $0.history.fields[index].privacy = $0.history.privacy }
    },
    Case("fields.5.sensitivity", .privacy) { $0.history["logo"].sensitivity = .public },
    Case("fields.5.name", .source) {
      $0.history["logo"].storedName = "logo"
      $0.history["logo"].name = "icon"
    },
    Case("fields.3.type", .source) { $0.history["count"].type = .scalar(.int64) },
    Case("fields.3.type", .source, .storage) { $0.history["count"].type = .scalar(.int16) },
    Case("fields.3.default", .behavior) { $0.history["count"].defaultValue = .value(.integer("1")) },
    Case("fields.3.encrypted", .source, .storage) { $0.history["count"].encryption = .sealed },
    Case("fields.3.encrypted", .source, .storage, .security) { $0.credential["secret"].encryption = .none },
    Case("fields.3.encrypted", .source, .storage, .security) { $0.credential["secret"].encryption = .blind },
    Case("fields.2.onDelete", .storage) { $0.history["credentialID"].reference?.onDelete = .restrict },
    Case("fields.6.from") {
      $0.history["createdAt"].transforms = [ReplacedFieldTests.make((12, .scalar(.string)))]
    },
    Case("fields.5.references", .storage) {
      $0.history["logo"].reference = .init(record: "Credential", storedName: "Credential", onDelete: .setNull)
    },
    Case("fields.5.privacy", .privacy) {
      $0.history["logo"].privacy = .init(isCollected: true, dataType: .userID, purposes: [.analytics])
    },
    Case("fields.13", .privacy) {
      var page = RecordCatalog.field("page", 13, .optional(.scalar(.string)))
      page.privacy = .init(isCollected: true, dataType: .userID, purposes: [.analytics])
      $0.history.fields.append(page)
    },
    Case("fields.5.description") { $0.history["logo"].description = "The logo of the site." },
    Case("fields.5.column") { $0.history["logo"].storedName = "icon" },
    Case("fields.6.wire", .storage) { $0.history["createdAt"].isInSeconds = true },
    Case("fields.5", .source, .storage) { $0.history.fields.remove(at: 4) },
    Case("fields.13") { $0.history.fields.append(RecordCatalog.field("page", 13, .optional(.scalar(.string)))) },
    Case("fields.13", .storage) { $0.history.fields.append(RecordCatalog.field("page", 13, .scalar(.string))) },
    Case("order", .source) { $0.history.fields.swapAt(3, 4) },
    Case("enum.sdJWT", .source, .storage) {
      $0.types[0].form = .stringEnum([
        .init(name: "jwt", raw: "jwt", description: nil), .init(name: "sdJWT", raw: "new", description: nil),
      ])
    },
    Case("fields.value", .storage) { $0.types[1].form = Self.renumbered(3) },
  ]

  @Test(arguments: cases)
  func aChangeIsInItsClasses(_ sample: Case) throws {
    let report = try report(RecordCatalog(), RecordCatalog().with(sample.change))
    let change = try #require(report.changes.first)
    #expect(report.changes.count == 1)
    let fact = try #require(change.facts.first { $0.path == sample.path }, "\(report.render(.text))")
    #expect(fact.classes == sample.classes, "\(report.render(.text))")
    #expect(change.classes == sample.classes, "\(report.render(.text))")
  }

  /// A release with a field that is made from those of earlier ones, and with unique fields.
  private static let renewed = RecordCatalog().with {
    $0.history.reserved.append(.init(numbers: [7, 8], names: [], deletesValues: false))
    $0.history["logo"].transforms = [
      ReplacedFieldTests.make((7, .scalar(.url))), ReplacedFieldTests.make((8, .scalar(.string))),
    ]
    ($0.history.unique, $0.history.existing) = ([[6]], [[6]: .keepLast])
    $0.history.retention = .dated(by: "createdAt", maxAge: 86_400, maxCount: 10)
    $0.history.reserved[0].deletesValues = false
  }

  static let laterCases: [Case] = [
    Case("fields.5.from", .behavior) { $0.history["logo"].transforms[0].function = SwiftName("Claims.other") },
    Case("fields.5.from", .behavior) { $0.history["logo"].transforms[0].sources[0].isEncrypted = true },
    Case("fields.5.from", .storage) { $0.history["logo"].transforms.removeLast() },
    Case("fields.5.from") { $0.history["logo"].transforms.append(ReplacedFieldTests.make((12, .scalar(.string)))) },
    Case("keepFirst", .behavior) { $0.history.existing = [[6]: .keepFirst] },
    Case("cascading", .storage) { $0.history.existing[[6]]?.cascades = true },
    Case("keepLast") { $0.history.existing = [:] }, Case("unique") { $0.history.unique = [] },
    Case("retention", .storage) { $0.history.retention = .dated(by: "createdAt", maxAge: 86_400, maxCount: 9) },
    Case("retention", .privacy) { $0.history.retention = .dated(by: "createdAt", maxAge: 86_400, maxCount: nil) },
    Case("retention", .privacy) { $0.history.retention = nil },
    Case("reserved") { $0.history.reserved[0].deletesValues = true },
  ]

  @Test(arguments: laterCases)
  func aChangeOfALaterReleaseIsInItsClasses(_ sample: Case) throws {
    let report = try report(Self.renewed, Self.renewed.with(sample.change))
    let fact = try #require(report.changes.first?.facts.first { $0.path == sample.path }, "\(report.render(.text))")
    #expect(fact.classes == sample.classes, "\(report.render(.text))")
  }

  /// Another purpose is one that the user has not been told, however many there are.
  @Test(arguments: ResolvedPrivacy.Purpose.allCases)
  func anExchangedPurposeIsAMatterOfPrivacy(_ purpose: ResolvedPrivacy.Purpose) throws {
    func catalog(_ purposes: [ResolvedPrivacy.Purpose]) -> RecordCatalog {
      RecordCatalog().with {
        $0.history["logo"].privacy = .init(isCollected: true, dataType: .userID, purposes: purposes)
      }
    }
    let others = ResolvedPrivacy.Purpose.allCases.filter { $0 != purpose }
    for other in others {
      let report = try report(catalog([purpose]), catalog([other]))
      #expect(report.changes.map(\.classes) == [[.privacy]], "\(other)")
    }
    let fewer = try report(catalog([purpose] + others), catalog([purpose]))
    #expect(fewer.changes.map(\.classes) == [[]])
  }

  @Test func aNewRecordThatIsCollectedIsAMatterOfPrivacy() throws {
    let before = RecordCatalog().with { $0.records.remove(at: 1) }
    let after = RecordCatalog().with {
      $0.history["logo"].privacy = .init(isCollected: true, dataType: .userID, purposes: [.analytics])
    }
    #expect(try report(before, after).changes.map(\.classes) == [[.privacy]])
  }

  /// Releases without encrypted fields cannot open the database any more.
  @Test func firstEncryptedFieldIsInStorage() throws {
    var note = RecordCatalog.field("note", 13, .optional(.scalar(.string)))
    note.encryption = .sealed
    let first = try report(RecordCatalog(), RecordCatalog().with { $0.history.fields.append(note) })
    #expect(first.changes.map(\.classes) == [[.storage]] && first.findings.isEmpty)
    let another = try report(RecordCatalog(), RecordCatalog().with { $0.credential.fields.append(note) })
    #expect(another.changes.map(\.classes) == [[]] && another.findings.isEmpty)
  }

  @Test func aReservedFieldIsNotLost() throws {
    let today = RecordCatalog().with {
      $0.history.fields.remove(at: 4)
      $0.history.reserved[0].numbers.append(5)
    }
    let report = try report(RecordCatalog(), today)
    #expect(report.changes.flatMap(\.classes) == [.source])
    #expect(report.findings.isEmpty)
  }

  @Test func addedRemovedAndRenamedDeclarations() throws {
    let removed = try report(RecordCatalog(), RecordCatalog().with { $0.records.remove(at: 1) })
    #expect(removed.render(.text).hasPrefix("removed record 'History' [source, storage]\n"))
    let reserved = try report(
      RecordCatalog(),
      RecordCatalog().with {
        $0.records.remove(at: 1)
        $0.reserved = [.init(record: "History", database: "wallet")]
      })
    #expect(
      reserved.render(.text) == """
        removed record 'History' [source]
        added reserved name 'History'
          database: (none) -> wallet
        1 removed, 1 added since 1.0

        """)
    let added = try report(RecordCatalog().with { $0.records.remove(at: 1) }, RecordCatalog())
    #expect(added.render(.text) == "added record 'History'\n1 added since 1.0\n")
    let renamed = try report(
      RecordCatalog(),
      RecordCatalog().with {
        $0.database.member = "purse"
        $0.history.name = "Visit"
        for index in $0.records.indices { $0.records[index].database = "purse" }
      })
    #expect(renamed.findings.isEmpty)
    #expect(renamed.render(.text).hasPrefix("renamed database 'purse' from 'wallet' [source]\n"))
    #expect(
      renamed.render(.text).contains(
        "renamed record 'Visit' from 'History' [source]\n  database: wallet -> purse [source]\n"))
  }

  @Test func documentsAreWritten() throws {
    let report = try report(
      RecordCatalog(),
      RecordCatalog().with {
        $0.database.protection = .untilFirstUnlock
        $0.history["count"].type = .scalar(.string)
      })
    #expect(
      report.render(.text) == """
        changed database 'wallet' [security]
          protection: complete -> untilFirstUnlock [security]
        changed record 'History' [source, storage]
          fields.3.type: Int32 -> String [source, storage]
        2 changed since 1.0

        """)
    #expect(
      report.render(.json).contains(
        """
        {"subject": "record", "change": "changed", "name": "History", "catalog": "Wallet", "classes": ["source", "storage"], \
        "fields": [{"field": "fields.3.type", "before": "Int32", "after": "String", "classes": ["source", "storage"]}]}
        """))
  }
}
