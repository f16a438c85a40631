public import StorageVocabulary

/// Initializers for generated code. The owner and description of a generated key are in its catalog's descriptors.
///
/// Name, domain, security and serializer have no labels: every generated key has all four, and a call without labels
/// compiles fastest. Rarely used options are modifiers behind the call, where they cost other keys nothing.
extension StorageKey {
  /// A generated key that reads `nil` where nothing is stored.
  @_spi(Generated) public init<Wrapped: Sendable>(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: Serializer<Wrapped>,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never, retention: Retention? = nil,
    maxSize: Int? = nil, backup: Bool = true, legacy: Bool = false
  ) where Value == Wrapped? {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer),
      options: StorageKeyOptions(retention: retention, maxSize: maxSize, backup: backup, legacy: legacy))
  }

  /// A generated key with a default.
  @_spi(Generated) public init(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, availability: PlatformAvailability = .all,
    syncPolicy: SyncPolicy = .never, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false
  ) {
    self.init(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: KeyCoding(serializer, default: defaultValue),
      options: StorageKeyOptions(retention: retention, maxSize: maxSize, backup: backup, legacy: legacy))
  }

  /// A member of a generated family that reads `nil` where nothing is stored.
  @_spi(Generated) public init<Wrapped: Sendable>(
    _ family: StorageKeyFamily, _ name: StorageKeyName, _ serializer: Serializer<Wrapped>,
    availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never, retention: Retention? = nil,
    maxSize: Int? = nil, backup: Bool = true, legacy: Bool = false
  ) where Value == Wrapped? {
    self.init(
      name: name.text, domain: family.domain, security: family.security, availability: availability,
      syncPolicy: syncPolicy, coding: KeyCoding(serializer),
      options: StorageKeyOptions(
        declaredName: family.name, retention: retention, maxSize: maxSize, backup: backup, legacy: legacy))
  }

  /// A member of a generated family with a default.
  @_spi(Generated) public init(
    _ family: StorageKeyFamily, _ name: StorageKeyName, _ serializer: Serializer<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value, availability: PlatformAvailability = .all,
    syncPolicy: SyncPolicy = .never, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false
  ) {
    self.init(
      name: name.text, domain: family.domain, security: family.security, availability: availability,
      syncPolicy: syncPolicy, coding: KeyCoding(serializer, default: defaultValue),
      options: StorageKeyOptions(
        declaredName: family.name, retention: retention, maxSize: maxSize, backup: backup, legacy: legacy))
  }

  /// A generated key as it was before: its own bytes, secured otherwise.
  @_spi(Generated) public init(_ key: Self, domain: StorageDomain, security: SecurityPolicy) {
    var options = key.options
    options.isLegacy = true
    self.init(
      name: key.name, domain: domain, security: security, availability: key.availability, syncPolicy: key.syncPolicy,
      coding: key.coding, options: options)
  }
}

/// Modifiers of generated keys.
extension StorageKey {
  /// The key with a migration.
  @_spi(Generated) public func migrating(_ migration: @escaping @Sendable (Self) -> AnyStorageMigration) -> Self {
    with(migration: migration)
  }

  /// A copy whose secured value may leave the device decrypted.
  @_spi(Generated) public func decrypted() -> Self { with { $0.isDecryptedForSync = true } }

  /// A copy with another policy for stored bytes that are no value.
  @_spi(Generated) public func onCorruption(_ policy: CorruptionPolicy) -> Self { with { $0.onCorruption = policy } }

  /// The key as a source that Foundation's own UserDefaults wrote.
  @_spi(Generated) public func writtenByFoundation() -> Self { with { $0.isFoundation = true } }

  /// A copy whose value has a smaller representation on the watch.
  @_disfavoredOverload
  @_spi(Generated) public func watched(by form: WatchRepresentation<Value>) -> Self {
    with { $0.watchRepresentation = form.bytes(of: coding) { $0 } }
  }

  /// A copy whose value, if there is one, has a smaller representation on the watch.
  @_spi(Generated) public func watched<Wrapped>(by form: WatchRepresentation<Wrapped>) -> Self where Value == Wrapped? {
    with { $0.watchRepresentation = form.bytes(of: coding) { $0 } }
  }
}
