import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataSystem
import Testing

/// Releases of an app that use one file: one after the other, side by side, and in the reverse order.
struct ReleaseTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Record: StorageRecord>(_ type: Record.Type) throws -> Records<Record> {
    try router(type).records(type)
  }

  private func router<Record: StorageRecord>(_ type: Record.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(NoteReleases.Catalog<Record>.self)
    return router
  }

  @Test func anUpdateKeepsTheValuesOfARenamedField() async throws {
    try await launch(NoteReleases.One.self).save(NoteReleases.One(id: "a", text: "hello", color: "blue"))
    let router = try router(NoteReleases.Two.self)
    let notes = router.records(NoteReleases.Two.self)
    #expect(try await notes.fetchAll() == [NoteReleases.Two(id: "a", body: "hello", color: "blue", text: "none")])
    #expect(try await notes.where { $0.body == "hello" && $0.text == "none" }.count() == 1)
    try await notes.update(id: "a") { $0.text = "new" }
    let tags = router.records(NoteReleases.Tag.self)
    try await tags.save(NoteReleases.Tag(id: "t", note: "a"))
    try await notes.delete(id: "a")
    #expect(try await tags.fetchAll() == [])
  }

  /// A downgrade, or an extension that is older than the app.
  @Test func anOlderReleaseKeepsWhatItDoesNotKnow() async throws {
    let new = try launch(NoteReleases.Two.self)
    try await new.save(NoteReleases.Two(id: "a", body: "hello", color: "blue", text: "kept"))
    let old = try launch(NoteReleases.One.self)
    #expect(try await old.fetchAll() == [NoteReleases.One(id: "a", text: "hello", color: "blue")])
    try await old.save(NoteReleases.One(id: "a", text: "changed", color: "green"))
    try await old.save(NoteReleases.One(id: "b", text: "added"))
    #expect(try await old.where { $0.text == "changed" }.count() == 1)
    #expect(
      try await new.fetchAll() == [
        NoteReleases.Two(id: "a", body: "changed", color: "green", text: "kept"),
        NoteReleases.Two(id: "b", body: "added"),
      ])
  }

  @Test func aReleaseThatNeedsARetiredFieldIsRefused() async throws {
    let old = try launch(NoteReleases.One.self)
    try await old.save(NoteReleases.One(id: "a", text: "hello", color: "blue"))
    #expect(try await launch(NoteReleases.Three.self).fetchAll() == [NoteReleases.Three(id: "a", body: "hello")])
    let error = await storageError { try await launch(NoteReleases.Two.self).fetchAll() }
    #expect(error == StorageError(.newerSchema, .init(key: "Note.color (number 3, retired)", domain: .fileSystem)))
    let rows = try await app.launchedRows("SELECT color FROM main.Note")
    #expect(rows == [[.null]], "the values of the field are deleted")
  }

  @Test func anotherTypeForANumberIsRefusedAndChangesNothing() async throws {
    try await launch(NoteReleases.One.self).save(NoteReleases.One(id: "a", text: "hello"))
    let other = try launch(NoteReleases.Other.self)
    let expected = StorageError(.newerSchema, .init(key: "Note.size (number 2, typeChanged)", domain: .fileSystem))
    #expect(await storageError { try await other.fetchAll() } == expected)
    #expect(await storageError { try await other.fetch(id: "a") } == expected)
    #expect(await storageError { try await other.save(NoteReleases.Other(id: "b", size: 1)) } == expected)
    #expect(expected.description.contains("number 2"))
    #expect(try await launch(NoteReleases.One.self).fetchAll().map(\.text) == ["hello"])
  }

  @Test func manyLaunchesMergeAtTheSameTime() async throws {
    try await launch(NoteReleases.One.self).save(NoteReleases.One(id: "a", text: "hello"))
    try await withThrowingTaskGroup(of: [NoteReleases.Two].self) { group in
      for _ in 0..<8 {
        let notes = try launch(NoteReleases.Two.self)
        group.addTask { try await notes.fetchAll() }
      }
      for try await found in group { #expect(found == [NoteReleases.Two(id: "a", body: "hello")]) }
    }
  }

  @Test func anOpenRouterSeesThatAFieldWasRetired() async throws {
    let old = try launch(NoteReleases.One.self)
    try await old.save(NoteReleases.One(id: "a", text: "hello", color: "blue"))
    #expect(try await launch(NoteReleases.Three.self).fetchAll() == [NoteReleases.Three(id: "a", body: "hello")])
    let expected = StorageError(.newerSchema, .init(key: "Note.color (number 3, retired)", domain: .fileSystem))
    #expect(await storageError { try await old.save(NoteReleases.One(id: "b", text: "t", color: "c")) } == expected)
    #expect(await storageError { try await old.fetch(id: "a") } == expected)
  }

  @Test func anOpenRouterSeesTheMergeOfAnotherProcess() async throws {
    let old = try launch(NoteReleases.One.self)
    try await old.save(NoteReleases.One(id: "a", text: "hello", color: "blue"))
    _ = try await old.fetchAll()
    let path = try app.fixture.locations.folder(of: .directory(.documents)).path + "/.records/notes.db"
    let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute(
      "UPDATE local_data SET value = replace(value, '\"retired\":[]', '\"retired\":[3]'); UPDATE Note SET color = NULL")
    let expected = StorageError(.newerSchema, .init(key: "Note.color (number 3, retired)", domain: .fileSystem))
    #expect(await storageError { try await old.save(NoteReleases.One(id: "b", text: "t", color: "c")) } == expected)
    #expect(await storageError { try await old.fetch(id: "a") } == expected)
    #expect(await storageError { try await old.fetchAll() } == expected)
  }
}

extension RelaunchedApp {
  /// Returns the rows of a query in SQL on the newest release.
  fileprivate func launchedRows(_ sql: String) async throws -> [[RecordCell]] {
    let router = launch()
    try router.registerCatalog(NoteReleases.Catalog<NoteReleases.Three>.self)
    return try await router.read(NoteReleases.Three.Database.self) { try $0.rows(sql) }
  }
}
