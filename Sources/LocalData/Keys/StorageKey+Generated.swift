public import StorageVocabulary

/// What generated code calls. The prose of a generated key stands in its catalog's descriptors.
extension StorageKey {
  /// A generated key that reads `nil` where nothing is stored.
  @_spi(Generated) public init<Wrapped: Sendable>(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: Serializer<Wrapped>,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never, traits: KeyTraits = KeyTraits()
  ) where Value == Wrapped? {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer), traits: traits, prose: nil)
  }

  /// A generated key with a default.
  @_spi(Generated) public init(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never, traits: KeyTraits = KeyTraits()
  ) {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer, absent: defaultValue), traits: traits, prose: nil)
  }
}
