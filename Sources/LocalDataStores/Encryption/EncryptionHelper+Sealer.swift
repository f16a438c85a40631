package import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

extension EncryptionHelper {
  /// Returns a sealer for values of a policy. Creates the master key if there never was one.
  ///
  /// - Parameters:
  ///   - keyName: The key's declared stored name, which is passed to a provider of key material.
  ///   - stored: Returns the stored value of the key, before the first key of a provider is recorded for the name.
  package func sealer(
    for policy: SecurityPolicy.EncryptionPolicy, keyset: KeysetID, keyName: String,
    stored: @escaping @Sendable () throws(StorageProblem) -> Data? = { () throws(StorageProblem) in nil }
  ) async throws(StorageProblem) -> Sealer {
    if case .pbkdf2(let iterations) = policy.keyDerivation, !KeyDerivation.iterations.contains(iterations) {
      throw .configurationConflict
    }
    let session = currentSession
    let key: SealingKey
    switch policy.keySource {
    case .masterKey:
      let keys = try await keysetToSealWith(keyset, in: session)
      guard let primary = keys.key(keys.primary) else { throw .keyMaterialDamaged }
      switch policy.keyDerivation {
      case .hkdf: key = primary.sealingKey
      case .pbkdf2(let iterations):
        key = try await preparedKey(
          primary.secret, PreparationName(keyset: keyset, origin: .master(keyset, primary.id), iterations: iterations),
          in: session)
      }
    case .external(let source):
      let (material, name) = try await material(
        of: source, keyName: keyName, derivation: policy.keyDerivation, in: session)
      switch policy.keyDerivation {
      case .hkdf:
        key = try await checkedKey(
          material, PreparationName(keyset: keyset, origin: .external(name), iterations: 0), in: session, stored)
      case .pbkdf2(let iterations):
        key = try await preparedKey(
          material, PreparationName(keyset: keyset, origin: .external(name), iterations: iterations), in: session)
      }
    }
    return Sealer(key: key, algorithm: policy.algorithm, randomness: randomness)
  }

  /// Returns the material of a provider for a name. The provider is called once until ``lock()``. Its error is not passed on.
  func material(
    of source: KeyMaterialSource, keyName: String, derivation: KeyDerivation, in session: Session
  ) async throws(StorageProblem) -> (SecretBytes, MaterialName) {
    guard let (provider, revision) = providers.provider(for: source) else { throw .noKeyMaterialProvider(source) }
    let name = MaterialName(source: source, keyName: keyName, revision: revision)
    let material = try await session.materials.value(for: name) { () async throws(StorageProblem) in
      do {
        var given = try await provider.keyMaterial(for: keyName)
        defer { given.wipe() }
        return SecretBytes(given)
      } catch {
        throw .keyMaterialProviderFailed(source)
      }
    }
    CallDeadline.current?.renew()
    // HKDF adds no strength: its input must have the cipher's.
    guard material.count >= (derivation == .hkdf ? Keyset.Key.count : 1) else {
      throw .keyMaterialTooShort(source)
    }
    return (material, name)
  }

  /// Returns the key of a provider, if it is the one that was recorded for the name. The first one is recorded now.
  ///
  /// Throws `authenticationFailed` if it is another one: a value that is sealed with it could not be read when the provider
  /// returns the right one again.
  private func checkedKey(
    _ material: SecretBytes, _ name: PreparationName, in session: Session,
    _ stored: @escaping @Sendable () throws(StorageProblem) -> Data?
  ) async throws(StorageProblem) -> SealingKey {
    try await session.preparations.value(for: name) { [executor, vault] () async throws(StorageProblem) in
      let key = SealingKey(material, source: .external)
      let fresh = Keyset.Check(label: name.origin.label, id: key.id)
      try await executor.run { () throws(StorageProblem) in
        var known = try vault.read(name.keyset, name.origin.itemAddress)?.check(of: fresh.label)
        if known == nil {
          // The keyset may have been lost since the stored value was sealed.
          guard try stored().isSealed(byOtherThan: key) == false else { throw .authenticationFailed }
          known = try vault.update(name.keyset, name.origin.itemAddress) { keys in
            var keys = keys ?? Keyset()
            if keys.check(of: fresh.label) != nil { return nil }
            keys.checks.append(fresh)
            return keys
          }?.check(of: fresh.label)
        }
        guard known == fresh else { throw .authenticationFailed }
      }
      return key
    }
  }

  /// Returns a stretched key. If its parameters are not recorded yet, they are recorded now.
  private func preparedKey(
    _ material: SecretBytes, _ name: PreparationName, in session: Session
  ) async throws(StorageProblem) -> SealingKey {
    try await session.preparations.value(for: name) { [self] () async throws(StorageProblem) in
      let address = name.origin.itemAddress
      let recorded = try await executor.run { [vault] () throws(StorageProblem) in
        try vault.read(name.keyset, address)?.stretch(of: name.origin.label, iterations: name.iterations)
      }
      let stretch = if let recorded { recorded } else { try await newStretch(material, name, in: session) }
      let secret = try await self.stretch(
        material, StretchName(origin: name.origin, parameters: stretch.parameters), in: session)
      let key = SealingKey(secret, source: name.origin.source, stretch: stretch.parameters)
      // Another passphrase than the one on record: sealing under it would lock the value away.
      guard key.id == stretch.id else { throw .authenticationFailed }
      return key
    }
  }

  /// Records new parameters, durably before anything is sealed with them, or returns those of a process that was first.
  private func newStretch(
    _ material: SecretBytes, _ name: PreparationName, in session: Session
  ) async throws(StorageProblem) -> Keyset.Stretch {
    let parameters = StretchParameters(
      iterations: name.iterations, salt: randomness.bytes(StretchParameters.saltCount))
    let secret = try await stretch(
      material, StretchName(origin: name.origin, parameters: parameters), in: session)
    let label = name.origin.label
    let fresh = Keyset.Stretch(label: label, parameters: parameters, id: KeyID(of: secret))
    let stretch = try await executor.run { [vault] () throws(StorageProblem) in
      try vault.update(name.keyset, name.origin.itemAddress) { (keys) throws(StorageProblem) in
        if keys?.stretch(of: label, iterations: name.iterations) != nil { return nil }
        guard var keys = keys ?? name.origin.emptyKeyset else { throw .keyMaterialMissing }
        if case .master(_, let id) = name.origin, keys.key(id) == nil { throw .keyMaterialMissing }
        keys.stretches.append(fresh)
        return keys
      }?.stretch(of: label, iterations: name.iterations)
    }
    guard let stretch else { throw .keyMaterialMissing }
    return stretch
  }
}

extension Data? {
  /// Returns true if the bytes are an envelope that a provider's key has sealed without PBKDF2, and the key is another one.
  fileprivate func isSealed(byOtherThan key: SealingKey) throws(StorageProblem) -> Bool {
    guard let self, EnvelopeHeader.begins(self), let seal = try EnvelopeHeader.parse(self).seal else { return false }
    return seal.source == .external && seal.stretch == nil && seal.keyID != key.id
  }
}

extension EncryptionHelper.Origin {
  var source: EnvelopeHeader.Source {
    switch self {
    case .master: .masterKey
    case .external: .external
    }
  }

  /// The source whose keyset contains the parameters.
  var itemAddress: KeySource {
    switch self {
    case .master: .masterKey
    case .external(let name): .external(name.source)
    }
  }

  /// The name of the parameters in the keyset.
  var label: Data {
    switch self {
    case .master(_, let id): id.bytes
    case .external(let name): Data(name.keyName.utf8)
    }
  }

  /// The keyset to begin with. That of a master key exists before the key is stretched.
  fileprivate var emptyKeyset: Keyset? {
    switch self {
    case .master: nil
    case .external: Keyset()
    }
  }
}
