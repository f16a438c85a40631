public import StorageVocabulary

extension StorageDomain.Fields: Codable {
  private enum CodingKeys: CodingKey {
    case suite, identifier, service, without, accessGroup, synchronizable, directory
  }

  /// The attribute that an item does not have.
  private static let serviceWord = "service"

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    suite = try fields.decodeIfPresent(String.self, forKey: .suite)
    identifier = try fields.decodeIfPresent(String.self, forKey: .identifier)
    let isWithoutService = try fields.decodeIfPresent(String.self, forKey: .without) == Self.serviceWord
    service = isWithoutService ? "" : try fields.decodeIfPresent(String.self, forKey: .service)
    accessGroup = try fields.decodeIfPresent(String.self, forKey: .accessGroup)
    synchronizable = try fields.decodeIfPresent(Bool.self, forKey: .synchronizable)
    directory = try fields.decodeIfPresent(FileDirectory.self, forKey: .directory)
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encodeIfPresent(suite, forKey: .suite)
    try fields.encodeIfPresent(identifier, forKey: .identifier)
    if service == "" {
      try fields.encode(Self.serviceWord, forKey: .without)
    } else {
      try fields.encodeIfPresent(service, forKey: .service)
    }
    try fields.encodeIfPresent(accessGroup, forKey: .accessGroup)
    try fields.encodeIfPresent(synchronizable, forKey: .synchronizable)
    try fields.encodeIfPresent(directory, forKey: .directory)
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
    if fields == Fields() {
      try CaseForm.encode(kind, to: encoder)
    } else {
      try CaseForm.encode(kind, fields, to: encoder)
    }
  }
}

/// Written as in a catalog: `"documents"`, or `{"custom": "Reports/2024"}`; and `{"exact": "documents"}` for a path.
extension FileDirectory: Codable {
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .documents: self = .documents
    case .applicationSupport: self = .applicationSupport
    case .caches: self = .caches
    case .custom: self = .custom(try form.payload())
    case .exact: self = .exact(try form.payload())
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let text {
      try CaseForm.encode(kind, text, to: encoder)
    } else {
      try CaseForm.encode(kind, to: encoder)
    }
  }
}
