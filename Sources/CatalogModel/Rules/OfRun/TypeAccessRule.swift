import CatalogSyntax
import StorageVocabulary

/// A struct shows the types of its fields, so those have its access at least.
struct TypeAccessRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var decoder = CatalogDecoder()
    decoder.types = run.decoder.types
    for declared in run.decoder.types.all {
      guard case .structure(let fields) = declared.form, declared.access != .internal else { continue }
      let node = declared.body.value(of: TypeField.fields.text)
      for field in fields {
        decoder.checkAccess(
          declared.access, of: field.type, what: "the struct '\(declared.name)'",
          at: node?.value(of: field.name) ?? declared.node)
      }
    }
    for finding in decoder.findings.all { findings.append(finding) }
  }
}
