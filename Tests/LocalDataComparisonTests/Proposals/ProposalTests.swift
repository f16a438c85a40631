@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import TestSupport
import Testing

/// Random changes of random catalogs: what `diff --scaffold` proposes is pasted, and has to be right.
@Suite struct ProposalTests {
  /// Pastes the proposals for many random changes. Each finding with a proposal has to be gone, no new error may appear,
  /// and each value that a release stored has to be read by its key.
  @Test func pastedProposalsKeepEveryValue() throws {
    var covered = Coverage()
    var seed = Sweep.seed &* 1_000_003
    while covered.changes < Sweep.count(quick: 30, full: 2_000) {
      seed &+= 1
      var random = SeededRandom(seed: seed)
      guard let history = try RandomHistory(&random) else { continue }
      let problems = try ProposalCheck(history).problems(&covered)
      if !problems.isEmpty {
        Issue.record("seed \(seed): \(problems.joined(separator: "\n"))\n\(history.text)")
        covered.failures += 1
        if covered.failures >= 5 { break }
      }
    }
    Sweep.report("proposals", covered.text)
  }
}

/// The cases that a sweep has tried.
struct Coverage {
  var changes = 0
  var failures = 0
  var proposals = 0
  /// Findings for which no text of a catalog is proposed.
  var unmended = 0
  var values = 0
  private var byKind: [String: Int] = [:]
  private var byRule: [String: Int] = [:]

  mutating func count(_ kinds: [SheetChange], _ findings: [Finding]) {
    changes += kinds.count
    for kind in kinds { byKind[kind.rawValue, default: 0] += 1 }
    for finding in findings {
      byRule[finding.rule.id, default: 0] += 1
      if finding.remedy.isEmpty { unmended += 1 } else { proposals += 1 }
    }
  }

  var text: String {
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    return
      "\(changes) changes, \(proposals) proposals, \(unmended) findings without one, \(values) values read; \(list(byKind)); \(list(byRule))"
  }
}

/// Released catalogs, and today's with changes that nothing covers yet.
struct RandomHistory {
  var releases: [Sheet] = []
  var today: Sheet
  var changes: [SheetChange] = []

  /// Creates a history; nil if the random changes give no valid catalogs.
  init?(_ random: inout SeededRandom) throws {
    today = Sheet.random(&random)
    guard Self.isValid(today) else { return nil }
    releases = [today]
    if Bool.random(using: &random) {
      var changed = today
      guard Self.change(&changed, count: 2, &random) != nil else { return nil }
      changed = changed.pasting(try Self.comparison(changed, releases).scaffold)
      guard Self.isValid(changed), try Self.findings(changed, releases).allSatisfy({ $0.rule.severity == .warning })
      else { return nil }
      releases.append(changed)
      today = changed
    }
    guard let changes = Self.change(&today, count: Int.random(in: 1...2, using: &random), &random) else { return nil }
    self.changes = changes
  }

  private static func change(
    _ sheet: inout Sheet, count: Int, _ random: inout SeededRandom
  ) -> [SheetChange]? {
    var made: [SheetChange] = []
    for _ in 0..<20 {
      guard made.count < count, let change = SheetChange.allCases.randomElement(using: &random) else { break }
      var changed = sheet
      guard change.apply(to: &changed, &random), isValid(changed) else { continue }
      sheet = changed
      made.append(change)
    }
    return made.isEmpty ? nil : made
  }

  static func isValid(_ sheet: Sheet) -> Bool { (try? Today.catalogs(sheet.text))?.isEmpty == false }

  static func findings(_ sheet: Sheet, _ releases: [Sheet]) throws -> [Finding] {
    try comparison(sheet, releases).findings
  }

  /// The findings of a catalog, and what mends them.
  static func comparison(_ sheet: Sheet, _ releases: [Sheet]) throws -> (findings: [Finding], scaffold: Scaffold) {
    let today = try Today(sheet.text)
    let baselines = try today.baselines(
      releases.enumerated().map { ("\($0.offset + 1).0", Array($0.element.text.utf8)) })
    let findings = ReleaseComparison(today: today.state).findings(against: baselines)
    return (findings, Scaffold(findings, today.state, against: baselines))
  }

  var text: String {
    releases.enumerated().map { "# \($0.offset + 1).0\n\($0.element.text)" }.joined()
      + "# today: \(changes.map(\.rawValue))\n\(today.text)"
  }
}
