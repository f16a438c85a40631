import LocalData
import RuntimeTestSupport
import StorageVocabulary
import Testing

/// The custom migration of the language reference.
@Suite struct DocumentedMigrationTests {
  private let fixture = MigrationFixture()
  private let writer = key("address", String.self)

  @Test func itMovesAPartOfTheValue() async throws {
    let router = fixture.router()
    try await router.set("1 Main Street,Springfield", for: writer)
    #expect(try await router.get(.city) == "Springfield")
    #expect(try await router.exists(writer) == false)
    #expect(try await fixture.router().get(.city) == "Springfield")
  }

  @Test func whatItThrowsReachesTheCaller() async throws {
    let router = fixture.router()
    try await router.set("unknown", for: writer)
    let error = await #expect(throws: StorageError.self) { try await router.get(.city) }
    #expect(error == StorageError(.migrationFailed, .init(key: "city", domain: .userDefaults)))
    #expect(error?.underlyingError is CityMigration.NoCity)
    #expect(try await router.get(writer) == "unknown")

    try await readCity(router)
    #expect(try await router.get(.city) == "")
  }

  private func readCity(_ router: StorageRouter) async throws {
    do {
      print(try await router.get(.city) ?? "")
    } catch {
      if error.underlyingError is CityMigration.NoCity { try await router.set("", for: .city) }
    }
  }
}

/// Moves a part of what an earlier release stored: of an address only the city.
struct CityMigration: StorageMigration {
  struct NoCity: Error {}

  let destinationKey = StorageKey.city

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.exists(.address)
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let address = try await router.get(.address) else { return MigrationResult(success: true) }
    guard let city = address.split(separator: ",").dropFirst().last else { throw NoCity() }
    try await router.set(String(city), for: destinationKey)
    try await router.remove(.address)
    return MigrationResult(success: true)
  }
}

extension StorageKey where Value == String? {
  fileprivate static var city: StorageKey {
    key("city", String.self) { _ in AnyStorageMigration(CityMigration()) }
  }

  fileprivate static var address: StorageKey {
    key("address", String.self, options: StorageKeyOptions(legacy: true))
  }
}
