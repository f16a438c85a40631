import CatalogSyntax
import StorageVocabulary

/// `domain:`. Leaves that the same case has in `defaults` are inherited one by one.
extension CatalogDecoder {
  enum DomainField: UInt8, FieldName {
    case suite, identifier, service, accessGroup, synchronizable, directory, foundation

    static let names = NameTable<Self>()
  }

  private struct Leaves {
    var suite: SyntaxNode?
    var identifier: SyntaxNode?
    var service: SyntaxNode?
    var accessGroup: SyntaxNode?
    var synchronizable: SyntaxNode?
    var directory: SyntaxNode?
    var foundation: SyntaxNode?
    var isSound = true

    mutating func set(_ field: DomainField, _ node: SyntaxNode) {
      switch field {
      case .suite: suite = node
      case .identifier: identifier = node
      case .service: service = node
      case .accessGroup: accessGroup = node
      case .synchronizable: synchronizable = node
      case .directory: directory = node
      case .foundation: foundation = node
      }
    }
  }

  mutating func domain(_ node: SyntaxNode, inherited: SyntaxNode?) -> StorageDomain? {
    domain(node, inherited: inherited, isInlineSource: false)?.domain
  }

  /// - Parameter isInlineSource: whether `foundation` may stand in it.
  mutating func domain(
    _ node: SyntaxNode, inherited: SyntaxNode?, isInlineSource: Bool
  ) -> (domain: StorageDomain, isFoundation: Bool)? {
    guard
      let own: CaseNode<StorageDomain.Kind> = caseNode(
        node, "a storage domain", .unknownDomain, example: "domain: userDefaults")
    else { return nil }
    let kind = own.kind
    if own.payload == nil, inherited == nil, !kind.isFile {
      return (Self.plain(kind), false)
    }
    var leaves = leaves(own, isInlineSource)
    if let base = CaseNode<StorageDomain.Kind>.quietly(inherited), base.kind == kind { merge(base, into: &leaves) }
    guard leaves.isSound else { return nil }
    return resolve(kind, leaves, at: own.name)
  }

  private static func plain(_ kind: StorageDomain.Kind) -> StorageDomain {
    switch kind {
    case .userDefaults: .userDefaults()
    case .appGroupUserDefaults: .appGroupUserDefaults()
    case .keychain: .keychain()
    case .fileSystem: .fileSystem(directory: .applicationSupport)
    case .encryptedFileSystem: .encryptedFileSystem(directory: .applicationSupport)
    case .appGroupFileSystem: .appGroupFileSystem(directory: .applicationSupport)
    }
  }

  private mutating func leaves(_ own: CaseNode<StorageDomain.Kind>, _ isInlineSource: Bool) -> Leaves {
    var leaves = Leaves()
    guard let payload = own.payload else { return leaves }
    let kind = own.kind
    guard
      mapping(
        payload, "a map of what '\(kind.text)' takes",
        example: "domain: {\(kind.text): {\(Self.payloadExample(kind))}}")
    else {
      leaves.isSound = false
      return leaves
    }
    var fields = FieldIterator<DomainField>(payload, of: kind.text, isCase: true) { field in
      switch field {
      case .suite: kind == .userDefaults
      case .identifier: kind.isAppGroup
      case .service, .accessGroup, .synchronizable: kind == .keychain
      case .directory: kind.isFile
      case .foundation: kind == .userDefaults && isInlineSource
      }
    }
    while let (field, _, value) = fields.next(&findings) { leaves.set(field, value) }
    if fields.hasUnknown { leaves.isSound = false }
    return leaves
  }

  private static func payloadExample(_ kind: StorageDomain.Kind) -> String {
    switch kind {
    case .userDefaults: "suite: com.example.account"
    case .appGroupUserDefaults: "identifier: group.com.example.account"
    case .keychain: "service: com.example.account"
    case .fileSystem, .encryptedFileSystem, .appGroupFileSystem: "directory: documents"
    }
  }

  private func merge(_ base: CaseNode<StorageDomain.Kind>, into leaves: inout Leaves) {
    guard let payload = base.payload, payload.kind == .mapping else { return }
    for (key, value) in payload.fields where key.kind == .scalar {
      switch DomainField.names.find(key) {
      case .suite: leaves.suite = leaves.suite ?? value
      case .identifier: leaves.identifier = leaves.identifier ?? value
      case .service: leaves.service = leaves.service ?? value
      case .accessGroup: leaves.accessGroup = leaves.accessGroup ?? value
      case .synchronizable: leaves.synchronizable = leaves.synchronizable ?? value
      case .directory: leaves.directory = leaves.directory ?? value
      case .foundation, nil: break
      }
    }
  }

  private mutating func resolve(
    _ kind: StorageDomain.Kind, _ leaves: Leaves, at name: SyntaxNode
  ) -> (domain: StorageDomain, isFoundation: Bool)? {
    switch kind {
    case .userDefaults:
      guard let suite = container(leaves.suite, .suite) else { return nil }
      var isFoundation = false
      if let node = leaves.foundation {
        guard let flag = flag(node, DomainField.foundation.text) else { return nil }
        isFoundation = flag
      }
      return (.userDefaults(suite: suite.text), isFoundation)
    case .appGroupUserDefaults:
      guard let identifier = container(leaves.identifier, .identifier) else { return nil }
      return (.appGroupUserDefaults(identifier: identifier.text), false)
    case .keychain:
      let service = container(leaves.service, .service)
      let group = container(leaves.accessGroup, .accessGroup)
      let synchronizable = leaves.synchronizable.map { flag($0, DomainField.synchronizable.text) } ?? false
      guard let service, let group, let synchronizable else { return nil }
      return (
        .keychain(service: service.text, accessGroup: group.text, synchronizable: synchronizable), false
      )
    case .fileSystem, .encryptedFileSystem, .appGroupFileSystem:
      let identifier = container(leaves.identifier, .identifier)
      guard let directory = requiredDirectory(leaves.directory, kind, at: name), let identifier else { return nil }
      switch kind {
      case .fileSystem: return (.fileSystem(directory: directory), false)
      case .encryptedFileSystem: return (.encryptedFileSystem(directory: directory), false)
      default: return (.appGroupFileSystem(identifier: identifier.text, directory: directory), false)
      }
    }
  }

  // MARK: Leaves

  private struct Container { var text: String? }

  /// A suite, an identifier, a service or an access group; null stands for the configured one.
  private mutating func container(_ node: SyntaxNode?, _ field: DomainField) -> Container? {
    guard let node, !node.isNull else { return Container() }
    guard let text = scalar(node, "the text of '\(field.text)'", example: "\(field.text): com.example.account") else {
      return nil
    }
    guard let problem = Self.problem(text, field) else { return Container(text: text) }
    findings.report(
      .invalidContainer, problem, at: node,
      help: field == .suite
        ? "leave the suite out for the app's own preferences, or write `suite: com.example.account`"
        : "write it as in `\(field.text): com.example.account`, or leave it out for the configured one")
    return nil
  }

  private static func problem(_ text: String, _ field: DomainField) -> String? {
    if text.isEmpty { return "'\(field.text)' is empty" }
    if text.unicodeScalars.count > maxNameLength { return "'\(field.text)' has more than \(maxNameLength) characters" }
    if ControlCharacters.occur(in: text) { return "'\(field.text)' has a control character" }
    guard field == .suite || field == .identifier else { return nil }
    if text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
      return "'\(field.text)' is a name, not a path"
    }
    if text == "." || text.contains("..") {
      return "'\(field.text)' cannot be '\(text)', which leads out of its folder"
    }
    if field == .suite, text.lowercased() == "standard" { return "a suite cannot be named 'standard'" }
    return nil
  }

  private mutating func requiredDirectory(
    _ node: SyntaxNode?, _ kind: StorageDomain.Kind, at name: SyntaxNode
  ) -> FileDirectory? {
    guard let node else {
      findings.report(
        .missingField, "'\(kind.text)' needs a directory", at: name,
        help: "write {\(kind.text): {directory: documents}}; one of \(FileDirectory.Kind.names.listing)")
      return nil
    }
    return directory(node)
  }

  private mutating func directory(_ node: SyntaxNode) -> FileDirectory? {
    guard
      let form: CaseNode<FileDirectory.Kind> = caseNode(
        node, "a directory", example: "directory: documents")
    else { return nil }
    switch form.kind {
    case .documents: return refusePayload(form.payload, of: form.kind) ? .documents : nil
    case .applicationSupport: return refusePayload(form.payload, of: form.kind) ? .applicationSupport : nil
    case .caches: return refusePayload(form.payload, of: form.kind) ? .caches : nil
    case .custom: return customDirectory(form.payload ?? form.name, isNamed: form.payload != nil)
    }
  }

  private mutating func customDirectory(_ node: SyntaxNode, isNamed: Bool) -> FileDirectory? {
    guard isNamed else {
      findings.report(
        .missingField, "'custom' needs a path", at: node, help: "write {custom: Reports/2024}")
      return nil
    }
    guard let path = scalar(node, "a path", example: "directory: {custom: Reports/2024}") else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let problem: String
    if path.hasPrefix("/") || path.hasPrefix("~") {
      problem = "the path '\(path)' is absolute"
    } else if parts.contains("..") || parts.contains(".") {
      problem = "the path '\(path)' leads elsewhere by '.' or '..'"
    } else if parts.contains("") {
      problem = path.isEmpty ? "the path is empty" : "the path '\(path)' has an empty part"
    } else if path.contains("\\") || ControlCharacters.occur(in: path) {
      problem = "the path has a backslash or a control character"
    } else if path.utf8.count > 512 || parts.contains(where: { $0.utf8.count > 200 }) {
      problem = "the path is too long"
    } else {
      return .custom(path)
    }
    findings.report(
      .invalidDirectory, problem, at: node,
      help: "a custom directory is a path below application support: {custom: Reports/2024}")
    return nil
  }
}
