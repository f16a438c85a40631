import CatalogSyntax
import StorageVocabulary

/// Members are static properties of one Swift type, so they are unique over all catalogs of a run.
struct DuplicateMemberRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    // Within one file the reader has refused equal names.
    guard run.documents.count > 1 else { return }
    var first: [String: SyntaxNode] = [:]
    first.reserveCapacity(run.documents.reduce(0) { $0 + $1.keys.count })
    for document in run.documents {
      for key in document.keys {
        let member = key.resolved.descriptor.member
        if let earlier = first.updateValue(key.member, forKey: member) {
          first[member] = earlier
          findings.report(
            .duplicateMember, "the key '\(member)' is declared twice", at: key.member,
            help: "give one of the two another member; its stored name can stay with `name:`",
            notes: [.init("the first one", at: earlier.place)])
        }
      }
    }
  }
}
