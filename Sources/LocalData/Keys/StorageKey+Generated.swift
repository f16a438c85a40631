public import LocalDataVocabulary

/// Initializers for generated code. The owner and description of a generated key are in its catalog's descriptors.
///
/// Name, domain, security and serializer have no labels, because every generated key has all four and a call without labels
/// compiles fastest. Rarely used options are modifiers, so that they add no arguments to other keys.
extension StorageKey {
  /// Creates a generated key that reads `nil` if nothing is stored.
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

  /// Creates a generated key with a default.
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

  /// Creates a member of a generated family that reads `nil` if nothing is stored.
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

  /// Creates a member of a generated family with a default.
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

  /// Creates the source of an in-place migration: the generated key with the domain and security of an earlier release.
  @_spi(Generated) public init(_ key: Self, domain: StorageDomain, security: SecurityPolicy) {
    var options = key.options
    options.isLegacy = true
    self.init(
      name: key.name, domain: domain, security: security, availability: key.availability, syncPolicy: key.syncPolicy,
      coding: KeyCoding(key.coding, valid: nil), options: options)
  }
}

/// Modifiers of generated keys.
extension StorageKey {
  /// Returns a copy with a migration.
  @_spi(Generated) public func migrating(_ migration: @escaping @Sendable (Self) -> AnyStorageMigration) -> Self {
    with(migration: migration)
  }

  /// Returns a copy of a legacy key of whose value several keys take a part.
  @_spi(Generated) public func shared(by parts: [StorageSourcePart]) -> Self { with { $0.parts = parts } }

  /// Returns a copy whose file has another protection.
  @_spi(Generated) public func protected(_ protection: StorageFileProtection) -> Self {
    with { $0.protection = protection }
  }

  /// Returns a copy whose value a sign-out leaves.
  @_spi(Generated) public func keptAtSignOut() -> Self { with { $0.isKeptAtSignOut = true } }

  /// Returns a copy of a legacy key from whose elements records are made. No migration removes it.
  @_spi(Generated) public func imported() -> Self { with { $0.isImported = true } }

  /// Returns a copy whose secured value may leave the device decrypted.
  @_spi(Generated) public func decrypted() -> Self { with { $0.isDecryptedForSync = true } }

  /// Returns a copy with another policy for stored bytes that do not decode.
  @_spi(Generated) public func onCorruption(_ policy: CorruptionPolicy) -> Self { with { $0.onCorruption = policy } }

  /// Returns a copy whose value has a smaller representation on the watch.
  @_disfavoredOverload
  @_spi(Generated) public func watched(by form: WatchRepresentation<Value>) -> Self {
    with { $0.watchRepresentation = form.bytes(of: coding) { $0 } }
  }

  /// Returns a copy whose value, if it is not `nil`, has a smaller representation on the watch.
  @_spi(Generated) public func watched<Wrapped>(by form: WatchRepresentation<Wrapped>) -> Self where Value == Wrapped? {
    with { $0.watchRepresentation = form.bytes(of: coding) { $0 } }
  }
}
