public import StorageVocabulary

/// What generated code calls. The prose of a generated key stands in its catalog's descriptors.
///
/// Name, domain, security and serializer are positional: every generated key says all four, and a call without labels
/// is the one that compiles fastest by the thousand.
extension StorageKey {
  /// A generated key that reads `nil` where nothing is stored.
  @_spi(Generated) public init<Wrapped: Sendable>(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: Serializer<Wrapped>,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never, retention: Retention? = nil,
    maxSize: Int? = nil, backup: Bool = true, legacy: Bool = false, foundation: Bool = false, resecure: Bool = false,
    watch: WatchForm<Wrapped>? = nil,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value == Wrapped? {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer),
      traits: StorageKeyTraits(
        retention: retention, maxSize: maxSize, backup: backup, legacy: legacy, foundation: foundation,
        resecure: resecure, watchForm: watch?.bytes(serializer)),
      migration: migration, prose: nil)
  }

  /// A generated key with a default.
  @_spi(Generated) public init(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, availability: PlatformAvailability = .all,
    syncPolicy: SyncPolicy = .never, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false, resecure: Bool = false, watch: WatchForm<Value>? = nil,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer, absent: defaultValue),
      traits: StorageKeyTraits(
        retention: retention, maxSize: maxSize, backup: backup, legacy: legacy, resecure: resecure,
        watchForm: watch?.bytes(serializer)),
      migration: migration, prose: nil)
  }

  /// A member of a generated family that reads `nil` where nothing is stored.
  @_spi(Generated) public init<Wrapped: Sendable>(
    _ family: StorageKeyFamily, _ name: StorageKeyName, _ serializer: Serializer<Wrapped>,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never, retention: Retention? = nil,
    maxSize: Int? = nil, backup: Bool = true, legacy: Bool = false, foundation: Bool = false, resecure: Bool = false,
    watch: WatchForm<Wrapped>? = nil,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) where Value == Wrapped? {
    self.init(
      name: name.text, domain: family.domain, security: family.security, availability: availability,
      syncPolicy: syncPolicy, coding: KeyCoding(serializer),
      traits: StorageKeyTraits(
        declaredName: family.name, retention: retention, maxSize: maxSize, backup: backup, legacy: legacy,
        foundation: foundation, resecure: resecure, watchForm: watch?.bytes(serializer)),
      migration: migration, prose: nil)
  }

  /// A member of a generated family with a default.
  @_spi(Generated) public init(
    _ family: StorageKeyFamily, _ name: StorageKeyName, _ serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, availability: PlatformAvailability = .all,
    syncPolicy: SyncPolicy = .never, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false, resecure: Bool = false, watch: WatchForm<Value>? = nil,
    migration: (@Sendable (StorageKey<Value>) -> AnyStorageMigration)? = nil
  ) {
    self.init(
      name: name.text, domain: family.domain, security: family.security, availability: availability,
      syncPolicy: syncPolicy, coding: KeyCoding(serializer, absent: defaultValue),
      traits: StorageKeyTraits(
        declaredName: family.name, retention: retention, maxSize: maxSize, backup: backup, legacy: legacy,
        resecure: resecure, watchForm: watch?.bytes(serializer)),
      migration: migration, prose: nil)
  }

  /// A generated key as it was before: its own bytes, secured otherwise.
  @_spi(Generated) public init(_ key: Self, domain: StorageDomain, security: SecurityPolicy) {
    var traits = key.traits
    traits.isLegacy = true
    self.init(
      name: key.name, domain: domain, security: security, availability: key.availability, syncPolicy: key.syncPolicy,
      coding: key.coding, traits: traits, migration: nil, prose: nil)
  }
}
