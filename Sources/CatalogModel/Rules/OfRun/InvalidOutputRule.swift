import CatalogSyntax
import StorageVocabulary

/// Outputs are named after their YAML file. The manifest lists them a line each and counts no hidden file as ours, so
/// that no run could remove one that is hidden or has a line end in its name.
struct InvalidOutputRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      let source = document.tree.source
      guard source.baseName.hasPrefix(".") || ControlCharacters.occur(in: source.baseName) else { continue }
      findings.report(
        .invalidOutput, "no output can be named after a file that is hidden or has control characters in its name",
        at: source.start, help: "rename the file")
    }
  }
}
