import LocalDataSyntax
import LocalDataVocabulary

/// A step of a migration on its way from nodes.
struct MigrationDraft: Sendable {
  var from: SyntaxNode?
  var transform: SyntaxNode?
  var aggregate: SyntaxNode?
  var custom: SyntaxNode?
  var condition: ResolvedMigration.VersionCondition?
  var onConflict: ResolvedMigration.OnConflict?
}

/// A source that is described where it is used, on its way from nodes. What it does not say is the key's.
struct SourceDraft: Sendable {
  var memberNode: SyntaxNode?
  var fieldNode: SyntaxNode?
  var nameNode: SyntaxNode?
  var encoding: ParameterEncoding?
  var type: ValueType?
  var domain: DomainDraft?
  var security: SecurityPolicy?
  var serializer: SerializerKind?
  var dates: DateForm?
}

extension Language {
  /// The field of a step that names a migration of the app.
  static let customMigration = "custom"

  /// The fields of one step of a migration.
  static let migration = FieldTable<MigrationDraft>(
    "a migration", what: "a map with 'from' or 'custom'", example: "migration: {from: legacyToken}",
    [
      Field(
        "from", "a source", .either([.identifier, source.shape, .list(of: .either([.identifier, source.shape]))]),
        .optional("none"),
        "The source: the member of a legacy key, a list of members, or a description.", example: "legacyToken"
      ) { $0.from = $1 },
      Field(
        "transform", "the name of a function", .swiftName, .optional("none"),
        "A function from the type of the source to the type of the key.", example: "TokenUpgrade.apply"
      ) { $0.transform = $1 },
      Field(
        "aggregate", "the name of a function", .swiftName, .optional("none"),
        "A function that joins the values of several sources.", example: "Names.join"
      ) { $0.aggregate = $1 },
      Field(
        customMigration, "the name of a migration in Swift", .swiftName, .optional("none"),
        "A StorageMigration of the app.",
        example: "TokenMigration"
      ) { $0.custom = $1 },
      Field(
        "whenAppVersion", .versionCondition, .optional("always"),
        "The versions of the app in which the migration runs.", example: "\"<2.0.0\""
      ) { $0.condition = $1 },
      Field(
        "onConflict", .word("an answer to a conflict"), .optional("keep"),
        "What becomes of sources that differ from what the key holds already.", example: "remove"
      ) { $0.onConflict = $1 },
    ])

  /// The field of a source that names a part of a legacy key's value.
  package static let fieldOfSource = "field"

  /// The fields of a source that is described where it is used, or of which a part is read.
  static let source = FieldTable<SourceDraft>(
    "a source", example: "migration: {from: {name: old_name, domain: userDefaults}}",
    [
      Field(
        "member", "a legacy key", .identifier, .optional("none"),
        "The legacy key of which the key takes a part. Of the other fields, only `field` and `type` go with it.",
        example: "oldSettings"
      ) { $0.memberNode = $1 },
      Field(
        fieldOfSource, "a path", .either([.text, .list(of: .text)]), .optional("the whole value"),
        "The path of the part in the legacy key's JSON or property list. A list has its names as they are.",
        example: "player.speed"
      ) { $0.fieldNode = $1 },
      Field("name", "a stored name", .storedName, .optional("the key's"), "The stored name.", example: "old_name") {
        $0.nameNode = $1
      },
      Field(
        "encoding", .word("an encoding"), .optional("the key's"),
        "How the source's name has the parameters of the key. Without a conflict of names, a source that is only read may have "
          + "verbatim parameters anywhere in its name.", example: "verbatim"
      ) { $0.encoding = $1 },
      Field("type", .type, .optional("the key's"), "The type of the value.", example: "String") { $0.type = $1 },
      Field(
        "domain", "a storage domain", domain.shape, .optional("the key's"), "Where the value is stored.",
        example: "userDefaults"
      ) { node, draft, context in
        guard let domain = domain.decode(node, &context) else { return false }
        guard domain.domain != nil else {
          context.reportMissingDirectory(domain, at: node)
          return false
        }
        draft.domain = domain
        return true
      },
      Field(
        "security", "a security policy", security.shape, .optional("the key's"), "How the value is secured.",
        example: "none"
      ) { node, draft, context in
        draft.security = security.decode(node, &context)?.policy
        return draft.security != nil
      },
      Field("serializer", .serializer, .optional("the key's"), "How the value became bytes.", example: "json") {
        $0.serializer = $1
      },
      Field(
        "dates", .word("a form of dates"), .optional("the key's; with a serializer, that of the serializer"),
        "The form of dates in the stored value.", example: "secondsSince1970"
      ) { $0.dates = $1 },
    ])
}

extension ValueShape where Value == ResolvedMigration.VersionCondition {
  fileprivate static var versionCondition: Self {
    Self(what: "a version condition", shape: .versionCondition) { node, entry, context in
      guard let text = context.scalar(node, "a version condition", example: entry.written) else { return nil }
      if let condition = ResolvedMigration.VersionCondition(text) { return condition }
      let signs = ResolvedMigration.VersionCondition.Comparison.allCases.map(\.rawValue).joined(separator: ", ")
      context.findings.report(
        .invalidVersionCondition, "'\(text)' is not a condition on a version", at: node,
        help: "write one of \(signs) and numbers with dots, in quotes, for example \"<2.0.0\"")
      return nil
    }
  }
}
