import LocalDataSyntax
import LocalDataVocabulary

/// Sources of which a key takes a part: one field of a legacy key's value.
extension MigrationDecoder {
  mutating func part(_ draft: SourceDraft, _ node: SyntaxNode) -> Source? {
    let example = "write {from: {member: oldSettings, field: theme}}"
    guard let memberNode = draft.memberNode else {
      report(.sourceField, "a field is a part of a legacy key's value", draft.fieldNode ?? node, example)
      return nil
    }
    let others = ["name", "domain", "security", "serializer", "dates"] + (draft.fieldNode == nil ? ["type"] : [])
    for name in others {
      guard let other = node.key(of: name) else { continue }
      report(
        .sourceField, "'\(name)' does not go with 'member': the legacy key has it", other,
        "remove `\(name)`; of a legacy key, a source has `field` and `type`")
      return nil
    }
    guard let fieldNode = draft.fieldNode else { return declaredSource(memberNode) }
    guard let field = path(fieldNode), let source = declaredSource(memberNode, field: field, at: fieldNode) else {
      return nil
    }
    guard case .declared(var declared) = source.source else { return nil }
    declared.field = field
    declared.type = draft.type ?? key.resolved.type
    let isSound = draft.type != nil || key.isSound(KeyFieldSet(.type))
    return Source(source: .declared(declared), type: isSound ? declared.type : nil, node: node)
  }

  /// Returns true if a key of the run can read a field of a legacy key.
  mutating func canReadField(_ field: ResolvedMigration.SourceField, of source: DecodedKey, at node: SyntaxNode) -> Bool
  {
    let descriptor = source.resolved.descriptor
    let serializer = descriptor.serializer
    if !source.resolved.parameters.isEmpty {
      report(
        .sourceField, "'\(descriptor.member)' is a family, and a field is read from a single key", node,
        "read the members of the family in a custom migration")
    } else if source.isSound(KeyFieldSet(.type)), descriptor.valueType != Self.typeOfShared {
      report(
        .sourceField,
        "'\(descriptor.member)' is of the type '\(descriptor.valueType)', and fields are read from a value of "
          + "any shape", node, "write `type: \(Self.typeOfShared)` at '\(descriptor.member)'")
    } else if source.isSound(KeyFieldSet(.serializer)), ![.json, .propertyList, .jsonText].contains(serializer) {
      report(
        .sourceField, "'\(descriptor.member)' is neither JSON nor a property list", node,
        "write `serializer: json` or `serializer: propertyList` at '\(descriptor.member)'")
    } else {
      return namesParameters(field, at: node)
    }
    return false
  }

  private static let typeOfShared = "AnyCodable"

  private mutating func namesParameters(_ field: ResolvedMigration.SourceField, at node: SyntaxNode) -> Bool {
    let own = key.resolved.parameters.map(\.name)
    let named = field.names.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    if named.sorted() == own.sorted() { return true }
    let text =
      own.isEmpty
      ? "write it without braces" : "write each parameter once: \(own.map { "{\($0)}" }.joined(separator: ", "))"
    report(
      .sourceField,
      own.isEmpty
        ? "'\(descriptor.member)' has no parameters"
        : "the path does not name each parameter of '\(descriptor.member)' once",
      node, text + "; a list has its names as they are, also with braces")
    return false
  }

  /// Returns a name of a path: a text, or a parameter as a whole. Returns nil for all other texts, which the caller reports.
  private static func name(_ text: String) -> ResolvedKey.NamePart? {
    do throws(NameParts.Problem) {
      let parts = try NameParts.parse(text)
      return parts.count == 1 ? parts[0] : nil
    } catch {
      return nil
    }
  }

  /// Returns the names of a path, which is a text with dots, or a list of names.
  private mutating func path(_ node: SyntaxNode) -> ResolvedMigration.SourceField? {
    let example = "field: player.speed"
    var names: [ResolvedKey.NamePart?] = []
    if node.kind == .sequence {
      for child in node.children {
        guard let text = context.scalar(child, "a name", example: "field: [player, speed]") else { return nil }
        names.append(text.isEmpty ? nil : .text(text))
      }
    } else {
      guard let text = context.scalar(node, "a path", example: example) else { return nil }
      names = text.split(separator: ".", omittingEmptySubsequences: false).map { name in
        Self.name(String(name))
      }
    }
    let sound = names.compactMap(\.self)
    if !sound.isEmpty, sound.count == names.count { return ResolvedMigration.SourceField(names: sound) }
    report(
      .sourceField, "a path is made of names, each a text or a parameter in braces", node,
      "write `\(example)`, `field: \"users.{userID}.draft\"`, or a list for names with dots or braces: "
        + "`field: [player.speed]`")
    return nil
  }
}
