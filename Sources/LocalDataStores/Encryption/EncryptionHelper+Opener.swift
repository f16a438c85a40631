package import LocalDataVocabulary

internal import LocalDataFoundation
import LocalDataSystem

extension EncryptionHelper {
  /// Returns an opener for a value with this header. Never creates a key.
  ///
  /// Throws `keyMaterialMissing` if the source has no key, and `authenticationFailed` if it has keys but not the one that the
  /// header names: the value was sealed with another key, or changed. Parameters that differ from the recorded ones, and
  /// unknown ones that cost more than the policy's own, are refused before any key is derived.
  package func opener(
    for policy: SecurityPolicy.EncryptionPolicy, keyset: KeysetID, keyName: String, header: EnvelopeHeader
  ) async throws(StorageProblem) -> Opener {
    // A plain value instead of a sealed one.
    guard let seal = header.seal else { throw .corrupted }
    let session = currentSession
    switch policy.keySource {
    case .masterKey:
      guard seal.source == .masterKey else { throw .authenticationFailed }
      return try await masterOpener(seal, keyset, in: session)
    case .external(let source):
      guard seal.source == .external else { throw .authenticationFailed }
      let (material, name) = try await material(
        of: source, keyName: keyName, derivation: seal.stretch.map { .pbkdf2(iterations: $0.iterations) } ?? .hkdf,
        in: session)
      guard let stretch = seal.stretch else {
        return try Opener(SealingKey(material, source: .external), for: seal)
      }
      return try await externalOpener(
        seal, stretch, material, name, keyset, most: policy.keyDerivation.mostIterations, in: session)
    }
  }

  /// Returns an opener with the master keys in memory, without waiting; `nil` for other sources, and for keys that are
  /// stretched. A value that it does not open may still be opened by ``opener(for:keyset:keyName:header:)``.
  package func knownOpener(for policy: SecurityPolicy.EncryptionPolicy, keyset: KeysetID) -> Opener? {
    guard policy.keySource == .masterKey, policy.keyDerivation == .hkdf,
      let keys = currentSession.knownKeyset(of: keyset)
    else { return nil }
    return keys.opener
  }

  private func masterOpener(
    _ seal: EnvelopeHeader.Seal, _ keyset: KeysetID, in session: Session
  ) async throws(StorageProblem) -> Opener {
    var keys = try await keys(of: keyset, in: session)
    if !keys.knows(seal.keyID) { keys = try await self.keys(of: keyset, isFresh: true, in: session) }
    guard let parameters = seal.stretch else {
      guard keys.key(seal.keyID) != nil else { throw .authenticationFailed }
      return keys.opener
    }
    guard let stretch = keys.stretch(seal.keyID), stretch.parameters == parameters,
      let key = keys.key(KeyID(bytes: stretch.label))
    else { throw .authenticationFailed }
    let secret = try await self.stretch(
      key.secret, StretchName(origin: .master(keyset, key.id), parameters: parameters), in: session)
    return try Opener(SealingKey(secret, source: .masterKey, stretch: parameters), for: seal)
  }

  private func externalOpener(
    _ seal: EnvelopeHeader.Seal, _ parameters: StretchParameters, _ material: SecretBytes, _ name: MaterialName,
    _ keyset: KeysetID, most: Int, in session: Session
  ) async throws(StorageProblem) -> Opener {
    let origin = Origin.external(name)
    let keys = try await executor.run { [vault] () throws(StorageProblem) in
      try vault.read(keyset, origin.itemAddress)
    }
    if let recorded = keys?.stretch(seal.keyID) {
      guard recorded.parameters == parameters, recorded.label == origin.label else { throw .authenticationFailed }
    } else if let recorded = keys?.stretch(of: origin.label, iterations: parameters.iterations),
      recorded.parameters == parameters
    {
      // The key that these parameters produce differs from the key in the header.
      throw .authenticationFailed
    } else {
      // Parameters that are not in the keyset come from another device, from before a reset, or from a forged header. They
      // must not cost more work than the key's own declaration.
      guard parameters.iterations <= most else { throw .authenticationFailed }
    }
    let secret = try await stretch(material, StretchName(origin: origin, parameters: parameters), in: session)
    return try Opener(SealingKey(secret, source: .external, stretch: parameters), for: seal)
  }
}

extension Opener {
  /// Creates an opener with one key, which must be the one that the header names.
  fileprivate init(_ key: SealingKey, for seal: EnvelopeHeader.Seal) throws(StorageProblem) {
    guard key.matches(seal) else { throw .authenticationFailed }
    self.init(keys: [key])
  }
}

extension KeyDerivation {
  /// The most iterations that a key of this derivation spends on a header that is on no record.
  fileprivate var mostIterations: Int {
    switch self {
    case .hkdf: Self.iterations.lowerBound
    case .pbkdf2(let iterations): iterations
    }
  }
}

extension Keyset {
  /// The opener of values that the keys have sealed without PBKDF2.
  fileprivate var opener: Opener { Opener(keys: keys.map(\.sealingKey)) }

  fileprivate func knows(_ id: KeyID) -> Bool { key(id) != nil || stretch(id) != nil }
}
