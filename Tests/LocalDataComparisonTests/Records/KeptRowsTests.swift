@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import Testing

/// The retention of a record in two releases.
@Suite struct KeptRowsTests {
  private static func dated(_ days: Int?, _ count: Int? = nil, by: String = "createdAt") -> ResolvedRecord.Retention {
    .dated(by: by, maxAge: days.map { $0 * 86_400 }, maxCount: count)
  }

  private static func catalog(_ retention: ResolvedRecord.Retention?) -> RecordCatalog {
    RecordCatalog().with {
      $0.history.retention = retention
      $0.history.fields.append(RecordCatalog.field("changedAt", 7, .scalar(.date)))
    }
  }

  private static let shorter = [ChangeClass.storage]
  private static let longer = [ChangeClass.privacy]

  @Test(
    arguments: [
      (nil, dated(30), shorter), (dated(30), nil, longer), (dated(30), dated(7), shorter),
      (dated(30), dated(31), longer), (dated(30), dated(30, 5), shorter), (dated(nil, 5), dated(nil, 4), shorter),
      (dated(nil, 5), dated(nil, 6), longer), (dated(30, 5), dated(31, 4), [.storage, .privacy]),
      (dated(30), dated(30, by: "changedAt"), [.storage, .privacy]), (nil, .untilRelaunch, shorter),
      (.untilRelaunch, nil, longer), (.untilRelaunch, dated(30), [.storage, .privacy]),
    ] as [(ResolvedRecord.Retention?, ResolvedRecord.Retention?, [ChangeClass])])
  func aChangeOfTheRetention(
    old: ResolvedRecord.Retention?, new: ResolvedRecord.Retention?, classes: [ChangeClass]
  ) throws {
    let (before, today) = (try Self.catalog(old).release("1.0"), Self.catalog(new).state)
    let findings = ReleaseComparison(today: today).findings(against: [Baseline(state: before)])
    let change = try #require(CatalogDifference.changes(from: before, to: today, findings).first)
    #expect(change.facts.map(\.path) == ["retention"])
    #expect(Set(change.classes) == Set(classes))
    #expect(findings.map(\.rule) == (classes.contains(.storage) ? [.retentionShortened] : []))
  }

  @Test func theFindingSaysWhatToWrite() throws {
    let today = Self.catalog(Self.dated(7)).state
    func finding(_ old: ResolvedRecord.Retention?) throws -> Finding {
      let before = try Self.catalog(old).release("1.0")
      return try #require(ReleaseComparison(today: today).findings(against: [Baseline(state: before)]).first)
    }
    let allowance =
      "if the change is meant, add `allow: [{rule: released-retention-shortened, reason: Say why.}]` to 'History'"
    let added = try finding(nil)
    #expect(
      added.message == "kept rows of 'History' until they are removed, and they are kept for 1w by 'createdAt' now")
    #expect(added.help == "remove `retention`; \(allowance)")
    let shortened = try finding(Self.dated(30, 5))
    #expect(
      shortened.message == "kept rows of 'History' for 30d and if they are among the newest 5 by 'createdAt', and they "
        + "are kept for 1w by 'createdAt' now")
    #expect(
      shortened.help == "write `retention: {maxAge: 30d, maxCount: 5, by: createdAt}` again; \(allowance)")
  }
}
