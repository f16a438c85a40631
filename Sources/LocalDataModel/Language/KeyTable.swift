import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// The fields of a key, or of `defaults`, on their way from nodes.
struct KeyDraft: Sendable {
  /// Fields with findings: what follows from them is not reported.
  var failed: KeyFieldSet = []
  /// Fields that the key writes itself.
  var own: KeyFieldSet = []
  /// Fields that `defaults` writes.
  var inherited: KeyFieldSet = []
  /// The fields that are complete as they are.
  var descriptor = StorageKeyDescriptor(
    member: "", name: "", valueType: "", domain: .userDefaults(), owner: "", description: "")
  var access: AccessLevel?
  var type: ValueType?
  var domain: DomainDraft?
  var security: SecurityDraft?
  var watch: ResolvedKey.WatchRepresentation?
  var reads: [ReadDraft] = []
  var maxSize: Int?
  var backup: Bool?
  var protection: StorageFileProtection?
  var parameters: [ResolvedKey.Parameter] = []
  var deprecation: ResolvedKey.Deprecation?
  var privacy: ResolvedPrivacy?
  var review: ResolvedReview?
  var upgrades: [UpgradeStep] = []
  var allowances: [Allowance] = []
  /// The database of records. Only `defaults` writes it.
  var databaseNode: SyntaxNode?
  var valid: ValidValues?
  /// The title and the tags.
  var labels = DeclarationLabels()
  /// The place of unmanaged data, which keys do not have.
  var unmanaged: UnmanagedDraft?
  /// Nodes that are decoded when the rest of the key is known, or all keys are.
  var nameNode: SyntaxNode?
  var defaultNode: SyntaxNode?
  var migrationNode: SyntaxNode?
}

/// A field of a key that a decoder or a rule names.
struct KeyField: Hashable, Sendable {
  let position: Int

  fileprivate init(_ name: String) {
    guard let position = Language.key.position(of: name) else { preconditionFailure("a key has no field '\(name)'") }
    self.position = position
  }

  init(position: Int) { self.position = position }

  var text: String { Language.key.fields[position].entry.name }

  static var allCases: [KeyField] { Language.key.fields.indices.map(KeyField.init(position:)) }

  static let name = KeyField("name")
  static let type = KeyField("type")
  static let parameters = KeyField("parameters")
  static let `default` = KeyField("default")
  static let valid = KeyField("valid")
  static let domain = KeyField("domain")
  static let security = KeyField("security")
  static let serializer = KeyField("serializer")
  static let dates = KeyField("dates")
  static let reads = KeyField("reads")
  static let owner = KeyField("owner")
  static let description = KeyField("description")
  static let availability = KeyField("availability")
  static let syncPolicy = KeyField("syncPolicy")
  static let sync = KeyField("sync")
  static let watch = KeyField("watch")
  static let sensitivity = KeyField("sensitivity")
  static let retention = KeyField("retention")
  static let onCorruption = KeyField("onCorruption")
  static let backup = KeyField("backup")
  static let protection = KeyField("protection")
  static let signOut = KeyField("signOut")
  static let access = KeyField("access")
  static let schema = KeyField("schema")
  static let upgrade = KeyField("upgrade")
  static let migration = KeyField("migration")
  static let legacy = KeyField("legacy")
  static let deprecated = KeyField("deprecated")
  static let maxSize = KeyField("maxSize")
}

typealias KeyFieldSet = FieldSet

extension FieldSet {
  init(_ fields: KeyField...) {
    self = []
    for field in fields { self |= field }
  }

  static func |= (set: inout FieldSet, field: KeyField) { set.formUnion(FieldSet(position: field.position)) }

  func contains(_ field: KeyField) -> Bool { contains(FieldSet(position: field.position)) }
}

extension Language {
  /// The fields of a key, in the order in which `fmt` writes them.
  static let key = FieldTable<KeyDraft>(
    "a key", what: "a map of the fields of a key", example: "theme: {type: String, …}",
    [
      Field(
        "name", "a stored name", .storedName, .optional("the member"),
        "The stored name: 1 to 200 characters, no control characters.", example: "user_token"
      ) { $0.nameNode = $1 },
      Field(
        "type", .type, .required, "The type of the value.", example: "String", isInheritable: true
      ) { $0.type = $1 },
      Field(
        "parameters", "a map of parameters", .map(of: .either([.type, parameter.shape])), .optional("none"),
        "Names and types of the parameters that make the key a family.", example: "{documentID: UUID}",
        isInheritable: true
      ) { node, draft, context in
        let parameters = context.parameters(node, mayBeEmpty: !draft.parameters.isEmpty, mayBeVerbatim: true)
        guard let parameters else { return false }
        draft.parameters = parameters
        return true
      },
      Field(
        "default", "a default", .literal, .optional("none: an absent value reads as nil"),
        "The value of a key that is not stored.", example: "system"
      ) { $0.defaultNode = $1 },
      Field(
        "valid", .valid, .optional("every value of the type"),
        "The values that can be set. Others that are stored are treated like bytes that do not decode.",
        example: "{range: 0.5...3}"
      ) { $0.valid = $1 },
      Field(
        "domain", "a storage domain", domain.shape, .required, "Where the value is stored.",
        example: "userDefaults", isInheritable: true
      ) { node, draft, context in
        let isBroken = draft.failed.contains(KeyField.domain)
        guard let domain = domain.decode(node, over: isBroken ? nil : draft.domain, &context) else { return false }
        guard domain.domain != nil else {
          if !isBroken { context.reportMissingDirectory(domain, at: node) }
          return false
        }
        draft.domain = domain
        return true
      },
      Field(
        "security", "a security policy", security.shape, .optional("recommended"), "How the value is secured.",
        example: "none", isInheritable: true
      ) { node, draft, context in
        let isBroken = draft.failed.contains(KeyField.security)
        guard let security = security.decode(node, over: isBroken ? nil : draft.security, &context) else {
          return false
        }
        draft.security = security
        return true
      },
      Field(
        "serializer", .serializer, .optional("json"), "How the value becomes bytes.", example: "propertyList",
        isInheritable: true
      ) { $0.descriptor.serializer = $1 },
      Field(
        "dates", .word("a form of dates"), .optional("the serializer's form"), "The form of dates in the stored value.",
        example: "secondsSince1970", isInheritable: true
      ) { $0.descriptor.dates = $1 },
      Field(
        "reads", .readForms, .optional("none"),
        "Further forms that a read accepts, tried in order. A write stores the declared form.", example: "[Int]"
      ) { $0.reads = $1 },
      Field(
        "owner", .owner, .required, "The team or person that answers for the value.", example: "AccountTeam",
        isInheritable: true
      ) { $0.descriptor.owner = $1 },
      Field(
        "availability", .word("an availability"), .optional("all"), "The devices on which the key exists.",
        example: "phoneOnly", isInheritable: true
      ) { $0.descriptor.availability = $1 },
      Field(
        "syncPolicy", .word("a sync policy"), .optional("never"), "When the value is sent to the paired device.",
        example: "manual", isInheritable: true
      ) { $0.descriptor.syncPolicy = $1 },
      Field(
        "sync", .transfer, .optional("none"), "Lets a secured value leave the device decrypted.", example: "decrypted"
      ) { $0.descriptor.isDecryptedForSync = $1 == .decrypted },
      Field(
        "watch", .watch, .optional("none"), "A smaller form of the value for the watch.",
        example: "{type: Glance, transform: Glance.init}"
      ) { $0.watch = $1 },
      Field(
        "sensitivity", .word("a sensitivity"), .optional("internal"),
        "The harm if the value is disclosed.", example: "credential", isInheritable: true
      ) { $0.descriptor.sensitivity = $1 },
      Field(
        "privacy", .privacy, .optional("none"), "What the privacy manifest of the app says about the value.",
        example: "{collected: false}", isInheritable: true, unset: { $0.privacy = nil }
      ) { $0.privacy = $1 },
      Field(
        "retention", .retention, .optional("kept until removed"), "How long the value is kept.",
        example: "{maxAge: 90d}", isInheritable: true, unset: { $0.descriptor.retention = nil }
      ) { $0.descriptor.retention = $1 },
      Field(
        "onCorruption", .word("a corruption policy"), .optional("throw"),
        "The action of a read on stored bytes that are no value of the type.", example: "useDefault",
        isInheritable: true
      ) { $0.descriptor.onCorruption = $1 },
      Field(
        "maxSize", .integer("a number of bytes", 1...Int(Int32.max)), .optional("16 MiB in files, 1 MiB elsewhere"),
        "The most bytes that the serialized value may have.", example: "4096", isInheritable: true,
        unset: { $0.maxSize = nil }
      ) { $0.maxSize = $1 },
      Field(
        "backup", .flag, .optional("true"), "A backup of the device contains the file.", example: "false",
        isInheritable: true
      ) { $0.backup = $1 },
      Field(
        "protection", .word("a protection of a file"), .optional("untilFirstUnlock"),
        "When the system lets the app read the file: `complete` while the device is unlocked, `completeUnlessOpen` also "
          + "afterwards if it is open, `untilFirstUnlock` from the first unlock on, and `none` always.",
        example: "none",
        isInheritable: true
      ) { $0.protection = $1 },
      Field(
        "signOut", .word("a policy for the sign-out"), .optional("the value is removed"),
        "With `keep`, `removeAll(in:)` and `removeAll(where:)` leave the value.", example: "keep"
      ) { (draft, _: SignOutPolicy) in draft.descriptor.isKeptAtSignOut = true },
      Field(
        "access", .word("a level of access"), .optional("the catalog's"), "The access of the member in Swift.",
        example: "internal", isInheritable: true
      ) { $0.access = $1 },
      Field(
        "schema", .integer("the version of a schema", schemas), .optional("1"), "The version of the value's schema.",
        example: "2"
      ) { $0.descriptor.schema = $1 },
      Field(
        "upgrade", .upgrades, .optional("none"), "Functions that upgrade values of earlier schemas.",
        example: "[{from: 1, transform: ProfileV1.upgraded}]"
      ) { $0.upgrades = $1 },
      Field(
        "migration", "a migration", .either([migration.shape, .list(of: migration.shape)]), .optional("none"),
        "Where earlier releases of the app stored the value.", example: "{from: legacyToken}"
      ) { $0.migrationNode = $1 },
      Field(
        "legacy", .flag, .optional("false"), "The key is only the source of a migration.", example: "true"
      ) { $0.descriptor.isLegacy = $1 },
      Field(
        "deprecated", .deprecation, .optional("none"), "Why the key should no longer be used.",
        example: "{reason: Use theme., renamedTo: theme}"
      ) { $0.deprecation = $1 },
      Field(
        "title", .title, .optional("the member in words"), "The name of the value in audits.", example: "Speed"
      ) { $0.labels.title = $1 },
      Field(
        "tags", .tags, .optional("none"), "Words by which audits are searched.", example: "[player]",
        isInheritable: true, unset: { $0.labels.tags = [] }
      ) { $0.labels.tags = $1 },
      Field(
        "review", .review, .optional("none"),
        "Who has reviewed the protection of the value, and until when the review holds.",
        example: "{by: security, until: 2027-01-01}"
      ) { $0.review = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the key accepts, with a reason.",
        example: "[{rule: terse-description, reason: The name says everything.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required, "What the value is, in a sentence of two words or more.",
        example: "The colour scheme the user chose."
      ) { $0.descriptor.description = $1 },
    ])

  /// The fields of `defaults`: those of keys, of which it takes the inheritable ones, and those of records alone.
  static let defaults = FieldTable<KeyDraft>(
    "'defaults'", what: "a map of fields", example: "defaults: {owner: AccountTeam}",
    key.fields + [
      Field(
        "database", "the name of a database", .identifier, .optional("the only database of the run"),
        "The database of the records of this file.", example: "wallet", isInheritable: true
      ) { $0.databaseNode = $1 }
    ])

  /// The fields of a key that `defaults` may write.
  static let inheritable = key.set(key.entries.filter(\.isInheritable).map(\.name))
}

extension ValueShape where Value == String {
  /// The owner of a key, a record or a database.
  static var owner: Self {
    Self(what: "an owner", shape: .text) { node, entry, context in
      let text = node.isNull ? "" : context.prose(node, "an owner", example: entry.written)
      guard let text, !context.isLookAlike(node.lookAlikeSpace) else { return nil }
      if text.utf8.contains(where: { $0 > 0x20 }) { return text }
      context.findings.report(
        .missingOwner, "the owner is empty", at: node, help: "write who answers for the value: `\(entry.written)`")
      return nil
    }
  }

  /// The description of a key.
  static var sentence: Self {
    Self(what: "a description", shape: .text) { node, entry, context in
      let text = node.isNull ? "" : context.prose(node, "a description", example: entry.written)
      guard let text else { return nil }
      let (rule, problem): (Rule, String)
      switch Sentence.problem(text) {
      case nil: return text
      case .empty:
        rule = .missingDescription
        problem = "the description is empty"
      case .placeholder:
        rule = .vagueDescription
        problem = "'\(text)' is a reminder, not a description"
      case .tooShort:
        rule = .vagueDescription
        problem = "'\(text)' is not a sentence"
      }
      context.findings.report(
        rule, problem, at: node, help: "say in a sentence what the value is: `\(entry.written)`")
      return nil
    }
  }
}
