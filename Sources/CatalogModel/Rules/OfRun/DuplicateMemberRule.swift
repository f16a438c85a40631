import CatalogSyntax
import StorageVocabulary

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
    // The reader refuses two equal names in one file.
    guard run.documents.count > 1 else { return }
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
