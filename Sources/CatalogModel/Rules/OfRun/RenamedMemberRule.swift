import CatalogSyntax
import StorageVocabulary

/// `renamedTo` names a key that there is.
struct RenamedMemberRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var members: Set<String>?
    for document in run.documents {
      for key in document.keys {
        guard let name = key.resolved.deprecation?.renamedTo else { continue }
        let known = members ?? Set(run.documents.flatMap { $0.keys.map(\.resolved.descriptor.member) })
        members = known
        let node = key.body.value(of: KeyField.deprecated.text)?.value(of: "renamedTo") ?? key.member
        if name == key.resolved.descriptor.member {
          findings.report(
            .unknownMember, "'\(name)' cannot be renamed to itself", at: node, help: "name the key to use")
        } else if !known.contains(name) {
          findings.report(
            .unknownMember, "'\(name)' is not a key\(Spelling.suggestion(for: name, among: known.sorted()))", at: node,
            help: "name a key of any catalog of the run")
        }
      }
    }
  }
}
