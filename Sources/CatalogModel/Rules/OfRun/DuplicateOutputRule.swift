import CatalogSyntax
import StorageVocabulary

/// Outputs are named after their YAML file, so no two files of a run may have one name; a Mac's disk ignores case.
struct DuplicateOutputRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: SourceFile] = [:]
    for document in run.documents {
      let source = document.tree.source
      if let earlier = first[source.baseName.lowercased()] {
        findings.report(
          .duplicateOutput, "two catalogs would both be written to '\(source.baseName).swift'", at: source.start,
          help: "rename one of the two files", notes: [.init("the first one", at: earlier.start)])
      } else {
        first[source.baseName.lowercased()] = source
      }
    }
  }
}
