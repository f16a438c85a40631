import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataStores
import LocalDataVocabulary
import Testing

@testable import LocalData

/// A key by hand whose security would protect nothing is refused, as the generator refuses it in a catalog.
@Suite struct DeclaredSecurityTests {
  struct Declaration: Sendable, CustomTestStringConvertible {
    var domain: StorageDomain
    var security: SecurityPolicy
    var problem: StorageError.CatalogProblem

    var testDescription: String { "\(security) in \(domain)" }
    var refusal: StorageError { StorageError(.invalidCatalog(problem), .init(key: "secret", domain: domain.kind)) }

    func key(legacy: Bool = false) -> StorageKey<String?> {
      StorageKey<String?>(
        name: "secret", domain: domain, security: security, owner: "Tests", description: "A secret.",
        options: StorageKeyOptions(legacy: legacy))
    }
  }

  static let refused = [
    Declaration(domain: .userDefaults(), security: .keychain(), problem: .ineffectiveSecurity),
    Declaration(
      domain: .fileSystem(directory: .documents), security: .keychain(accessControl: .userPresence),
      problem: .ineffectiveSecurity),
    Declaration(
      domain: .encryptedFileSystem(directory: .documents), security: .keychain(), problem: .ineffectiveSecurity),
    Declaration(domain: .encryptedFileSystem(directory: .documents), security: .none, problem: .ineffectiveSecurity),
    Declaration(
      domain: .userDefaults(), security: .encrypted(EncryptionPolicy(keyDerivation: .pbkdf2(iterations: 1))),
      problem: .keyDerivation),
    Declaration(
      domain: .userDefaults(), security: .encrypted(EncryptionPolicy(keyDerivation: .pbkdf2(iterations: 10_000_001))),
      problem: .keyDerivation),
  ]

  private typealias EncryptionPolicy = SecurityPolicy.EncryptionPolicy

  @Test(arguments: refused)
  func isNeitherStoredNorRegistered(_ declaration: Declaration) async throws {
    let storage = TestStorage()
    let router = storage.launch()
    let key = declaration.key()
    await #expect(throws: declaration.refusal) { try await router.set("secret", for: key) }
    await #expect(throws: declaration.refusal) { try await router.get(key) }
    await #expect(throws: declaration.refusal) { try await router.update(key) { $0 = "secret" } }
    #expect(throws: declaration.refusal) { try router.register([.key(key)]) }
    #expect("\(declaration.refusal)".contains("security") || "\(declaration.refusal)".contains("iterations"))
  }

  /// A build without PBKDF2 throws the error of registration also where it opens a keystore or a backup.
  @Test func withoutDerivationTheTraitIsNamed() {
    let error = StorageError(.noKeyDerivation, .none)
    #expect(error == StorageError(.invalidCatalog(.keyDerivation), .none))
    #expect("\(error)".contains("trait Passphrases"))
  }

  /// An earlier release may have stored it in this way.
  @Test(arguments: refused.filter { $0.problem == .ineffectiveSecurity })
  func isMigratedFromALegacyKey(_ declaration: Declaration) async throws {
    let store = MemoryStore()
    func launch() -> StorageRouter { StorageRouter(configuration: .init()) { .init(over: store, $0) } }
    let old = declaration.key(legacy: true)
    let configuration = launch().setup.withLock(\.storage)
    let plan = try KeyPlan(.key(old), configuration, defaultAccessGroup: nil)
    try store.write(Data(#""secret""#.utf8), to: plan.address, plan.attributes)
    let key = StorageKey<String?>(
      name: "kept", domain: .fileSystem(directory: .documents), owner: "Tests", description: "A secret.",
      migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old))) })
    let router = launch()
    try router.register([.key(key), .key(old)])
    #expect(try await router.get(key) == "secret")
  }
}
