import ExampleKeys
import Foundation
import LocalDataTesting
import Testing

// Sources/LocalData/LocalData.docc/Testing.md shows this code. A test in ArchitectureTests compares the two.

struct Session: Sendable {
  private let storage: any StorageProviding

  init(storage: any StorageProviding = StorageRouter.shared) { self.storage = storage }

  func signIn(token: String) async throws(StorageError) {
    try await storage.set(token, for: .refreshToken)
    try await storage.update(.launchCount) { $0 += 1 }
  }

  func signOut() async throws(StorageError) { try await storage.remove(.refreshToken) }

  var isSignedIn: Bool {
    get async throws(StorageError) { try await storage.exists(.refreshToken) }
  }
}

@Suite struct SessionTests {
  let router = StorageRouter.inMemory()
  let session: Session

  init() throws {
    try router.registerCatalog(SecureStorageSampleCatalog.self)
    session = Session(storage: router)
  }

  @Test func signingInStoresTheToken() async throws {
    try await session.signIn(token: "token123")
    #expect(try await session.isSignedIn)
    #expect(try await router.get(.refreshToken) == "token123")
    #expect(try await router.get(.launchCount) == 1)
  }

  @Test func signingOutRemovesTheToken() async throws {
    try await session.signIn(token: "token123")
    try await session.signOut()
    #expect(try await !session.isSignedIn)
    #expect(try await router.get(.refreshToken) == nil)
  }
}

@Suite struct LockedSessionTests {
  @Test func aLockedDeviceIsNotASignOut() async throws {
    let session = Session(storage: StorageRouter.inMemory(failing: [.keychain: .locked]))
    await #expect(throws: StorageError(.locked, .init(key: "refresh_token", domain: .keychain))) {
      try await session.isSignedIn
    }
  }
}

@Suite struct SearchTests {
  let storage = TestStorage()

  private func launch() throws -> StorageRouter {
    let router = storage.launch()
    try router.registerCatalog(SecureStorageSampleCatalog.self)
    return router
  }

  @Test func theHistoryIsKeptForThirtyDays() async throws {
    try await launch().set(["swift"], for: .searchHistory)
    storage.clock.advance(by: 29 * 86_400)
    #expect(try await launch().get(.searchHistory) == ["swift"])
    storage.clock.advance(by: 86_400)
    #expect(try await launch().get(.searchHistory) == [])
  }

  @Test func aFullDiskLosesNothing() async throws {
    let router = try launch()
    try await router.set(["swift"], for: .searchHistory)
    storage.fail(.userDefaults, with: .outOfSpace)
    await #expect(throws: StorageError.self) { try await router.set(["swift", "linux"], for: .searchHistory) }
    storage.succeed()
    #expect(try await router.get(.searchHistory) == ["swift"])
  }
}

@Suite struct ContractTests {
  @Test(arguments: StorageContract.clauses) func holds(_ clause: StorageContract.Clause) async throws {
    try await clause.check(StorageRouter.inMemory())
  }
}
