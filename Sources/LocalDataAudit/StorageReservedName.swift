public import LocalDataVocabulary

/// A name that was used once and must not be used again.
public struct StorageReservedName: Sendable, Hashable, Codable {
  /// The stored name.
  public var name: String
  /// The domain in which it was used.
  public var domain: StorageDomain
  /// A Boolean value that indicates whether a sweep removes what is still stored under the name.
  public var deletesLeftovers: Bool
  /// The reason why the name is no longer used.
  public var note: String?

  /// A reserved name.
  public init(name: String, domain: StorageDomain, deletesLeftovers: Bool = false, note: String? = nil) {
    self.name = name
    self.domain = domain
    self.deletesLeftovers = deletesLeftovers
    self.note = note
  }
}

/// Written as in a catalog: `{"name": "session_v0", "domain": "userDefaults", "cleanup": "delete"}`.
extension StorageReservedName {
  private enum CodingKeys: String, CodingKey {
    case name, domain, cleanup, note
  }

  /// The treatment of a value that is still stored under a reserved name.
  public enum Cleanup: String, Sendable, Hashable, Codable, CaseIterable {
    case keep, delete
  }

  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try fields.decode(String.self, forKey: .name),
      domain: try fields.decode(StorageDomain.self, forKey: .domain),
      deletesLeftovers: try fields.decodeIfPresent(Cleanup.self, forKey: .cleanup) == .delete,
      note: try fields.decodeIfPresent(String.self, forKey: .note))
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(domain, forKey: .domain)
    if deletesLeftovers { try fields.encode(Cleanup.delete, forKey: .cleanup) }
    try fields.encodeIfPresent(note, forKey: .note)
  }
}
