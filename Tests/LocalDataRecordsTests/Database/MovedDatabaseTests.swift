import Foundation
@_spi(Generated) import LocalData
@testable import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary
import Testing

/// Databases whose address differs between releases of an app.
struct MovedDatabaseTests {
  private typealias One = ProbeWallet.One
  private typealias Two = ProbeWallet.Two
  private typealias Three = ProbeWallet.Three

  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  /// Returns the cards of a release in a new launch.
  private func cards<Home: RecordDatabase>(_ home: Home.Type) throws -> Records<ProbeCard<Home>> {
    try app.launch().cards(home)
  }

  private func ids<Home: RecordDatabase>(_ home: Home.Type) async throws -> [String] {
    let cards = try cards(home)
    let found = try await cards.where { $0.issuer == "city library" }.fetchAll()
    #expect(found.allSatisfy { $0.secret == "open sesame" })
    #expect(try await cards.all.count() == found.count)
    return found.map(\.id).sorted()
  }

  private func location<Home: RecordDatabase>(_ home: Home.Type) throws -> FileLocation {
    let declaration = home.declaration
    let container: StorageContainer =
      switch declaration.domain {
      case .appGroupFileSystem: .groupDirectory(identifier: "group.tests", .applicationSupport)
      case .fileSystem(directory: let directory): .directory(directory)
      default: .directory(.caches)
      }
    return try RecordDatabaseFile(
      StorageAddress(container: container, name: declaration.name), app.fixture.locations
    ).location
  }

  private func subject<Home: RecordDatabase>(_ home: Home.Type, _ key: String = "Card") -> StorageError.Subject {
    .init(key: key, domain: home.declaration.domain.kind)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Expects that a release refuses its database, also for writes.
  private func expectRefusal<Home: RecordDatabase>(_ cards: Records<ProbeCard<Home>>) async {
    let expected = StorageError(.unknownFormatVersion, subject(Home.self))
    #expect(await storageError { try await cards.fetchAll() } == expected)
    #expect(await storageError { try await cards.save(ProbeCard("late")) } == expected)
  }

  // MARK: Moves

  @Test func theFirstCallMovesTheRowsAndTheirKeys() async throws {
    for id in ["a", "b"] { try await cards(One.self).save(ProbeCard(id)) }
    #expect(try await ids(Two.self) == ["a", "b"])
    try await cards(Two.self).save(ProbeCard("c"))
    #expect(try await ids(Two.self) == ["a", "b", "c"])
    let attributes = try FileManager.default.attributesOfItem(atPath: location(Two.self).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try !exists(SQLiteMove.copy(for: location(Two.self)).path))
    // No row stays at the old address.
    let size = try FileManager.default.attributesOfItem(atPath: location(One.self).path)[.size] as? Int
    #expect(try #require(size) <= 12_288)
    await expectRefusal(try cards(One.self))
  }

  /// The sealed parts contain the name that the database had first.
  @Test func aDatabaseMovesToAnotherNameAndOverReleases() async throws {
    try await cards(One.self).save(ProbeCard("a"))
    #expect(try await ids(Three.self) == ["a"])
    try await cards(Three.self).save(ProbeCard("b"))
    await expectRefusal(try cards(One.self))
    #expect(try await ids(ProbeWallet.Four.self) == ["a", "b"])
  }

  /// The third release lists the address at which the fourth one has the file.
  @Test func aReleaseThatIsRolledBackMovesTheFileBackIfItCan() async throws {
    try await cards(Three.self).save(ProbeCard("a"))
    try await cards(ProbeWallet.Four.self).save(ProbeCard("b"))
    #expect(try await ids(Three.self) == ["a", "b"])
    #expect(try await ids(ProbeWallet.Four.self) == ["a", "b"])
  }

  @Test func aDatabaseMovesStepByStep() async throws {
    try await cards(One.self).save(ProbeCard("a"))
    try await cards(Two.self).save(ProbeCard("b"))
    try await cards(Three.self).save(ProbeCard("c"))
    try await cards(ProbeWallet.Four.self).save(ProbeCard("d"))
    #expect(try await ids(ProbeWallet.Four.self) == ["a", "b", "c", "d"])
  }

  /// The keys of the rows belong to the app group now, and no longer to the app.
  @Test func theMasterKeysOfTheOldAddressAreNotNeeded() async throws {
    try await cards(One.self).save(ProbeCard("a"))
    #expect(try await ids(Two.self) == ["a"])
    let router = app.launch()
    let cards = try router.cards(Two.self)
    #expect(try await router.maintenance.rotateKeys().isComplete)
    try await router.maintenance.destroyRetiredKeys()
    #expect(try await cards.fetchAll().map(\.id) == ["a"])
    #expect(try await ids(Two.self) == ["a"])
  }

  /// The record key was sealed before the rotation, and the move seals it for the new address.
  @Test(arguments: [true, false]) func aMoveDuringARotationAddsAKey(isToGroup: Bool) async throws {
    func numbers(_ location: FileLocation, _ sql: String) throws -> [Int64] {
      let file = try SQLiteConnection(path: location.path, isDurable: true, until: .now + .seconds(60), kind: .draft)
      var numbers: [Int64] = []
      try file.rows(sql) { row in
        numbers.append(row.integer(0))
        return true
      }
      return numbers
    }
    try await cards(One.self).save(ProbeCard("a"))
    let router = app.launch()
    _ = try router.cards(One.self)
    for values in router.maintenance.sealedValues() {
      _ = try await values.run { [keyset = values.keyset] (encryption) throws(StorageProblem) in
        try encryption.beginRotation(of: keyset)
      }
    }
    #expect(try await (isToGroup ? ids(Two.self) : ids(Three.self)) == ["a"])
    let moved = try isToGroup ? location(Two.self) : location(Three.self)
    #expect(try numbers(moved, "SELECT number FROM local_data_keys") == [1, 2])
    let later = app.launch()
    if isToGroup { _ = try later.cards(Two.self) } else { _ = try later.cards(Three.self) }
    #expect(try await later.maintenance.rotateKeys().isComplete)
    #expect(try numbers(moved, "SELECT number FROM local_data_keys").count == 1)
    #expect(try numbers(moved, "SELECT count(DISTINCT substr(sealed, 3, 4)) FROM Card") == [1])
    #expect(try await later.maintenance.destroyRetiredKeys() > 0)
    #expect(try await (isToGroup ? ids(Two.self) : ids(Three.self)) == ["a"])
  }

  @Test func oneRouterMovesForAllOthers() async throws {
    for number in 0..<20 { try await cards(One.self).save(ProbeCard("\(number)")) }
    let launches = try (0..<4).map { _ in try cards(Two.self) }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for cards in launches { group.addTask { try await cards.fetchAll().count } }
      for try await count in group { #expect(count == 20) }
    }
  }

  // MARK: Earlier releases

  /// A process of the earlier release has the file open while it moves.
  @Test func anEarlierReleaseThatStillRunsIsRefused() async throws {
    let old = try cards(One.self)
    try await old.save(ProbeCard("a"))
    #expect(try await old.fetchAll().count == 1)
    #expect(try await ids(Two.self) == ["a"])
    await expectRefusal(old)
    #expect(try await ids(Two.self) == ["a"])
  }

  /// Otherwise the rows that it writes could not be read after the next update.
  @Test func anEarlierReleaseIsRefusedAfterANewInstallation() async throws {
    #expect(try await cards(Two.self).fetchAll() == [])
    #expect(try !exists(location(One.self).folder.path))
    try await cards(Two.self).save(ProbeCard("a"))
    await expectRefusal(try cards(One.self))
    #expect(try await ids(Two.self) == ["a"])
  }

  /// A release that does not list the earlier address began with an empty file. Neither file is chosen.
  @Test func twoFilesWithRowsAreAnError() async throws {
    try await cards(One.self).save(ProbeCard("a"))
    try await cards(ProbeWallet.Forgetful.self).save(ProbeCard("b"))
    let expected = StorageError(.migrationFailed, subject(Two.self, "cards"))
    #expect(await storageError { try await cards(Two.self).fetchAll() } == expected)
    #expect(await storageError { try await cards(Two.self).save(ProbeCard("c")) } == expected)
    #expect(try await ids(One.self) == ["a"])
    #expect(try await ids(ProbeWallet.Forgetful.self) == ["b"])
  }

  @Test func anAddressBelongsToOneDatabase() throws {
    let router = app.launch()
    _ = try router.cards(Two.self)
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), subject(One.self, "cards"))) {
      try router.cards(One.self)
    }
  }

  // MARK: Killed processes

  /// The state in which a process leaves the files that is killed after the marker has replaced the source.
  private func interrupt() async throws {
    try await cards(One.self).save(ProbeCard("a"))
    #expect(try await ids(Two.self) == ["a"])
    let location = try location(Two.self)
    try FileManager.default.moveItem(atPath: location.path, toPath: SQLiteMove.copy(for: location).path)
  }

  @Test func aCompleteCopyIsUsed() async throws {
    try await interrupt()
    await expectRefusal(try cards(One.self))
    #expect(try await ids(Two.self) == ["a"])
    #expect(try !exists(SQLiteMove.copy(for: location(Two.self)).path))
  }

  @Test func theKeysInACompleteCopyAreRotated() async throws {
    try await interrupt()
    let router = app.launch()
    try router.registerCatalog(ProbeWallet.Catalog<Two>.self)
    #expect(try await router.maintenance.rotateKeys().reencrypted == 1)
    try await router.maintenance.destroyRetiredKeys()
    #expect(try await ids(Two.self) == ["a"])
  }

  /// A copy that was made before the source was replaced is made again, because the source may have changed.
  @Test func aCopyOfALiveSourceIsMadeAgain() async throws {
    try await interrupt()
    let (source, copy) = (try location(One.self).path, try SQLiteMove.copy(for: location(Two.self)).path)
    try FileManager.default.removeItem(atPath: source)
    try await cards(One.self).save(ProbeCard("b"))
    #expect(exists(copy))
    #expect(try await ids(Two.self) == ["b"])
    #expect(!exists(copy))
  }
}
