import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import Testing

/// Fields whose type changes from release to release, on one file.
struct TransformTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Release: TripRelease>(_ release: Release.Type) throws -> Records<Trip<Release>> {
    let router = app.launch()
    try router.registerCatalog(TripCatalog<Release>.self)
    return router.records(Trip<Release>.self)
  }

  private var path: String {
    get throws { try app.fixture.locations.folder(of: .directory(.documents)).path + "/.records/trips.db" }
  }

  private func file() throws -> SQLiteConnection {
    try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
  }

  private func bytes() throws -> Data {
    try ["", "-wal"].reduce(into: Data()) { bytes, suffix in
      if let more = FileManager.default.contents(atPath: try path + suffix) { bytes += more }
    }
  }

  private func saveTexts() async throws {
    let first = try launch(TextTrip.self)
    for (id, length) in [("a", "90"), ("b", "-7"), ("", "12345678")] { try await first.save(Trip(id, length)) }
  }

  @Test func eachRowGetsTheNewValue() async throws {
    try await saveTexts()
    let second = try launch(NumberTrip.self)
    #expect(try await second.fetch(id: "a") == Trip("a", "90"))
    #expect(try await second.fetch(id: "b") == Trip("b", "-7"))
    #expect(try await second.fetch(id: "") == Trip("", "12345678"))
    #expect(try file().first("SELECT count(*) FROM Trip WHERE length IS NOT NULL", [], { $0.integer(0) }) == 0)
    #expect(try bytes().range(of: Data("12345678".utf8)) == nil, "no copy of the old value stays")
    try await second.save(Trip("c", "4"))
    #expect(try await launch(NumberTrip.self).count() == 4)
  }

  /// Another process reads while the log is emptied, so that it keeps the values that the merge has deleted.
  @Test func anInterruptedEndOfAMergeIsMadeByTheNextRelease() async throws {
    try await saveTexts()
    let reader = try file()
    try reader.execute("BEGIN")
    #expect(try reader.first("SELECT count(*) FROM Trip", [], { $0.integer(0) }) == 3)
    #expect(try await launch(SealedTrip.self).count() == 3, "a reader keeps no call waiting")
    #expect(try bytes().range(of: Data("12345678".utf8)) != nil)
    try reader.execute("COMMIT")
    #expect(try await launch(SealedTrip.self).count() == 3)
    #expect(try bytes().range(of: Data("12345678".utf8)) == nil, "no copy of the old value stays")
    #expect(try file().first("SELECT count(*) FROM local_data WHERE name = 'log'", [], { $0.integer(0) }) == 0)
  }

  @Test func aReleaseThatNeedsTheOldFieldIsRefused() async throws {
    try await saveTexts()
    _ = try await launch(NumberTrip.self).fetchAll()
    let error = await storageError { try await launch(TextTrip.self).fetchAll() }
    #expect(error == StorageError(.newerSchema, .init(key: "Trip.length (number 2, retired)", domain: .fileSystem)))
  }

  /// The older release would store lengths that the newer one does not read.
  @Test func aReleaseThatNeedsTheOldFieldIsRefusedByANewFileToo() async throws {
    try await launch(NumberTrip.self).save(Trip("a", "1"))
    let error = await storageError { try await launch(TextTrip.self).save(Trip("b", "2")) }
    #expect(error == StorageError(.newerSchema, .init(key: "Trip.length (number 2, retired)", domain: .fileSystem)))
  }

  /// The first call of a launch merges the tables, and so needs the keys.
  @Test func aFieldBecomesEncryptedAsItsRowsEnd() async throws {
    try await saveTexts()
    let trips = try launch(LaunchTrip.self)
    #expect(try await trips.fetchAll() == [])
    try await trips.save(Trip("c", "4 s"))
    #expect(try await trips.fetchAll() == [Trip("c", "4 s")])
  }

  @Test func aPlainFieldBecomesEncrypted() async throws {
    try await saveTexts()
    _ = try await launch(NumberTrip.self).fetchAll()
    let third = try launch(SealedTrip.self)
    #expect(try await third.where { $0.length == "90 s" }.fetchAll() == [Trip("a", "90 s")])
    #expect(Set(try await third.fetchAll()) == [Trip("a", "90 s"), Trip("b", "-7 s"), Trip("", "12345678 s")])
    #expect(try bytes().range(of: Data("90 s".utf8)) == nil)
  }

  @Test func aSkippedReleaseIsFoundInTheChain() async throws {
    try await saveTexts()
    let third = try launch(SealedTrip.self)
    #expect(try await third.where { $0.length == "-7 s" }.fetchAll() == [Trip("b", "-7 s")])
    let error = await storageError { try await launch(NumberTrip.self).fetchAll() }
    #expect(error == StorageError(.newerSchema, .init(key: "Trip.length (number 3, retired)", domain: .fileSystem)))
  }

  @Test func anEncryptedFieldIsMadeFromAnEncryptedOne() async throws {
    try await launch(SealedTrip.self).save(Trip("a", "90 s"))
    #expect(try await launch(LaterTrip.self).fetchAll() == [Trip("a", "90 S")])
    #expect(
      try file().first("SELECT count(*) FROM Trip WHERE \"length.blind\" IS NOT NULL", [], { $0.integer(0) }) == 0)
    // The earlier value is not in the sealed part any more: a row that is written anew is as long.
    let size = "SELECT length(sealed) FROM Trip"
    let made = try file().first(size, [], { $0.integer(0) })
    try await launch(LaterTrip.self).save(Trip("a", "90 S"))
    #expect(try file().first(size, [], { $0.integer(0) }) == made)
  }

  @Test func anEncryptedFieldBecomesPlain() async throws {
    try await launch(SealedTrip.self).save(Trip("a", "90 s"))
    #expect(try await launch(OpenTrip.self).fetchAll() == [Trip("a", "90 s!")])
  }

  @Test func aTransformThatThrowsChangesNothing() async throws {
    try await saveTexts()
    try await launch(TextTrip.self).save(Trip("c", "far"))
    let second = try launch(NumberTrip.self)
    for _ in 0..<2 {
      let error = await storageError { try await second.fetchAll() }
      #expect(error == StorageError(.migrationFailed, .init(key: "Trip.length (number 3)", domain: .fileSystem)))
      #expect(error?.underlyingError is NotANumber)
    }
    let first = try launch(TextTrip.self)
    #expect(try await first.count() == 4)
    try await first.save(Trip("c", "8"))
    #expect(try await second.fetch(id: "c") == Trip("c", "8"))
  }

  @Test func aValueThatIsNotOfTheOldTypeIsCorrupted() async throws {
    try await saveTexts()
    try file().execute("UPDATE Trip SET length = NULL WHERE id = 'b'")
    let error = await storageError { try await launch(NumberTrip.self).fetchAll() }
    #expect(error == StorageError(.corrupted, .init(key: "Trip.length (number 3)", domain: .fileSystem)))
  }

  @Test func aLostKeyChangesNothing() async throws {
    try await launch(SealedTrip.self).save(Trip("a", "90 s"))
    let key = try file().first("SELECT sealed FROM local_data_keys", [], { $0.blob(0) })
    try file().execute("DELETE FROM local_data_keys")
    let error = await storageError { try await launch(LaterTrip.self).fetchAll() }
    guard error?.code == .keyMaterialMissing else {
      Issue.record("\(error as Any)")
      return
    }
    try file().run("INSERT INTO local_data_keys VALUES (1, ?, 0)", [.blob(try #require(key))])
    #expect(try await launch(LaterTrip.self).fetchAll() == [Trip("a", "90 S")])
  }

  /// While the device is locked, the keychain cannot be read.
  @Test func aLockedKeyChangesNothing() async throws {
    try await launch(SealedTrip.self).save(Trip("a", "90 s"))
    let locked = app.launch { services in
      let vault = KeysetVault(configuration: .init()) { _ throws(StorageProblem) in throw .locked }
      services.encryption = EncryptionHelper(configuration: .init(), vault: vault) { _ in true }
    }
    try locked.registerCatalog(TripCatalog<LaterTrip>.self)
    let error = await storageError { try await locked.records(Trip<LaterTrip>.self).fetchAll() }
    #expect(error == StorageError(.locked, .init(key: "Trip", domain: .fileSystem)))
    #expect(try await launch(SealedTrip.self).fetchAll() == [Trip("a", "90 s")])
    #expect(try await launch(LaterTrip.self).fetchAll() == [Trip("a", "90 S")])
  }

  @Test func manyLaunchesTransformAtTheSameTime() async throws {
    try await saveTexts()
    try await withThrowingTaskGroup(of: [Trip<SealedTrip>].self) { group in
      for _ in 0..<6 {
        let trips = try launch(SealedTrip.self)
        group.addTask { try await trips.fetchAll() }
      }
      for try await found in group { #expect(found.count == 3 && found.contains(Trip("a", "90 s"))) }
    }
  }

  @Test func anEmptyTableNeedsNoKey() async throws {
    let first = try launch(TextTrip.self)
    try await first.save(Trip("a", "1"))
    try await first.delete(id: "a")
    #expect(try await launch(SealedTrip.self).count() == 0)
    #expect(try file().first("SELECT count(*) FROM local_data_keys", [], { $0.integer(0) }) == 0)
  }
}
