@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataVocabulary
import Testing

/// The statements that `diff` prints for the databases of a release.
struct MergeStatementsTests {
  private func statements(_ before: RecordCatalog, _ now: RecordCatalog) throws -> [String] {
    let all = MergeStatements.all(from: try before.release("1.0"), to: now.state)
    #expect(all.allSatisfy { $0.database == now.database.member })
    return all.flatMap(\.statements)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var statements: [String]
    var change: RecordFindingTests.Change

    init(_ name: String, _ statements: String..., change: @escaping RecordFindingTests.Change) {
      (testDescription, self.statements, self.change) = (name, statements, change)
    }
  }

  static let cases: [Case] = [
    Case("RenamedField") { $0.history["logo"].name = "icon" },
    Case("Refused") { $0.history["count"].type = .scalar(.string) },
    Case(
      "NewField", #"ALTER TABLE "History" ADD COLUMN "page" TEXT DEFAULT 'it''s\nnew';"#,
      #"CREATE INDEX "History.page" ON "History" ("page");"#
    ) {
      var page = RecordCatalog.field("page", 13, .scalar(.string))
      page.defaultValue = .value(.string("it's\nnew"))
      $0.history.fields.append(page)
      $0.history.indexes.append([13])
    },
    Case(
      "FirstEncryptedField", #"ALTER TABLE "History" ADD COLUMN "sealed" BLOB;"#,
      #"-- in each row of "History": seal an empty part; a release that has no encrypted fields in it cannot open the "#
        + "database from then on"
    ) {
      var page = RecordCatalog.field("page", 13, .optional(.scalar(.string)))
      page.encryption = .sealed
      $0.history.fields.append(page)
    },
    Case(
      "NewRecord", #"CREATE TABLE "Note" ("id" TEXT NOT NULL PRIMARY KEY) STRICT;"#
    ) { $0.records.append(RecordCatalog.record("Note", line: 30, [RecordCatalog.field("id", 1, .scalar(.string))])) },
    Case("DeletedField", #"UPDATE "History" SET "logo" = NULL WHERE "logo" IS NOT NULL;"#) {
      $0.history.fields.removeAll { $0.name == "logo" }
      $0.history.reserved.append(.init(numbers: [5], names: ["logo"], deletesValues: true))
    },
    Case(
      "MadeFromEarlierFields", #"ALTER TABLE "Credential" ADD COLUMN "secret" TEXT;"#,
      #"-- in each row of "Credential": secret (13) from 3, 2 by Claims.upgraded"#,
      #"UPDATE "Credential" SET "format" = NULL WHERE "format" IS NOT NULL;"#,
      #"-- in each row of "Credential": remove 3 from the sealed part"#
    ) {
      $0.credential.fields.removeAll { $0.name == "format" }
      $0.credential["secret"].number = 13
      $0.credential["secret"].encryption = .none
      $0.credential["secret"].transforms = [
        ReplacedFieldTests.make((3, .scalar(.string)), (2, .declared("Format")))
      ]
      $0.credential["secret"].transforms[0].sources[0].isEncrypted = true
      $0.credential.reserved = [.init(numbers: [2, 3], names: [], deletesValues: true)]
    },
    Case("RenamedDatabase", #"ALTER TABLE "History" ADD COLUMN "note" TEXT;"#) {
      $0.database.member = "purse"
      for index in $0.records.indices { $0.records[index].database = "purse" }
      $0.history.fields.append(RecordCatalog.field("note", 13, .optional(.scalar(.string))))
    },
  ]

  @Test(arguments: cases) func theMergeOfAReleaseIsPrinted(_ sample: Case) throws {
    #expect(try statements(RecordCatalog(), RecordCatalog().with(sample.change)) == sample.statements)
  }

  @Test func eachFormatHasTheStatements() throws {
    let today = RecordCatalog().with {
      $0.history.fields.append(RecordCatalog.field("note", 13, .optional(.scalar(.string))))
    }
    let before = try RecordCatalog().release("1.0")
    let report = DifferenceReport(
      changes: [], findings: [], merges: MergeStatements.all(from: before, to: today.state), title: "release 1.0")
    #expect(
      report.render(.text) == """
        database 'wallet': the first use of a file of release 1.0 runs
          ALTER TABLE "History" ADD COLUMN "note" TEXT;
        no changes since release 1.0

        """)
    #expect(
      report.render(.markdown).hasSuffix(
        """

        ### Database wallet

        The first use of a file of release 1.0 runs in one transaction:

        ```sql
        ALTER TABLE "History" ADD COLUMN "note" TEXT;
        ```

        """))
    #expect(
      report.render(.json).contains(
        #"{"database": "wallet", "statements": ["ALTER TABLE \"History\" ADD COLUMN \"note\" TEXT;"]}"#))
  }
}
