import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let unusedType = Rule(
    "unused-type", .clarity, .warning, "A type of `types` is used by a key, a record or another type of the run.",
    why: "It is emitted as code that nothing needs. Often a key was removed and its type was left.",
    bad: .catalog("\(unusedTypeKeys)types:\n  Contrast: {enum: [normal, high]}"),
    good: .catalog(
      "\(unusedTypeKeys)  contrast: {type: Contrast, description: How strong colours are.}\n"
        + "types:\n  Contrast: {enum: [normal, high]}"))

  private static let unusedTypeKeys =
    "\(Example.defaults)keys:\n  theme: {type: String, description: The colour scheme the user chose.}\n"
}

/// Checks that each type is used. A run without keys and records is a library of types for others, and is not checked.
struct UnusedTypeRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    guard run.documents.contains(where: { $0.keyNodes != nil || $0.recordNodes != nil }) else { return }
    var unused = Set(run.context.types.all.lazy.filter { !$0.isBroken }.map(\.name))
    guard !unused.isEmpty else { return }
    removeTypesOfKeys(run, &unused)
    for record in run.records.all {
      for field in record.fields { field.type?.forEachDeclared { unused.remove($0) } }
    }
    guard !unused.isEmpty else { return }
    // What is left may still be named by a field of a struct, a function of a migration, or a key with errors.
    for document in run.documents {
      guard let root = document.tree.root, root.kind == .mapping else { continue }
      for (name, value) in root.fields where name.kind == .scalar {
        guard name.text == "types", value.kind == .mapping else {
          removeNames(in: value, besides: nil, &unused)
          continue
        }
        for (type, body) in value.fields { removeNames(in: body, besides: type.text, &unused) }
      }
    }
    for declared in run.context.types.all where unused.contains(declared.name) {
      findings.report(
        .unusedType, "the type '\(declared.name)' is not used", at: declared.node,
        help: "remove it, or use it as the type of a key")
    }
  }

  private func removeTypesOfKeys(_ run: CatalogRun, _ unused: inout Set<String>) {
    for document in run.documents {
      for key in document.keys {
        key.resolved.type.forEachDeclared { unused.remove($0) }
        for parameter in key.resolved.parameters {
          if case .enumeration(let name) = parameter.type { unused.remove(name) }
        }
        if unused.isEmpty { return }
      }
    }
  }

  private func removeNames(in node: SyntaxNode, besides own: String?, _ unused: inout Set<String>) {
    guard node.kind == .scalar else {
      for child in node.children { removeNames(in: child, besides: own, &unused) }
      return
    }
    let words = node.withText { bytes in
      bytes.split { !Identifier.isLower($0 | 0x20) && !Identifier.isDigit($0) && $0 != UInt8(ascii: "_") }
        .compactMap { word in
          word.first.map(Identifier.isUpper) == true ? String(decoding: word, as: UTF8.self) : nil
        }
    }
    for word in words where word != own { unused.remove(word) }
  }
}
