public import StorageVocabulary

/// Written as in a catalog: `"userDefaults"`, `{"keychain": {"service": "com.example.account"}}`.
extension StorageDomain: Codable {
  private struct Fields: Codable {
    var suite: String?
    var identifier: String?
    var service: String?
    var accessGroup: String?
    var synchronizable: Bool?
    var directory: FileDirectory?

    var isEmpty: Bool {
      suite == nil && identifier == nil && service == nil && accessGroup == nil && synchronizable == nil
        && directory == nil
    }

    func requiredDirectory(_ path: [any CodingKey]) throws -> FileDirectory {
      guard let directory else {
        throw DecodingError.valueNotFound(
          FileDirectory.self, .init(codingPath: path, debugDescription: "A file needs a directory."))
      }
      return directory
    }
  }

  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    let fields = try form.payload(absent: Fields())
    switch form.kind {
    case .userDefaults: self = .userDefaults(suite: fields.suite)
    case .appGroupUserDefaults: self = .appGroupUserDefaults(identifier: fields.identifier)
    case .keychain:
      self = .keychain(
        service: fields.service, accessGroup: fields.accessGroup, synchronizable: fields.synchronizable ?? false)
    case .fileSystem: self = .fileSystem(directory: try fields.requiredDirectory(decoder.codingPath))
    case .encryptedFileSystem:
      self = .encryptedFileSystem(directory: try fields.requiredDirectory(decoder.codingPath))
    case .appGroupFileSystem:
      self = .appGroupFileSystem(
        identifier: fields.identifier, directory: try fields.requiredDirectory(decoder.codingPath))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = Fields()
    switch self {
    case .userDefaults(let suite): fields.suite = suite
    case .appGroupUserDefaults(let identifier): fields.identifier = identifier
    case .keychain(let service, let accessGroup, let synchronizable):
      (fields.service, fields.accessGroup) = (service, accessGroup)
      if synchronizable { fields.synchronizable = true }
    case .fileSystem(let directory), .encryptedFileSystem(let directory): fields.directory = directory
    case .appGroupFileSystem(let identifier, let directory):
      (fields.identifier, fields.directory) = (identifier, directory)
    }
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
