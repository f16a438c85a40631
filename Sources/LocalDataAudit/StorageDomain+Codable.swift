public import LocalDataVocabulary

extension ConfiguredName: Codable {
  private enum CodingKeys: String, CodingKey {
    case name = "configured"
    case pattern = "like"
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try fields.decode(String.self, forKey: .name), like: try fields.decodeIfPresent(String.self, forKey: .pattern))
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(name, forKey: .name)
    try fields.encodeIfPresent(pattern, forKey: .pattern)
  }
}

/// The name of a container, or the name that the app gives it by.
private struct ContainerText: Codable {
  let text: String

  init?(_ text: String?) {
    guard let text else { return nil }
    self.text = text
  }

  init(from decoder: any Decoder) throws {
    // A decoder answers a question about a shape with an error. If the name has neither form, the error below is reported.
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.text = text
    } else {
      text = try ConfiguredName(from: decoder).text
    }
  }

  func encode(to encoder: any Encoder) throws {
    if let configured = ConfiguredName(text: text) {
      try configured.encode(to: encoder)
    } else {
      try text.encode(to: encoder)
    }
  }
}

extension StorageDomain.Fields: Codable {
  private enum CodingKeys: CodingKey {
    case suite, identifier, service, without, accessGroup, synchronizable, directory
  }

  /// The attribute that an item does not have.
  private static let serviceWord = "service"

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    suite = try fields.decodeIfPresent(ContainerText.self, forKey: .suite)?.text
    identifier = try fields.decodeIfPresent(ContainerText.self, forKey: .identifier)?.text
    let isWithoutService = try fields.decodeIfPresent(String.self, forKey: .without) == Self.serviceWord
    service = isWithoutService ? "" : try fields.decodeIfPresent(ContainerText.self, forKey: .service)?.text
    accessGroup = try fields.decodeIfPresent(ContainerText.self, forKey: .accessGroup)?.text
    synchronizable = try fields.decodeIfPresent(Bool.self, forKey: .synchronizable)
    directory = try fields.decodeIfPresent(FileDirectory.self, forKey: .directory)
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encodeIfPresent(ContainerText(suite), forKey: .suite)
    try fields.encodeIfPresent(ContainerText(identifier), forKey: .identifier)
    if service == "" {
      try fields.encode(Self.serviceWord, forKey: .without)
    } else {
      try fields.encodeIfPresent(ContainerText(service), forKey: .service)
    }
    try fields.encodeIfPresent(ContainerText(accessGroup), forKey: .accessGroup)
    try fields.encodeIfPresent(synchronizable, forKey: .synchronizable)
    try fields.encodeIfPresent(directory, forKey: .directory)
  }
}

/// Written as in a catalog: `"userDefaults"`, `{"keychain": {"service": "com.example.account"}}`.
extension StorageDomain: Codable {
  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    guard let domain = StorageDomain(form.kind, try form.payload(absent: Fields())) else {
      throw DecodingError.valueNotFound(
        FileDirectory.self, .init(codingPath: decoder.codingPath, debugDescription: "A file needs a directory."))
    }
    self = domain
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
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
  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
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

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    if let text {
      try CaseForm.encode(kind, text, to: encoder)
    } else {
      try CaseForm.encode(kind, to: encoder)
    }
  }
}
