/// The form that a catalog gives an enum with payloads: a plain name where nothing is said, else a map of one case.
///
///     "userDefaults"
///     {"keychain": {"service": "com.example.account"}}
struct CaseForm<Kind: RawRepresentable<String> & CaseIterable> {
  let kind: Kind
  private let container: KeyedDecodingContainer<CaseName>?

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let kind = Kind(rawValue: name) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "Not one of \(Self.names)."))
      }
      self.kind = kind
      container = nil
      return
    }
    let container = try decoder.container(keyedBy: CaseName.self)
    guard container.allKeys.count == 1, let kind = Kind(rawValue: container.allKeys[0].stringValue) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "Not a map of one of \(Self.names)."))
    }
    self.kind = kind
    self.container = container
  }

  /// The payload of the case, which must be there.
  func payload<Payload: Decodable>() throws -> Payload {
    guard let container else {
      throw DecodingError.valueNotFound(
        Payload.self, .init(codingPath: [], debugDescription: "'\(kind.rawValue)' needs a value."))
    }
    return try container.decode(Payload.self, forKey: CaseName(kind.rawValue))
  }

  /// The payload of the case, or `absent` where only its name is written.
  func payload<Payload: Decodable>(absent: Payload) throws -> Payload {
    container == nil ? absent : try payload()
  }

  static func encode(_ kind: Kind, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(kind.rawValue)
  }

  static func encode(_ kind: Kind, _ payload: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CaseName.self)
    try container.encode(payload, forKey: CaseName(kind.rawValue))
  }

  private static var names: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }
}

private struct CaseName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
