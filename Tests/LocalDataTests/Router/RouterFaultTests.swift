import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests of what a caller sees of a fault: the fault's own error, without the value. The stored value is still there.
@Suite struct RouterFaultTests {
  static let faults: [StorageProblem] = [
    .notFound, .cannotEncode, .cannotDecode, .invalidAppGroupIdentifier, .appGroupNotConfigured, .appGroupNotEntitled,
    .missingEntitlement, .invalidated, .invalidName, .configurationConflict,
    .valueTooLarge(limit: 9), .locked, .accessDenied, .userCancelled, .busy, .forkedProcess, .outOfSpace, .io(errno: 5),
    .corrupted,
    .authenticationFailed, .keyMaterialMissing, .unknownFormatVersion, .newerSchema, .migrationFailed,
  ]

  private static let secret = "correct-horse-battery"
  private static let parameter = "alice@example.com"

  private let store = FaultInjectingStore(MemoryStore())

  private func router() -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration()) { [store] in StorageServices(over: store, $0) }
  }

  /// Returns a member of a family with a private parameter.
  private func key(_ security: SecurityPolicy) -> StorageKey<String?> {
    StorageKey<String?>(
      name: "mail_\(Self.parameter)", domain: .fileSystem(directory: .documents), security: security, owner: "Tests",
      description: "A family member.", options: StorageKeyOptions(declaredName: "mail_{address}"))
  }

  @Test(arguments: faults)
  func everyFaultReachesTheCallerAsItsOwnErrorAndTellsNothing(_ fault: StorageProblem) async throws {
    for security in [SecurityPolicy.none, .recommended] {
      let (router, key) = (router(), key(security))
      try await router.set(Self.secret, for: key)
      // The keyset's record is in memory by now: what fails is the value's own place.
      store.fail(with: fault) { $0.address?.name == key.name }
      let calls: [(StorageError.Operation, () async throws -> Void)] = [
        (.read, { _ = try await router.get(key) }), (.write, { try await router.set(Self.secret + "2", for: key) }),
        (security == .none ? .write : .read, { try await router.update(key) { $0 = $0.map { $0 + "2" } } }),
        (.write, { try await router.remove(key) }), (.read, { _ = try await router.exists(key) }),
      ]
      for (operation, call) in calls {
        let error = await #expect(throws: StorageError.self) { try await call() }
        let subject = StorageError.Subject(key: "mail_{address}", domain: .fileSystem)
        #expect(error == StorageError(fault, subject, operation))
        let texts = [
          error.map { "\($0)" }, error.map { String(reflecting: $0) }, error?.localizedDescription, dumped(error),
        ]
        for text in texts.compactMap({ $0 }) {
          #expect(!text.contains(Self.secret) && !text.contains("alice"))
        }
      }
      store.succeed()
      #expect(try await router.get(key) == Self.secret)
      try await router.remove(key)
    }
  }

  private func dumped(_ error: StorageError?) -> String {
    var text = ""
    dump(error, to: &text)
    return text
  }

  @Test func aKeychainThatIsLockedCreatesNoMasterKeyAndWritesNothing() async throws {
    let (router, key) = (router(), key(.recommended))
    store.fail(with: .locked) { $0.address?.name == "MasterKey" }
    await #expect(throws: StorageError(.locked, .init(key: "mail_{address}", domain: .fileSystem))) {
      try await router.set(Self.secret, for: key)
    }
    store.succeed()
    #expect(try await router.exists(key) == false)
    try await router.set(Self.secret, for: key)
    #expect(try await router.get(key) == Self.secret)
  }

  @Test func afterLockTheKeychainIsAskedAgain() async throws {
    let (router, key) = (router(), key(.recommended))
    try await router.set(Self.secret, for: key)
    await router.lock()
    store.fail(with: .locked) { $0.address?.name == "MasterKey" }
    await #expect(throws: StorageError(.locked, .init(key: "mail_{address}", domain: .fileSystem))) {
      try await router.get(key)
    }
    store.succeed()
    #expect(try await router.get(key) == Self.secret)
  }

  #if os(Linux)
    @Test(arguments: [
      (StorageDomain.fileSystem(directory: .custom("../x")), StorageProblem.invalidName),
      (.fileSystem(directory: .custom("/etc")), .invalidName), (.fileSystem(directory: .custom("a//b")), .invalidName),
      (.userDefaults(suite: "../x"), .invalidName), (.userDefaults(suite: "standard"), .invalidName),
      (.appGroupUserDefaults(identifier: "../x"), .invalidName),
      (.appGroupFileSystem(identifier: "a b", directory: .documents), .invalidAppGroupIdentifier),
    ])
    func aPlaceThatCannotBeOneIsRefused(_ domain: StorageDomain, _ fault: StorageProblem) async throws {
      let fixture = try StoreFixture()
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      let key = StorageKey<Int?>(
        name: "n", domain: domain, security: .none, owner: "Tests", description: "A number.")
      let expected = StorageError(fault, .init(key: "n", domain: domain.kind))
      await #expect(throws: expected) { try await router.set(1, for: key) }
      await #expect(throws: expected) { try await router.get(key) }
      #expect(try fixture.permissions().isEmpty)
    }
  #endif

  #if os(Linux)
    @Test func namesOfAPathAreNamesLikeAnyOther() async throws {
      let fixture = try StoreFixture()
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      for (number, name) in ["../x", "a/b", ".hidden", "%2E", "ä", String(repeating: "n", count: 300)].enumerated() {
        for domain in [StorageDomain.fileSystem(directory: .documents), .userDefaults(), .keychain()] {
          let key = StorageKey<Int?>(
            name: name, domain: domain, security: domain.kind == .keychain ? .keychain() : .none, owner: "Tests",
            description: "A number.")
          try await router.set(number, for: key)
          #expect(try await router.get(key) == number)
        }
      }
      #expect(!FileManager.default.fileExists(atPath: fixture.path("data/x")))
    }
  #endif

  @Test func aLinkInTheWayIsRefusedAndNothingIsWrittenBehindIt() async throws {
    let (fixture, outside) = (try StoreFixture(), try StoreFixture())
    try FileManager.default.createDirectory(atPath: fixture.path("data"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("data/documents"), withDestinationPath: outside.folder.path)
    let router = StorageRouter(
      configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    let key = StorageKey<Int?>(
      name: "n", domain: .fileSystem(directory: .documents), security: .none, owner: "Tests",
      description: "A number.")
    await #expect(throws: StorageError(.io(errno: ELOOP), .init(key: "n", domain: .fileSystem), .write)) {
      try await router.set(1, for: key)
    }
    #expect(try outside.permissions().isEmpty)
  }
}
