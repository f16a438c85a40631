import LocalDataSyntax
import LocalDataVocabulary

/// The place and the protection of unmanaged data on their way from nodes. Everything else is as in a key.
struct UnmanagedDraft: Sendable {
  var domain: UnmanagedDomainDraft?
  var protection = ResolvedDatabase.Protection.untilFirstUnlock
}

/// The place of unmanaged data on its way from nodes.
struct UnmanagedDomainDraft: CaseDraft {
  var kind: StorageDomain.Kind
  var item: DomainDraft
  var file: ForeignDomainDraft

  init(_ kind: StorageDomain.Kind) {
    self.kind = kind
    item = DomainDraft(kind)
    file = ForeignDomainDraft(kind)
  }

  static func isConsistent(_ payload: SyntaxNode, _ context: inout DecodingContext) -> Bool {
    DomainDraft.isConsistent(payload, &context)
  }
}

extension Language {
  /// The fields of unmanaged data, in the order in which `fmt` writes them.
  static let unmanaged = FieldTable<KeyDraft>(
    "unmanaged data", what: "a map of the fields of unmanaged data",
    example: "episodes: {domain: {fileSystem: {directory: caches, path: Episodes/}}, …}",
    [
      Field(
        "domain", "the place of unmanaged data", unmanagedDomain.shape, .required,
        "Where other code stores the data. A `path` that ends in `/` is a folder with everything in it.",
        example: "{fileSystem: {directory: caches, path: Episodes/}}"
      ) { node, draft, context in
        guard let domain = unmanagedDomain.decode(node, &context), domain.isComplete(at: node, &context) else {
          return false
        }
        draft.unmanaged?.domain = domain
        draft.domain = domain.stored
        return true
      },
      Field(
        "name", "a stored name", .storedName, .optional("the member"),
        "The name of the preference, or the account of the keychain's item. A file has its name in its path.",
        example: "FIRInstallationID"
      ) { $0.nameNode = $1 },
      Field(
        "security", "the security of unmanaged data", unmanagedSecurity.shape, .optional("none"),
        "What protects the data: nothing, or the keychain.",
        example: "{keychain: {accessibility: afterFirstUnlockThisDeviceOnly}}"
      ) { node, draft, context in
        guard let security = unmanagedSecurity.decode(node, &context) else { return false }
        draft.security = security
        return true
      },
      Field(
        "protection", .word("a protection of a file"), .optional("untilFirstUnlock"),
        "The time at which iOS and watchOS let the app read the file.", example: "complete"
      ) { $0.unmanaged?.protection = $1 },
      Field(
        "retention", .retention, .optional("kept until removed"), "How long the data is kept by what stores it.",
        example: "{maxAge: 90d}"
      ) { $0.descriptor.retention = $1 },
      Field(
        "backup", .flag, .optional("true"), "True if backups of the device contain the file.", example: "false"
      ) { $0.backup = $1 },
      Field(
        "sensitivity", .word("a sensitivity"), .optional("internal"), "The harm if the data is disclosed.",
        example: "personal", isInheritable: true
      ) { $0.descriptor.sensitivity = $1 },
      Field(
        "privacy", .privacy, .optional("none"), "What the privacy manifest of the app says about the data.",
        example: "{collected: false}", isInheritable: true, unset: { $0.privacy = nil }
      ) { $0.privacy = $1 },
      Field(
        "owner", .owner, .required, "The team or person that answers for the data.", example: "PlayerTeam",
        isInheritable: true
      ) { $0.descriptor.owner = $1 },
      Field(
        "title", .title, .optional("the member in words"), "The name of the data in audits.", example: "Episodes"
      ) { $0.labels.title = $1 },
      Field(
        "tags", .tags, .optional("none"), "Words by which audits are searched.", example: "[player]",
        isInheritable: true, unset: { $0.labels.tags = [] }
      ) { $0.labels.tags = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the data accepts, each with a reason.",
        example: "[{rule: database-protection, reason: It is played while the device is locked.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required, "What the data is, in a sentence of two words or more.",
        example: "Downloaded audio of episodes."
      ) { $0.descriptor.description = $1 },
    ])

  /// The fields of unmanaged data that keys have too, as fields of keys.
  static func keyFields(ofUnmanaged set: FieldSet) -> KeyFieldSet {
    key.set(unmanaged.names(of: set).filter { key.position(of: $0) != nil })
  }

  private static let unmanagedDomain = Choice<UnmanagedDomainDraft>(
    "the place of unmanaged data", .unknownDomain,
    example: "domain: {fileSystem: {directory: caches, path: Episodes/}}", fields: unmanagedFields,
    [
      .init(kind: .userDefaults, summary: "A preference of the app.", payload: .fields(["suite"])),
      .init(
        kind: .appGroupUserDefaults, summary: "A preference that an app group shares.",
        payload: .fields(["identifier"])),
      .init(
        kind: .keychain, summary: "An item of the keychain, a key or an identity.",
        payload: .fields(["service", "without", "accessGroup", "synchronizable"])),
      .init(kind: .fileSystem, summary: "A file or a folder of the app.", payload: .fields(["directory", "path"])),
      .init(
        kind: .appGroupFileSystem, summary: "A file or a folder that an app group shares.",
        payload: .fields(["identifier", "directory", "path"])),
    ])

  private static let unmanagedFields: [Field<UnmanagedDomainDraft>] =
    domainFields.filter { !["identifier", "directory", "path"].contains($0.entry.name) }.map { Field($0, of: \.item) }
    + foreignDomainFields.filter { $0.entry.name != "path" }.map { Field($0, of: \.file) }
    + [
      Field(
        "path", .unmanagedPath, .required,
        "The path of the file or the folder in its directory, exactly as it is written on the disk.",
        example: "Episodes/"
      ) { $0.file.path = $1 }
    ]

  private static let unmanagedSecurity = Choice<SecurityDraft>(
    "the security of unmanaged data", example: "security: {keychain: {accessibility: whenUnlocked}}",
    fields: securityFields,
    [
      .init(kind: .none, summary: "The data is stored as it is.", payload: .none),
      .init(
        kind: .keychain, summary: "The keychain protects the item.",
        payload: .fields(["accessibility", "accessControl"])),
    ])
}

extension Field {
  /// A field of a part of the draft.
  fileprivate init<Part>(_ field: Field<Part>, of part: any WritableKeyPath<Draft, Part> & Sendable) {
    self.init(
      field.entry.name, field.entry.what, field.entry.shape, field.entry.presence, field.entry.summary,
      example: field.entry.example
    ) { node, draft, context in field.decode(node, &draft[keyPath: part], &context) }
  }
}

extension UnmanagedDomainDraft {
  /// Reports a file without a directory or a path. Returns true if nothing is missing.
  fileprivate func isComplete(at node: SyntaxNode, _ context: inout DecodingContext) -> Bool {
    guard kind.isFile, file.directory == nil || file.path == nil else { return true }
    context.findings.report(
      .missingField, "'\(kind.text)' needs a directory and a path", at: node.onlyField?.key ?? node,
      help: "write {\(kind.text): {directory: documents, path: Logs/}}")
    return false
  }

  /// The domain as that of a key. A file is in the directory of the app that has the same fate.
  fileprivate var stored: DomainDraft {
    var draft = item
    switch kind {
    case .userDefaults, .keychain: break
    case .appGroupUserDefaults: draft.fields.identifier = file.identifier
    case .fileSystem, .encryptedFileSystem, .appGroupFileSystem:
      draft.fields.identifier = file.identifier
      draft.fields.directory = file.storedDirectory
    }
    return draft
  }
}

extension ForeignDomainDraft {
  /// The path from the folder that all directories are in, for example `library`, `caches`, `episodes`. Many disks ignore case.
  var parts: [String] {
    let base: [String] =
      switch directory {
      case .documents: ["documents"]
      case .applicationSupport: ["library", "application support"]
      case .library: ["library"]
      case .caches: ["library", "caches"]
      case .container, nil: []
      }
    return base + (path ?? "").lowercased().split(separator: "/").map(String.init)
  }

  fileprivate var storedDirectory: FileDirectory {
    if parts.starts(with: ["library", "caches"]) { return .caches }
    return directory == .documents ? .documents : .applicationSupport
  }
}

extension ValueShape where Value == String {
  /// The path of a file of other code, or of a folder if it ends in `/`.
  fileprivate static var unmanagedPath: Self {
    Self(what: "a path", shape: .text) { node, entry, context in
      guard let path = context.scalar(node, "a path", example: entry.written) else { return nil }
      let file = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
      guard let problem = ForeignPath.problem(file) else { return path }
      context.findings.report(
        .invalidPath, problem, at: node, help: "write the path in its directory, for example `\(entry.written)`")
      return nil
    }
  }
}
