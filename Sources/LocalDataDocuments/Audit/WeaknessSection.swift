import LocalDataModel

/// What the declarations of catalogs say about OWASP's weaknesses (MASWE), for a review against MASVS.
struct WeaknessSection: Sendable {
  /// The weaknesses with their answers, each once.
  private let assessments: [(weakness: Weakness, groups: [MASVSAssessment.Group])]

  init(_ catalogs: [ResolvedCatalog]) {
    assessments = MASVSAssessment.of(catalogs).map { ($0.weakness, $0.groups) }
  }

  var hasContent: Bool { !assessments.isEmpty }

  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard hasContent else { return }
    document.section("OWASP MASVS", "masvs") { document in
      document.paragraph("The weaknesses that a declaration can answer.")
      document.facts { document in
        document.fact("Edition", Weakness.edition)
        document.fact("Source", .source(Weakness.source))
      }
      document.table("Controls", ["Control", "Weakness"]) { document in
        for control in Set(assessments.flatMap { $0.weakness.controls }).sorted() {
          for weakness in assessments.lazy.map({ $0.weakness }) where weakness.controls.contains(control) {
            document.row([.author(control), .link(weakness.id, Self.address(weakness))])
          }
        }
      }
      let columns = ["Weakness", "In the beta", "State", "Why", "Keys and records"]
      document.table("Answers", columns) { document in
        for (weakness, groups) in assessments { write(weakness, groups, to: &document) }
      }
    }
  }

  /// Writes a row for each different answer. The first one has the address of the weakness.
  private func write(
    _ weakness: Weakness, _ groups: [MASVSAssessment.Group], to document: inout some DocumentWriter & ~Copyable
  ) {
    for (index, group) in groups.enumerated() {
      document.row(
        [
          .author("\(weakness.id): \(weakness.title)"), .author(weakness.formerIDs.joined(separator: ", ")),
          .answer(group.answer.state), .author(group.answer.reasonWithEvidence),
          .author(group.subjects.joined(separator: ", ")),
        ], index == 0 ? Self.address(weakness) : nil)
    }
  }

  private static func address(_ weakness: Weakness) -> HTMLIdentifier { HTMLIdentifier("weakness", weakness.id) }
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
