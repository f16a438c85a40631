import CatalogSyntax
import StorageVocabulary

/// A catalog is emitted as `<Name>Catalog`, which nothing else may be called.
struct DuplicateCatalogRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: SyntaxNode] = [:]
    for document in run.documents {
      guard let node = document.header.nameNode, !document.header.name.isEmpty else { continue }
      let name = document.header.name
      if let earlier = first[name] {
        findings.report(
          .duplicateCatalog, "the catalog '\(name)' is declared twice", at: node,
          help: "give one of the two another name",
          notes: [.init("the first one", at: earlier.place)])
      } else if let type = run.decoder.types[name + "Catalog"] {
        findings.report(
          .duplicateCatalog, "the catalog is emitted as '\(name)Catalog', which is a type of 'types'", at: node,
          help: "give one of the two another name", notes: [.init("the type", at: type.node.place)])
      }
      first[name] = first[name] ?? node
    }
  }
}
