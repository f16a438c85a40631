@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import LocalDataTesting
import LocalDataFoundation
import Testing

/// Queries that no index serves are in the log of calls, and a test can refuse them.
struct ScanTests {
  private let router: StorageRouter
  private let storage = TestStorage()
  private let lines = LogLines()

  init() throws {
    router = storage.launch()
    try router.registerCatalog(ClubCatalog.self)
    try router.registerCatalog(PassCatalog.self)
  }

  /// The lines of scans that calls add to the log.
  private func scans(_ body: () async throws -> Void) async throws -> [String] {
    router.setLogger { [lines] in lines.add($0) }
    try await body()
    router.setLogger(nil)
    return lines.all.filter { $0.operation == .scan }.map { $0.key.key ?? "" }
  }

  @Test func theLogNamesTheFieldsWithoutIndex() async throws {
    let visits = router.visits
    let found = try await scans {
      _ = try await visits.where { $0.note == "late" }.fetchAll()
      _ = try await visits.where { $0.note == "late" }.count()
      _ = try await visits.where { $0.note == "late" && $0.at < .now }.exists()
      _ = try await visits.order { $0.at.descending }.first()
      _ = try await visits.where { $0.note == "late" }.fetchFirst(ofEach: { $0.member })
      _ = try await visits.where { $0.note == "late" }.limit(1).delete()
      _ = try await router.transaction(in: ClubDatabase.self) { try $0.visits.where { $0.note == "late" }.delete() }
      // An index begins with the field, but cannot serve the comparison.
      _ = try await visits.where { $0.member.contains("a") }.fetchAll()
    }
    let note = "Visit.note"
    #expect(found == [note, note, "Visit.at, note", "Visit.at", note, note, note, "Visit.member"])
  }

  @Test func otherQueriesAreNoScans() async throws {
    let visits = router.visits
    let found = try await scans {
      _ = try await visits.fetchAll()
      _ = try await visits.count()
      _ = try await visits.order { $0.at.descending }.fetchAll()
      _ = try await visits.order { $0.at.descending }.fetchFirst(ofEach: { $0.member })
      _ = try await visits.all.exists()
      _ = try await visits.all.limit(3).delete()
      for try await _ in visits.pages(of: 2) {}
      let ofAnna = visits.where { $0.member == "anna" }
      _ = try await ofAnna.order { $0.at.descending }.limit(20).fetchAll()
      _ = try await ofAnna.where { $0.note == "late" }.count()
      _ = try await visits.where { $0.member.isIn(["anna", "ben"]) }.fetchAll()
      _ = try await visits.where { $0.member.isIn([]) }.fetchAll()
      _ = try await visits.where { $0.member == "anna" || $0.id == UUID() }.delete()
      _ = try await router.members.where { $0.email == "anna" }.exists()
      _ = try await router.records(Pass.self).where { $0.issuer == "city" }.fetchAll()
    }
    #expect(found == [])
  }

  @Test func aLineContainsNoValue() async throws {
    try await router.members.insert(Member(id: "a", email: "anna@example.com", points: 4711))
    _ = try await scans { _ = try await router.members.where { $0.points == 4711 }.fetchAll() }
    #expect(lines.all.map(\.description).first == "scan 'Member.points' in fileSystem: 0.0 ms")
    #expect(!lines.all.map(\.description).joined().contains("4711"))
  }

  /// No index can serve a search for all other values. The line names the field, not the column of its fingerprint.
  @Test func theBlindIndexOfAFieldHasItsName() async throws {
    let found = try await scans { _ = try await router.records(Pass.self).where { $0.issuer != "city" }.fetchAll() }
    #expect(found == ["Pass.issuer"])
  }

  @Test func aTestRefusesScans() async throws {
    try await router.members.insert(Member(id: "a", email: "a", points: 1))
    storage.failsOnScans = true
    let error = StorageError(.accessDenied, .init(key: "Member.points", domain: .fileSystem))
    #expect(await storageError { try await router.members.where { $0.points == 1 }.fetchAll() } == error)
    #expect(await storageError { try await router.members.where { $0.points == 1 }.delete() } == error)
    #expect(
      await storageError {
        try await router.read(ClubDatabase.self) { try $0.members.where { $0.points == 1 }.fetchAll() }
      } == error)
    #expect(try await router.members.where { $0.email == "a" }.fetchAll().map(\.id) == ["a"])
    storage.failsOnScans = false
    #expect(try await router.members.where { $0.points == 1 }.delete() == 1)
  }
}
