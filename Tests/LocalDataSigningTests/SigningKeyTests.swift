import Foundation
import LocalData
import LocalDataTesting
import LocalDataStores
import LocalDataSystem
import TestSupport
import Testing

@testable import LocalDataSigning

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// What an app does with pairs.
@Suite struct SigningKeyTests {
  private let message = Data("header.payload".utf8)
  /// Pairs with one item, with two, and members of a family.
  private static let pairs: [StorageSigningKey] = [.device, .confirmed, .pairwise(rp: "https://rp.example")]

  private func router(_ storage: TestStorage = TestStorage()) throws -> StorageRouter {
    let router = storage.launch()
    try router.registerCatalog(SigningCatalog.self)
    return router
  }

  @Test(arguments: pairs) func signsAfterARelaunch(_ key: StorageSigningKey) async throws {
    let storage = TestStorage()
    let first = try router(storage).signingKey(key)
    #expect(try await !first.exists())
    try await first.create()
    let publicKey = try await first.publicKey()
    let second = try router(storage).signingKey(key)
    #expect(try await second.exists())
    #expect(try await second.publicKey() == publicKey)
    let signature = try await second.sign(message)
    #expect(signature.raw.count == 64)
    #expect(try isValid(signature, publicKey))
    #expect(try !isValid(signature, publicKey, of: message + [0]))
    #expect(try await second.info().kind == .software)
    #expect(try await second.info().creation == storage.clock.now.addingTimeInterval(-1).wholeSeconds)
  }

  @Test(arguments: pairs) func secondCreationChangesNothing(_ key: StorageSigningKey) async throws {
    let router = try router()
    let pair = router.signingKey(key)
    try await pair.create()
    let publicKey = try await pair.publicKey()
    let error = await #expect(throws: StorageError.self) { try await pair.create() }
    #expect(error?.code == .alreadyStored)
    #expect(try await pair.publicKey() == publicKey)
    #expect(try await isValid(pair.sign(message), publicKey))
  }

  /// The loser of two creators leaves no private key.
  @Test func simultaneousCreationsMakeOnePair() async throws {
    let router = try router()
    let created = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          do throws(StorageError) {
            try await router.signingKey(.confirmed).create()
            return true
          } catch {
            #expect(error.code == .alreadyStored)
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(created == 1)
    #expect(try await router.members(of: .confirmedParts).count == 1)
    #expect(try await isValid(router.signingKey(.confirmed).sign(message), router.signingKey(.confirmed).publicKey()))
  }

  @Test(arguments: pairs) func deletedPairIsGone(_ key: StorageSigningKey) async throws {
    let router = try router()
    let pair = router.signingKey(key)
    try await pair.create()
    let publicKey = try await pair.publicKey()
    try await pair.delete()
    #expect(try await !pair.exists())
    for parts in [StorageKeyFamily.confirmedParts, .pairwiseParts, .pairwise] {
      #expect(try await router.members(of: parts).isEmpty)
    }
    for call in [{ try await pair.sign(message) }, { _ = try await pair.info() }] as [() async throws -> Any] {
      let error = await #expect(throws: StorageError.self) { _ = try await call() }
      #expect(error?.code == .notFound)
    }
    try await pair.delete()
    try await pair.create()
    #expect(try await pair.publicKey() != publicKey)
  }

  @Test func membersOfAFamilyHaveTheirOwnPairs() async throws {
    let router = try router()
    var keys: Set<SigningPublicKey> = []
    for rp in ["a", "b", "A"] {
      try await router.signingKey(.pairwise(rp: rp)).create()
      keys.insert(try await router.signingKey(.pairwise(rp: rp)).publicKey())
    }
    #expect(keys.count == 3)
    try await router.signingKey(.pairwise(rp: "a")).delete()
    #expect(try await router.members(of: .pairwise).map(\.parameters) == [["rp": "A"], ["rp": "b"]])
    #expect(try await router.members(of: .pairwiseParts).count == 2)
  }

  @Test func enclaveIsRequiredWhereThereIsNone() async throws {
    let error = await #expect(throws: StorageError.self) { try await router().signingKey(.enclave).create() }
    #expect(error?.code == .secureEnclaveUnavailable)
    #expect(error?.description.hasPrefix("'enclave' in keychain: the key pair must be in the Secure Enclave") == true)
  }

  @Test func signOutLeavesOnlyWhatIsKept() async throws {
    let router = try router()
    for key in Self.pairs + [.binding] { try await router.signingKey(key).create() }
    try await router.removeAll(in: SigningCatalog.self)
    for key in Self.pairs + [.binding] {
      #expect(try await router.signingKey(key).exists() == (key.item.name == "device"), "\(key)")
    }
    #expect(try await router.members(of: .confirmedParts).isEmpty)
    #expect(try await router.members(of: .pairwiseParts).isEmpty)
  }

  /// Another private key, none, or one that is damaged never signs in the name of the public key.
  @Test(arguments: [SoftwareKey().secret, Data(repeating: 0, count: 32), Data(), nil])
  func wrongPrivateKeyNeverSigns(_ secret: Data?) async throws {
    let router = try router()
    let pair = router.signingKey(.confirmed)
    try await pair.create()
    try await router.set(secret, for: pair.key.privateItem(of: pair.publicKey().x963))
    let error = await #expect(throws: StorageError.self) { try await pair.sign(message) }
    #expect(error == StorageError(.corrupted, StorageSigningKey.confirmed.subject))
    try await pair.delete()
    #expect(try await router.members(of: .confirmedParts).isEmpty)
  }

  private static let damaged = [
    (Data("LDSK".utf8), StorageProblem.corrupted), (Data("LDSK".utf8) + [2, 1], .unknownFormatVersion),
  ]

  @Test(arguments: damaged)
  func damagedPairIsAnErrorAndCanBeDeleted(_ bytes: Data, _ problem: StorageProblem) async throws {
    let router = try router()
    let pair = router.signingKey(.confirmed)
    try await pair.create()
    try await router.set(bytes, for: pair.key.item)
    #expect(try await pair.exists())
    let error = await #expect(throws: StorageError.self) { try await pair.publicKey() }
    #expect(error == StorageError(problem, StorageSigningKey.confirmed.subject))
    await #expect(throws: StorageError.self) { try await pair.create() }
    try await pair.delete()
    #expect(try await !pair.exists())
    #expect(try await router.members(of: .confirmedParts).isEmpty)
    try await pair.create()
    #expect(try await isValid(pair.sign(message), pair.publicKey()))
  }

  /// A keychain that is locked is no absence.
  @Test func lockedKeychainIsAnErrorOfEveryFunction() async throws {
    let storage = TestStorage()
    let pair = try router(storage).signingKey(.binding)
    try await pair.create()
    storage.fail(.keychain, with: .locked)
    let calls: [() async throws -> Void] = [
      { try await pair.create() }, { _ = try await pair.exists() }, { _ = try await pair.publicKey() },
      { _ = try await pair.sign(message) }, { _ = try await pair.info() }, { try await pair.delete() },
    ]
    for call in calls {
      let error = await #expect(throws: StorageError.self) { try await call() }
      #expect(error?.code == .locked)
    }
    storage.succeed()
    #expect(try await pair.exists())
  }

  @Test func lastUseIsReported() async throws {
    let router = try router()
    let pair = router.signingKey(.confirmed)
    try await pair.create()
    #expect(try await pair.info().lastUse == .none)
    _ = try await pair.sign(message)
    #expect(try await pair.info().lastUse == .usable)
    // A pair of the Secure Enclave that a backup of another device has restored.
    let value = SigningValue(
      .enclave, at: Date(), publicKey: SoftwareKey().publicKey, privatePart: Data(repeating: 1, count: 100))
    try await router.set(value.bytes, for: pair.key.item)
    let error = await #expect(throws: StorageError.self) { try await pair.sign(message) }
    #expect(error?.code == .invalidated)
    #expect(try await pair.info().lastUse == .madeOnAnotherDevice)
    #expect(try await pair.info().kind == .secureEnclave)
  }

  @Test func descriptionsShowNoParameter() async throws {
    let key = StorageSigningKey.pairwise(rp: "secret-party")
    let router = try router()
    for text in ["\(key)", String(reflecting: key)] { #expect(!text.contains("secret-party")) }
    var dumped = ""
    dump(key, to: &dumped)
    dump(router.signingKey(key), to: &dumped)
    #expect(!dumped.contains("secret-party"))
    let error = await #expect(throws: StorageError.self) { try await router.signingKey(key).sign(message) }
    #expect(error?.description.contains("secret-party") == false)
    #expect(error?.description.contains("pairwise_{rp}") == true)
  }

  // MARK: Parts

  private func isValid(
    _ signature: SigningSignature, _ publicKey: SigningPublicKey, of other: Data? = nil
  ) throws -> Bool {
    let key = try P256.Signing.PublicKey(x963Representation: publicKey.x963)
    return try key.isValidSignature(
      P256.Signing.ECDSASignature(rawRepresentation: signature.raw), for: other ?? message)
      && key.isValidSignature(P256.Signing.ECDSASignature(derRepresentation: signature.der), for: other ?? message)
  }
}

extension Date {
  fileprivate var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
