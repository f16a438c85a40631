import LocalDataSyntax

/// A backup with its places.
struct DecodedBackupFile: Sendable {
  var member: SyntaxNode
  var body: SyntaxNode
  var draft: BackupFileDraft

  var resolved: ResolvedBackupFile {
    var resolved = ResolvedBackupFile(member: member.text, line: member.line, description: draft.description)
    resolved.records = draft.recordNodes.map(\.text)
    resolved.keys = draft.keyNodes.map(\.text)
    resolved.privateKeys = draft.privateKeyNodes.map(\.text)
    resolved.isEncrypted = draft.isEncrypted && !draft.isPersonalData
    return resolved
  }
}

extension Findings.Key {
  /// A backup by its member with the name of the section: a key can have the same member.
  static func backup(_ member: SyntaxNode, _ body: SyntaxNode) -> Self {
    Self(member: member, body: body, name: "backupFiles.\(member.text)")
  }
}

/// Decodes backups. Their records and keys are looked up when all catalogs of the run are known.
enum BackupFileDecoder {
  static func backups(_ document: CatalogDocument, _ context: inout DecodingContext) -> [DecodedBackupFile] {
    guard let node = document.sections.backupFiles,
      context.mapping(node, "a map of backups", example: "backupFiles: {\(Language.backupFile.example)}")
    else { return [] }
    return node.fields.compactMap { backup($0.key, $0.value, &context) }
  }

  private static func backup(
    _ member: SyntaxNode, _ body: SyntaxNode, _ context: inout DecodingContext
  ) -> DecodedBackupFile? {
    context.findings.key = .backup(member, body)
    defer { context.findings.key = nil }
    _ = context.identifier(member, as: .backup)
    let table = Language.backupFile
    guard context.mapping(body, table.what, example: table.example) else { return nil }
    var draft = BackupFileDraft()
    let read = table.decode(body, into: &draft, &context)
    table.reportMissing(read, besides: [], in: member, &context)
    return DecodedBackupFile(member: member, body: body, draft: draft)
  }
}
