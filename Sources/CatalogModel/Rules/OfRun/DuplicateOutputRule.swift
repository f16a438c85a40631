import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let duplicateOutput = Rule(
    "duplicate-output", .names, "No two files of a run have the same name, in upper or lower case.",
    why: "The outputs are named after the files, and the disk of a Mac ignores case.",
    bad: .files([
      ("A/Account.yaml", "localdata: 1\ncatalog: Account"), ("B/account.yaml", "localdata: 1\ncatalog: Settings"),
    ]),
    good: .files([
      ("A/Account.yaml", "localdata: 1\ncatalog: Account"), ("B/Settings.yaml", "localdata: 1\ncatalog: Settings"),
    ]))
}

/// Checks that the outputs of two catalogs do not overwrite each other.
struct DuplicateOutputRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var first: [String: SourceFile] = [:]
    for document in run.documents {
      let source = document.tree.source
      let name = ResolvedCatalog.swiftFileName(baseName: source.baseName)
      if let earlier = first[name.lowercased()] {
        findings.report(
          .duplicateOutput, "two catalogs would both be written to '\(name)'", at: source.start,
          help: "rename one of the two files", notes: [.init("the first one", at: earlier.start)])
      } else {
        first[name.lowercased()] = source
      }
    }
  }
}
