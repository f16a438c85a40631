import LocalDataSyntax
import LocalDataVocabulary

/// A record of `records` on its way from nodes.
struct RecordDraft: Sendable {
  var databaseNode: SyntaxNode?
  var name: String?
  var memberNode: SyntaxNode?
  var keyNode: SyntaxNode?
  var fieldsNode: SyntaxNode?
  var indexes: [FieldList] = []
  var unique: [FieldList] = []
  var retention: RecordRetentionDraft?
  var expiresNode: SyntaxNode?
  var skipsDamaged = false
  var maxSize: Int?
  var reserved: [ReservedFields] = []
  var imported: ImportDraft?
  var owner: String?
  var description = ""
  var sensitivity = Sensitivity.internal
  var privacy: ResolvedPrivacy?
  var access: AccessLevel?
  var deprecation: ResolvedKey.Deprecation?
  var labels = DeclarationLabels()
  var signOut: RecordSignOutDraft?
  var review: ResolvedReview?
  var allowances: [Allowance] = []
}

/// The names of the fields of an index, with their places.
struct FieldList: Sendable {
  var node: SyntaxNode
  var names: [SyntaxNode]
  /// The record that stays of several with equal values, for a unique index.
  var existing: ResolvedRecord.Existing?
}

/// `signOut` of a record on its way from nodes.
struct RecordSignOutDraft: CaseDraft {
  enum Kind: String, CaseName {
    case keep, by

    static let names = NameTable<Self>()
  }

  var kind: Kind
  /// The name of the field.
  var byNode: SyntaxNode?

  init(_ kind: Kind) { self.kind = kind }
}

extension ResolvedRecord.Existing.Kept: CaseName {
  static let names = NameTable<Self>()
}

/// The action on records that refer to a record which a new unique index deletes.
enum ReferringRecords: String, CaseName {
  case cascade

  static let names = NameTable<Self>()
}

/// The action of a query on a row that is damaged.
enum RowCorruption: String, CaseName {
  case `throw`, skip

  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of a record, in the order in which `fmt` writes them.
  static let record = FieldTable<RecordDraft>(
    "a record", what: "a map of the fields of a record", example: "Credential: {key: id, fields: {…}, …}",
    [
      Field(
        "database", "the name of a database", .identifier, .optional("the only database of the run"),
        "The database that contains the record. It can be declared in any catalog of the run.", example: "wallet",
        isInheritable: true
      ) { $0.databaseNode = $1 },
      Field(
        "name", .tableName("the stored name of a record"), .optional("the type"),
        "The stored name: the name of the table. It consists of ASCII letters, digits and `_`.", example: "Credential_2"
      ) { $0.name = $1 },
      Field(
        "member", "a member of the router", .identifier, .optional("the plural of the type in lower camel case"),
        "The member of the router that reads and writes the records: `credentials` is used as `router.credentials`.",
        example: "credentials"
      ) { $0.memberNode = $1 },
      Field(
        "key", "the name of a field", .identifier, .optional("id"),
        "The field that identifies a record. Its type is String, UUID, Int or Int64.", example: "urn"
      ) { $0.keyNode = $1 },
      Field(
        "fields", "a map of fields", .map(of: recordField.shape), .required,
        "The fields of the record, at most \(CatalogLimits.recordFields).",
        example: "{id: {type: UUID, number: 1, default: new}}"
      ) { $0.fieldsNode = $1 },
      Field(
        "indexes", .fieldLists("a list of indexes"), .optional("none"),
        "Indexes of several fields, each a list of fields in the order of the index. An index makes queries fast that "
          + "compare or sort by its first fields.", example: "[[rp, createdAt]]"
      ) { $0.indexes = $1 },
      Field(
        "unique", .fieldLists("a list of unique indexes", allowsExisting: true), .optional("none"),
        "Lists of fields that no two records may have the same values of. An update that adds one says in `existing` which of "
          + "several equal records stays: `keepFirst` or `keepLast`, in the order in which they were inserted. The others are "
          + "deleted, and what refers to them refers to the one that stays.",
        example: "[[issuer, serial], {fields: [email], existing: keepLast}]"
      ) { $0.unique = $1 },
      Field(
        "retention", .recordRetention, .optional("kept until removed"),
        "How long a record is kept. A record whose time has ended is not read any more, and is deleted with the records "
          + "that refer to it.", example: "{maxAge: 180d, by: createdAt}"
      ) { $0.retention = $1 },
      Field(
        "expires", "the name of a field", .identifier, .optional("none"),
        "The field with the Date at which a record expires. It is indexed, and the emitted code has `expiring(within:)`, "
          + "`expired` and `isExpired(at:)`. Expired records are not deleted.", example: "exp"
      ) { $0.expiresNode = $1 },
      Field(
        "onCorruption", .word("a corruption policy of records"), .optional("throw"),
        "The action of a query on a row that is damaged. With `throw` the query throws an error. With `skip` lists leave the "
          + "row out and log it, and `fetch(id:)` throws.", example: "skip"
      ) { (draft: inout RecordDraft, action: RowCorruption) in draft.skipsDamaged = action == .skip },
      Field(
        "maxSize", .integer("a number of bytes", 1...Int(Int32.max)), .optional("1 MiB"),
        "The most bytes that all values of one record may have together.", example: "65536"
      ) { $0.maxSize = $1 },
      Field(
        "reserved", .reservedFields, .optional("none"),
        "The numbers and names of fields that earlier releases had. No field may use them again.",
        example: "{numbers: [12], names: [oldPayload]}"
      ) { $0.reserved = $1 },
      Field(
        "importedFrom", .recordImport, .optional("none"),
        "The rows of another library's store that become records before the first use of the database.",
        example: "{source: oldWallet, entity: CredentialDataEntity, fields: {id: id}}"
      ) { $0.imported = $1 },
      Field(
        "owner", .owner, .required, "The team or person that answers for the record.", example: "WalletTeam",
        isInheritable: true
      ) { $0.owner = $1 },
      Field(
        "sensitivity", .word("a sensitivity"), .optional("internal"),
        "The harm if the record is disclosed. Each field can write another sensitivity.", example: "personal",
        isInheritable: true
      ) { $0.sensitivity = $1 },
      Field(
        "privacy", .privacy, .optional("none"),
        "What the privacy manifest of the app says about the record. Each field can say something else.",
        example: "{collected: false}", isInheritable: true, unset: { $0.privacy = nil }
      ) { $0.privacy = $1 },
      Field(
        "signOut", "the fate at a sign-out", recordSignOut.shape, .optional("the rows are removed"),
        "With `keep`, `removeAll(in:)` leaves the rows. With `by`, `removeAll(where:)` removes the rows of one account: those "
          + "with its parameter in the field of that name.", example: "{by: userID}"
      ) { node, draft, context in
        draft.signOut = recordSignOut.decode(node, &context)
        if draft.signOut?.kind == .by, draft.signOut?.byNode == nil {
          context.findings.report(
            .missingField, "'by' needs the name of a field", at: node, help: "write {by: userID}")
          return false
        }
        return draft.signOut != nil
      },
      Field(
        "access", .word("a level of access"), .optional("the catalog's"),
        "The access of the emitted struct and of the router's member.", example: "internal", isInheritable: true
      ) { $0.access = $1 },
      Field(
        "deprecated", .deprecation, .optional("none"), "Why the record should no longer be used.",
        example: "{reason: Use Presentation., renamedTo: Presentation}"
      ) { $0.deprecation = $1 },
      Field(
        "title", .title, .optional("the type in words"), "The name of the records in audits.", example: "Episodes"
      ) { $0.labels.title = $1 },
      Field(
        "tags", .tags, .optional("none"), "Words by which audits are searched.", example: "[player]",
        isInheritable: true, unset: { $0.labels.tags = [] }
      ) { $0.labels.tags = $1 },
      Field(
        "review", .review, .optional("none"),
        "Who has reviewed the protection of the record, and until when the review holds.",
        example: "{by: security, until: 2027-01-01}"
      ) { $0.review = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the record accepts, each with a reason.",
        example: "[{rule: redundant-index, reason: It is faster for long texts.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required, "A sentence of two words or more that says what a record is.",
        example: "A verifiable credential, and what is needed to renew it."
      ) { $0.description = $1 },
    ])

  /// The fate of rows at a sign-out.
  private static let recordSignOut = Choice<RecordSignOutDraft>(
    "the fate at a sign-out", example: "signOut: {by: userID}",
    [
      .init(kind: .keep, summary: "The rows stay.", payload: .none),
      .init(
        kind: .by, summary: "The field with the account.",
        payload: .value(
          Field("by", "the name of a field", .identifier, .required, "The field.", example: "userID") {
            $0.byNode = $1
          }, isRequired: true)),
    ])

  /// Numbers and names that no field of a record or of a struct may use again.
  static let reservedFields = FieldTable<ReservedFields>(
    "'reserved'", what: "a map with 'numbers', 'names' or both", example: "reserved: {numbers: [12], names: [old]}",
    [
      Field(
        "numbers", .fieldNumbers, .optional("none"), "The numbers of fields that earlier releases had.",
        example: "[12, 13]"
      ) { $0.numbers = $1 },
      Field(
        "names", .tableNames, .optional("none"), "The names of fields that earlier releases had.",
        example: "[oldPayload]"
      ) { $0.names = $1 },
      Field(
        "cleanup", .word("a way to clean up"), .optional("keep"),
        "With `delete`, the values that are still stored under the numbers are deleted.", example: "delete"
      ) { $0.cleanup = $1 },
    ])
}

extension Language {
  /// The fields of a unique index that is added to stored records.
  static let uniqueFields = FieldTable<FieldList>(
    "'unique'", what: "a list of fields, or a map with 'fields' and 'existing'",
    example: "{fields: [email], existing: keepLast}",
    [
      Field(
        "fields", "a list of fields", .list(of: .identifier), .required, "The fields that are unique together.",
        example: "[email]"
      ) { node, draft, context in
        guard let list = FieldList(node, example: "fields: [email]", &context) else { return false }
        draft = FieldList(node: list.node, names: list.names, existing: draft.existing)
        return true
      },
      Field(
        "existing", .existing, .required,
        "The record that stays of several with equal values: the one that was inserted first, or last. The others are deleted. "
          + "Records that refer to them refer to the one that stays, or with `{keepLast: cascade}` are deleted too.",
        example: "keepLast"
      ) { $0.existing = $1 },
    ])

  /// The fields of `existing`, where it is a map.
  static let existing = FieldTable<[ResolvedRecord.Existing]>(
    "'existing'", what: "keepFirst, keepLast, or a map with one of them", example: "existing: {keepLast: cascade}",
    [existing(.keepFirst, "first"), existing(.keepLast, "last")])

  private static func existing(
    _ kept: ResolvedRecord.Existing.Kept, _ position: String
  ) -> Field<[ResolvedRecord.Existing]> {
    Field(
      kept.rawValue, .word("what becomes of the records that refer to a deleted one"), .optional("none"),
      "The record that was inserted \(position) stays. With `cascade`, the records that refer to the others are deleted.",
      example: "cascade"
    ) { (drafts: inout [ResolvedRecord.Existing], _: ReferringRecords) in
      drafts.append(.init(kept: kept, cascades: true))
    }
  }
}

extension ValueShape where Value == ResolvedRecord.Existing {
  /// `keepLast`, or `{keepLast: cascade}`.
  fileprivate static var existing: Self {
    let word = ValueShape<ResolvedRecord.Existing.Kept>.word("a record to keep")
    let table = Language.existing
    return Self(what: word.what, shape: .either([word.shape, table.shape])) { node, entry, context in
      guard node.kind == .mapping else { return word.decode(node, entry, &context).map { .init(kept: $0) } }
      guard let kept = table.record(node, [], &context) else { return nil }
      if kept.count == 1 { return kept[0] }
      context.findings.report(
        .wrongKind, "'existing' says which one of several equal records stays", at: node,
        help: "write `\(table.example)`")
      return nil
    }
  }
}

extension FieldList {
  /// Decodes a list of names of fields. Returns nil, after a finding, if the node is none.
  fileprivate init?(_ node: SyntaxNode, example: String, _ context: inout DecodingContext) {
    guard node.kind == .sequence, node.children.contains(where: { _ in true }),
      !node.children.contains(where: { $0.kind != .scalar })
    else {
      context.findings.report(
        .wrongKind, "an index is a list of names of fields", at: node, help: "write it as in `\(example)`")
      return nil
    }
    self.init(node: node, names: Array(node.children))
  }
}

extension ValueShape where Value == [FieldList] {
  /// A list of lists of names of fields.
  static func fieldLists(_ what: String, allowsExisting: Bool = false) -> Self {
    let table = Language.uniqueFields
    let list = Shape.list(of: .identifier)
    let shape = Shape.list(of: allowsExisting ? .either([list, table.shape]) : list)
    return Self(what: what, shape: shape) { node, entry, context in
      guard context.sequence(node, what, example: entry.written) else { return nil }
      let nodes = Array(node.children)
      let lists = nodes.compactMap { child -> FieldList? in
        guard allowsExisting, child.kind == .mapping else { return FieldList(child, example: entry.written, &context) }
        return table.record(child, FieldList(node: child, names: []), &context)
      }
      return lists.count == nodes.count ? lists : nil
    }
  }
}

extension ValueShape where Value == [ReservedFields] {
  /// One map, or a list of them.
  static var reservedFields: Self {
    let table = Language.reservedFields
    return Self(what: table.what, shape: .either([table.shape, .list(of: table.shape)])) { node, _, context in
      let nodes = node.kind == .sequence ? Array(node.children) : [node]
      let result = nodes.compactMap { table.record($0, ReservedFields(), &context) }
      return result.count == nodes.count ? result : nil
    }
  }
}

extension ValueShape {
  /// A list of values, each decoded by a shape.
  fileprivate static func list<Element>(_ what: String, of element: ValueShape<Element>) -> Self
  where Value == [Element] {
    Self(what: what, shape: .list(of: element.shape)) { node, entry, context in
      guard context.sequence(node, what, example: entry.written) else { return nil }
      let nodes = Array(node.children)
      let result = nodes.compactMap { element.decode($0, entry, &context) }
      return result.count == nodes.count ? result : nil
    }
  }
}

extension ValueShape where Value == [Int] {
  fileprivate static var fieldNumbers: Self { list("a list of numbers", of: .fieldNumber) }
}

extension ValueShape where Value == [String] {
  fileprivate static var tableNames: Self { list("a list of names", of: .tableName("the name of a field")) }
}
