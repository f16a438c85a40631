import Foundation
import LocalData
import LocalDataTesting
@_spi(Generated) @testable import LocalDataBackup
@_spi(Generated) import LocalDataSigning
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import Testing

/// Counts the prompts that ask the user to confirm private keys. The system asks for each session in which an item with an access control is
/// read. A read without a session has its own.
struct PromptTests {
  private let reads = Lock<[AuthenticationSession?]>([])
  private let family = PairFamily.confirmed

  /// Returns a device with some pairs.
  private func device(_ parties: [String] = []) async throws -> StorageRouter {
    let reads = reads
    let router = try RelaunchedApp().launch { services in
      let keychain = FaultInjectingStore(services.keychain)
      keychain.fail(with: .locked) { call in
        let isControlled = call.address?.name.contains(".private_") == true
        if isControlled, call.operation == .read || call.operation == .update {
          reads.withLock { $0.append(AuthenticationSession.current) }
        }
        return false
      }
      services.keychain = keychain
    }
    try router.registerCatalog(PairTests.Catalog.self)
    for party in parties { try await router.signingKey(family.pair(party)).create() }
    reads.withLock { $0 = [] }
    return router
  }

  /// The number of prompts since the last call.
  private func prompts() -> Int {
    let reads = self.reads.withLock { reads in
      defer { reads = [] }
      return reads
    }
    return reads.count { $0 == nil } + Set(reads.compactMap { $0.map(ObjectIdentifier.init) }).count
  }

  @Test func exportsAndRestoresAskOnce() async throws {
    let old = try await device(["a", "b", "c"])
    let url = try await old.backups.export(family.backup, passphrase: PairTests.passphrase).url
    #expect(prompts() == 1)
    // Nothing that is stored asks.
    let new = try await device()
    let restore = try await new.backups.stage(family.backup, from: url, passphrase: PairTests.passphrase)
    #expect(prompts() == 0)
    try await restore.apply(.merge)
    _ = prompts()
    let again = try await new.backups.stage(family.backup, from: url, passphrase: PairTests.passphrase)
    #expect(try await again.plan(for: .replace).keys.kept == 3)
    #expect(prompts() == 1)
    #expect(try await again.apply(.replace).keys.kept == 3)
    #expect(prompts() == 1)
  }

  @Test func authenticationOfTheAppServesAnExport() async throws {
    let router = try await device(["a", "b"])
    let keys = try await router.authenticated(reason: "Export your keys") { [family] in
      _ = try await router.signingKey(family.pair("a")).sign(Data("a message".utf8))
      return try await router.backups.export(family.backup, passphrase: PairTests.passphrase).keys
    }
    #expect(keys == 1)
    #expect(prompts() == 1)
  }

  /// On Apple's platforms each call has its own session.
  @Test func onlySignaturesReadPrivateKeys() async throws {
    let router = try await device(["a"])
    let pair = router.signingKey(family.pair("a"))
    _ = try await pair.publicKey()
    #expect(try await pair.exists())
    _ = try await pair.info()
    #expect(prompts() == 0)
    _ = try await pair.sign(Data("a message".utf8))
    #expect(prompts() == 1)
  }
}
