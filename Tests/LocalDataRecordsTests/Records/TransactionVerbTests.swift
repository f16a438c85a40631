import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import Testing

/// The verbs of records within a transaction.
struct TransactionVerbTests {
  private let day = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test(arguments: RecordPlace.allCases) func anUpdateChangesOneRecord(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.members.save(Member(id: "a", email: "a", points: 3))
    struct Refusal: Error {}
    try await router.transaction(in: ClubDatabase.self) { club in
      let updated = try club.members.update(id: "a") { $0.points += 1 }
      #expect(updated?.points == 4)
      #expect(try club.members.update(id: "b") { $0.points += 1 } == nil)
      #expect(throws: Refusal.self) {
        try club.members.update(id: "a") {
          $0.points = 0
          throw Refusal()
        }
      }
      #expect(throws: StorageError(.cannotEncode, .init(key: "Member", domain: .fileSystem))) {
        try club.members.update(id: "a") { $0.id = "c" }
      }
    }
    #expect(try await router.members.fetchAll() == [Member(id: "a", email: "a", points: 4)])
    await #expect(throws: StorageError(.accessDenied, .init(key: "Member", domain: .fileSystem))) {
      try await router.read(ClubDatabase.self) { club in try club.members.update(id: "a") { $0.points = 9 } }
    }
    #expect(try await router.members.fetch(id: "a")?.points == 4)
    _ = app
  }

  @Test(arguments: RecordPlace.allCases) func queriesFindWhatTheTransactionHasWritten(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.transaction(in: ClubDatabase.self) { [day] club in
      #expect(try club.members.exists() == false)
      let members = ["a", "b", "c"].map { Member(id: $0, email: $0) }
      for member in members { try club.members.insert(member) }
      #expect(try club.members.where { $0.id == "b" }.exists())
      #expect(try club.members.where { $0.id == "d" }.exists() == false)
      #expect(try club.members.fetch(ids: ["c", "d", "a"]) == [members[2], members[0]])
      let visits = (0..<6).map { Visit(member: $0 < 4 ? "a" : "b", at: day + Double($0)) }
      for visit in visits { try club.visits.insert(visit) }
      let latest = try club.visits.order { $0.at.descending }.fetchFirst(ofEach: { $0.member })
      #expect(latest == [visits[5], visits[3]])
      #expect(try club.visits.where { $0.member == "a" }.fetchFirst(ofEach: { $0.note }).count == 1)
    }
    _ = app
  }

  @Test func aTransactionThatIsOverDoesNothing() async throws {
    let router = try RecordPlace.memory.launch().0
    let left = try await router.transaction(in: ClubDatabase.self) { Left(members: $0.members) }.members
    let error = StorageError(.cannotJoinTransaction, .init(key: "Member", domain: .fileSystem))
    #expect(throws: error) { try left.exists() }
    #expect(throws: error) { try left.fetch(ids: ["a"]) }
    #expect(throws: error) { try left.update(id: "a") { $0.points = 1 } }
    #expect(throws: error) { try left.fetchFirst(ofEach: { $0.email }) }
  }

  /// `@unchecked Sendable`: only one task uses it, after the transaction.
  private struct Left: @unchecked Sendable {
    let members: TransactionRecords<Member>
  }
}
