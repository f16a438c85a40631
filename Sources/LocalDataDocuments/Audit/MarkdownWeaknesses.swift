import LocalDataEmission
import CatalogModel

/// Writes what the declarations of a catalog say about OWASP's weaknesses: a table with a row for each different answer.
struct MarkdownWeaknesses {
  let catalog: ResolvedCatalog

  func write(to output: inout OutputBuffer) {
    let assessments = MASVSAssessment.of([catalog])
    guard !assessments.isEmpty else { return }
    output.write("\n## OWASP MASVS\n\n")
    output.write("The weaknesses that a declaration can answer. Edition: \(Weakness.edition), \(Weakness.source).\n\n")
    output.write("| weakness | controls | state | why | keys and records |\n|---|---|---|---|---|\n")
    for assessment in assessments {
      for group in assessment.groups { write(group, of: assessment.weakness, to: &output) }
    }
  }

  private func write(_ group: MASVSAssessment.Group, of weakness: Weakness, to output: inout OutputBuffer) {
    output.write("| \(weakness.id): \(weakness.title)")
    output.writeCell(weakness.controls.joined(separator: ", "), isFree: false)
    output.writeCell(group.answer.state.text, isFree: false)
    output.writeCell(group.answer.reasonWithEvidence)
    output.writeCell(group.subjects.joined(separator: ", "), isFree: false)
    output.write(" |\n")
  }
}

extension WeaknessAnswer {
  /// The reason, with the name of the test or the reason of the allowance.
  fileprivate var reasonWithEvidence: String {
    switch state {
    case .metByLibrary(let test): "\(reason) Test: \(test)"
    case .acceptedUntil(_, let allowed): "\(reason) Reason: \(allowed)"
    case .metByDeclaration, .violated, .notDecidable: reason
    }
  }
}
