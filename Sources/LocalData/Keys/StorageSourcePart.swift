import LocalDataFoundation
import LocalDataStores
public import LocalDataVocabulary

/// A name in the path of a field: that of a value in a dictionary of JSON or of a property list.
@_spi(Generated) public enum StorageFieldName: Sendable, Hashable {
  case name(String)
  /// The value of a family's parameter. If it is a UUID, its letters may be in either case.
  case parameter(String, isUUID: Bool = false)

  /// Returns the values of the parameters if a name in a dictionary is this one, or nil if it is another one.
  ///
  /// - Parameter values: The escaped values of the parameters that are known.
  fileprivate func values(_ text: String, _ values: [String: String]) -> [String: String]? {
    guard case .parameter(let parameter, let isUUID) = self else { return self == .name(text) ? values : nil }
    let isLowercased = isUUID && UUID(uuidString: text) != nil
    let escaped = StorageKeyName("\(isLowercased ? text.lowercased() : text)").text
    return values[parameter, default: escaped] == escaped ? values.merging([parameter: escaped]) { $1 } : nil
  }
}

/// A key or a family that takes a part of the value of a legacy key.
@_spi(Generated) public struct StorageSourcePart: Sendable {
  let family: StorageKeyFamily
  /// The path of the part; `nil` if a transform makes it from the whole value.
  let field: [StorageFieldName]?
  let availability: PlatformAvailability

  /// Creates a part from the stored name and the domain of its key.
  public init(
    _ name: String, _ domain: StorageDomain, _ field: [StorageFieldName]? = nil,
    availability: PlatformAvailability = .all
  ) {
    family = StorageKeyFamily(name: name, domain: domain)
    self.field = field
    self.availability = availability
  }

  /// Returns the parameters of the members that have a part in opened bytes of a source.
  func members(in bytes: Data, of source: AnyStorageKey) throws -> [[String: String]] {
    try field.map { try FieldReader<IgnoredPart>.found(at: $0, in: bytes, source.serializer, nil).map(\.values) } ?? [
      [:]
    ]
  }
}

extension StorageKey {
  /// Creates the source of a key that takes one field of a legacy key's value. The source has no value if the field is absent.
  ///
  /// - Parameters:
  ///   - field: The path of the field.
  ///   - values: The parameters of the member that takes it.
  ///   - source: The legacy key.
  @_spi(Generated) public init<Part: Codable & Sendable>(
    _ field: [StorageFieldName], _ values: [String: StorageKeyName] = [:], of source: StorageKey<AnyCodable?>
  ) where Value == Part? {
    let kind = source.serializer
    let dates = source.coding.dates
    let values = values.mapValues(\.text)
    let serializer = Serializer<Part?>(kind: kind) { _ in
      throw StorageProblem.cannotEncode
    } decode: {
      try FieldReader<Part>.found(at: field, values, in: $0, kind, dates).first?.part
    }
    self.init(
      name: source.name, domain: source.domain, security: source.security, availability: source.availability,
      syncPolicy: .never, coding: KeyCoding<Part?>(serializer, default: nil), options: source.options,
      migration: source.migration.map { migrate in { @Sendable (_: Self) in migrate(source) } })
  }
}

/// The values that a path leads to. Nothing else of the bytes is decoded.
private struct FieldReader<Part: Decodable>: DecodableWithConfiguration {
  private var found: [(values: [String: String], part: Part)] = []

  static func found(
    at field: [StorageFieldName], _ values: [String: String] = [:], in bytes: Data, _ kind: SerializerKind,
    _ dates: DateForm?
  ) throws -> [(values: [String: String], part: Part)] {
    guard kind == .propertyList else {
      let json = kind == .jsonText ? try PropertyListForm.json(ofText: bytes) : bytes
      return try JSONForm.decoder(dates).decode(Self.self, from: json, configuration: (field, values)).found
    }
    try PropertyListLimits.check(bytes)
    return try PropertyListDecoder().decode(Self.self, from: bytes, configuration: (field, values)).found
  }

  init(from decoder: any Decoder, configuration: (field: [StorageFieldName], values: [String: String])) throws {
    try read(configuration.field[...], configuration.values, decoder)
  }

  private mutating func read(
    _ field: ArraySlice<StorageFieldName>, _ values: [String: String], _ decoder: any Decoder
  ) throws {
    guard let name = field.first else {
      return found.append((values, try decoder.singleValueContainer().decode(Part.self)))
    }
    let fields = try decoder.container(keyedBy: FieldKey.self)
    for key in fields.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      guard let values = name.values(key.stringValue, values), try !fields.decodeNil(forKey: key) else { continue }
      try read(field.dropFirst(), values, fields.superDecoder(forKey: key))
    }
  }
}

/// A part that is only looked for.
private struct IgnoredPart: Decodable {
  init(from decoder: any Decoder) {}
}

private struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
