import CatalogSyntax
import StorageVocabulary

/// Checks that the Swift names of a key are looked up where the app declares them. The emitted code is in an extension of
/// `StorageKey`, so a name that begins with the member of a key would be that key.
struct EmittedPathRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var members: Set<String>?
    for document in run.documents {
      for key in document.keys {
        for (field, name) in Self.names(of: key.resolved) {
          let first = name.text.prefix { $0 != "." }
          // Types begin with an upper-case letter, and members with a lower-case one.
          guard first.utf8.first.map(Identifier.isLower) == true else { continue }
          let known = members ?? Set(run.documents.flatMap { $0.keys.map(\.resolved.descriptor.member) })
          members = known
          guard known.contains(String(first)) else { continue }
          findings.about(key) {
            $0.report(
              .reservedIdentifier, "'\(name.text)' begins with the name of the key '\(first)'",
              at: key.node(of: field, defaults: document.defaults),
              help: "declare it in another type, as in `TokenUpgrade.apply`")
          }
        }
      }
    }
  }

  private static func names(of key: ResolvedKey) -> [(KeyField, SwiftName)] {
    var names = key.upgrades.map { (KeyField.upgrade, $0.transform) }
    if let watch = key.watchRepresentation { names.append((.watch, watch.transform)) }
    if let serializer = key.customSerializer { names.append((.serializer, serializer)) }
    if case .swift(let name)? = key.defaultValue { names.append((.default, name)) }
    return names
  }
}
