import LocalDataSyntax
import LocalDataVocabulary

/// Decodes the top of a catalog.
enum FileDecoder {
  /// Returns the parts of a document and its header. Returns nil, after a finding, if the file is not a catalog.
  static func document(_ tree: SyntaxTree, index: Int, _ context: inout DecodingContext) -> CatalogDocument? {
    context.header = CatalogHeader()
    context.header.index = index
    guard let root = tree.root else {
      context.findings.report(
        .missingVersion, "the file is empty", at: tree.source.start, help: "begin a catalog with `localdata: 1`")
      return nil
    }
    let table = Language.file
    guard context.mapping(root, table.what, example: table.example) else { return nil }
    var draft = FileDraft()
    let read = table.decode(root, into: &draft, &context)
    reportOrder(root, &context)
    // What is missing is what was misspelt.
    if draft.versionNode == nil, !read.failed.isDisjoint(with: table.set(["localdata"])) { return nil }
    guard isKnownVersion(draft.versionNode, root: root, &context) else { return nil }

    context.header.access = draft.access
    if let imports = draft.importsNode { self.imports(imports, &context) }
    if let name = draft.nameNode {
      context.header.nameNode = name
      context.header.name = context.identifier(name, as: .catalog) ?? ""
    } else if !read.hasUnknown {
      context.findings.report(
        .missingField, "the catalog has no name", at: root.start, help: "add `catalog: Account` below 'localdata'")
    }
    return CatalogDocument(tree: tree, header: context.header, sections: draft)
  }

  private static func reportOrder(_ root: SyntaxNode, _ context: inout DecodingContext) {
    guard let key = root.key(of: "localdata"), let first = root.fields.first(where: { _ in true })?.key,
      first.range.start != key.range.start, Language.file.position(of: first) != nil
    else { return }
    context.findings.report(
      .missingVersion, "'localdata' must come first, because it says how to read the rest", at: key,
      help: "move `localdata: \(Language.version)` to the top")
  }

  private static func isKnownVersion(
    _ node: SyntaxNode?, root: SyntaxNode, _ context: inout DecodingContext
  ) -> Bool {
    guard let node else {
      context.findings.report(
        .missingVersion, "'localdata: \(Language.version)' is missing", at: root.start,
        help: "write it in the first line")
      return false
    }
    guard let text = context.scalar(node, "the version of the language", example: "localdata: 1") else { return false }
    if text == Language.version { return true }
    context.findings.report(
      .unsupportedVersion, "this tool reads version \(Language.version) of the language, not '\(text)'", at: node,
      help: "write `localdata: \(Language.version)`, or use a newer tool")
    return false
  }

  private static func imports(_ node: SyntaxNode, _ context: inout DecodingContext) {
    guard context.sequence(node, "a list of modules", example: "imports: [AccountModels]") else { return }
    for child in node.children {
      guard let name = context.swiftName(child, "the name of a module", example: "imports: [AccountModels]") else {
        continue
      }
      if SwiftKeyword.contains(name.text) {
        context.findings.report(
          .invalidSwiftName, "'\(name.text)' is a keyword of Swift, and no module can have its name", at: child,
          help: "name the module as the app imports it")
      } else if name.text.contains(".") {
        context.findings.report(
          .invalidSwiftName, "'\(name.text)' is not the name of a module", at: child,
          help: "name the module alone: imports: [\(name.text.prefix { $0 != "." })]")
      } else if !context.header.imports.insert(name.text).inserted {
        context.findings.report(
          .duplicateEntry, "'\(name.text)' is imported twice", at: child, help: "remove one of the two")
      }
    }
  }

  // MARK: Reserved names

  static func reserved(_ node: SyntaxNode, into document: inout CatalogDocument, _ context: inout DecodingContext) {
    let example = "reserved: [\(Language.reservedName.example)]"
    guard context.sequence(node, "a list of names", example: example) else { return }
    for child in node.children {
      if child.kind == .mapping, child.key(of: "record") != nil {
        if let record = reservedRecord(child, &context) { document.reservedRecords.append(record) }
      } else if let name = reservedName(child, &context) {
        document.reserved.append(name)
      }
    }
  }

  private static func reservedName(_ node: SyntaxNode, _ context: inout DecodingContext) -> DecodedReservedName? {
    guard let draft = Language.reservedName.record(node, ReservedNameDraft(), &context),
      let domain = draft.domain, let text = reservedText(draft, node, &context)
    else { return nil }
    let node = draft.nameNode ?? node
    let resolved = ResolvedReservedName(
      name: text, domain: domain, deletesLeftovers: draft.cleanup == .delete, note: draft.note)
    return DecodedReservedName(resolved: resolved, pattern: NameParts.wildcards(text), node: node)
  }

  /// Returns the name, which is empty for an item without an account.
  private static func reservedText(
    _ draft: ReservedNameDraft, _ node: SyntaxNode, _ context: inout DecodingContext
  ) -> String? {
    if let path = draft.path {
      guard let name = draft.nameNode else { return path }
      context.findings.report(
        .invalidPath, "the reserved file has a path, so 'name' has no meaning", at: name,
        help: "remove `name`, or remove `path`")
      return nil
    }
    let hasAccount = draft.missing != .account
    if let name = draft.nameNode, hasAccount { return context.storedName(name) }
    if draft.nameNode == nil, !hasAccount { return "" }
    if let name = draft.nameNode {
      context.findings.report(
        .itemAttributes, "the reserved item has no account, so 'name' has no meaning", at: name,
        help: "remove `name`, or remove `without: account`")
    } else {
      context.findings.report(
        .missingField, "a reserved name needs 'name'", at: node.start,
        help: "write `\(Language.reservedName.example)`")
    }
    return nil
  }

  private static func reservedRecord(
    _ node: SyntaxNode, _ context: inout DecodingContext
  ) -> DecodedReservedRecord? {
    guard let draft = Language.reservedRecord.record(node, ReservedRecordDraft(), &context),
      let record = draft.record, let database = draft.databaseNode
    else { return nil }
    return DecodedReservedRecord(
      resolved: ResolvedReservedRecord(record: record, database: database.text, note: draft.note),
      databaseNode: database, node: node.value(of: "record") ?? node)
  }
}
