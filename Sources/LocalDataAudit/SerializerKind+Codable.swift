public import LocalDataVocabulary

extension SerializerKind {
  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case json, propertyList, jsonText, data, keyedArchive, custom
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .json: .json
    case .propertyList: .propertyList
    case .jsonText: .jsonText
    case .data: .data
    case .keyedArchive: .keyedArchive
    case .custom: .custom
    }
  }
}

/// Written as in a catalog: `"json"`, `{"custom": "NoteSerializer"}`.
extension SerializerKind: Codable {
  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .json: self = .json
    case .propertyList: self = .propertyList
    case .jsonText: self = .jsonText
    case .data: self = .data
    case .keyedArchive: self = .keyedArchive
    case .custom: self = .custom(try form.payload())
    }
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    if case .custom(let name) = self {
      try CaseForm.encode(kind, name, to: encoder)
    } else {
      try CaseForm.encode(kind, to: encoder)
    }
  }
}
