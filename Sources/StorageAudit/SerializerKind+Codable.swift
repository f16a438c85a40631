public import StorageVocabulary

/// Written as in a catalog: `"json"`, `{"custom": "NoteSerializer"}`.
extension SerializerKind: Codable {
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .json: self = .json
    case .propertyList: self = .propertyList
    case .data: self = .data
    case .custom: self = .custom(try form.payload())
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .custom(let name) = self {
      try CaseForm.encode(kind, name, to: encoder)
    } else {
      try CaseForm.encode(kind, to: encoder)
    }
  }
}
