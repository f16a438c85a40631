import CatalogSyntax
import StorageVocabulary

/// Checks that the fields of a struct have types that are at least as visible as the struct. The rule itself is
/// declared with those of the decoder, which checks it for keys.
struct TypeAccessRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for declared in run.context.types.all {
      guard case .structure(let fields) = declared.form, declared.access != .internal else { continue }
      let node = declared.body.value(of: "fields")
      for field in fields {
        run.context.types.checkAccess(
          declared.access, of: field.type, what: "the struct '\(declared.name)'",
          at: node?.value(of: field.name) ?? declared.node, &findings)
      }
    }
  }
}
