import ExampleKeys
import Foundation
import LocalData
import Testing

// Sources/LocalData/TESTING.md shows this code. A test in ArchitectureTests compares the two.

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

/// A storage whose device is locked.
struct LockedStorage: StorageProviding {
  static let error = StorageError.locked(.init(key: "refreshToken", domain: .keychain))

  func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value { throw Self.error }
  func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) { throw Self.error }
  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(StorageError) -> Value { throw Self.error }
  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value { throw Self.error }
  func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) { throw Self.error }
  func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool { throw Self.error }
}

@Suite struct LockedSessionTests {
  @Test func aLockedDeviceIsNotASignOut() async throws {
    let session = Session(storage: LockedStorage())
    await #expect(throws: LockedStorage.error) { try await session.isSignedIn }
  }
}
