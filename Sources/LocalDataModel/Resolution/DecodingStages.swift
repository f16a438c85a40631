import LocalDataSyntax

/// The files of a run, each read by itself: its header, and the nodes of its sections.
struct CatalogFiles {
  private(set) var context = DecodingContext(rules: RuleCatalog.index)
  private(set) var documents: [CatalogDocument] = []

  init(_ trees: [SyntaxTree]) {
    for tree in trees {
      if let document = FileDecoder.document(tree, index: documents.count, &context) { documents.append(document) }
    }
  }
}

/// The files of a run with the types of all of them, which every file can name.
struct TypedFiles {
  private(set) var context: DecodingContext
  private(set) var documents: [CatalogDocument]

  init(_ files: CatalogFiles) {
    context = files.context
    documents = files.documents
    for index in documents.indices {
      documents[index].decode(&context) { document, context in
        if let types = document.sections.types { TypesDecoder.declare(types, &context) }
      }
    }
    for index in documents.indices {
      documents[index].decode(&context) { _, context in TypesDecoder.completeStructs(&context) }
    }
  }
}

/// The keys, databases and records of a run, each decoded by itself. What they say of each other is not known yet.
struct DecodedCatalogs {
  private(set) var context: DecodingContext
  private(set) var documents: [CatalogDocument]
  let records: RecordTable

  init(_ files: TypedFiles) {
    context = files.context
    documents = files.documents
    var records = RecordTable()
    for index in documents.indices {
      documents[index].decode(&context) { document, context in
        let template = document.defaults.map { KeyDecoder.template($0, &context) } ?? KeyDraft()
        Self.decodeKeys(of: &document, over: template, &context)
        Self.decodeSigningKeys(of: &document, over: template, &context)
        if let names = document.sections.reserved { FileDecoder.reserved(names, into: &document, &context) }
        Self.decodeRecords(of: document, over: template, into: &records, &context)
        document.backupFiles = BackupFileDecoder.backups(document, &context)
        document.unmanaged = UnmanagedDecoder.entries(document, over: template, &context)
      }
    }
    self.records = records
  }

  // MARK: Records

  /// - Parameter template: What `defaults` says.
  private static func decodeRecords(
    of document: CatalogDocument, over template: KeyDraft, into table: inout RecordTable,
    _ context: inout DecodingContext
  ) {
    if let node = document.sections.databases,
      context.mapping(node, "a map of databases", example: "databases: {\(Language.database.example)}")
    {
      for (member, body) in node.fields {
        if let database = DatabaseDecoder.database(member, body, over: template, &context) { table.add(database) }
      }
    }
    if let node = document.sections.sources,
      context.mapping(node, "a map of sources", example: "sources: {\(Language.importSource.example)}")
    {
      for (member, body) in node.fields {
        if let source = SourceDecoder.source(member, body, &context) { table.sources.append(source) }
      }
    }
    if let node = document.sections.records,
      context.mapping(node, "a map of records", example: "records: {\(Language.record.example)}")
    {
      for (name, body) in node.fields {
        table.add(RecordDecoder.record(name, body, over: template, &context))
      }
    }
  }

  // MARK: Keys

  private static func decodeKeys(
    of document: inout CatalogDocument, over template: KeyDraft, _ context: inout DecodingContext
  ) {
    guard let node = document.sections.keys,
      context.mapping(node, "a map of keys", example: "keys: {theme: {type: String, …}}")
    else { return }
    let fields = Array(node.fields)
    let most = CatalogLimits.keys
    guard fields.count <= most else {
      context.findings.report(
        .tooManyKeys, "a catalog has at most \(most) keys, not \(fields.count)", at: fields[most].key,
        help: "divide it into several catalogs")
      return
    }
    decode(withoutUnindented(fields, &context), template: template, into: &document, &context)
  }

  private static func decodeSigningKeys(
    of document: inout CatalogDocument, over template: KeyDraft, _ context: inout DecodingContext
  ) {
    let table = Language.signingKey
    guard let node = document.sections.signingKeys,
      context.mapping(node, "a map of key pairs", example: "signingKeys: {\(table.example)}")
    else { return }
    let keys = node.fields.map { SigningKeyDecoder.key($0.key, $0.value, template: template, &context) }
    document.keys += keys
    document.ruleFindings.add(CatalogRules.check(keys, defaults: document.defaults))
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
