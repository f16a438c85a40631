import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let unknownMember = Rule(
    "unknown-member", .names, "`renamedTo` names another key.",
    why: "The compiler offers that name as the replacement of the deprecated key.",
    bad: .keys(
      "look: {type: String, deprecated: {reason: Use theme., renamedTo: thme}, description: What the app looks like.}\n"
        + "theme: {type: String, description: The colour scheme the user chose.}"),
    good: .keys(
      "look: {type: String, deprecated: {reason: Use theme., renamedTo: theme}, "
        + "description: What the app looks like.}\n"
        + "theme: {type: String, description: The colour scheme the user chose.}"))
}

/// Checks that `renamedTo` names a key of the run.
struct RenamedMemberRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var members: Set<String>?
    var suggestions = Suggestions()
    for document in run.documents {
      for key in document.keys {
        guard let name = key.resolved.deprecation?.renamedTo else { continue }
        let known = members ?? Set(run.documents.flatMap { $0.keys.map(\.resolved.descriptor.member) })
        members = known
        let node = key.body.value(of: KeyField.deprecated.text)?.value(of: "renamedTo") ?? key.member
        if name == key.resolved.descriptor.member {
          findings.about(key) {
            $0.report(
              .unknownMember, "'\(name)' cannot be renamed to itself", at: node, help: "name the key that replaces it")
          }
        } else if !known.contains(name) {
          let suggestion = suggestions.suggestion(for: name, among: known.sorted())
          findings.about(key) {
            $0.report(
              .unknownMember, "'\(name)' is not a key\(suggestion)",
              at: node, help: "name a key of a catalog of this run")
          }
        }
      }
    }
  }
}
