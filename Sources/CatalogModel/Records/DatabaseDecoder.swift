import CatalogSyntax
import StorageVocabulary

/// Decodes databases.
enum DatabaseDecoder {
  /// Returns a database. Returns nil, after a finding, if its value is not a map.
  static func database(
    _ member: SyntaxNode, _ body: SyntaxNode, over template: KeyDraft, _ context: inout DecodingContext
  ) -> DecodedDatabase? {
    _ = context.identifier(member, as: .database)
    let table = Language.database
    guard context.mapping(body, table.what, example: table.example) else { return nil }
    var draft = DatabaseDraft()
    if template.inherited.contains(.owner) { draft.owner = template.descriptor.owner }
    draft.access = template.access
    let read = table.decode(body, into: &draft, &context)
    table.reportMissing(
      read, besides: template.inherited.union(template.failed).contains(.owner) ? ["owner"] : [], in: member, &context)
    return DecodedDatabase(
      member: member, body: body, draft: draft, catalog: context.header.index,
      access: draft.access ?? context.header.access)
  }
}

extension FieldTable {
  /// Reports each required field of a map that neither the map nor `defaults` writes.
  func reportMissing(
    _ read: FieldsRead, besides inherited: [String], in name: SyntaxNode, _ context: inout DecodingContext
  ) {
    let written = read.present.union(read.failed).union(set(inherited))
    for (position, field) in fields.enumerated()
    where field.entry.presence == .required && !written.contains(FieldSet(position: position)) {
      let entry = field.entry
      let rule: Rule =
        switch entry.name {
        case "owner": .missingOwner
        case "description": .missingDescription
        default: .missingField
        }
      context.findings.report(
        rule, "'\(name.text)' has no \(entry.name)", at: name,
        help: "add `\(entry.written)`" + (entry.isInheritable ? " here, or once in 'defaults'" : ""))
    }
  }
}
