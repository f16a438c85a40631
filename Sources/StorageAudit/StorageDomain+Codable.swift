public import StorageVocabulary

extension StorageDomain {
  /// The properties of a domain, under the names of its fields in a catalog. Only some have a meaning for each kind.
  package struct Fields: Codable {
    package var suite: String?
    package var identifier: String?
    package var service: String?
    package var accessGroup: String?
    /// `nil` means `false`.
    package var synchronizable: Bool?
    package var directory: FileDirectory?

    package init() {}

    /// The properties of a domain. `synchronizable` is `true` or `nil`.
    package init(_ domain: StorageDomain) {
      switch domain {
      case .userDefaults(let suite): self.suite = suite
      case .appGroupUserDefaults(let identifier): self.identifier = identifier
      case .keychain(let service, let accessGroup, let synchronizable):
        (self.service, self.accessGroup) = (service, accessGroup)
        if synchronizable { self.synchronizable = true }
      case .fileSystem(let directory), .encryptedFileSystem(let directory): self.directory = directory
      case .appGroupFileSystem(let identifier, let directory):
        (self.identifier, self.directory) = (identifier, directory)
      }
    }

    fileprivate var isEmpty: Bool {
      suite == nil && identifier == nil && service == nil && accessGroup == nil && synchronizable == nil
        && directory == nil
    }
  }

  /// Creates the domain of a kind. The result is `nil` for a kind of file without a directory.
  package init?(_ kind: Kind, _ fields: Fields) {
    let domain: StorageDomain? =
      switch kind {
      case .userDefaults: .userDefaults(suite: fields.suite)
      case .appGroupUserDefaults: .appGroupUserDefaults(identifier: fields.identifier)
      case .keychain:
        .keychain(
          service: fields.service, accessGroup: fields.accessGroup, synchronizable: fields.synchronizable ?? false)
      case .fileSystem: fields.directory.map { .fileSystem(directory: $0) }
      case .encryptedFileSystem: fields.directory.map { .encryptedFileSystem(directory: $0) }
      case .appGroupFileSystem:
        fields.directory.map { .appGroupFileSystem(identifier: fields.identifier, directory: $0) }
      }
    guard let domain else { return nil }
    self = domain
  }
}

/// Written as in a catalog: `"userDefaults"`, `{"keychain": {"service": "com.example.account"}}`.
extension StorageDomain: Codable {
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    guard let domain = StorageDomain(form.kind, try form.payload(absent: Fields())) else {
      throw DecodingError.valueNotFound(
        FileDirectory.self, .init(codingPath: decoder.codingPath, debugDescription: "A file needs a directory."))
    }
    self = domain
  }

  public func encode(to encoder: any Encoder) throws {
    let fields = Fields(self)
    if fields.isEmpty {
      try CaseForm.encode(kind, to: encoder)
    } else {
      try CaseForm.encode(kind, fields, to: encoder)
    }
  }
}

/// Written as in a catalog: `"documents"`, or `{"custom": "Reports/2024"}`.
extension FileDirectory: Codable {
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .documents: self = .documents
    case .applicationSupport: self = .applicationSupport
    case .caches: self = .caches
    case .custom: self = .custom(try form.payload())
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .custom(let path) = self {
      try CaseForm.encode(Kind.custom, path, to: encoder)
    } else {
      try CaseForm.encode(kind, to: encoder)
    }
  }
}
