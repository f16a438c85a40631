import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let invalidOutput = Rule(
    "invalid-output", .names, "A file is not hidden, and its name has no control character.",
    why: "The outputs are named after the file. A later run could not list and remove them.",
    bad: .file("localdata: 1\ncatalog: Example", path: ".Example.yaml"),
    good: .file("localdata: 1\ncatalog: Example", path: "Example.yaml"))
}

/// Checks that the manifest of outputs can list the outputs of each file, one in a line.
struct InvalidOutputRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      let source = document.tree.source
      guard source.baseName.hasPrefix(".") || ControlCharacters.occur(in: source.baseName) else { continue }
      findings.report(
        .invalidOutput,
        "the outputs cannot be named after this file, which is hidden or has a control character in its name",
        at: source.start, help: "rename the file")
    }
  }
}
