import Foundation
@_spi(Generated) import LocalData
@testable import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import Testing

/// A record without encrypted fields, in the database of each release.
private nonisolated struct Remark<Release: TripRelease>: StorageRecord {
  typealias Database = Trip<Release>.Database
  struct Columns: Sendable {}
  static var declaration: RecordDeclaration { TripNote.declaration }
  static var columns: Columns { Columns() }
  var id: String

  init(_ id: String) { self.id = id }
  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }
  func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
}

/// Releases that begin to encrypt fields, and somebody who can write the file and has no key.
struct SealedReleaseTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Release: ErrandRelease>(
    _ release: Release.Type
  ) throws -> (router: StorageRouter, errands: Records<Errand<Release>>) {
    let router = app.launch()
    try router.registerCatalog(ErrandCatalog<Release>.self)
    return (router, router.records(Errand<Release>.self))
  }

  private func errands<Release: ErrandRelease>(_ release: Release.Type) throws -> Records<Errand<Release>> {
    try launch(release).errands
  }

  private func all<Release: ErrandRelease>(_ release: Release.Type) async throws -> [Errand<Release>] {
    try await errands(release).fetchAll().sorted { $0.id < $1.id }
  }

  private func error<Release: ErrandRelease>(_ release: Release.Type) async -> StorageError? {
    await storageError { try await errands(release).fetchAll() }
  }

  private func folder() throws -> String {
    try app.fixture.locations.folder(of: .directory(.documents)).path + "/.records/"
  }

  private func change(_ sql: String, in name: String = "errands") throws {
    let file = try SQLiteConnection(
      path: folder() + name + ".db", isDurable: true, until: .now + .seconds(60), kind: .draft)
    try file.execute(sql)
    try file.checkpoint(truncating: true)
  }

  private func text(_ sql: String, in name: String) throws -> String? {
    let file = try SQLiteConnection(path: folder() + name + ".db", isDurable: true, until: .now + .seconds(60))
    return try file.first(sql) { $0.text(0) } ?? nil
  }

  /// Adds a master key, so that the record keys may not seal any more.
  private func beginRotation() async throws {
    for values in app.launch().maintenance.sealedValues() {
      _ = try await values.run { [keyset = values.keyset] (encryption) throws(StorageProblem) in
        try encryption.beginRotation(of: keyset)
      }
    }
  }

  /// Deletes the app and its files. The keychain of a phone stays.
  private func deleteApp() throws { try FileManager.default.removeItem(atPath: folder()) }

  /// Keeps a copy of a database, and returns its path.
  private func copied(_ name: String) throws -> String {
    try change("", in: name)
    let copy = app.fixture.path(name + ".copy")
    try FileManager.default.copyItem(atPath: try folder() + name + ".db", toPath: copy)
    return copy
  }

  /// Replaces the content of a database by that of a copy.
  private func restore(_ copy: String, to name: String) throws {
    func open(_ path: String) throws -> SQLiteConnection {
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    }
    try open(folder() + name + ".db").replaceContent(by: open(copy))
  }

  /// Removes what the keychain lists, as if a process had been killed before it was written.
  private func forgetList() throws {
    let keystore = try SQLiteConnection(
      path: app.fixture.path("data/keystore.db"), isDurable: true, until: .now + .seconds(60), kind: .draft)
    try keystore.execute("DELETE FROM item WHERE account LIKE '%.records.%'")
    #expect(keystore.changedRows > 0)
  }

  /// Rows that refer to each other, with and without a note.
  private func fill() async throws {
    let first = try errands(PlainErrand.self)
    try await first.save(Errand(1, note: "one"))
    try await first.save(Errand(2, parent: 1))
    try await first.save(Errand(3, parent: 2, note: "three"))
    try await first.save(Errand(3, parent: 3, note: ""))
  }

  private let removesList = #"UPDATE local_data SET value = replace(value, '"required":[0,', '"required":[')"#
  private let damaged = StorageError(.databaseDamaged, .init(key: "Errand", domain: .fileSystem))

  // MARK: Sealed parts

  @Test func rowWithoutSealedPartIsDamaged() async throws {
    try await errands(FlaggedErrand.self).save(Errand(1, isOpen: false))
    try await errands(FlaggedErrand.self).save(Errand(2, isOpen: false))
    try change("UPDATE Errand SET sealed = NULL WHERE id = 1")
    let (router, errands) = try launch(FlaggedErrand.self)
    #expect(await storageError { try await errands.fetch(id: 1) }?.code == .corrupted)
    #expect(await storageError { try await errands.update(id: 1) { $0.note = "x" } }?.code == .corrupted)
    #expect(try await errands.fetch(id: 2) == Errand(2, isOpen: false))
    #expect(await router.maintenance.damagedRecords().values.map(\.row) == [1])
    // Also not by a release that makes another field of the row.
    #expect(await error(SecretErrand.self)?.code == .corrupted)
  }

  @Test func firstEncryptedFieldSealsEveryRow() async throws {
    try await fill()
    let expected = [Errand<FlaggedErrand>(1, note: "one"), Errand(2, parent: 1), Errand(3, parent: 3, note: "")]
    #expect(try await all(FlaggedErrand.self) == expected)
    let file = try SQLiteConnection(path: folder() + "errands.db", isDurable: true, until: .now + .seconds(60))
    #expect(try file.first("SELECT count(*) FROM Errand WHERE length(sealed) = 34") { $0.integer(0) } == 3)
    let refused = StorageError(.newerSchema, .init(key: "Errand. (number 0, unsealed)", domain: .fileSystem))
    #expect(await error(PlainErrand.self) == refused)
    #expect(await storageError { try await errands(PlainErrand.self).save(Errand(4)) } == refused)
    try await errands(FlaggedErrand.self).save(Errand(2, isOpen: false))
    #expect(try await all(SecretErrand.self).map(\.isOpen) == [true, false, true])
    #expect(try await all(SecretErrand.self).map(\.note) == ["one", nil, ""])
  }

  /// A launch while the keychain is locked.
  private func locked<Release: ErrandRelease>(_ release: Release.Type) throws -> StorageRouter {
    let router = app.launch { services in
      let vault = KeysetVault(configuration: .init()) { _ throws(StorageProblem) in throw .locked }
      services.encryption = EncryptionHelper(configuration: .init(), vault: vault) { _ in true }
    }
    try router.registerCatalog(ErrandCatalog<Release>.self)
    return router
  }

  @Test func lockedKeysLeaveTheRowsUnsealed() async throws {
    try await fill()
    let locked = try locked(FlaggedErrand.self)
    #expect(await storageError { try await locked.records(Errand<FlaggedErrand>.self).count() }?.code == .locked)
    #expect(try await all(PlainErrand.self).map(\.parent) == [nil, 1, 3])
    #expect(try await all(FlaggedErrand.self).map(\.parent) == [nil, 1, 3])
  }

  /// An earlier version of the library left rows without a sealed part, and listed nothing.
  @Test func rowsOfEarlierVersionsAreSealedOnce() async throws {
    try await errands(FlaggedErrand.self).save(Errand(1, isOpen: false))
    try await errands(FlaggedErrand.self).save(Errand(2))
    try change("UPDATE Errand SET sealed = NULL WHERE id = 2; \(removesList)")
    try forgetList()
    #expect(try await all(FlaggedErrand.self).map(\.isOpen) == [false, true])
    try change("UPDATE Errand SET sealed = NULL WHERE id = 1")
    #expect(await error(FlaggedErrand.self)?.code == .corrupted)
  }

  /// Of an earlier version of the library, or of an attacker.
  @Test func repairSealsRowsWithoutParts() async throws {
    for id in 1...2 { try await errands(FlaggedErrand.self).save(Errand(id, isOpen: false)) }
    try change("UPDATE Errand SET sealed = NULL WHERE id = 1")
    let (router, errands) = try launch(FlaggedErrand.self)
    let result = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
    #expect(result.records.map(\.kept) == [2])
    #expect(result.records.map(\.lostFields) == [[4: 1]])
    #expect(try await errands.fetchAll() == [Errand(1), Errand(2, isOpen: false)])
    #expect(try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents)).records == [])
  }

  @Test func readsMergeWithAKeyThatMaySeal() async throws {
    try await fill()
    #expect(try await all(FlaggedErrand.self).count == 3)
    try await beginRotation()
    #expect(try await all(SecretErrand.self).map(\.note) == ["one", nil, ""])
    let number = "SELECT hex(substr(sealed, 3, 4)) FROM Errand WHERE id = 1"
    #expect(try text(number, in: "errands") == "00000002")
  }

  @Test(arguments: [true, false]) func movesKeepTheHighestNumber(_ isRotated: Bool) async throws {
    try await errands(SecretErrand.self).save(Errand(1, note: "one"))
    if isRotated {
      _ = try await launch(SecretErrand.self).router.maintenance.rotateKeys()
    } else {
      try await beginRotation()
    }
    try change("INSERT OR REPLACE INTO local_data VALUES ('keys', '7')")
    #expect(try await all(MovedErrand.self) == [Errand(1, note: "one")])
    #expect(try text("SELECT value FROM local_data WHERE name = 'keys'", in: "trips") == (isRotated ? "7" : "8"))
    let numbers = "SELECT group_concat(number) FROM local_data_keys"
    #expect(try text(numbers, in: "trips") == (isRotated ? "2" : "1,8"))
  }

  @Test func aReleaseThatGivesAllUpEndsTheParts() async throws {
    try await errands(SecretErrand.self).save(Errand(1, note: "one"))
    #expect(try await all(OpenErrand.self) == [Errand(1)])
    try await errands(OpenErrand.self).save(Errand(2))
    #expect(await error(SecretErrand.self)?.code == .newerSchema)
    #expect(try await all(OpenErrand.self) == [Errand(1), Errand(2)])
  }

  // MARK: Forged shapes

  @Test func olderCopyOfTheFileIsDamaged() async throws {
    try await fill()
    try change("UPDATE Errand SET note = 'text of the attacker' WHERE id = 1")
    let older = try copied("errands")
    try await errands(SecretErrand.self).save(Errand(4, note: "four"))
    try restore(older, to: "errands")
    let (router, errands) = try launch(SecretErrand.self)
    #expect(await storageError { try await errands.fetchAll() } == damaged)
    #expect(await storageError { try await errands.save(Errand(5)) } == damaged)
    let result = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
    #expect(result.records.map(\.kept) == [3])
    #expect(result.records.map(\.lostFields) == [[4: 3, 5: 3]])
    #expect(try await all(SecretErrand.self) == [Errand(1), Errand(2, parent: 1), Errand(3, parent: 3)])
    try await errands.save(Errand(5, note: "five"))
    #expect(try await errands.fetch(id: 5)?.note == "five")
    // What was listed before is listed again.
    try change(removesList)
    #expect(await error(SecretErrand.self) == damaged)
  }

  @Test func rowsThatNeedTheFieldAreRemoved() async throws {
    let first = app.launch()
    try first.registerCatalog(TripCatalog<TextTrip>.self)
    try await first.records(Trip<TextTrip>.self).save(Trip("a", "90"))
    let older = try copied("trips")
    let second = app.launch()
    try second.registerCatalog(TripCatalog<SealedTrip>.self)
    let trips = second.records(Trip<SealedTrip>.self)
    #expect(try await trips.fetchAll() == [Trip("a", "90 s")])
    try restore(older, to: "trips")
    let later = app.launch()
    try later.registerCatalog(TripCatalog<SealedTrip>.self)
    #expect(await storageError { try await later.records(Trip<SealedTrip>.self).fetchAll() }?.code == .databaseDamaged)
    let result = try await later.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
    #expect(result.records.first { $0.record.key == "Trip" }?.removed == 1)
    #expect(try await later.records(Trip<SealedTrip>.self).fetchAll() == [])
  }

  @Test func shapeThatForgetsTheSealedPartsIsDamaged() async throws {
    try await errands(FlaggedErrand.self).save(Errand(1, isOpen: false))
    try change("UPDATE Errand SET sealed = NULL; \(removesList)")
    #expect(await error(FlaggedErrand.self) == damaged)
    #expect(await error(SecretErrand.self) == damaged)
    try change("DELETE FROM local_data_keys")
    #expect(await storageError { try await self.errands(FlaggedErrand.self).save(Errand(1)) } == damaged)
    let (router, errands) = try launch(FlaggedErrand.self)
    let result = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
    #expect(result.records.map(\.lostFields) == [[4: 1]])
    #expect(try await errands.fetchAll() == [Errand(1)])
  }

  /// The process was killed before the keychain listed what the repair had kept.
  @Test(arguments: [true, false]) func killedRepairContinues(_ isAbandoned: Bool) async throws {
    try await errands(FlaggedErrand.self).save(Errand(1, isOpen: false))
    try change("UPDATE Errand SET sealed = NULL; DELETE FROM local_data_keys; \(removesList)")
    let (router, errands) = try launch(FlaggedErrand.self)
    let kept =
      if isAbandoned {
        try await router.maintenance.abandonEncryptedData().records.map(\.kept)
      } else {
        try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents)).records.map(\.kept)
      }
    #expect(kept == [1])
    #expect(try await errands.fetchAll() == [Errand(1)])
  }

  /// A process holds the keys while the file is exchanged.
  @Test func keysInMemoryDoNotSealAForgedShape() async throws {
    let (_, errands) = try launch(FlaggedErrand.self)
    try await errands.save(Errand(1, isOpen: false))
    #expect(try await errands.fetchAll() == [Errand(1, isOpen: false)])
    try change("UPDATE Errand SET sealed = NULL; \(removesList)")
    #expect(await storageError { try await errands.fetchAll() } == damaged)
  }

  @Test func removedRecordKeysAreMissing() async throws {
    try await errands(FlaggedErrand.self).save(Errand(1, isOpen: false))
    try change("UPDATE Errand SET sealed = NULL; DELETE FROM local_data_keys")
    #expect(await error(FlaggedErrand.self)?.code == .keyMaterialMissing)
    #expect(
      await storageError { try await errands(FlaggedErrand.self).save(Errand(2)) }?.code == .keyMaterialMissing)
    #expect(await error(SecretErrand.self)?.code == .keyMaterialMissing)
  }

  @Test func listIsWrittenWhenKeysAreOpened() async throws {
    try await fill()
    #expect(try await all(SecretErrand.self).count == 3)
    try forgetList()
    #expect(try await all(SecretErrand.self).count == 3)
    try change(removesList)
    #expect(await error(SecretErrand.self) == damaged)
  }

  @Test func removalEndsTheList() async throws {
    try await fill()
    #expect(try await all(SecretErrand.self).count == 3)
    #expect(await error(PlainErrand.self)?.code == .newerSchema)
    try await launch(PlainErrand.self).router.removeAll(in: Errand<PlainErrand>.Database.self)
    try await fill()
    #expect(try await all(SecretErrand.self).map(\.note) == ["one", nil, ""])
  }

  @Test func lockedRemovalRemovesTheRows() async throws {
    try await fill()
    #expect(try await all(SecretErrand.self).count == 3)
    let locked = try locked(SecretErrand.self)
    let removal = await storageError { try await locked.removeAll(in: Errand<SecretErrand>.Database.self) }
    #expect(removal?.code == .locked)
    #expect(try await all(SecretErrand.self) == [])
    try await errands(SecretErrand.self).save(Errand(1, note: "one"))
    #expect(try await all(SecretErrand.self).map(\.note) == ["one"])
  }

  @Test func newFileBeginsTheList() async throws {
    for _ in 0..<2 {
      try await fill()
      #expect(try await all(SecretErrand.self).map(\.note) == ["one", nil, ""])
      try deleteApp()
    }
  }

  /// The call that creates the file again opens no keys.
  @Test func newFileKeepsTheListOfItsTables() async throws {
    func launch<Release: TripRelease>(_ release: Release.Type) throws -> StorageRouter {
      let router = app.launch()
      try router.registerCatalog(TripCatalog<Release>.self)
      return router
    }
    try await launch(TextTrip.self).records(Trip<TextTrip>.self).save(Trip("a", "90"))
    let older = try copied("trips")
    #expect(try await launch(SealedTrip.self).records(Trip<SealedTrip>.self).fetchAll() == [Trip("a", "90 s")])
    try deleteApp()
    try await launch(SealedTrip.self).records(Remark<SealedTrip>.self).save(Remark("b"))
    try restore(older, to: "trips")
    let trips = try launch(SealedTrip.self).records(Trip<SealedTrip>.self)
    #expect(await storageError { try await trips.fetchAll() }?.code == .databaseDamaged)
  }

  @Test func moveBeginsTheList() async throws {
    for _ in 0..<2 {
      try await fill()
      #expect(try await all(MovedErrand.self).map(\.note) == ["one", nil, ""])
      try deleteApp()
    }
  }

  @Test func moveCopiesTheList() async throws {
    try await errands(SecretErrand.self).save(Errand(1, note: "one", isOpen: false))
    #expect(try await all(MovedErrand.self) == [Errand(1, note: "one", isOpen: false)])
    try change("UPDATE Errand SET sealed = NULL; \(removesList)", in: "trips")
    #expect(await error(MovedErrand.self) == damaged)
  }

  /// The keychain of a phone still has the list of the later address.
  @Test func repairBeforeAMoveUsesTheListOfTheSource() async throws {
    try await errands(MovedErrand.self).save(Errand(1, note: "one"))
    try deleteApp()
    try await fill()
    let (router, errands) = try launch(MovedErrand.self)
    #expect(try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents)).records == [])
    #expect(try await errands.fetchAll().sorted { $0.id < $1.id }.map(\.note) == ["one", nil, ""])
  }

  /// The lock of the database cannot be taken.
  @Test func moveThatCannotBeginKeepsTheList() async throws {
    try await errands(MovedErrand.self).save(Errand(1, note: "one"))
    try deleteApp()
    try await fill()
    func lists() throws -> Int64? {
      let keystore = try SQLiteConnection(
        path: app.fixture.path("data/keystore.db"), isDurable: true, until: .now + .seconds(60), kind: .draft)
      return try keystore.first("SELECT count(*) FROM item WHERE account LIKE '%.records.%'") { $0.integer(0) }
    }
    #expect(try lists() == 1)
    let lock = try folder() + ".trips.db.lock"
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    #expect(await error(MovedErrand.self) != nil)
    #expect(try lists() == 1)
    try FileManager.default.removeItem(atPath: lock)
    #expect(try await all(MovedErrand.self).map(\.note) == ["one", nil, ""])
  }

  /// An attacker empties and forges the file before it is moved.
  @Test func moveOfAForgedFileIsDamaged() async throws {
    try await errands(SecretErrand.self).save(Errand(1, note: "one", isOpen: false))
    try change("UPDATE Errand SET sealed = NULL; DELETE FROM local_data_keys; \(removesList)")
    #expect(await error(MovedErrand.self) == damaged)
    let (router, errands) = try launch(MovedErrand.self)
    _ = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .documents))
    #expect(try await errands.fetchAll() == [Errand(1)])
    #expect(try await all(MovedErrand.self) == [Errand(1)])
  }

  @Test func manyLaunchesSealAtTheSameTime() async throws {
    try await fill()
    try await withThrowingTaskGroup(of: [String?].self) { group in
      for _ in 0..<4 {
        let errands = try errands(SecretErrand.self)
        group.addTask { try await errands.fetchAll().sorted { $0.id < $1.id }.map(\.note) }
      }
      for try await notes in group { #expect(notes == ["one", nil, ""]) }
    }
  }
}
