/// A finding that a catalog allows.
package struct AllowedFinding: Sendable {
  package var finding: Diagnostic
  package var reason: String
  /// The last day on which it is allowed, for example `2026-12-31`.
  package var until: String?
  /// The entry of `allow`.
  package var place: SourcePlace

  package init(_ finding: Diagnostic, reason: String, until: String?, at place: SourcePlace) {
    self.finding = finding
    self.reason = reason
    self.until = until
    self.place = place
  }
}

/// The findings of a run, ready to be printed: sorted, without duplicates, and with their final severities.
package struct FindingsReport: Sendable {
  /// The most findings that are printed. More of them help no reader, and fill a terminal or a log.
  package static let limit = 1_000

  package var findings: [Diagnostic]
  /// The findings that the catalogs allow. They are not among `findings`.
  package var allowedFindings: [AllowedFinding]
  /// The number of catalogs that were checked.
  package var catalogs: Int
  /// The number of other files that the findings are about, or nil if they are about catalogs.
  package var files: Int?
  /// The rules of the findings, for formats that describe them.
  package var rules: [Rule]
  /// The findings for a document that must not change from one day to the next.
  package var undated = UndatedFindings()

  package init(
    _ findings: [Diagnostic] = [], allowed: [AllowedFinding] = [], catalogs: Int, rules: [Rule] = []
  ) {
    self.findings = findings
    allowedFindings = allowed
    self.catalogs = catalogs
    self.rules = rules
  }

  /// Returns this report with the findings about other catalogs behind its own.
  package func adding(_ other: FindingsReport) -> FindingsReport {
    var report = self
    report.findings += other.findings
    report.catalogs += other.catalogs
    report.allowedFindings += other.allowedFindings
    report.undated.open += other.undated.open
    report.undated.allowances += other.undated.allowances
    let known = Set(rules.map(\.id))
    report.rules += other.rules.filter { !known.contains($0.id) }
    return report
  }

  /// Returns this report with the findings for which a condition holds.
  package func only(_ condition: (Diagnostic) -> Bool) -> FindingsReport {
    var report = self
    report.findings.removeAll { !condition($0) }
    let ids = Set(report.findings.map(\.rule) + allowedFindings.map(\.finding.rule))
    report.rules.removeAll { !ids.contains($0.id) }
    return report
  }

  /// The number of findings that the catalogs allow.
  package var allowed: Int { allowedFindings.count }

  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  package func count(_ severity: Diagnostic.Severity) -> Int { findings.count { $0.severity == severity } }

  /// The findings that are printed, in their order. If there are too many, errors are kept before warnings.
  package var shown: [Diagnostic] {
    guard findings.count > Self.limit else { return findings }
    var rest = [Diagnostic.Severity: Int]()
    var free = Self.limit
    for severity in Diagnostic.Severity.allCases {
      rest[severity] = min(free, count(severity))
      free -= rest[severity, default: 0]
    }
    return findings.filter { finding in
      guard rest[finding.severity, default: 0] > 0 else { return false }
      rest[finding.severity, default: 0] -= 1
      return true
    }
  }

  /// The sentence about findings that are not printed, or `nil` if all are.
  package var omission: String? {
    let count = findings.count - Self.limit
    return count > 0 ? "\(count) more finding\(count == 1 ? " is" : "s are") not shown" : nil
  }

  /// The numbers of findings, in one line.
  package var summary: String {
    let parts = Diagnostic.Severity.allCases.compactMap { severity in
      let count = count(severity)
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let findings = parts.isEmpty ? "no findings" : parts.joined(separator: " and ")
    let allowance = allowed == 0 ? "" : ", \(allowed) finding\(allowed == 1 ? "" : "s") allowed"
    let (examined, name) = files.map { ($0, "file") } ?? (catalogs, "catalog")
    return "\(findings) in \(examined) \(name)\(examined == 1 ? "" : "s")\(allowance)"
  }
}
