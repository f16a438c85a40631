import CatalogSyntax
import StorageVocabulary

/// The fields of a key.
extension CatalogDecoder {
  /// What `defaults` says for every key of its file.
  mutating func template(_ node: SyntaxNode) -> KeyDraft {
    var draft = KeyDraft()
    guard mapping(node, "a map of fields", example: "defaults: {owner: AccountTeam}") else {
      // Nobody knows what it would have said: what a key leaves out may be that.
      draft.failed = KeyFieldSet(KeyField.allCases.filter(\.isInheritable))
      return draft
    }
    var fields = FieldIterator<KeyField>(node, of: "a key")
    while let (field, key, value) = fields.next(&findings) {
      guard field.isInheritable else {
        findings.report(
          .misplacedField, "'\(field.text)' is each key's own and cannot stand in 'defaults'", at: key,
          help: "write it in the keys")
        continue
      }
      if !decode(field, value, into: &draft, inherited: KeyDraft()) { draft.failed |= field }
    }
    for field in fields.misspelt { draft.failed |= field }
    return draft
  }

  mutating func key(_ member: SyntaxNode, _ body: SyntaxNode, template: KeyDraft) -> DecodedKey {
    var draft = template
    let name = identifier(member, as: .member)
    if mapping(body, "a map of the key's fields", example: "theme: {type: String, …}") {
      var fields = FieldIterator<KeyField>(body, of: "a key")
      while let (field, _, value) = fields.next(&findings) {
        draft.own |= field
        if decode(field, value, into: &draft, inherited: template) {
          draft.failed.subtract(KeyFieldSet(field))
        } else {
          draft.failed |= field
        }
      }
      // What is missing is what was misspelt.
      for field in fields.misspelt { draft.failed |= field }
    } else {
      draft.failed = KeyFieldSet(rawValue: .max)
    }
    if name == nil, draft.nameNode == nil { draft.failed |= .name }
    return finish(&draft, name ?? member.text, member, body)
  }

  /// Decodes one field; whether it is sound.
  private mutating func decode(
    _ field: KeyField, _ node: SyntaxNode, into draft: inout KeyDraft, inherited: KeyDraft
  ) -> Bool {
    switch field {
    case .name: draft.nameNode = node
    case .default: draft.defaultNode = node
    case .migration: draft.migrationNode = node
    case .type: return set(&draft.type, valueType(node, in: .key))
    case .domain:
      draft.domainNode = node
      return set(&draft.domain, domain(node, inherited: inherited.domainNode))
    case .security:
      draft.securityNode = node
      return set(&draft.security, security(node, inherited: inherited.securityNode))
    case .serializer: return set(&draft.serializer, serializer(node))
    case .owner: return set(&draft.owner, owner(node))
    case .description: return set(&draft.description, description(node))
    case .access: return set(&draft.access, name(node, "a level of access", example: "access: public"))
    case .availability:
      return set(&draft.availability, name(node, "an availability", example: "availability: phoneOnly"))
    case .syncPolicy: return set(&draft.syncPolicy, name(node, "a sync policy", example: "syncPolicy: manual"))
    case .sync: return set(&draft.transfer, transfer(node))
    case .watch: return set(&draft.watch, watchRepresentation(node))
    case .sensitivity: return set(&draft.sensitivity, name(node, "a sensitivity", example: "sensitivity: personal"))
    case .retention: return set(&draft.retention, retention(node))
    case .maxSize: return set(&draft.maxSize, maxSize(node))
    case .backup: return set(&draft.backup, flag(node, field.text))
    case .legacy: return set(&draft.isLegacy, flag(node, field.text))
    case .parameters: return set(&draft.parameters, parameters(node, mayBeEmpty: !inherited.parameters.isEmpty))
    case .deprecated: return set(&draft.deprecation, deprecation(node))
    case .privacy: return set(&draft.privacy, privacy(node))
    case .schema: return set(&draft.schema, schema(node))
    case .upgrade: return set(&draft.upgrades, upgrades(node))
    }
    return true
  }

  private func set<Value>(_ slot: inout Value?, _ value: Value?) -> Bool {
    slot = value
    return value != nil
  }

  private func set<Value>(_ slot: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    slot = value
    return true
  }
}
