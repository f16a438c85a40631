import LocalDataModel
import LocalDataSyntax
import LocalDataAudit

/// The overview above the table: what there is, what was found, and what changed since the newest release.
struct AuditDashboard {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  func write(to html: inout HTMLWriter) {
    let summaries = page.catalogs.map(\.auditSummary)
    html.element(.section, .id(HTMLIdentifier("overview"))) { html in
      html.element(.h2, text: "Overview")
      html.line()
      writeCatalogs(summaries, to: &html)
      html.element(.div, .class("cards")) { html in
        html.line()
        writeCounts(to: &html)
        writeBars("Keys and fields by domain", Self.sum(summaries.map(\.domains)), to: &html)
        writeWeakest(to: &html)
        writeFindings(to: &html)
        writeChanges(to: &html)
      }
      html.line()
    }
    html.line()
  }

  private func writeCatalogs(_ summaries: [StorageAuditSummary], to html: inout HTMLWriter) {
    html.element(.ul) { html in
      for (catalog, summary) in zip(page.catalogs, summaries) {
        html.element(.li) { html in
          html.element(.strong, text: catalog.name)
          html.text(" (")
          html.element(.code, text: catalog.sourceName)
          html.text("): ")
          html.text(summary.text)
        }
      }
    }
    html.line()
  }

  // MARK: - Sensitivity and protection

  /// Writes the number of keys and fields of each sensitivity with each protection.
  private func writeCounts(to html: inout HTMLWriter) {
    let values = page.values
    guard !values.sensitivities.isEmpty else { return }
    html.element(.div, .class("card")) { html in
      html.element(.table, .class("counts")) { html in
        html.element(.caption, text: AuditedValues.countsTitle)
        html.element(.thead) { html in
          html.element(.tr) { html in
            html.element(.th, .scope("col"), text: "Sensitivity")
            for protection in AuditedPart.Protection.allCases {
              html.element(.th, .scope("col"), .class("number"), text: protection.title)
            }
          }
        }
        html.element(.tbody) { html in
          for sensitivity in values.sensitivities {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: sensitivity.rawValue)
              for protection in AuditedPart.Protection.allCases {
                let count = values.count(sensitivity, protection)
                let isMarked = protection == .none && sensitivity.needsProtection && count > 0
                html.element(.td, .class(isMarked ? "number falls" : "number")) { $0.text(count) }
              }
            }
          }
        }
      }
      html.element(.p) { $0.element(.small, text: AuditedValues.countsText) }
    }
    html.line()
  }

  private func writeWeakest(to html: inout HTMLWriter) {
    guard !page.values.weakest.isEmpty else { return }
    html.element(.div, .class("card")) { html in
      html.element(.h3, text: AuditedValues.Weakest.title)
      html.element(.dl, .id(HTMLIdentifier("weakest"))) { html in
        for weakest in page.values.weakest {
          html.element(.dt, text: weakest.whose)
          html.element(.dd, text: weakest.text)
        }
      }
    }
    html.line()
  }

  // MARK: - Bars

  /// Returns the counts of all catalogs, in the order of the vocabulary, without those that are zero.
  private static func sum(_ counts: [[StorageAuditSummary.Count]]) -> [StorageAuditSummary.Count] {
    guard var result = counts.first else { return [] }
    for others in counts.dropFirst() {
      for (index, count) in others.enumerated() { result[index].keys += count.keys }
    }
    return result.filter { $0.keys > 0 }
  }

  private func writeBars(_ title: StaticString, _ counts: [StorageAuditSummary.Count], to html: inout HTMLWriter) {
    guard !counts.isEmpty else { return }
    let largest = counts.map(\.keys).max() ?? 1
    html.element(.table, .class("card bars")) { html in
      html.element(.caption, text: title)
      html.element(.tbody) { html in
        for count in counts {
          html.element(.tr) { html in
            html.element(.th, .scope("row"), text: count.name)
            html.element(.td, .class("number")) { $0.text(count.keys) }
            // The bar repeats the number beside it.
            html.element(.td, .class("bar"), .aria("hidden", "true")) { html in
              html.element(.svg, .viewBox(0, 0, 1_000, 10), .stretched) { html in
                html.element(.rect, .width(max(count.keys * 1_000 / largest, 4)), .height(10))
              }
            }
          }
          html.line()
        }
      }
    }
    html.line()
  }

  // MARK: - Findings and changes

  /// Writes the numbers of findings. The script counts a finding as open again if its acceptance has ended.
  private func writeFindings(to html: inout HTMLWriter) {
    let findings = page.context.findings
    let accepted = findings.accepted.reduce(0) { $0 + $1.messages.count }
    html.element(.div, .class("card")) { html in
      html.element(.h3, text: "Findings")
      html.element(.p) { html in
        html.element(.a, .href(HTMLIdentifier("findings"))) { html in
          html.element(.span, .id(HTMLIdentifier("open-count")), .data("count", findings.open.count)) {
            $0.text(Counted.text(findings.open.count, "open finding"))
          }
          html.text(", ")
          html.element(.span, .id(HTMLIdentifier("accepted-count")), .data("count", accepted)) {
            $0.text(Counted.text(accepted, "accepted finding"))
          }
        }
      }
      let ending = findings.accepted.filter { $0.until != nil }.sorted(by: AuditFindings.endsBefore).prefix(5)
      if !ending.isEmpty {
        html.element(.p, text: "Accepted until a day:")
        html.element(.ul) { html in
          for allowance in ending {
            html.element(.li) { html in
              html.date(allowance.until ?? "")
              html.text(" ")
              page.writeLink(allowance.key, to: &html)
              html.text(", ")
              html.text(allowance.rule)
            }
          }
        }
      }
    }
    html.line()
  }

  private func writeChanges(to html: inout HTMLWriter) {
    guard let history = page.context.history, let newest = history.releases.last else { return }
    html.element(.div, .class("card")) { html in
      html.element(.h3, text: "Since release \(newest)")
      guard !history.changes.isEmpty else { return html.element(.p, text: "Nothing has changed.") }
      html.element(.p) { html in
        html.element(.a, .href(HTMLIdentifier("releases")), text: Counted.text(history.changes.count, "change"))
      }
      html.element(.ul) { html in
        for kind in ["added", "removed", "renamed", "changed"] {
          let count = history.changes.count { $0.kind == kind }
          if count > 0 { html.element(.li, text: "\(count) \(kind)") }
        }
        for name in Set(history.changes.flatMap(\.classes)).sorted() {
          let count = history.changes.count { $0.classes.contains(name) }
          html.element(.li, text: "\(Counted.text(count, "effect")) on \(name)")
        }
      }
    }
    html.line()
  }
}

extension HTMLWriter {
  /// Writes a day. The script of the page adds how far away it is.
  mutating func date(_ day: String) { element(.time, .datetime(day), text: day) }

  /// Writes content that can be wider than a phone. It can be scrolled, also with the keyboard.
  mutating func scrollable(_ label: String, content: (inout HTMLWriter) -> Void) {
    element(.div, .class("scroll"), .role("group"), .tabindex(0), .aria("label", label), content: content)
    line()
  }
}
