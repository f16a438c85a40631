import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let duplicateCatalog = Rule(
    "duplicate-catalog", .names, "The name of a catalog is used once in a run, and no type has the name of its output.",
    why: "A catalog `Account` is emitted as the Swift type `AccountCatalog`.",
    bad: .files([("A.yaml", "localdata: 1\ncatalog: Account"), ("B.yaml", "localdata: 1\ncatalog: Account")]),
    good: .files([("A.yaml", "localdata: 1\ncatalog: Account"), ("B.yaml", "localdata: 1\ncatalog: Settings")]))
}

/// Checks that no two catalogs emit types of one name.
struct DuplicateCatalogRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: SyntaxNode] = [:]
    for document in run.documents {
      guard let node = document.header.nameNode, !document.header.name.isEmpty else { continue }
      let name = document.header.name
      if let earlier = first[name] {
        findings.report(
          .duplicateCatalog, "the catalog '\(name)' is declared twice", at: node,
          help: "rename one of the two",
          notes: [.init("the first one", at: earlier.place)])
      } else if let type = run.context.types[name + "Catalog"] {
        findings.report(
          .duplicateCatalog, "the catalog is emitted as '\(name)Catalog', but a type of 'types' has that name",
          at: node,
          help: "rename one of the two", notes: [.init("the type", at: type.node.place)])
      }
      first[name] = first[name] ?? node
    }
  }
}
