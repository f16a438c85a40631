import LocalDataFoundation
import LocalDataStores

/// Fingerprints of the values that migrations find at their sources.
struct SourceFingerprints: Sendable {
  let values: ValueAccess

  /// Returns the values of sources as the log notes them.
  func seen(_ found: [(plan: KeyPlan, bytes: Data?)], _ candidate: MigrationCandidate) async -> [SeenSource] {
    var seen: [SeenSource] = []
    for (plan, bytes) in found {
      var fingerprint: SourceFingerprint?
      if let bytes { fingerprint = await self.fingerprint(of: bytes, plan, candidate.plan) }
      seen.append(SeenSource(address: AddressID(plan), fingerprint: fingerprint))
    }
    return seen
  }

  /// Returns the fingerprint of a source's bytes. Returns nil if the keychain that contains its key cannot be used now.
  private func fingerprint(of bytes: Data, _ source: KeyPlan, _ destination: KeyPlan) async -> SourceFingerprint? {
    guard source.isSecured || destination.isSecured, !bytes.isSealed else { return SourceFingerprint(of: bytes, nil) }
    let encryption = values.services.encryption
    do throws(StorageProblem) {
      return try await values.services.run { () throws(StorageProblem) in
        SourceFingerprint(of: bytes, try encryption.vault.printKey(of: source.keyset, encryption.randomness))
      }
    } catch {
      return nil
    }
  }

  /// Returns true if a source's bytes have the noted fingerprint, false if they are others, and nil if they cannot be
  /// compared, because the key of the fingerprint is lost.
  func hasFingerprint(
    _ fingerprint: SourceFingerprint, _ bytes: Data, _ source: KeyPlan
  ) async throws(StorageError) -> Bool? {
    guard let name = fingerprint.key else { return SourceFingerprint(of: bytes, nil) == fingerprint }
    let vault = values.services.encryption.vault
    let key = try await values.services.run(for: source) { () throws(StorageProblem) in
      try vault.prepare(source.keyset)
      return try vault.printKey(of: source.keyset)
    }
    guard let key, SourceFingerprint.name(of: key) == name else { return nil }
    return SourceFingerprint(of: bytes, key) == fingerprint
  }
}

extension Data {
  /// A Boolean value that indicates whether stored bytes are sealed. They contain a random nonce.
  fileprivate var isSealed: Bool {
    guard EnvelopeHeader.begins(self) else { return false }
    do throws(StorageProblem) { return try EnvelopeHeader.parse(self).seal != nil } catch { return false }
  }
}
