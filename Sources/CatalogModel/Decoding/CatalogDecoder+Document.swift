import CatalogSyntax
import StorageVocabulary

/// What stands at the top of a catalog.
extension CatalogDecoder {
  /// The versions of the language that this tool knows.
  static let version = "1"

  /// The parts of a document and its header; `nil` where it is no catalog of ours.
  mutating func document(_ tree: SyntaxTree, index: Int) -> CatalogDocument? {
    header = CatalogHeader()
    header.index = index
    var document = CatalogDocument(tree: tree)
    guard let root = tree.root else {
      findings.report(
        .missingVersion, "the file is empty", at: tree.source.start, help: "a catalog begins with `localdata: 1`")
      return nil
    }
    guard mapping(root, "a map of the fields of a catalog", example: "localdata: 1") else { return nil }
    var name: SyntaxNode?
    var imports: SyntaxNode?
    var version: SyntaxNode?
    var isFirst = true
    var fields = FieldIterator<DocumentField>(root, of: "a catalog")
    while let (field, key, value) = fields.next(&findings) {
      switch field {
      case .localdata:
        version = value
        if !isFirst {
          findings.report(
            .missingVersion, "'localdata' comes first, since it says how to read the rest", at: key,
            help: "move `localdata: 1` to the top")
        }
      case .catalog: name = value
      case .access: header.access = self.name(value, "a level of access", example: "access: public") ?? .internal
      case .imports: imports = value
      case .defaults: document.defaults = value
      case .types: document.types = value
      case .keys: document.keyNodes = value
      case .reserved: document.reservedNodes = value
      }
      isFirst = false
    }
    // What is missing is what was misspelt.
    if version == nil, fields.misspelt.contains(.localdata) { return nil }
    guard isKnownVersion(version, root: root) else { return nil }
    if let imports { self.imports(imports) }
    if let name {
      header.nameNode = name
      header.name = identifier(name, as: .catalog) ?? ""
    } else if !fields.hasUnknown {
      findings.report(
        .missingField, "the catalog has no name", at: startOf(root), help: "add `catalog: Account` below 'localdata'")
    }
    document.header = header
    return document
  }

  private mutating func isKnownVersion(_ node: SyntaxNode?, root: SyntaxNode) -> Bool {
    guard let node else {
      findings.report(
        .missingVersion, "'localdata: 1' is missing", at: startOf(root), help: "write it in the first line")
      return false
    }
    guard let text = scalar(node, "the version of the language", example: "localdata: 1") else { return false }
    if text == Self.version { return true }
    findings.report(
      .unsupportedVersion, "this tool reads version \(Self.version) of the language, not '\(text)'", at: node,
      help: "write `localdata: \(Self.version)`, or use a newer tool")
    return false
  }

  /// A map of a thousand lines has no place that a reader can look at: its first character has.
  private func startOf(_ node: SyntaxNode) -> SourcePlace {
    let start = node.range.start
    return SourcePlace(
      file: node.tree.source,
      range: SourceRange(start: start, end: SourceLocation(line: start.line, column: start.column + 1)))
  }

  private mutating func imports(_ node: SyntaxNode) {
    guard sequence(node, "a list of modules", example: "imports: [AccountModels]") else { return }
    for child in node.children {
      guard let name = swiftName(child, "the name of a module", example: "imports: [AccountModels]") else { continue }
      if name.text.contains(".") {
        findings.report(
          .invalidSwiftName, "'\(name.text)' is not the name of a module", at: child,
          help: "name the module alone: imports: [\(name.text.prefix { $0 != "." })]")
      } else if !header.imports.insert(name.text).inserted {
        findings.report(.duplicateEntry, "'\(name.text)' is imported twice", at: child, help: "remove one of the two")
      }
    }
  }

  // MARK: Reserved names

  mutating func reservedNames(_ node: SyntaxNode) -> [DecodedReservedName] {
    guard sequence(node, "a list of names", example: "reserved: [{name: session_v0, domain: userDefaults}]") else {
      return []
    }
    return node.children.compactMap { reservedName($0) }
  }

  private mutating func reservedName(_ node: SyntaxNode) -> DecodedReservedName? {
    guard mapping(node, "a map with 'name' and 'domain'", example: "{name: session_v0, domain: userDefaults}") else {
      return nil
    }
    var nameNode: SyntaxNode?
    var domainNode: SyntaxNode?
    var cleanup = StorageReservedName.Cleanup.keep
    var note: String?
    var fields = FieldIterator<ReservedField>(node, of: "a reserved name")
    while let (field, _, value) = fields.next(&findings) {
      switch field {
      case .name: nameNode = value
      case .domain: domainNode = value
      case .cleanup: cleanup = name(value, "a way to clean up", example: "cleanup: delete") ?? .keep
      case .note: note = prose(value, "a note", example: "note: Dropped in 1.4.")
      }
    }
    for (field, value) in [(ReservedField.name, nameNode), (.domain, domainNode)] where value == nil {
      if !fields.hasUnknown {
        findings.report(
          .missingField, "a reserved name needs '\(field.text)'", at: startOf(node),
          help: "write {name: session_v0, domain: userDefaults}")
      }
    }
    guard let nameNode, let domainNode else { return nil }
    let text = storedName(nameNode)
    let domain = self.domain(domainNode, inherited: nil)
    guard let text, let domain else { return nil }
    let resolved = ResolvedReservedName(
      name: text, domain: domain, deletesLeftovers: cleanup == .delete, note: note)
    return DecodedReservedName(resolved: resolved, pattern: NameParts.wildcards(text), node: nameNode)
  }
}
