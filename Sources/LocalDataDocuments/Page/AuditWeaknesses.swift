import CatalogModel

/// The answers of the declarations to OWASP's weaknesses (MASWE), for a review against MASVS.
struct AuditWeaknesses {
  private let assessments: [MASVSAssessment]

  init(_ page: AuditPage) { assessments = MASVSAssessment.of(page.catalogs) }

  var hasContent: Bool { !assessments.isEmpty }

  func write(to html: inout HTMLWriter) {
    guard hasContent else { return }
    html.element(.section, .id(HTMLIdentifier("masvs"))) { html in
      html.element(.h2, text: "OWASP MASVS")
      html.line()
      html.element(
        .p, text: "The weaknesses that a declaration can answer. Edition: \(Weakness.edition), \(Weakness.source).")
      html.line()
      writeControls(to: &html)
      for assessment in assessments { write(assessment, to: &html) }
    }
    html.line()
  }

  /// Writes each control with links to the weaknesses that are its evidence.
  private func writeControls(to html: inout HTMLWriter) {
    html.element(.dl) { html in
      for control in Set(assessments.flatMap(\.weakness.controls)).sorted() {
        html.element(.dt, text: control)
        html.element(.dd) { html in
          for (index, weakness) in assessments.map(\.weakness).filter({ $0.controls.contains(control) }).enumerated() {
            if index > 0 { html.text(", ") }
            html.element(.a, .href(HTMLIdentifier("weakness", weakness.id)), text: weakness.id)
          }
        }
      }
    }
    html.line()
  }

  private func write(_ assessment: MASVSAssessment, to html: inout HTMLWriter) {
    let weakness = assessment.weakness
    html.element(.h3, .id(HTMLIdentifier("weakness", weakness.id)), text: "\(weakness.id): \(weakness.title)")
    html.element(.p) { html in
      html.text(weakness.controls.joined(separator: ", "))
      html.text(". In the beta: ")
      html.text(weakness.formerIDs.joined(separator: ", "))
    }
    html.line()
    html.scrollable("Answers for \(weakness.id)") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(assessment.answers.count, "key or record", "keys and records"))
        html.tableHead("State", "Why", "Keys and records")
        html.element(.tbody) { html in
          for group in assessment.groups {
            html.line()
            html.element(.tr) { write(group, to: &$0) }
          }
        }
      }
    }
    html.line()
  }

  private func write(_ group: MASVSAssessment.Group, to html: inout HTMLWriter) {
    html.element(.th, .scope("row"), .data("state", group.answer.state.name)) { html in
      guard case .acceptedUntil(let until?, _) = group.answer.state else { return html.text(group.answer.state.text) }
      html.text("accepted until ")
      html.date(until.text)
    }
    html.element(.td) { html in
      html.text(group.answer.reason)
      switch group.answer.state {
      case .metByLibrary(let test):
        html.text(" Test: ")
        html.element(.code, text: test)
      case .acceptedUntil(_, let reason): html.text(" Reason: \(reason)")
      case .metByDeclaration, .violated, .notDecidable: break
      }
    }
    html.element(.td, text: group.subjects.joined(separator: ", "))
  }
}
