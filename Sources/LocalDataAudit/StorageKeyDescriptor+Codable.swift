import LocalDataVocabulary

/// Written without what a catalog leaves out, so that thousands of descriptors stay small.
extension StorageKeyDescriptor {
  private enum CodingKeys: String, CodingKey {
    case member, name, type, domain, security, serializer, owner, description, availability, syncPolicy, sensitivity
    case retention, maxSize, backup, parameters, `default`, migration, legacy, deprecated, schema, sync, watch
    case onCorruption, signOut, signing, protection, dates, reads
  }

  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let member = try fields.decode(String.self, forKey: .member)
    self.init(
      member: member,
      name: try fields.decodeIfPresent(String.self, forKey: .name) ?? member,
      valueType: try fields.decode(String.self, forKey: .type),
      domain: try fields.decode(StorageDomain.self, forKey: .domain),
      security: try fields.decodeIfPresent(SecurityPolicy.self, forKey: .security) ?? .recommended,
      serializer: try fields.decodeIfPresent(SerializerKind.self, forKey: .serializer) ?? .json,
      owner: try fields.decode(String.self, forKey: .owner),
      description: try fields.decode(String.self, forKey: .description),
      availability: try fields.decodeIfPresent(PlatformAvailability.self, forKey: .availability) ?? .all,
      syncPolicy: try fields.decodeIfPresent(SyncPolicy.self, forKey: .syncPolicy) ?? .never,
      sensitivity: try fields.decodeIfPresent(Sensitivity.self, forKey: .sensitivity) ?? .internal,
      retention: try fields.decodeIfPresent(Retention.self, forKey: .retention),
      maxSize: try fields.decodeIfPresent(Int.self, forKey: .maxSize),
      backup: try fields.decodeIfPresent(Bool.self, forKey: .backup) ?? true,
      parameters: try fields.decodeIfPresent([Parameter].self, forKey: .parameters) ?? [],
      defaultValue: try fields.decodeIfPresent(String.self, forKey: .default),
      migration: try fields.decodeIfPresent(String.self, forKey: .migration),
      isLegacy: try fields.decodeIfPresent(Bool.self, forKey: .legacy) ?? false,
      deprecation: try fields.decodeIfPresent(String.self, forKey: .deprecated),
      schema: try fields.decodeIfPresent(Int.self, forKey: .schema) ?? 1,
      isDecryptedForSync: try fields.decodeIfPresent(SyncTransfer.self, forKey: .sync) == .decrypted,
      watchRepresentation: try fields.decodeIfPresent(String.self, forKey: .watch),
      onCorruption: try fields.decodeIfPresent(CorruptionPolicy.self, forKey: .onCorruption) ?? .throw)
    dates = try fields.decodeIfPresent(DateForm.self, forKey: .dates)
    reads = try fields.decodeIfPresent(String.self, forKey: .reads)
    protection = try fields.decodeIfPresent(StorageFileProtection.self, forKey: .protection) ?? .untilFirstUnlock
    isKeptAtSignOut = try fields.decodeIfPresent(SignOutPolicy.self, forKey: .signOut) == .keep
    signing = try fields.decodeIfPresent(StorageSigningDescriptor.self, forKey: .signing)
  }

  /// Writes the fields of the descriptor, with values in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(member, forKey: .member)
    try fields.encode(name, forKey: .name)
    try fields.encode(valueType, forKey: .type)
    try fields.encode(domain, forKey: .domain)
    try fields.encode(security, forKey: .security)
    try fields.encode(serializer, forKey: .serializer)
    try fields.encodeIfPresent(dates, forKey: .dates)
    try fields.encodeIfPresent(reads, forKey: .reads)
    try fields.encode(owner, forKey: .owner)
    try fields.encode(description, forKey: .description)
    if availability != .all { try fields.encode(availability, forKey: .availability) }
    if syncPolicy != .never { try fields.encode(syncPolicy, forKey: .syncPolicy) }
    if sensitivity != .internal { try fields.encode(sensitivity, forKey: .sensitivity) }
    try fields.encodeIfPresent(retention, forKey: .retention)
    if maxSize != domain.kind.defaultMaxSize { try fields.encode(maxSize, forKey: .maxSize) }
    if !backup { try fields.encode(backup, forKey: .backup) }
    if !parameters.isEmpty { try fields.encode(parameters, forKey: .parameters) }
    try fields.encodeIfPresent(defaultValue, forKey: .default)
    try fields.encodeIfPresent(migration, forKey: .migration)
    if isLegacy { try fields.encode(isLegacy, forKey: .legacy) }
    try fields.encodeIfPresent(deprecation, forKey: .deprecated)
    if schema != 1 { try fields.encode(schema, forKey: .schema) }
    if isDecryptedForSync { try fields.encode(SyncTransfer.decrypted, forKey: .sync) }
    try fields.encodeIfPresent(watchRepresentation, forKey: .watch)
    if onCorruption != .throw { try fields.encode(onCorruption, forKey: .onCorruption) }
    if protection != .untilFirstUnlock { try fields.encode(protection, forKey: .protection) }
    if isKeptAtSignOut { try fields.encode(SignOutPolicy.keep, forKey: .signOut) }
    try fields.encodeIfPresent(signing, forKey: .signing)
  }
}
