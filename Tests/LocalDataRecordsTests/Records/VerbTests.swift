import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

/// The storage that the verbs of records are tried on.
enum RecordPlace: CaseIterable {
  case file, memory

  /// Returns a router with the catalog, and what keeps its folder.
  func launch() throws -> (StorageRouter, RelaunchedApp?) {
    let app = self == .file ? try RelaunchedApp() : nil
    let router = app?.launch() ?? .inMemory()
    try router.registerCatalog(ClubCatalog.self)
    return (router, app)
  }
}

func storageError(_ body: () async throws -> some Any) async -> StorageError? {
  do {
    _ = try await body()
    return nil
  } catch { return error as? StorageError }
}

struct VerbTests {
  private static func subject(_ key: String) -> StorageError.Subject { .init(key: key, domain: .fileSystem) }
  private static let day = Date(timeIntervalSinceReferenceDate: 800_000_000.123)
  private let anna = Member(id: "a", email: "anna@example.com", points: 3)
  private let ben = Member(id: "b", email: "ben@example.com")

  @Test func anErrorNamesTheContainer() async throws {
    let (router, _) = try RecordPlace.memory.launch()
    try await router.members.insert(anna)
    let error = await storageError { try await router.members.insert(anna) }
    #expect(error?.subject.container == "directory applicationSupport")
    #expect(error?.description.contains(" in fileSystem (directory applicationSupport): ") == true)
  }

  @Test(arguments: RecordPlace.allCases) func aSavedRecordIsFetchedAndDeleted(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    #expect(try await router.members.fetch(id: "a") == nil)
    #expect(try await router.members.fetchAll() == [])
    #expect(try await router.members.count() == 0)
    try await router.members.save(anna)
    #expect(try await router.members.fetch(id: "a") == anna)
    let visit = Visit(member: "a", at: Self.day, note: nil)
    try await router.visits.insert(visit)
    #expect(try await router.visits.fetch(id: visit.id) == visit)
    try await router.members.save(Member(id: "a", email: "new@example.com"))
    #expect(try await router.members.fetch(id: "a")?.email == "new@example.com")
    #expect(try await router.visits.fetchAll() == [visit], "a save must keep the rows that refer to the record")
    #expect(try await router.members.delete(id: "a"))
    #expect(try await !router.members.delete(id: "a"))
    #expect(try await router.visits.fetchAll() == [], "visits are deleted with their member")
    _ = app
  }

  @Test(arguments: RecordPlace.allCases) func anUpdateChangesOneRecord(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.members.save(anna)
    #expect(try await router.members.update(id: "a") { $0.points += 1 }?.points == 4)
    #expect(try await router.members.update(id: "b") { $0.points += 1 } == nil)
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await router.members.update(id: "a") {
        $0.points = 0
        throw Refusal()
      }
    }
    await #expect(throws: StorageError(.cannotEncode, Self.subject("Member"))) {
      try await router.members.update(id: "a") { $0.id = "c" }
    }
    #expect(try await router.members.fetchAll().map(\.points) == [4])
    _ = app
  }

  @Test(arguments: RecordPlace.allCases) func constraintsNameTheField(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.members.insert(anna)
    let same = Member(id: "a", email: "other@example.com")
    #expect(
      await storageError { try await router.members.insert(same) }
        == StorageError(.alreadyStored, Self.subject("Member.id")))
    let twin = Member(id: "c", email: anna.email)
    #expect(
      await storageError { try await router.members.save(twin) }
        == StorageError(.alreadyStored, Self.subject("Member.email")))
    // The advice is about records, which have no 'replacing'.
    let advice = await storageError { try await router.members.insert(twin) }?.description ?? ""
    #expect(advice.contains("another record has this value") && !advice.contains("replacing"), "\(advice)")
    let visit = Visit(member: "nobody", at: Self.day)
    #expect(
      await storageError { try await router.visits.save(visit) }
        == StorageError(.missingReference, Self.subject("Visit")))
    try await router.bills.save(Bill(id: 1, member: "a"))
    #expect(
      await storageError { try await router.bills.insert(Bill(id: 1, member: "a")) }
        == StorageError(.alreadyStored, Self.subject("Bill.id"))
    )
    #expect(
      await storageError { try await router.members.delete(id: "a") }
        == StorageError(.stillReferenced, Self.subject("Member")))
    #expect(
      await storageError { try await router.members.all.delete() }
        == StorageError(.stillReferenced, Self.subject("Member")))
    #expect(try await router.members.fetchAll() == [anna])
    _ = app
  }

  @Test func queriesFindSortAndLimit() async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(anna)
    try await router.members.save(ben)
    let visits = (0..<6).map { Visit(member: $0 < 4 ? "a" : "b", at: Self.day + Double($0), note: $0 == 2 ? "x" : nil) }
    for visit in visits.reversed() { try await router.visits.save(visit) }
    let ofAnna = router.visits.where { $0.member == "a" }.order { $0.at.descending }
    #expect(try await ofAnna.fetchAll() == visits[..<4].reversed())
    #expect(try await ofAnna.limit(2).fetchAll() == [visits[3], visits[2]])
    #expect(try await ofAnna.first() == visits[3])
    #expect(try await ofAnna.limit(3).count() == 3)
    #expect(try await ofAnna.where { $0.note == nil }.count() == 3)
    #expect(try await router.visits.where { $0.member == "c" }.exists() == false)
    #expect(try await router.visits.where { $0.note == "x" }.exists())
    #expect(
      try await router.visits.order { $0.at.descending }.fetchFirst(ofEach: { $0.member }) == [visits[5], visits[3]])
    let groups = try await router.visits.order { $0.at.ascending }.grouped(by: { $0.member })
    #expect(groups.map(\.key) == ["a", "b"])
    #expect(groups.map(\.records.count) == [4, 2])
    #expect(try await router.members.fetch(ids: ["b", "c", "a"]) == [ben, anna])
    #expect(try await ofAnna.limit(1).delete() == 1)
    #expect(try await ofAnna.delete() == 3)
    #expect(try await router.visits.order { $0.at.ascending }.fetchAll() == Array(visits[4...]))
  }

  @Test(arguments: [1, 2, 3, 7, 10]) func pagesContainEachRecordOnce(size: Int) async throws {
    let router = try RecordPlace.memory.launch().0
    let members = (0..<7).map { Member(id: "\($0)", email: "\($0)@example.com", points: Int32($0 / 3)) }
    for member in members { try await router.members.save(member) }
    func all(_ query: RecordQuery<Member>) async throws -> [Member] {
      var all: [Member] = []
      for try await page in query.pages(of: size) {
        #expect((1...size).contains(page.count))
        all += page
      }
      return all
    }
    #expect(try await all(router.members.all) == members)
    #expect(try await all(router.members.where { $0.points > 0 }.limit(3)) == Array(members[3..<6]))
    #expect(try await all(router.members.order { $0.points.ascending }) == members)
  }

  @Test func anUnregisteredDatabaseIsRefused() async throws {
    let error = await storageError { try await StorageRouter.inMemory().members.fetchAll() }
    #expect(error == StorageError(.unregistered, .init(key: "club", domain: .fileSystem)))
    #expect(error?.description.contains("register its catalog") == true)
  }

  @Test func errorsAndLogsContainNoValue() async throws {
    let router = try RecordPlace.memory.launch().0
    let lines = LogLines()
    router.setLogger { lines.add($0) }
    try await router.members.insert(anna)
    _ = try await router.members.fetch(id: "a")
    let error = await storageError { try await router.members.insert(Member(id: "x", email: anna.email)) }
    try await router.members.where { $0.email == anna.email }.delete()
    #expect(lines.all.map(\.operation) == [.insert, .fetch, .insert, .delete])
    let text = lines.all.map(\.description).joined() + "\(error as Any)\(String(reflecting: error))"
    #expect(!text.contains("anna"))
  }

  /// These texts are equal in Swift, and different keys.
  @Test func anUpdateComparesTheScalarsOfTheKey() async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(Member(id: "\u{e9}", email: "e"))
    await #expect(throws: StorageError(.cannotEncode, .init(key: "Member", domain: .fileSystem))) {
      try await router.members.update(id: "\u{e9}") { ($0.id, $0.email) = ("e\u{301}", "f") }
    }
    #expect(try await router.members.count() == 1)
  }

  @Test func theSmallestLimitCounts() async throws {
    let router = try RecordPlace.memory.launch().0
    for number in 0..<5 { try await router.members.save(Member(id: "\(number)", email: "\(number)")) }
    #expect(try await router.members.all.limit(2).limit(4).count() == 2)
    #expect(try await router.members.all.limit(2).limit(4).delete() == 2)
    let count = try await router.read(ClubDatabase.self) { try $0.members.limit(1).limit(3).count() }
    #expect(count == 1)
  }

  @Test func mirrorsShowNoRecords() async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(Member(id: "secret", email: "secret"))
    var pages = router.members.pages(of: 1).makeAsyncIterator()
    _ = try await pages.next()
    var values = router.members.values().makeAsyncIterator()
    _ = try await values.next()
    var text = "\(pages)\(values)"
    dump(pages, to: &text)
    dump(values, to: &text)
    #expect(!text.contains("secret"))
  }

  @Test func theErrorNamesTheLargestSize() async throws {
    let router = try RecordPlace.memory.launch().0
    let large = Member(id: "l", email: String(repeating: "x", count: 2 << 20))
    let error = await storageError { try await router.members.save(large) }
    #expect(error == StorageError(.valueTooLarge(limit: 1 << 20), .init(key: "Member", domain: .fileSystem)))
  }
}
