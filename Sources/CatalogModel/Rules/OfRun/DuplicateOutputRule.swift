import CatalogSyntax
import StorageVocabulary

/// Outputs are named after their YAML file, so no two files of a run may have one name; a Mac's disk ignores case.
struct DuplicateOutputRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: SourcePlace] = [:]
    for document in run.documents {
      let source = document.tree.source
      let start = SourceLocation(line: 1, column: 1)
      let place = SourcePlace(file: source, range: SourceRange(start: start, end: start))
      let name = source.baseName
      if let earlier = first[name.lowercased()] {
        findings.report(
          .duplicateOutput, "two catalogs would both be written to '\(name).swift'", at: place,
          help: "rename one of the two files", notes: [.init("the first one", at: earlier)])
      } else {
        first[name.lowercased()] = place
      }
    }
  }
}
