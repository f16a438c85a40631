import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let recursiveType = Rule(
    "recursive-type", .types, "A struct does not contain itself.",
    why: "Such a struct would have no size in memory. A list, a map or a set in between gives it one.",
    bad: .catalog("types:\n  Folder: {fields: {name: String, parent: \"Folder?\"}}"),
    good: .catalog("types:\n  Folder: {fields: {name: String, children: [Folder]}}"))
}

/// Checks that no struct contains itself.
struct RecursiveTypeRule: RunRule {
  /// The most structs that a message about a cycle names.
  private static let namedTypes = 8

  private enum Mark {
    case open, done
  }

  /// A struct on the way from the first one, and the field at which the walk goes on. A chain of structs can be
  /// thousands long, so the way is a list and not the stack of the thread.
  private struct Step {
    var declared: TypeTable.Declared
    var fields: [ResolvedType.Field]
    var next = 0
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let types = run.context.types
    var marks: [String: Mark] = [:]
    for first in types.all {
      var path: [Step] = []
      open(first, &path, &marks)
      while let step = path.last {
        guard step.next < step.fields.count else {
          marks[step.declared.name] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let field = step.fields[step.next]
        guard let inner = held(field.type), let declared = types[inner] else { continue }
        if marks[inner] == .open {
          report(path, inner, field, &findings)
        } else {
          open(declared, &path, &marks)
        }
      }
    }
  }

  private func open(_ declared: TypeTable.Declared, _ path: inout [Step], _ marks: inout [String: Mark]) {
    guard marks[declared.name] == nil, case .structure(let fields) = declared.form else { return }
    marks[declared.name] = .open
    path.append(Step(declared: declared, fields: fields))
  }

  private func report(_ path: [Step], _ inner: String, _ field: ResolvedType.Field, _ findings: inout Findings) {
    guard let last = path.last?.declared, let start = path.firstIndex(where: { $0.declared.name == inner }) else {
      return
    }
    let names = path[start...].map(\.declared.name) + [inner]
    let rest = names.count > Self.namedTypes ? " and \(names.count - Self.namedTypes) more" : ""
    let cycle = names.prefix(Self.namedTypes).map { "'\($0)'" }.joined(separator: " contains ") + rest
    findings.report(
      .recursiveType, "a struct cannot contain itself: \(cycle)",
      at: last.body.value(of: "fields")?.value(of: field.name) ?? last.node, help: "use a list: [\(inner)]")
  }

  /// Returns the type of `types` that a value of a type contains without a list, a map or a set in between.
  private func held(_ type: ValueType) -> String? {
    switch type {
    case .declared(let name): name
    case .optional(let wrapped): held(wrapped)
    case .scalar, .swift, .list, .map, .set: nil
    }
  }
}

/// Checks that the fields of a struct or a record have types that are at least as visible as the struct. The rule itself is
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
    for record in run.records.all { findings.about(record) { check(record, run, &$0) } }
  }

  private func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let what = "the record '\(record.name)'"
    for field in record.fields {
      guard let type = field.type else { continue }
      run.context.types.checkAccess(record.access, of: type, what: what, at: field.place(of: "type"), &findings)
    }
    guard let database = record.database.flatMap(run.records.database), database.access.rank < record.access.rank else {
      return
    }
    findings.report(
      .typeAccess, "\(what) is \(record.access.text), its database is \(database.access.text)", at: record.node,
      help: "write `access: \(record.access.text)` at the database, or less access here",
      notes: [.init("the database", at: database.member.place)])
  }
}

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
    guard run.documents.contains(where: { $0.sections.keys != nil || $0.sections.records != nil }) else { return }
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
      findings.about(declared) {
        $0.report(
          .unusedType, "the type '\(declared.name)' is not used", at: declared.node,
          help: "remove it, or use it as the type of a key")
      }
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
