@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary
import Testing

/// The findings about databases and records, each with its line and its help.
@Suite struct RecordFindingTests {
  typealias Change = @Sendable (inout RecordCatalog) -> Void

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var change: Change
    var findings: [String]

    init(_ name: String, _ findings: String..., change: @escaping Change) {
      (self.name, self.findings, self.change) = (name, findings, change)
    }

    var testDescription: String { name }
  }

  /// Each finding: line in the catalog, rule, message and help.
  static func lines(_ catalog: RecordCatalog, _ releases: [CatalogState]) -> [String] {
    let resolved = catalog.resolved
    let source = SourceFile(path: "Wallet.yaml", bytes: Array(repeating: UInt8(ascii: "\n"), count: 60))
    let places = FindingPlaces(catalog.state, [resolved], [source])
    return ReleaseComparison(today: catalog.state).findings(against: releases.map { Baseline(state: $0) }).map {
      "\(places.place(of: $0.subject)?.range.start.line ?? 0) [\($0.rule.id)] \($0.text); \($0.help)"
    }
  }

  /// The wire form decides what a sealed part contains.
  @Test func aSealedDateKeepsItsWireForm() throws {
    let released = RecordCatalog().with { $0.history["createdAt"].encryption = .sealed }
    let today = released.with { $0.history["createdAt"].isInSeconds = true }
    let found = Self.lines(today, [try released.release("1.0")])
    #expect(found.map { $0.prefix(31) } == ["26 [released-field-type-changed]".prefix(31)])
    let back = Self.lines(released, [try today.release("1.0")])
    #expect(back.first?.contains("write `wire: seconds` again") == true)
  }

  /// A stored date may have a fraction, and could not be saved again.
  @Test func aPlainDateDoesNotGetWholeSeconds() throws {
    let released = RecordCatalog()
    let today = released.with { $0.history["createdAt"].isInSeconds = true }
    #expect(Self.lines(today, [try released.release("1.0")]).first?.contains("remove `wire`") == true)
    #expect(Self.lines(released, [try today.release("1.0")]) == [])
  }

  /// A key has no other number: rows are identified by it.
  @Test func aNarrowerKeyIsAnotherKey() throws {
    let released = RecordCatalog().with { $0.history["id"].type = .scalar(.int64) }
    let found = Self.lines(released.with { $0.history["id"].type = .scalar(.int) }, [try released.release("1.0")])
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("21 [released-key-changed]") == true)
    #expect(found.first?.contains("write `type: Int64` at 'id' again") == true)
  }

  static let accepted: [Case] = [
    Case("Itself") { _ in },
    Case("RenamedFields") {
      $0.history["logo"].name = "icon"
      $0.history["count"].storedName = "number"
    },
    Case("RenamedInSwift") {
      $0.database.member = "purse"
      $0.history.name = "Visit"
      for index in $0.records.indices { $0.records[index].database = "purse" }
    },
    Case("MovedDatabase") {
      let address = ResolvedDatabase.Address(name: "wallet", domain: $0.database.domain)
      $0.database.domain = .appGroupFileSystem(identifier: "group.a", directory: .documents)
      $0.database.name = "purse"
      $0.database.movedFrom = [.init(name: "old", domain: address.domain), address]
    },
    Case("MovedAndRenamedInSwift") {
      $0.database.movedFrom = [.init(name: "wallet", domain: $0.database.domain)]
      $0.database.domain = .fileSystem(directory: .documents)
      $0.database.member = "purse"
      for index in $0.records.indices { $0.records[index].database = "purse" }
    },
    Case("NewFields") {
      var page = RecordCatalog.field("page", 14, .scalar(.string))
      page.defaultValue = .value(.string(""))
      $0.history.fields += [page, RecordCatalog.field("note", 13, .optional(.scalar(.string)))]
    },
    Case("ReservedField") {
      $0.history.fields.remove(at: 4)
      $0.history.reserved.append(.init(numbers: [5], names: ["logo"], deletesValues: false))
    },
    Case("WiderTypes") {
      $0.history["count"].type = .scalar(.int64)
      $0.history["createdAt"].type = .optional(.scalar(.date))
      $0.credential["format"].type = .scalar(.string)
    },
    Case("NewRecord") {
      var record = RecordCatalog.record("Note", line: 30, [RecordCatalog.field("id", 1, .scalar(.string))])
      record.unique = [[1]]
      $0.records.append(record)
    },
    Case("Indexes") { $0.history.indexes = [[3]] },
    Case("StrongerProtection") { $0.database.sealing = .encrypted(.init(keyDerivation: .pbkdf2(iterations: 700_000))) },
    Case("NewFieldsOfStructs") {
      $0.types[1].form = .structure([
        .init(name: "label", type: .scalar(.string), defaultValue: nil, description: nil, number: 1),
        .init(name: "value", type: .optional(.scalar(.string)), defaultValue: nil, description: nil, number: 2),
        .init(name: "count", type: .scalar(.int), defaultValue: .integer("0"), description: nil, number: 3),
        .init(name: "date", type: .optional(.scalar(.date)), defaultValue: nil, description: nil, number: 4),
      ])
    },
  ]

  @Test(arguments: accepted)
  func whatTheMergeCoversHasNoFinding(_ sample: Case) throws {
    #expect(Self.lines(RecordCatalog().with(sample.change), [try RecordCatalog().release("1.0")]) == [])
  }

  // MARK: Several releases

  @Test func aFindingNamesEachRelease() throws {
    let today = RecordCatalog().with { $0.history["count"].type = .scalar(.string) }
    let releases = [try RecordCatalog().release("1.0"), try RecordCatalog().release("1.1"), try today.release("1.2")]
    let found = Self.lines(today, releases)
    #expect(found.count == 1)
    #expect(found.first?.contains("releases 1.0 and 1.1 stored 'count' (3)") == true)
  }

  /// A user of 1.0 who skipped 1.1 has the values, and one of 1.1 has lost them.
  @Test func aNumberThatALaterReleaseReservedIsNotUsedAgain() throws {
    let reserved = RecordCatalog().with {
      $0.history.fields.remove(at: 4)
      $0.history.reserved[0].numbers.append(5)
    }
    let releases = [try RecordCatalog().release("1.0"), try reserved.release("1.1")]
    #expect(Self.lines(reserved, releases) == [])
    let found = Self.lines(RecordCatalog(), releases)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("25 [released-number-reused] release 1.1 reserved the number 5") == true)
  }

  /// The tables of a user of every release have what each of them added.
  @Test func additionsOfEachReleaseAreKept() throws {
    let first = RecordCatalog().with {
      $0.history.fields.remove(at: 1)
      $0.history.indexes = []
    }
    let second = RecordCatalog().with { $0.history["credentialID"].type = .optional(.scalar(.string)) }
    let third = second.with { $0.history["logo"].name = "icon" }
    let releases = [try first.release("1.0"), try second.release("1.1"), try third.release("1.2")]
    #expect(Self.lines(third, releases) == [])
  }

  /// A number that an old release used is not proposed, although the newest one does not have it.
  @Test func aProposedNumberWasNeverUsed() throws {
    let first = RecordCatalog().with {
      $0.history.fields.append(RecordCatalog.field("page", 18_999, .optional(.scalar(.string))))
    }
    let today = RecordCatalog().with {
      $0.history["count"].type = .scalar(.string)
      $0.history.reserved[0].numbers.append(18_999)
    }
    let found = Self.lines(today, [try first.release("1.0")])
    #expect(found.first?.contains("`number: 20000`") == true)
  }

  /// Another run reports the records of such a catalog.
  @Test func recordsOfUnreadCatalogsAreLeftOut() throws {
    let today = RecordCatalog().with { $0.records.remove(at: 1) }
    let comparison = ReleaseComparison(today: today.state, unread: ["Wallet"])
    #expect(comparison.findings(against: [Baseline(state: try RecordCatalog().release("1.0"))]).isEmpty)
  }
}
