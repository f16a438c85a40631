import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// A storage domain on its way from nodes.
struct DomainDraft: CaseDraft {
  var kind: StorageDomain.Kind
  var fields = StorageDomain.Fields()
  /// The attribute that the item of the keychain does not have.
  var missing: ItemAttribute?
  /// A directory that only files with a path have.
  var foreign: ForeignDirectory?
  /// The path of the file, and its node.
  var path: String?
  var pathNode: SyntaxNode?

  init(_ kind: StorageDomain.Kind) { self.kind = kind }

  static func problem(with text: String) -> (message: String, help: String)? {
    guard FileDirectory.Kind.declared.contains(text) else { return nil }
    return (
      "'\(text)' is a directory, not a storage domain",
      "write `domain: {\(StorageDomain.Kind.fileSystem.text): {directory: \(text)}}`"
    )
  }

  static func isConsistent(_ payload: SyntaxNode, _ context: inout DecodingContext) -> Bool {
    guard let node = payload.value(of: "without"), payload.key(of: "service") != nil,
      ItemAttribute.names.find(node) == .service
    else { return true }
    context.findings.report(
      .itemAttributes, "the item has a service, and is without one", at: node,
      help: "remove `service`, or write `without: account` if the item has no account")
    return false
  }

  /// The domain, or nil if it is a file without a directory.
  var domain: StorageDomain? {
    guard pathProblem == nil else { return nil }
    var fields = fields
    if path != nil { fields.directory = exactDirectory.map { .exact($0) } }
    return StorageDomain(kind, fields)
  }

  private var exactDirectory: ForeignDirectory? {
    foreign ?? fields.directory.flatMap { ForeignDirectory(rawValue: $0.kind.rawValue) }
  }

  /// The reason for which the file has no such path; nil if there is none.
  fileprivate var pathProblem: (message: String, help: String)? {
    if path == nil {
      return foreign.map { ("'\($0.rawValue)' is the directory of a file with a 'path'", "write the path in it") }
    }
    if fields.directory?.kind == .custom, foreign == nil {
      return (
        "a file with a 'path' has no custom directory", "write `directory: applicationSupport`, and the whole path"
      )
    }
    guard foreign == .container, !kind.isAppGroup else { return nil }
    return ("'container' is the folder of an app group", "write `appGroupFileSystem`, or another directory")
  }
}

extension Language {
  /// The domain in which a value is stored.
  static let domain = Choice(
    "a storage domain", .unknownDomain, example: "domain: userDefaults", fields: domainFields,
    [
      .init(kind: .userDefaults, summary: "The app's preferences.", payload: .fields(["suite"])),
      .init(
        kind: .appGroupUserDefaults, summary: "Preferences that an app group shares.",
        payload: .fields(["identifier"])),
      .init(
        kind: .keychain, summary: "An item of the keychain.",
        payload: .fields(["service", "without", "accessGroup", "synchronizable"])),
      .init(kind: .fileSystem, summary: "A file of the app.", payload: .fields(["directory", "path"])),
      .init(
        kind: .encryptedFileSystem,
        summary: "A file that is always sealed, on Apple's platforms with complete file protection.",
        payload: .fields(["directory"])),
      .init(
        kind: .appGroupFileSystem, summary: "A file that an app group shares.",
        payload: .fields(["identifier", "directory", "path"])),
    ])

  static let domainFields: [Field<DomainDraft>] = [
    Field(
      "suite", .container("a suite", isFileName: true), .optional("the app's own preferences"),
      "The suite of preferences.", example: "com.example.account"
    ) { $0.fields.suite = $1 },
    Field(
      "identifier", .container("the identifier of an app group", isFileName: true),
      .optional("the configured app group"), "The identifier of the app group.", example: "group.com.example.account"
    ) { $0.fields.identifier = $1 },
    Field(
      "service", .container("a service"), .optional("the configured service"), "The service of the keychain's items.",
      example: "com.example.account"
    ) {
      $0.fields.service = $1
      if $0.missing == .service { $0.missing = nil }
    },
    Field(
      "without", .word("an attribute"), .optional("none: the item has both"),
      "The attribute that the item does not have. Other code of the app often stores such items. Without `service`, the field "
        + "`service` is left out, and without `account` the fields `name` and `parameters`.",
      example: "service"
    ) {
      $0.missing = $1
      // What `defaults` says for the other keys.
      if $1 == .service { $0.fields.service = "" } else if $0.fields.service == "" { $0.fields.service = nil }
    },
    Field(
      "accessGroup", .container("an access group"), .optional("no access group"),
      "The access group that shares the keychain's items.", example: "ABCDE12345.com.example.shared"
    ) { $0.fields.accessGroup = $1 },
    Field(
      "synchronizable", .flag, .optional("false"), "iCloud Keychain copies the item to the user's other devices.",
      example: "true"
    ) { $0.fields.synchronizable = $1 },
    Field(
      "directory", "a directory", .either([directory.shape, .word(pathDirectories.map(\.text))]), .required,
      "The directory of the file. `library`, and `container` in an app group, are for files with a 'path'.",
      example: "documents"
    ) { node, draft, context in
      let foreign = node.kind == .scalar ? ForeignDirectory.names.find(node) : nil
      draft.foreign = foreign.flatMap { pathDirectories.contains($0) ? $0 : nil }
      if draft.foreign != nil { return true }
      guard let value = directory.decode(node, &context) else { return false }
      guard let directory = value.directory else {
        context.findings.report(
          .missingField, "'\(value.kind.text)' needs a path", at: node, help: "write {custom: Reports/2024}")
        return false
      }
      draft.fields.directory = directory
      return true
    },
    Field(
      "path", "a path", .text, .optional("none: the library names the file"),
      "The path of the file in its directory, exactly as it is on the disk. It replaces the stored name, and may contain "
        + "parameters. The value is not encrypted.", example: "Logs/Events.json"
    ) { node, draft, context in
      draft.path = context.path(node, ofKey: true, example: "path: Logs/Events.json")
      draft.pathNode = node
      return draft.path != nil
    },
  ]

  /// The directories that only files with a path have.
  private static let pathDirectories: [ForeignDirectory] = [.library, .container]

  /// A directory of the app.
  static let directory = Choice<DirectoryDraft>(
    "a directory", example: "directory: documents",
    [
      .init(kind: .documents, summary: "Files that the user sees.", payload: .none),
      .init(kind: .applicationSupport, summary: "Files that the app needs and the user does not see.", payload: .none),
      .init(kind: .caches, summary: "Files that the system may remove.", payload: .none),
      .init(
        kind: .custom, summary: "A path below application support.",
        payload: .value(
          Field(
            "custom", .directoryPath, .required, "A path below application support.", example: "Reports/2024"
          ) { $0.path = $1 }, isRequired: true)),
    ])
}

/// A name that the app gives when it runs, on its way from nodes.
struct ConfiguredNameDraft: Sendable {
  var name: String?
  var pattern: String?
}

extension Language {
  /// The name of a container that differs by build.
  static let configuredName = FieldTable<ConfiguredNameDraft>(
    "a configured name", what: "a map with 'configured'", example: "suite: {configured: statistics}",
    [
      Field(
        "configured", .configuredName, .required,
        "The name by which the app gives the name of the container in `StorageConfiguration.containers`.",
        example: "statistics"
      ) { $0.name = $1 },
      Field(
        "like", .text("a pattern"), .optional("none: every name"),
        "The form of the names that the app gives, for audits and entitlements. `*` is any text. Another name is an error when "
          + "the catalog is registered.", example: "\"*.statistics\""
      ) { $0.pattern = $1 },
    ])
}

/// An attribute of a keychain item that the item may not have.
enum ItemAttribute: String, CaseName {
  case service, account

  static let names = NameTable<Self>()
}

extension StorageDomain {
  /// The attribute that the item of the keychain does not have.
  ///
  /// - Parameter name: The stored name, if it is known.
  func missingAttribute(name: String?) -> ItemAttribute? {
    guard kind == .keychain else { return nil }
    return fields.service == "" ? .service : name == "" ? .account : nil
  }
}

extension FileDirectory.Kind {
  /// The directories that a catalog names. Those of paths are the folders of the system.
  fileprivate static let declared = allCases.filter { $0 != .exact }.map(\.rawValue)
}

/// A directory on its way from nodes.
struct DirectoryDraft: CaseDraft {
  var kind: FileDirectory.Kind
  var path: String?

  init(_ kind: FileDirectory.Kind) { self.kind = kind }

  var directory: FileDirectory? {
    switch kind {
    case .documents: .documents
    case .applicationSupport: .applicationSupport
    case .caches: .caches
    case .custom: path.map { .custom($0) }
    case .exact: nil
    }
  }
}

extension DecodingContext {
  /// Returns a domain that inherits nothing.
  mutating func domain(_ node: SyntaxNode) -> StorageDomain? { domainDraft(node)?.domain }

  /// Returns the draft of a domain that inherits nothing, and whose directory is not missing.
  mutating func domainDraft(_ node: SyntaxNode) -> DomainDraft? {
    guard let draft = Language.domain.decode(node, &self) else { return nil }
    if draft.domain == nil { reportMissingDirectory(draft, at: node) }
    return draft.domain == nil ? nil : draft
  }

  mutating func reportMissingDirectory(_ draft: DomainDraft, at node: SyntaxNode) {
    let kind = draft.kind
    if let problem = draft.pathProblem {
      findings.report(.invalidPath, problem.message, at: draft.pathNode ?? node, help: problem.help)
      return
    }
    findings.report(
      .missingField, "'\(kind.text)' needs a directory", at: node.onlyField?.key ?? node,
      help: "write {\(kind.text): {directory: documents}}; use one of \(FileDirectory.Kind.declared.listing)")
  }
}

extension ValueShape where Value == String? {
  /// The name of a suite, an app group, a service or an access group, or a map for a name that the app gives when it runs. `null`
  /// is the configured one.
  ///
  /// - Parameter isFileName: A Boolean value that indicates whether the system makes a file's name of it.
  static func container(_ what: String, isFileName: Bool = false) -> Self {
    let shape = Shape.configured(or: .either([.text, Language.configuredName.shape]))
    return Self(what: what, shape: shape) { node, entry, context in
      if node.isNull { return .some(nil) }
      if node.kind == .mapping { return context.configuredName(node, of: entry, isFileName: isFileName)?.text }
      guard let text = context.scalar(node, what, example: entry.written) else { return nil }
      guard let problem = ContainerText.problem(text, entry.name, isFileName: isFileName) else { return text }
      context.findings.report(
        .invalidContainer, problem, at: node,
        help: "write it as in `\(entry.written)`, or leave it out to use \(entry.absence)")
      return nil
    }
  }
}

extension DecodingContext {
  /// Returns a name that the app gives when it runs.
  fileprivate mutating func configuredName(
    _ node: SyntaxNode, of entry: FieldEntry, isFileName: Bool
  ) -> ConfiguredName? {
    guard let draft = Language.configuredName.record(node, ConfiguredNameDraft(), &self), let name = draft.name else {
      return nil
    }
    guard let pattern = draft.pattern else { return ConfiguredName(name) }
    let problem =
      ContainerText.problem(pattern, "like", isFileName: isFileName)
      ?? (pattern.contains("*") ? nil : "'like' has no '*', so the name does not differ by build")
    guard let problem else { return ConfiguredName(name, like: pattern) }
    findings.report(
      .invalidContainer, problem, at: node.value(of: "like") ?? node,
      help: "write a pattern as in `like: \"*.statistics\"`, or leave out `configured` and write "
        + "`\(entry.written)`")
    return nil
  }
}

extension ValueShape where Value == String {
  /// The name by which the app gives the name of a container.
  fileprivate static var configuredName: Self {
    Self(what: "a configured name", shape: .text) { node, entry, context in
      guard let text = context.scalar(node, "a configured name", example: entry.written) else { return nil }
      let isWellFormed = text.utf8.allSatisfy {
        Identifier.isLower($0) || Identifier.isUpper($0) || Identifier.isDigit($0)
          || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
      }
      if isWellFormed, (1...Identifier.maxLength).contains(text.utf8.count) { return text }
      context.findings.report(
        .invalidContainer, "'\(text)' cannot be the name of a configured container", at: node,
        help: "use 1 to \(Identifier.maxLength) ASCII letters, digits, '.', '-' and '_', as in `\(entry.written)`")
      return nil
    }
  }
}

extension FieldEntry {
  /// The value that holds if the field is left out.
  var absence: String { if case .optional(let text) = presence { text } else { "nothing" } }
}

enum ContainerText {
  static func problem(_ text: String, _ field: String, isFileName: Bool) -> String? {
    let limit = DecodingContext.maxNameLength
    if text.isEmpty { return "'\(field)' is empty" }
    if text.unicodeScalars.count > limit { return "'\(field)' has more than \(limit) characters" }
    if ControlCharacters.occur(in: text) { return "'\(field)' has a control character" }
    guard isFileName else { return nil }
    if text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
      return "'\(field)' is a name, not a path"
    }
    if text == "." || text.contains("..") {
      return "'\(field)' cannot be '\(text)', because that path leads out of its folder"
    }
    if field == "suite", text.lowercased() == "standard" { return "a suite cannot be named 'standard'" }
    return nil
  }
}

extension ValueShape where Value == String {
  /// A path below application support.
  static var directoryPath: Self {
    Self(what: "a path", shape: .text) { node, _, context in
      let example = "directory: {custom: Reports/2024}"
      guard let path = context.scalar(node, "a path", example: example) else { return nil }
      guard let problem = DirectoryText.problem(path) else { return path }
      context.findings.report(
        .invalidDirectory, problem, at: node,
        help: "write a path below application support, for example {custom: Reports/2024}")
      return nil
    }
  }
}

enum DirectoryText {
  static func problem(_ path: String) -> String? {
    let bytes = Array(path.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "~") { return "the path '\(path)' is absolute" }
    if parts.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
      return "the path '\(path)' contains '.' or '..'"
    }
    if parts.contains(where: \.isEmpty) {
      return path.isEmpty ? "the path is empty" : "the path '\(path)' has an empty part"
    }
    if parts.contains(where: { $0.first == UInt8(ascii: ".") }) {
      return "the path '\(path)' has a part that begins with '.', which hides the folder"
    }
    if bytes.contains(UInt8(ascii: "\\")) || ControlCharacters.occur(in: path) {
      return "the path has a backslash or a control character"
    }
    return bytes.count > 512 || parts.contains { $0.count > 200 } ? "the path is too long" : nil
  }
}
