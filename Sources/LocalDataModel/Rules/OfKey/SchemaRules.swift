import LocalDataSyntax
import LocalDataVocabulary

/// Checks that the serializer `data` gets bytes or text, and that `jsonText` is stored in plain preferences.
struct SerializerTypeRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    if !descriptor.serializer.isUsable(in: descriptor.domain, descriptor.security),
      key.isSound(KeyFieldSet(.serializer, .domain, .security))
    {
      findings.report(
        .serializerType, SerializerKind.textOutsidePreferences, at: key.node(of: .serializer, defaults: defaults),
        help: SerializerKind.cureOfText)
    }
    guard !key.resolved.descriptor.serializer.takes(key.resolved.type),
      key.isSound(KeyFieldSet(.serializer, .type))
    else { return }
    findings.report(
      .serializerType, key.resolved.descriptor.serializer.refusal(of: key.resolved.type),
      at: key.node(of: .serializer, defaults: defaults),
      help: "use json, propertyList, or {custom: NoteSerializer}",
      notes: [
        .init("the type of '\(key.resolved.descriptor.member)'", at: key.node(of: .type, defaults: defaults).place)
      ])
  }
}

extension Rule {
  static let upgradeSchema = Rule(
    "upgrade-schema", .migrations, "An upgrade is from a schema before the key's, and the key says its schema.",
    why: "The schema is stored with each value and decides which upgrades run.",
    bad: .keys(
      "profile: {type: Data, upgrade: [{from: 1, transform: Upgrades.second}], description: Who the user is.}"),
    good: .keys(
      "profile: {type: Data, schema: 2, upgrade: [{from: 1, transform: Upgrades.second}], "
        + "description: Who the user is.}"))
}

/// Checks that each upgrade leads towards the key's schema, and that there is one for each earlier schema at most.
struct UpgradeSchemaRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard !key.upgrades.isEmpty, key.isSound(KeyFieldSet(.schema, .upgrade)) else { return }
    guard key.own.contains(.schema) else {
      let last = key.upgrades.map(\.from).max() ?? 1
      findings.report(
        .upgradeSchema, "the key has an `upgrade` but no `schema`",
        at: key.node(of: .upgrade, defaults: defaults), help: "add `schema: \(last + 1)`")
      return
    }
    let schema = key.resolved.descriptor.schema
    var seen: [Int: SyntaxNode] = [:]
    for step in key.upgrades {
      if step.from >= schema {
        findings.report(
          .upgradeSchema, "an upgrade from \(step.from) does not lead to schema \(schema)", at: step.fromNode,
          help: "write `schema: \(step.from + 1)`, or remove the upgrade",
          notes: [.init("the schema", at: key.node(of: .schema, defaults: defaults).place)])
      }
      if let first = seen[step.from] {
        findings.report(
          .duplicateEntry, "there are two upgrades from schema \(step.from)", at: step.fromNode,
          help: "remove one of the two",
          notes: [.init("the other one", at: first.place)])
      } else {
        seen[step.from] = step.fromNode
      }
    }
  }
}

extension Rule {
  static let upgradeGap = Rule(
    "upgrade-gap", .migrations, "There is an upgrade from each schema before the key's.",
    why: "A user can skip releases. A value of an earlier schema could not be read any more.",
    bad: .keys("profile: {type: Data, schema: 2, description: Who the user is.}"),
    good: .keys(
      "profile: {type: Data, schema: 2, upgrade: [{from: 1, transform: Upgrades.second}], "
        + "description: Who the user is.}"))
}

/// Checks that the values of each earlier schema can be upgraded.
struct UpgradeGapRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.schema > 1, key.isSound(KeyFieldSet(.schema, .upgrade)) else { return }
    let missing = Set(1..<key.resolved.descriptor.schema).subtracting(key.upgrades.map(\.from)).sorted()
    guard let first = missing.first else { return }
    let isWritten = key.own.contains(.upgrade)
    let listed = missing.prefix(3).map(String.init).joined(separator: ", ")
    let rest = missing.count > 3 ? " and \(missing.count - 3) more" : ""
    findings.report(
      .upgradeGap, "there is no upgrade from schema\(missing.count == 1 ? "" : "s") \(listed)\(rest)",
      at: key.node(of: isWritten ? .upgrade : .schema, defaults: defaults),
      help: isWritten
        ? "add {from: \(first), transform: …} to the list; the transform throws if the app no longer reads such values"
        : "add `upgrade: [{from: \(first), transform: …}]` with a function from the old type to this one")
  }
}
