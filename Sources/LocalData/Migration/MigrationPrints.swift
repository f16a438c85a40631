import SmallFoundation
import StorageStores

/// Prints of the values that migrations find at their sources.
struct SourcePrints: Sendable {
  let services: StorageServices

  /// Returns the values of sources as the log records them.
  func seen(
    _ found: [(plan: KeyPlan, bytes: Data?)], _ candidate: MigrationCandidate,
    isolation: isolated (any Actor)? = #isolation
  ) async -> [SeenSource] {
    var seen: [SeenSource] = []
    for (plan, bytes) in found {
      var print: SourcePrint?
      if let bytes { print = await self.print(of: bytes, plan, candidate.plan) }
      seen.append(SeenSource(address: AddressID(plan), print: print))
    }
    return seen
  }

  /// Returns the print of a source's bytes. Returns nil if the keychain that contains the key of the print cannot be used now.
  private func print(
    of bytes: Data, _ source: KeyPlan, _ destination: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async -> SourcePrint? {
    guard source.isSecured || destination.isSecured, !bytes.isSealed else { return SourcePrint(of: bytes, nil) }
    let encryption = services.encryption
    do throws(StorageFault) {
      return try await services.run { () throws(StorageFault) in
        SourcePrint(of: bytes, try encryption.vault.printKey(of: source.keyset, encryption.randomness))
      }
    } catch {
      return nil
    }
  }

  /// Returns true if a source's bytes have the recorded print, false if they are others, and nil if they cannot be compared,
  /// because the key of the print is lost.
  func hasPrint(
    _ print: SourcePrint, _ bytes: Data, _ source: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Bool? {
    guard let name = print.key else { return SourcePrint(of: bytes, nil) == print }
    let vault = services.encryption.vault
    let key = try await services.run(for: source) { () throws(StorageFault) in
      try vault.prepare(source.keyset)
      return try vault.printKey(of: source.keyset)
    }
    guard let key, SourcePrint.name(of: key) == name else { return nil }
    return SourcePrint(of: bytes, key) == print
  }
}

extension Data {
  /// A Boolean value that indicates whether stored bytes are sealed. They contain a random nonce.
  fileprivate var isSealed: Bool {
    guard EnvelopeHeader.begins(self) else { return false }
    do throws(StorageFault) { return try EnvelopeHeader.parse(self).seal != nil } catch { return false }
  }
}
