import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let typeShadowsModule = Rule(
    "type-shadows-module", .names, "No type has the name of a module that a catalog imports.",
    why: "Swift would look `Shop.Item` up in the type `Shop`, and not in the module.",
    bad: .catalog(
      "imports: [Shop]\n\(Example.defaults)types:\n  Shop: {enum: [open, closed]}\nkeys:\n"
        + "  state: {type: Shop, description: The state of the shop.}"),
    good: .catalog(
      "imports: [Shop]\n\(Example.defaults)types:\n  ShopState: {enum: [open, closed]}\nkeys:\n"
        + "  state: {type: ShopState, description: The state of the shop.}"))
}

/// Checks that no emitted type hides an imported module.
struct TypeShadowsModuleRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let modules = run.documents.reduce(into: Set<String>()) { $0.formUnion($1.header.imports) }
    guard !modules.isEmpty else { return }
    for record in run.records.all where modules.contains(record.name) {
      findings.report(
        .typeShadowsModule, "the record '\(record.name)' hides the module '\(record.name)'", at: record.node,
        help: "rename the record, and keep its table with `name: \(record.storedName)`")
    }
    for declared in run.context.types.all where modules.contains(declared.name) {
      if case .swift = declared.form { continue }
      findings.report(
        .typeShadowsModule, "the type '\(declared.name)' hides the module '\(declared.name)'", at: declared.node,
        help: "rename the type: '\(declared.name).Item' would be looked up in it")
    }
  }
}
