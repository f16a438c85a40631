import LocalDataComparison
import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary
import Testing

/// The merge of tables, release after release.
@Suite struct RecordRefusalsTests {
  private func history(_ change: (inout RecordCatalog) -> Void = { _ in }) throws -> RecordShape.Record {
    let catalog = RecordCatalog().with(change)
    return try #require(RecordShape(of: catalog.records, types: catalog.types).records["History"])
  }

  /// The merge that opens a database ends at the first reason.
  @Test func everyReasonIsFound() throws {
    let declared = try history {
      $0.history["count"].type = .scalar(.string)
      $0.history["claims"].type = .list(.scalar(.string))
      $0.history["logo"].encryption = .sealed
      $0.history["credentialID"].reference?.onDelete = .setNull
      $0.history.unique = [[3], [6], [6, 2]]
    }
    let refusals = try history().refusals(of: declared, named: "History")
    #expect(
      Set(refusals.map { "\($0.number) \($0.reason)" }) == [
        "3 typeChanged", "4 typeChanged", "5 encryptionChanged", "2 referenceChanged", "6 newUnique",
      ])
    #expect(refusals.count == 5)
  }

  @Test func aTableHasWhatEachReleaseAdded() throws {
    let first = try history {
      $0.history.fields.remove(at: 1)
      $0.history.indexes = []
    }
    let opened = first.opened(by: try history(), named: "History")
    #expect(opened.references == [2: .init("Credential", .cascade)])
    #expect(opened.columns[2] == .init("credentialID", "TEXT"))
    #expect(opened.refusals(of: try history(), named: "History") == [])
  }

  /// A user of both releases has lost the values, although each release by itself allows the number.
  @Test func aRetiredNumberIsRefused() throws {
    let reserving = try history {
      $0.history.fields.remove(at: 4)
      $0.history.reserved.append(.init(numbers: [5], names: [], deletesValues: true))
    }
    let opened = try history().opened(by: reserving, named: "History")
    let refusals = opened.refusals(of: try history(), named: "History")
    #expect(refusals == [.init(record: "History", number: 5, reason: .retired)])
  }

  @Test func aReleaseThatCannotUseATableLeavesIt() throws {
    let other = try history { $0.history["count"].type = .scalar(.string) }
    #expect(try history().opened(by: other, named: "History") == (try history()))
  }
}
