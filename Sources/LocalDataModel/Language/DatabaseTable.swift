import LocalDataSyntax
import LocalDataVocabulary

/// A database of `databases` on its way from nodes.
struct DatabaseDraft: Sendable {
  var name: String?
  var domain: StorageDomain?
  var protection = ResolvedDatabase.Protection.untilFirstUnlock
  var sealing = SecurityPolicy.recommended
  var isInBackup = true
  var movedFrom: [MovedDatabase] = []
  var owner: String?
  var access: AccessLevel?
  var allowances: [Allowance] = []
  var description = ""
}

/// An address of a database in an earlier release, on its way from nodes.
struct MovedDatabase: Sendable {
  var node: SyntaxNode?
  var domain: StorageDomain?
  var name: String?
}

extension ResolvedDatabase.Protection: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of a database, in the order in which `fmt` writes them.
  static let database = FieldTable<DatabaseDraft>(
    "a database", what: "a map of the fields of a database",
    example: "wallet: {domain: {fileSystem: {directory: applicationSupport}}, …}",
    [
      Field(
        "name", .tableName("the name of a database"), .optional("the member"),
        "The name of the file, without `.db`. It consists of ASCII letters, digits and `_`.", example: "wallet_2"
      ) { $0.name = $1 },
      Field(
        "domain", .databaseDomain, .required,
        "The folder of the file: one of the app, or one that an app group shares.",
        example: "{fileSystem: {directory: applicationSupport}}"
      ) { $0.domain = $1 },
      Field(
        "protection", .word("a protection of a file"), .optional("untilFirstUnlock"),
        "The time at which iOS and watchOS let the app read the file. With `complete`, the file can be read only while the "
          + "device is unlocked. With `completeUnlessOpen`, a file that is open stays readable when the device is "
          + "locked. With `untilFirstUnlock`, the file can be read from the first unlock after the device has started.",
        example: "complete"
      ) { $0.protection = $1 },
      Field(
        "sealing", "a form of sealing", sealing.shape, .optional("recommended"),
        "The encryption of the key that seals the encrypted fields of records. It is written like `security` of a key.",
        example: "{encrypted: {algorithm: aes256GCM}}"
      ) { node, draft, context in
        guard let sealing = sealing.decode(node, &context) else { return false }
        draft.sealing = sealing.policy
        return true
      },
      Field(
        "backup", .flag, .optional("true"), "True if backups of the device contain the file.", example: "false"
      ) { $0.isInBackup = $1 },
      Field(
        "movedFrom", .movedDatabases, .optional("none"),
        "The addresses that earlier releases stored the file at, the latest one first. The first use moves the file. An "
          + "earlier release cannot open the database then.",
        example: "[{domain: {fileSystem: {directory: documents}}}]"
      ) { $0.movedFrom = $1 },
      Field(
        "owner", .owner, .required, "The team or person that answers for the database.", example: "WalletTeam",
        isInheritable: true
      ) { $0.owner = $1 },
      Field(
        "access", .word("a level of access"), .optional("the catalog's"),
        "The access of the emitted type, for example of `WalletDatabase`.", example: "internal", isInheritable: true
      ) { $0.access = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the database accepts, each with a reason.",
        example: "[{rule: database-protection, reason: The app shows it on the lock screen.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required,
        "A sentence of two words or more that says what the database contains.",
        example: "The credentials of the wallet, and their history."
      ) { $0.description = $1 },
    ])

  /// An address of a database in an earlier release.
  static let movedDatabase = FieldTable<MovedDatabase>(
    "an earlier address", what: "a map with 'domain'",
    example: "movedFrom: [{domain: {fileSystem: {directory: documents}}}]",
    [
      Field(
        "domain", .databaseDomain, .required, "The domain of the file in an earlier release.",
        example: "{fileSystem: {directory: documents}}"
      ) { $0.domain = $1 },
      Field(
        "name", .tableName("the name of a database"), .optional("the present name"),
        "The name of the file in an earlier release, without `.db`.", example: "wallet_1"
      ) { $0.name = $1 },
    ])

  /// The domain of the file of a database.
  fileprivate static let databaseDomain = Choice<DomainDraft>(
    "the domain of a database", .unknownDomain, example: "domain: {fileSystem: {directory: applicationSupport}}",
    fields: domainFields,
    [
      .init(kind: .fileSystem, summary: "A folder of the app.", payload: .fields(["directory"])),
      .init(
        kind: .appGroupFileSystem, summary: "A folder that an app group shares.",
        payload: .fields(["identifier", "directory"])),
    ])

  /// The protection of the key that seals encrypted fields.
  private static let sealing = Choice<SecurityDraft>(
    "a form of sealing", example: "sealing: recommended", fields: securityFields,
    [
      .init(
        kind: .recommended,
        summary: "The key is sealed with ChaCha20-Poly1305 under a key that HKDF derives from the master key.",
        payload: .none),
      .init(
        kind: .encrypted, summary: "The key is sealed as the fields say.",
        payload: .fields(["algorithm", "keyDerivation", "keySource"])),
    ])
}

extension ValueShape where Value == StorageDomain {
  fileprivate static var databaseDomain: Self {
    let choice = Language.databaseDomain
    return Self(what: "the domain of a database", shape: choice.shape) { node, _, context in
      guard let domain = choice.decode(node, &context) else { return nil }
      if domain.domain == nil { context.reportMissingDirectory(domain, at: node) }
      return domain.domain
    }
  }
}

extension ValueShape where Value == [MovedDatabase] {
  /// A list of addresses.
  fileprivate static var movedDatabases: Self {
    let table = Language.movedDatabase
    return Self(what: "a list of addresses", shape: .list(of: table.shape)) { node, entry, context in
      guard context.sequence(node, "a list of addresses", example: entry.written) else { return nil }
      let nodes = Array(node.children)
      let result = nodes.compactMap { table.record($0, MovedDatabase(node: $0), &context) }
      return result.count == nodes.count ? result : nil
    }
  }
}

extension ValueShape where Value == String {
  /// A name in a database, or the name of its file.
  static func tableName(_ what: String) -> Self {
    Self(what: what, shape: .storedName) { node, entry, context in
      guard let text = context.scalar(node, what, example: entry.written) else { return nil }
      if TableName.isWellFormed(text) { return text }
      context.findings.report(
        .invalidStoredName, "'\(text)' cannot be \(what)", at: node,
        help: "use 1 to \(Identifier.maxLength) ASCII letters, digits and '_', and begin with neither "
          + TableName.reservedBeginnings.map { "'\($0)'" }.joined(separator: " nor "))
      return nil
    }
  }
}

/// The stored names of databases, records and their fields.
enum TableName {
  /// The beginnings of the names of the tables that SQLite and the library create.
  static let reservedBeginnings = ["sqlite_", "local_data"]

  static func isWellFormed(_ text: String) -> Bool {
    let isShort = (1...Identifier.maxLength).contains(text.utf8.count)
    return isShort && !reservedBeginnings.contains { text.lowercased().hasPrefix($0) }
      && text.utf8.allSatisfy {
        Identifier.isLower($0) || Identifier.isUpper($0) || Identifier.isDigit($0) || $0 == UInt8(ascii: "_")
      }
  }
}
