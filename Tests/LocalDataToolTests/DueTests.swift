import Foundation
import Testing

/// What ends soon, and what the end of a review means for other verbs.
@Suite struct DueTests {
  private static let catalog = """
    localdata: 1
    catalog: Account
    defaults: {owner: Team, domain: userDefaults, security: none, type: String}
    databases:
      main: {domain: {fileSystem: {directory: applicationSupport}}, description: What the app stores in rows.}
    records:
      Visit:
        fields:
          id: {type: UUID, number: 1, default: new}
          at: {type: Date, number: 2}
        retention: {maxAge: 10d, by: at}
        review: {by: privacy, until: 2027-03-01}
        description: A visit to a branch.
    keys:
      theme:
        description: The theme.
        allow: [{rule: terse-description, reason: The name says everything., until: 2026-12-31}]
      street: {review: {by: security, until: 2026-11-25}, description: A part of the address of the user.}
      draft: {retention: {maxAge: 30d}, description: What the user has not sent yet.}
      session: {retention: {until: relaunch}, description: What the user has searched for.}

    """

  private func tool() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Self.catalog)
    return tool
  }

  @Test func deadlinesAreSortedByDate() throws {
    let result = try tool().run("due", "--within", "60d", "--today", "2026-11-25")
    #expect(result.code == 0)
    #expect(
      result.output == """
        2026-11-25  today       the review of 'street' by security (Catalogs/Account.yaml:18)
        2026-12-05  in 10 days  'Visit' is kept for 10d: a value that is written today is removed (Catalogs/Account.yaml:11)
        2026-12-25  in 30 days  'draft' is kept for 30d: a value that is written today is removed (Catalogs/Account.yaml:19)
        2026-12-31  in 36 days  'theme' allows terse-description: The name says everything. (Catalogs/Account.yaml:17)
        4 within 60 days

        """)
    #expect(result.errors.isEmpty)
  }

  @Test func whatHasEndedIsOverdue() throws {
    let tool = try tool()
    let result = try tool.run("due", "--within", "1w", "--today", "2027-01-01", "--format", "json")
    #expect(result.code == 1)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["overdue"] as? Int == 2)
    #expect(document["until"] as? String == "2027-01-08")
    let deadlines = try #require(document["deadlines"] as? [[String: Any]])
    #expect(deadlines.map { $0["kind"] as? String } == ["review", "allowance"])
    #expect(deadlines.map { $0["days"] as? Int } == [-37, -1])
    #expect(deadlines.map { $0["declaration"] as? String } == ["street", "theme"])
    #expect(deadlines[1]["rule"] as? String == "terse-description")
    #expect(try tool.run("due", "--within", "1d", "--today", "2026-01-01").output == "nothing ends within 1 day\n")
  }

  @Test func anEndedReviewIsAFinding() throws {
    let tool = try tool()
    #expect(try tool.run("validate", "--today", "2026-11-25").output == "no findings in 1 catalog, 1 finding allowed\n")
    let result = try tool.run("validate", "--today", "2026-11-26", "--format", "xcode")
    #expect(result.code == 0)
    #expect(
      result.output.hasPrefix(
        "Catalogs/Account.yaml:18:20: warning: the review of 'street' by security ended on 2026-11-25 [review-ended]\n")
    )
    #expect(try tool.run("validate", "--today", "2026-11-26", "--deny", "review-ended").code == 1)
  }

  @Test(arguments: [
    ["--within", "90"], ["--within", "12h"], ["--within", "soon"], ["--today", "tomorrow"], ["--today", "2026-02-30"],
    ["--format", "csv"],
  ])
  func wrongUse(arguments: [String]) throws {
    #expect(try tool().start(["due"] + arguments).finish().code == 2)
  }

  @Test func catalogsWithErrorsHaveNoList() throws {
    let tool = try tool()
    try tool.write("Catalogs/Account.yaml", Self.catalog.replacing("type: Date", with: "type: Dat"))
    let result = try tool.run("due", "--today", "2026-11-25")
    #expect(result.code == 1)
    #expect(result.output.isEmpty && result.errors.contains("[unknown-type]"))
  }
}
