import LocalDataComparison
import LocalDataModel
import LocalDataSyntax

/// The findings of the run, and those that declarations accept with a reason.
struct AuditFindings {
  private let page: AuditPage
  private let findings: UndatedFindings

  init(_ page: AuditPage) {
    self.page = page
    findings = page.context.findings
  }

  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("findings"))) { html in
      html.element(.h2, text: "Findings")
      html.line()
      writeOpen(to: &html)
      writeAccepted(to: &html)
      write(findings.stale, "Entries of allow without a finding", to: &html)
      write(findings.unchecked, "Entries of allow for rules that were not checked", to: &html)
    }
    html.line()
  }

  private func writeOpen(to html: inout HTMLWriter) {
    guard !findings.open.isEmpty else {
      html.element(.p, text: "No rule has a finding that is not accepted.")
      return html.line()
    }
    html.scrollable("Open findings") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(findings.open.count, "open finding"))
        html.tableHead(["Severity", "Declaration", "Finding", "Rule", "Declared"])
        html.element(.tbody) { html in
          for finding in findings.open.prefix(FindingsReport.limit) {
            html.line()
            html.element(.tr) { html in
              html.element(.td, text: finding.severity.rawValue)
              html.element(.td) { html in
                if let key = finding.key { page.writeLink(key, to: &html) }
              }
              html.element(.td, text: finding.message)
              html.element(.td) { $0.element(.code, text: finding.rule) }
              html.element(.td, text: finding.place.map(Self.text) ?? "")
            }
          }
        }
      }
    }
    html.line()
  }

  /// The name of the file without its folder, which is another one on each machine, and the line.
  private static func text(_ place: SourcePlace) -> String {
    let name = place.file.path.split(separator: "/").last ?? Substring(place.file.path)
    return "\(name), line \(place.range.start.line)"
  }

  // MARK: - Accepted findings

  /// Entries that end soon come first. Those without an end are the last ones.
  static func endsBefore(_ left: UndatedFindings.Allowed, _ right: UndatedFindings.Allowed) -> Bool {
    (left.until ?? "9", left.key, left.rule) < (right.until ?? "9", right.key, right.rule)
  }

  private func writeAccepted(to html: inout HTMLWriter) {
    let accepted = findings.accepted
    guard !accepted.isEmpty else {
      html.element(.p, text: "No finding is accepted.")
      return html.line()
    }
    html.scrollable("Accepted findings") { html in
      html.element(.table, .id(HTMLIdentifier("accepted"))) { html in
        html.element(.caption, text: "Accepted findings")
        html.tableHead(["State", "Declaration", "Owner", "Reviewed", "Rule", "Reason", "What is accepted"])
        html.element(.tbody) { html in
          for allowance in accepted.sorted(by: Self.endsBefore) {
            html.line()
            html.element(.tr) { html in
              html.element(.td) { $0.acceptance(allowance) }
              html.element(.td) { page.writeLink(allowance.key, to: &$0) }
              let declaration = page.declaration(allowance.key)
              html.element(.td, text: declaration?.owner ?? "")
              html.element(.td, text: declaration?.review?.auditText ?? "")
              html.element(.td) { $0.element(.code, text: allowance.rule) }
              html.element(.td, text: allowance.reason)
              html.element(.td, text: allowance.messages.joined(separator: "; "))
            }
          }
        }
      }
    }
    html.line()
  }

  /// Writes entries that accept nothing.
  private func write(_ entries: [UndatedFindings.Allowed], _ title: StaticString, to html: inout HTMLWriter) {
    guard !entries.isEmpty else { return }
    html.scrollable(title.description) { html in
      html.element(.table) { html in
        html.element(.caption, text: title)
        html.tableHead(["Declaration", "Rule", "Reason"])
        html.element(.tbody) { html in
          for entry in entries {
            html.line()
            html.element(.tr) { html in
              html.element(.td) { page.writeLink(entry.key, to: &$0) }
              html.element(.td) { $0.element(.code, text: entry.rule) }
              html.element(.td, text: entry.reason)
            }
          }
        }
      }
    }
    html.line()
  }
}

extension HTMLWriter {
  /// Writes that findings are accepted, and until when. The script says whether the day has passed.
  mutating func acceptance(_ allowance: UndatedFindings.Allowed) {
    element(.span, .data("accepted", allowance.messages.count)) { html in
      html.element(.strong, text: "accepted")
      guard let until = allowance.until else { return html.text(" without an end") }
      html.text(" until ")
      html.date(until)
    }
  }
}

extension HTMLWriter {
  /// Writes the head of a table with the titles of its columns.
  mutating func tableHead(_ titles: [String]) {
    element(.thead) { html in
      html.element(.tr) { html in
        for title in titles { html.element(.th, .scope("col"), text: title) }
      }
    }
  }
}
