public import LocalDataVocabulary

/// Written as in a catalog: `"none"`, `"recommended"`, `{"keychain": {"accessibility": "afterFirstUnlock"}}`.
extension SecurityPolicy: Codable {
  private struct KeychainFields: Codable {
    var accessibility: KeychainAccessibility?
    var accessControl: KeychainAccessControl?
  }

  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .none: self = .none
    case .recommended: self = .recommended
    case .keychain:
      let fields = try form.payload(absent: KeychainFields())
      self = .keychain(
        accessibility: fields.accessibility ?? .whenUnlocked, accessControl: fields.accessControl)
    case .encrypted: self = .encrypted(try form.payload(absent: EncryptionPolicy()))
    }
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .none, .recommended: try CaseForm.encode(kind, to: encoder)
    case .keychain(let accessibility, let accessControl):
      let fields = KeychainFields(accessibility: accessibility, accessControl: accessControl)
      try CaseForm.encode(kind, fields, to: encoder)
    case .encrypted(let policy): try CaseForm.encode(kind, policy, to: encoder)
    }
  }
}

extension SecurityPolicy.EncryptionPolicy: Codable {
  private enum CodingKeys: CodingKey {
    case algorithm, keyDerivation, keySource
  }

  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    algorithm = try container.decodeIfPresent(EncryptionAlgorithm.self, forKey: .algorithm) ?? algorithm
    keyDerivation = try container.decodeIfPresent(KeyDerivation.self, forKey: .keyDerivation) ?? keyDerivation
    keySource = try container.decodeIfPresent(KeySource.self, forKey: .keySource) ?? keySource
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(algorithm, forKey: .algorithm)
    try container.encode(keyDerivation, forKey: .keyDerivation)
    try container.encode(keySource, forKey: .keySource)
  }
}

extension KeyDerivation: Codable {
  private struct Rounds: Codable {
    var iterations: Int
  }

  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .hkdf: self = .hkdf
    case .pbkdf2: self = .pbkdf2(iterations: try (form.payload() as Rounds).iterations)
    }
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .hkdf: try CaseForm.encode(kind, to: encoder)
    case .pbkdf2(let iterations): try CaseForm.encode(kind, Rounds(iterations: iterations), to: encoder)
    }
  }
}

extension KeySource {
  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case masterKey, external
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .masterKey: .masterKey
    case .external: .external
    }
  }
}

extension KeySource: Codable {
  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .masterKey: self = .masterKey
    case .external: self = .external(KeyMaterialSource(id: try form.payload()))
    }
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .masterKey: try CaseForm.encode(kind, to: encoder)
    case .external(let source): try CaseForm.encode(kind, source.id, to: encoder)
    }
  }
}
