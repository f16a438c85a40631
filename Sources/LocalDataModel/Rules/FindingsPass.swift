package import LocalDataSyntax

/// The last step between what was found and what is printed: allowances, severities, duplicates, order and readable proposals.
package struct FindingsPass: Sendable {
  /// The levels that the user gives to rules.
  package var severities: Severities
  /// The day on which allowances are judged.
  package var today: CalendarDate

  package init(severities: Severities = Severities(), today: CalendarDate = .earliest) {
    self.severities = severities
    self.today = today
  }

  /// Returns the report of a run.
  ///
  /// - Parameters:
  ///   - found: The findings in the order in which they were made.
  ///   - allowances: The allowances of all keys of the run.
  ///   - files: The files of the run, in the order in which they are reported.
  ///   - unchecked: The rules that the run could not check. Their allowances are not stale.
  package func report(
    _ found: [Diagnostic], allowances: [Allowance] = [], files: [SourceFile], unchecked: Set<String> = []
  ) -> FindingsReport {
    var suppression = Suppression(allowances, today: today, unchecked: unchecked)
    var kept: [Diagnostic] = []
    var open: [Diagnostic] = []
    for diagnostic in found {
      let effect = suppression.effect(on: diagnostic)
      if effect != .suppresses { kept.append(diagnostic) }
      if effect == .none { open.append(diagnostic) }
    }
    kept += suppression.stale(hasErrors: kept.contains { $0.severity == .error })
    let weighed = kept.compactMap(severities.weighed)
    let findings = ReadableHelp.checked(Self.sorted(weighed, files))
    var report = FindingsReport(
      findings, allowed: suppression.allowed, catalogs: files.count,
      rules: Self.rules(of: findings + suppression.allowed.map(\.finding)))
    report.undated.open = ReadableHelp.checked(Self.sorted(open.compactMap(severities.weighed), files))
    report.undated.allowances = suppression.undated
    return report
  }

  private static func rules(of findings: [Diagnostic]) -> [Rule] {
    guard !findings.isEmpty else { return [] }
    let ids = Set(findings.map(\.rule))
    return RuleCatalog.all.filter { ids.contains($0.id) }
  }

  /// Sorts by file in the order given, then by place. A finding about a field of `defaults` is reported once, however many
  /// keys inherit the field.
  private static func sorted(_ findings: [Diagnostic], _ files: [SourceFile]) -> [Diagnostic] {
    guard !findings.isEmpty else { return [] }
    var order: [ObjectIdentifier: Int] = [:]
    for (index, file) in files.enumerated() { order[ObjectIdentifier(file)] = index }
    func rank(_ diagnostic: Diagnostic) -> (Int, SourceLocation) {
      guard let place = diagnostic.place else { return (-1, SourceLocation(line: 0, column: 0)) }
      return (order[ObjectIdentifier(place.file)] ?? files.count, place.range.start)
    }
    let ranked = findings.enumerated().map { (rank: rank($0.element), index: $0.offset) }
      .sorted { ($0.rank.0, $0.rank.1, $0.index) < ($1.rank.0, $1.rank.1, $1.index) }
    var result: [Diagnostic] = []
    result.reserveCapacity(findings.count)
    var start = ranked.startIndex
    while start < ranked.endIndex {
      // Findings of one place are neighbours now.
      let end = ranked[start...].firstIndex { $0.rank != ranked[start].rank } ?? ranked.endIndex
      appendDistinct(ranked[start..<end].map { findings[$0.index] }, to: &result)
      start = end
    }
    return result
  }

  private static func appendDistinct(_ findings: [Diagnostic], to result: inout [Diagnostic]) {
    guard findings.count > 1 else { return result += findings }
    var seen: Set<Identity> = []
    for finding in findings where finding.key == nil { seen.insert(Identity(finding, key: nil)) }
    var told: Set<Identity> = []
    var inherited: [Identity: Int] = [:]
    let start = result.endIndex
    for finding in findings {
      let isOfEveryKey = finding.key != nil && seen.contains(Identity(finding, key: nil))
      guard !isOfEveryKey, told.insert(Identity(finding, key: finding.key)).inserted else { continue }
      guard finding.isInherited, let first = inherited.updateValue(1, forKey: Identity(finding, key: nil)) else {
        result.append(finding)
        continue
      }
      inherited[Identity(finding, key: nil)] = first + 1
    }
    guard inherited.values.contains(where: { $0 > 1 }) else { return }
    for index in start..<result.endIndex {
      guard let count = inherited[Identity(result[index], key: nil)], count > 1 else { continue }
      result[index].key = nil
      result[index].notes.append(.init(count == 2 ? "another key inherits it" : "\(count - 1) other keys inherit it"))
    }
  }

  /// The parts in which two equal findings of one place agree.
  private struct Identity: Hashable {
    var rule: String
    var key: String?
    var message: String

    init(_ finding: Diagnostic, key: String?) {
      rule = finding.rule
      message = finding.message
      self.key = key
    }
  }
}

/// The findings of a comparison with releases.
package struct ReleaseFindings {
  package var findings: [Diagnostic]
  /// A Boolean value that indicates whether the catalogs were compared with every release, and not with one state. Only then
  /// an allowance of such a finding can be one too many.
  package var areOfAllReleases: Bool

  package init(_ findings: [Diagnostic], areOfAllReleases: Bool) {
    self.findings = findings
    self.areOfAllReleases = areOfAllReleases
  }
}

/// The allowances of a run while its findings are compared with them.
private struct Suppression {
  private struct Subject: Hashable {
    var key: String
    var rule: String
  }

  private let allowances: [Allowance]
  private let today: CalendarDate
  /// The rules that the run could not check. Their allowances are not stale.
  private let unchecked: Set<String>
  private var positions: [Subject: [Int]] = [:]
  private var isUsed: [Bool]
  /// The messages of the findings that each allowance is about.
  private var messages: [[String]]
  /// The findings that were suppressed.
  private(set) var allowed: [AllowedFinding] = []

  init(_ allowances: [Allowance], today: CalendarDate, unchecked: Set<String>) {
    self.allowances = allowances
    self.today = today
    self.unchecked = unchecked
    isUsed = Array(repeating: false, count: allowances.count)
    messages = Array(repeating: [], count: allowances.count)
    for (index, allowance) in allowances.enumerated() {
      positions[Subject(key: allowance.key, rule: allowance.rule), default: []].append(index)
    }
  }

  enum Effect {
    /// No allowance is about the finding.
    case none
    /// The allowances of the finding have ended.
    case hasEnded
    case suppresses
  }

  mutating func effect(on diagnostic: Diagnostic) -> Effect {
    guard let key = diagnostic.key, let indices = positions[Subject(key: key, rule: diagnostic.rule)],
      RuleCatalog.rule(diagnostic.rule)?.isAllowable ?? true
    else { return .none }
    for index in indices {
      isUsed[index] = true
      messages[index].append(diagnostic.message)
    }
    guard let index = indices.first(where: { !allowances[$0].isOver(on: today) }) else { return .hasEnded }
    let allowance = allowances[index]
    allowed.append(
      AllowedFinding(diagnostic, reason: allowance.reason, until: allowance.until?.text, at: allowance.place))
    return .suppresses
  }

  /// The allowances with the findings that they are about, whether or not they have ended.
  var undated: [UndatedFindings.Allowed] {
    zip(allowances, messages).map { allowance, messages in
      UndatedFindings.Allowed(
        rule: allowance.rule, reason: allowance.reason, until: allowance.until?.text, key: allowance.key,
        messages: messages, isUnchecked: unchecked.contains(allowance.rule))
    }
  }

  /// Returns a finding for each allowance that has ended or that allows nothing.
  ///
  /// - Parameter hasErrors: Whether the run has errors. An error can keep a rule from being checked, so it is not known
  ///   what an unused allowance would have allowed.
  func stale(hasErrors: Bool) -> [Diagnostic] {
    allowances.enumerated().compactMap { index, allowance in
      let message: String
      if let end = allowance.until, allowance.isOver(on: today) {
        message = "the allowance of '\(allowance.rule)' ended on \(end.text)"
      } else if !isUsed[index], !hasErrors, !unchecked.contains(allowance.rule) {
        message = "'\(allowance.key)' has no finding of '\(allowance.rule)' to allow"
      } else {
        return nil
      }
      return Diagnostic(
        rule: Rule.staleSuppression.id, severity: Rule.staleSuppression.severity, message, at: allowance.place,
        help: isUsed[index] || unchecked.contains(allowance.rule)
          ? "mend the finding, or give the allowance a later date" : "remove the entry from `allow`",
        key: allowance.key)
    }
  }
}

extension Rule {
  static let staleSuppression = Rule(
    "stale-suppression", .clarity, .warning, "An entry of `allow` allows a finding, and its date has not passed.",
    why: "An old allowance hides the next finding of the same rule, which may have another reason.",
    bad: .keys(
      "theme:\n  type: String\n  description: The colour scheme the user chose.\n"
        + "  allow: [{rule: terse-description, reason: A longer text is being written.}]"),
    good: .keys(
      "theme:\n  type: String\n  description: The theme.\n"
        + "  allow: [{rule: terse-description, reason: The name says everything.}]"), isOfDeclaration: false)
}
