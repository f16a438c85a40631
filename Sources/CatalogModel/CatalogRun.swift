import CatalogSyntax

/// All catalogs of a run, decoded: what the rules between fields and between keys look at.
struct CatalogRun {
  static let maxKeys = 20_000

  var decoder = CatalogDecoder()
  var documents: [CatalogDocument] = []

  /// Headers first, then all types, then all keys: each may name what any catalog declares.
  static func decode(_ trees: [SyntaxTree]) -> CatalogRun {
    var run = CatalogRun()
    for tree in trees {
      if let document = run.decoder.document(tree, index: run.documents.count) { run.documents.append(document) }
    }
    for document in run.documents {
      run.decoder.header = document.header
      if let types = document.types { run.decoder.declareTypes(types) }
    }
    for index in run.documents.indices {
      run.withDocument(index) { decoder, _ in decoder.completeStructs() }
    }
    for index in run.documents.indices {
      run.withDocument(index) { decoder, document in decoder.keys(&document) }
    }
    return run
  }

  /// Decodes with the header of a document, and keeps what the header learned.
  private mutating func withDocument(
    _ index: Int, _ body: (inout CatalogDecoder, inout CatalogDocument) -> Void
  ) {
    decoder.header = documents[index].header
    body(&decoder, &documents[index])
    documents[index].header = decoder.header
  }

  /// The keys that no finding is left of. To be asked only where no finding is an error.
  func resolved() -> [ResolvedCatalog] {
    documents.map { document in
      let header = document.header
      let path = document.tree.source.path
      return ResolvedCatalog(
        name: header.name, path: path, baseName: document.tree.source.baseName, access: header.access,
        imports: header.imports.union(header.borrowedModules).subtracting(CatalogHeader.standingImports).sorted(),
        types: resolvedTypes(of: document), keys: document.keys.map(\.resolved),
        reserved: document.reserved.map(\.resolved))
    }
  }

  private func resolvedTypes(of document: CatalogDocument) -> [ResolvedType] {
    decoder.types.all.lazy.filter { $0.catalog == document.header.index }.compactMap { declared in
      let form: ResolvedType.Form
      switch declared.form {
      case .stringEnum(let cases): form = .stringEnum(cases)
      case .intEnum(let cases): form = .intEnum(cases)
      case .structure(let fields): form = .structure(fields)
      case .swift(let name, _): form = .swift(name)
      case .unknown: return nil
      }
      let description = declared.body.value(of: TypeField.description.text)?.text ?? ""
      return ResolvedType(
        name: declared.name, description: description, line: declared.node.line, form: form)
    }
  }
}

extension CatalogDecoder {
  /// The keys and reserved names of a document.
  fileprivate mutating func keys(_ document: inout CatalogDocument) {
    var template = KeyDraft()
    if let defaults = document.defaults { template = self.template(defaults) }
    if let node = document.keyNodes,
      mapping(node, "a map of keys", example: "keys: {theme: {type: String, …}}")
    {
      let fields = Array(node.fields)
      if fields.count > CatalogRun.maxKeys {
        findings.report(
          .tooManyKeys, "a catalog has at most \(CatalogRun.maxKeys) keys, not \(fields.count)",
          at: fields[CatalogRun.maxKeys].key, help: "divide it into several catalogs")
      } else {
        decodeKeys(withoutUnindented(fields), template: template, into: &document)
        document.hasMigration = document.keys.contains { $0.migrationNode != nil }
      }
    }
    if let reserved = document.reservedNodes { document.reserved = reservedNames(reserved) }
  }

  /// The keys of a map but for those that are fields of the key above, which has none: `theme:` with `type:` straight
  /// below it. One finding says so.
  private mutating func withoutUnindented(
    _ all: [(key: SyntaxNode, value: SyntaxNode)]
  ) -> [(key: SyntaxNode, value: SyntaxNode)] {
    guard all.contains(where: { $0.value.isNull }) else { return all }
    var result: [(key: SyntaxNode, value: SyntaxNode)] = []
    var index = 0
    while index < all.count {
      let field = all[index]
      var next = index + 1
      if field.value.isNull {
        while next < all.count, KeyField.names.find(all[next].key) != nil { next += 1 }
      }
      if next == index + 1 {
        result.append(field)
      } else {
        findings.report(
          .wrongKind, "'\(field.key.text)' has no fields: those below it are not indented", at: field.key,
          help: "indent '\(all[index + 1].key.text)' and what follows deeper than '\(field.key.text)'")
      }
      index = next
    }
    return result
  }

  /// Some hundred keys a turn, so that their number decides nothing about how threads share the work.
  private static let keysAtOnce = 256
  /// What a key takes of memory, about.
  private static let keySize = 2 << 10

  /// Keys name types, which are all declared by now, and not each other: they are decoded side by side, and so are they
  /// checked by the rules that look at one key.
  private mutating func decodeKeys(
    _ fields: [(key: SyntaxNode, value: SyntaxNode)], template: KeyDraft, into document: inout CatalogDocument
  ) {
    var blank = self
    blank.findings = Findings()
    let start = blank
    let defaults = document.defaults
    let parts = stride(from: 0, to: fields.count, by: Self.keysAtOnce)
      .map { fields[$0..<min($0 + Self.keysAtOnce, fields.count)] }
      .concurrentMap { part in
        ThreadHeap.reserve(part.count * Self.keySize)
        var decoder = start
        let tree = part[part.startIndex].key.tree.aliased()
        let keys = part.map { decoder.key($0.key.within(tree), $0.value.within(tree), template: template) }
        return (
          keys: keys, findings: decoder.findings, ruleFindings: CatalogRules.check(keys, defaults: defaults),
          modules: decoder.header.borrowedModules
        )
      }
    document.keys.reserveCapacity(fields.count)
    for part in parts {
      document.keys += part.keys
      document.ruleFindings.add(part.ruleFindings)
      findings.add(part.findings)
      header.borrowedModules.formUnion(part.modules)
    }
  }
}
