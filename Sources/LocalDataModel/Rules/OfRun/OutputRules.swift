import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let duplicateMember = Rule(
    "duplicate-member", .names, "A key is declared once in a run.",
    why: "All keys are static members of one Swift type.",
    bad: .files([
      (
        "A.yaml",
        "localdata: 1\ncatalog: A\n\(Example.defaults)keys:\n  theme: {type: String, description: The colour scheme the user chose.}"
      ),
      (
        "B.yaml",
        "localdata: 1\ncatalog: B\n\(Example.defaults)keys:\n  theme: {type: String, name: theme_b, description: The colour scheme the user chose.}"
      ),
    ]),
    good: .files([
      (
        "A.yaml",
        "localdata: 1\ncatalog: A\n\(Example.defaults)keys:\n  theme: {type: String, description: The colour scheme the user chose.}"
      ),
      (
        "B.yaml",
        "localdata: 1\ncatalog: B\n\(Example.defaults)keys:\n  contrast: {type: String, description: The colour scheme the user chose.}"
      ),
    ]))
}

/// Checks that no two catalogs of a run declare the same member.
struct DuplicateMemberRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    // The reader refuses two equal names in one section of a file.
    let hasPairs = run.documents.contains { $0.sections.signingKeys != nil }
    guard run.documents.count > 1 || hasPairs else { return }
    var first: [String: DecodedKey] = [:]
    first.reserveCapacity(run.documents.reduce(0) { $0 + $1.keys.count })
    for document in run.documents {
      for key in document.keys {
        let member = key.resolved.descriptor.member
        if let earlier = first.updateValue(key, forKey: member) {
          first[member] = earlier
          findings.about(key) {
            $0.report(
              .duplicateMember, "the key '\(member)' is declared twice", at: key.member,
              help: Self.help(key, earlier), notes: [.init("the first one", at: earlier.member.place)])
          }
        }
      }
    }
  }

  private static func help(_ key: DecodedKey, _ earlier: DecodedKey) -> String {
    guard key.hasPlace, earlier.hasPlace, key.place == earlier.place else {
      return "rename one of the two; `name: \(key.resolved.descriptor.name)` keeps its stored name"
    }
    return "remove one of the two, because both are the same stored value; if they are different values, rename one "
      + "and give it another stored name"
  }
}

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
