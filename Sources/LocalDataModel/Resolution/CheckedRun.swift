import LocalDataSyntax
import LocalDataVocabulary

/// A run with what the rules and the project file find in it.
struct CheckedRun {
  let run: CatalogRun
  /// The findings of all stages, in the order in which they were made.
  let findings: [Diagnostic]

  init(_ run: CatalogRun, _ project: Project) {
    self.run = run
    var findings = run.context.findings
    for document in run.documents { findings.add(document.ruleFindings) }
    findings.add(CatalogRules.check(run))
    findings.add(project.check(run))
    self.findings = findings.all
  }

  /// The findings that declarations accept.
  var allowances: [Allowance] { run.documents.flatMap(run.allowances) }
}

extension Project {
  /// Returns what the owners and the policies of the project find in the keys of a run.
  fileprivate func check(_ run: CatalogRun) -> Findings {
    var findings = Findings()
    guard owners != nil || !policies.isEmpty else { return findings }
    var suggestions = run.context.suggestions
    for document in run.documents {
      for key in document.keys where key.failed.isEmpty {
        let owner = key.resolved.descriptor.owner
        if let owners, !owners.contains(owner) {
          let suggestion = suggestions.suggestion(for: owner, among: owners)
          findings.about(key) {
            $0.report(
              .unknownOwner, "'\(owner)' is not an owner that the project file lists\(suggestion)",
              at: key.node(of: .owner, defaults: document.defaults), help: "use one of \(owners.listing)")
          }
        }
        for finding in policies.compactMap({ $0.finding(about: key) }) { findings.append(finding) }
      }
    }
    return findings
  }
}
