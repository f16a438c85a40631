import CatalogSyntax

/// All catalogs of a run, decoded: what the rules between fields and between keys look at.
struct CatalogRun {
  static let maxKeys = 20_000

  var context = DecodingContext()
  var documents: [CatalogDocument] = []
  var records = RecordTable()
  /// The catalogs of the paired device, or nil if the run does not know them.
  var paired: [ResolvedCatalog]?

  /// Headers first, then all types, then all keys and records: each may name what any catalog declares.
  static func decode(_ trees: [SyntaxTree]) -> CatalogRun {
    var run = CatalogRun()
    for tree in trees {
      if let document = FileDecoder.document(tree, index: run.documents.count, &run.context) {
        run.documents.append(document)
      }
    }
    for document in run.documents {
      run.context.header = document.header
      if let types = document.types { TypesDecoder.declare(types, &run.context) }
    }
    for index in run.documents.indices {
      run.withDocument(index) { context, _ in TypesDecoder.completeStructs(&context) }
    }
    var records = RecordTable()
    for index in run.documents.indices {
      run.withDocument(index) { context, document in
        var template = KeyDraft()
        if let defaults = document.defaults { template = KeyDecoder.template(defaults, &context) }
        decodeKeys(of: &document, over: template, &context)
        decodeRecords(of: document, over: template, into: &records, &context)
      }
    }
    run.records = records
    run.resolveRecords()
    return run
  }

  /// Decodes with the header of a document, and keeps what the header learned.
  private mutating func withDocument(
    _ index: Int, _ body: (inout DecodingContext, inout CatalogDocument) -> Void
  ) {
    context.header = documents[index].header
    body(&context, &documents[index])
    documents[index].header = context.header
  }

  /// The keys that no finding is left of. To be asked only where no finding is an error.
  func resolved() -> [ResolvedCatalog] {
    let databases = documents.flatMap { resolvedDatabases(of: $0.header) }
    return documents.map { document in
      let header = document.header
      let path = document.tree.source.path
      return ResolvedCatalog(
        name: header.name, path: path, baseName: document.tree.source.baseName, access: header.access,
        imports: header.imports.union(header.borrowedModules).subtracting(CatalogHeader.standingImports).sorted(),
        types: resolvedTypes(of: document), keys: document.keys.map(\.resolved),
        reserved: document.reserved.map(\.resolved), databases: resolvedDatabases(of: header),
        records: resolvedRecords(of: header, in: databases), reservedRecords: document.reservedRecords.map(\.resolved),
        allowances: document.keys.flatMap(\.allowances) + allowances(ofRecordsOf: header))
    }
  }

  private func resolvedTypes(of document: CatalogDocument) -> [ResolvedType] {
    context.types.all.lazy.filter { $0.catalog == document.header.index }.compactMap { declared in
      let form: ResolvedType.Form
      switch declared.form {
      case .stringEnum(let cases): form = .stringEnum(cases)
      case .intEnum(let cases): form = .intEnum(cases)
      case .structure(let fields): form = .structure(fields)
      case .swift(let name, _): form = .swift(name)
      case .unknown: return nil
      }
      let description = declared.body.value(of: "description")?.text ?? ""
      return ResolvedType(
        name: declared.name, description: description, line: declared.node.line, form: form)
    }
  }
}

extension CatalogRun {
  /// Decodes the keys and the reserved names of a document.
  private static func decodeKeys(
    of document: inout CatalogDocument, over template: KeyDraft, _ context: inout DecodingContext
  ) {
    if let node = document.keyNodes,
      context.mapping(node, "a map of keys", example: "keys: {theme: {type: String, …}}")
    {
      let fields = Array(node.fields)
      if fields.count > Self.maxKeys {
        context.findings.report(
          .tooManyKeys, "a catalog has at most \(Self.maxKeys) keys, not \(fields.count)",
          at: fields[Self.maxKeys].key, help: "divide it into several catalogs")
      } else {
        decode(withoutUnindented(fields, &context), template: template, into: &document, &context)
        document.hasMigration = document.keys.contains { $0.migrationNode != nil }
      }
    }
    if let reserved = document.reservedNodes { FileDecoder.reserved(reserved, into: &document, &context) }
  }

  /// Returns the keys of a map without those that are fields of the key above. A key has no fields if `type:` and the
  /// rest are written straight below it. One finding says so.
  private static func withoutUnindented(
    _ all: [(key: SyntaxNode, value: SyntaxNode)], _ context: inout DecodingContext
  ) -> [(key: SyntaxNode, value: SyntaxNode)] {
    guard all.contains(where: { $0.value.isNull }) else { return all }
    var result: [(key: SyntaxNode, value: SyntaxNode)] = []
    var index = 0
    while index < all.count {
      let field = all[index]
      var next = index + 1
      if field.value.isNull {
        while next < all.count, Language.key.position(of: all[next].key) != nil { next += 1 }
      }
      if next == index + 1 {
        result.append(field)
      } else {
        context.findings.report(
          .wrongKind, "'\(field.key.text)' has no fields, because those below it are not indented", at: field.key,
          help: "indent '\(all[index + 1].key.text)' and what follows deeper than '\(field.key.text)'")
      }
      index = next
    }
    return result
  }

  /// Some hundred keys a turn, so that their number decides nothing about how threads share the work.
  private static let keysAtOnce = 256

  /// Keys name types, which are all declared by now, and not each other: they are decoded side by side, and so are they
  /// checked by the rules that look at one key.
  private static func decode(
    _ fields: [(key: SyntaxNode, value: SyntaxNode)], template: KeyDraft, into document: inout CatalogDocument,
    _ context: inout DecodingContext
  ) {
    var blank = context
    blank.findings = Findings()
    blank.suggestions = context.suggestions.share(among: fields.count / Self.keysAtOnce)
    let start = blank
    let defaults = document.defaults
    let parts = stride(from: 0, to: fields.count, by: Self.keysAtOnce)
      .map { fields[$0..<min($0 + Self.keysAtOnce, fields.count)] }
      .concurrentMap { part in
        var context = start
        let tree = part[part.startIndex].key.tree.aliased()
        let keys = part.map { KeyDecoder.key($0.key.within(tree), $0.value.within(tree), template: template, &context) }
        return (
          keys: keys, findings: context.findings, ruleFindings: CatalogRules.check(keys, defaults: defaults),
          modules: context.header.borrowedModules
        )
      }
    document.keys.reserveCapacity(fields.count)
    for part in parts {
      document.keys += part.keys
      document.ruleFindings.add(part.ruleFindings)
      context.findings.add(part.findings)
      context.header.borrowedModules.formUnion(part.modules)
    }
  }
}
