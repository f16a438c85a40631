import Foundation
import LocalData
import LocalDataMaintenance
import Testing

/// Keys, catalogs and policies as the library's documents show them, written by hand.
extension StorageKey where Value == String {
  fileprivate static let legacyToken = StorageKey(
    name: "old_key_name",
    domain: .userDefaults(suite: nil),
    security: .none,
    serializer: .json,
    owner: "MigrationDemo",
    description: "Legacy token stored in UserDefaults."
  )

  fileprivate static let modernToken = StorageKey(
    name: "modern_token",
    domain: .keychain(service: "com.myapp"),
    owner: "MigrationDemo",
    description: "Modern token stored in Keychain."
  )
}

private struct RemoteKeyProvider: KeyMaterialProviding {
  func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 1, count: 32) }
}

extension StorageKey where Value == [String: AnyCodable] {
  fileprivate static let payload = StorageKey(
    name: "payload", domain: .fileSystem(directory: .documents),
    security: .encrypted(.external(source: KeyMaterialSource(id: "remote.key"), keyDerivation: .hkdf())),
    default: [:], owner: "Tests", description: "A payload of any shape.")
}

private struct AppStorageCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] {
    [.key(.legacyToken), .key(.modernToken), .key(.payload)]
  }
}

@Suite struct HandWrittenKeyTests {
  let router = StorageRouter.inMemory()

  @Test func aKeyThatSaysNothingOfSecurityIsSealedAsRecommended() {
    #expect(StorageKey.modernToken.security == .recommended)
    #expect(SecurityPolicy.recommended == .encrypted(.chaCha20Poly1305(keyDerivation: .hkdf())))
  }

  @Test func aCatalogByHandIsOneProperty() async throws {
    try router.registerCatalog(AppStorageCatalog.self)
    try await router.set("token123", for: .modernToken)
    let token = try await router.get(.modernToken)
    #expect(token == "token123")
    try await router.remove(.modernToken)
    await #expect(throws: StorageError(.notFound, .init(key: "modern_token", domain: .keychain))) {
      try await router.get(.modernToken)
    }
  }

  @Test func keyMaterialFromOutsideIsAskedOfItsProvider() async throws {
    let missing = StorageError(
      .noKeyMaterialProvider(KeyMaterialSource(id: "remote.key")), .init(key: "payload", domain: .fileSystem))
    await #expect(throws: missing) { try await router.set(["a": 1], for: .payload) }
    router.registerKeyMaterialProvider(RemoteKeyProvider(), for: KeyMaterialSource(id: "remote.key"))
    try await router.set(["a": 1, "b": [nil, "x"]], for: .payload)
    #expect(try await router.get(.payload) == ["a": 1, "b": [nil, "x"]])
  }

  @Test func anAuditListsWhatWasDeclared() {
    let report = StorageAuditReport.renderText(for: AppStorageCatalog.self)
    for text in ["old_key_name", "modern_token", "MigrationDemo", "Modern token stored in Keychain.", "remote.key"] {
      #expect(report.contains(text), "\(text)")
    }
  }

  @Test func anAppCanDependOnTheProtocolAlone() async throws {
    func greet(_ storage: some StorageProviding) async throws -> String {
      try await storage.set("hello", for: .legacyToken)
      return try await storage.get(.legacyToken)
    }
    #expect(try await greet(router) == "hello")
  }

  /// The keys of a catalog's changes are compared with declared ones.
  @Test func anErasedKeyIsEqualToThatOfTheSamePlace() {
    func key(_ name: String, _ domain: StorageDomain, _ security: SecurityPolicy = .none) -> AnyStorageKey {
      .key(StorageKey<Int?>(name: name, domain: domain, security: security, owner: "Tests", description: "A number."))
    }
    let keys: Set = [
      key("a", .userDefaults()), key("a", .userDefaults(), .recommended), key("b", .userDefaults()),
      key("a", .userDefaults(suite: "other")),
    ]
    #expect(keys.count == 3)
    #expect(keys.contains(key("a", .userDefaults(), .recommended)))
  }
}
