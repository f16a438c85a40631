import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) import LocalData

/// The custom migrations of the article on migrations.
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

  /// The custom migration of a family.
  @Test func itMovesListsAndRemovesTheMembers() async throws {
    let folder = try ScratchFolder()
    try await OldDrafts.$folder.withValue(folder.url) { () async throws in
      let ids = [UUID(), UUID(), UUID()]
      for id in ids { try Data("\(id)".utf8).write(to: OldDrafts.file(id)) }
      let router = fixture.router()
      #expect(try await router.get(.draft(documentID: ids[0])) == "\(ids[0])")
      let names = Set(ids.map { "draft_\($0.uuidString.lowercased())" })
      #expect(try await Set(router.members(of: .draft).map(\.name)) == names)
      try await router.removeAll(of: .draft)
      #expect(try OldDrafts.documentIDs() == [])
      for id in ids { #expect(try await fixture.router().get(.draft(documentID: id)) == nil) }
    }
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

/// The folder in which an earlier release has one file for each document.
enum OldDrafts {
  @TaskLocal static var folder = URL(fileURLWithPath: "/nonexistent")

  static func file(_ id: UUID) -> URL { folder.appendingPathComponent("\(id).txt") }

  static func documentIDs() throws -> [UUID] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap {
      UUID(uuidString: String($0.dropLast(4)))
    }
  }
}

/// Moves the drafts of 1.0, which are files with the names of their documents.
struct DraftMigration: StorageFamilyMigration {
  let destinationKey: StorageKey<String?>

  /// The file of the member whose key the migration has.
  private var file: URL? {
    AnyStorageKey(destinationKey).parameters["documentID"].flatMap(UUID.init).map { OldDrafts.file($0) }
  }

  static func members(using router: StorageRouter, context: MigrationContext) async throws -> [StorageKey<String?>] {
    try OldDrafts.documentIDs().map { .draft(documentID: $0) }
  }

  static func removeMembers(using router: StorageRouter, context: MigrationContext) async throws {
    for id in try OldDrafts.documentIDs() { try FileManager.default.removeItem(at: OldDrafts.file(id)) }
  }

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let file, FileManager.default.fileExists(atPath: file.path) else { return MigrationResult(success: true) }
    try await router.set(try String(contentsOf: file, encoding: .utf8), for: destinationKey)
    try FileManager.default.removeItem(at: file)
    return MigrationResult(success: true)
  }
}

extension StorageKeyFamily {
  fileprivate static var draft: StorageKeyFamily {
    StorageKeyFamily(name: "draft_{documentID}", domain: .fileSystem(directory: .documents), security: .none)
      .migrating(from: []) { StorageKey.draft(documentID: try $0.value(of: "documentID")) }
      .migrating(by: DraftMigration.self)
  }
}

extension StorageKey where Value == String? {
  fileprivate static func draft(documentID: UUID) -> StorageKey {
    StorageKey(.draft, "draft_\(documentID)", .json)
      .migrating { AnyStorageMigration(DraftMigration(destinationKey: $0)) }
  }
}
