#if os(Linux)
  import ExampleKeys
  import Foundation
  import LocalData
  import TestSupport
  import Testing

  /// The members of a generated family, with the types of their values and parameters.
  @Suite struct GeneratedFamilyTests {
    @Test func membersAreReadByTheirKeys() async throws {
      let test = try GeneratedKeyFixture()
      let texts = [UUID(): "one", UUID(): "two"]
      for (id, text) in texts { try await test.router.set(text, for: .draft(documentID: id)) }
      var found: [UUID: String] = [:]
      for draft in try await test.router.members(of: .draft) {
        found[draft.parameters] = try await test.router.get(draft.key)
      }
      #expect(found == texts)
    }

    @Test func aMemberIsChangedAndRemovedByItsKey() async throws {
      let test = try GeneratedKeyFixture()
      try await test.router.set("one", for: .draft(documentID: UUID()))
      let draft = try #require(try await test.router.members(of: .draft).first)
      try await test.router.set("two", for: draft.key)
      #expect(try await test.router.get(.draft(documentID: draft.parameters)) == "two")
      try await test.router.remove(draft.key)
      #expect(try await test.router.members(of: .draft).isEmpty)
    }

    /// What an earlier release stored is a member too, before any read has moved it.
    @Test func aValueOfAnEarlierReleaseIsAMember() async throws {
      let test = try GeneratedKeyFixture()
      let id = UUID()
      let name = "document-\(id.uuidString.lowercased()).txt"
      try await test.store("early", name: name, security: .none)
      let draft = try #require(try await test.router.members(of: .draft).first)
      #expect(draft.parameters == id)
      #expect(try await test.router.get(draft.key) == "early")
    }

    /// A name without a UUID is listed without types only.
    @Test func aNameThatIsNoUUIDIsNotAMember() async throws {
      let test = try GeneratedKeyFixture()
      try await test.store("other", name: "draft_7")
      #expect(try await test.router.members(of: .draft).isEmpty)
      let keys: [AnyStorageKey] = try await test.router.members(of: .draft)
      #expect(keys.map(\.parameters) == [["documentID": "7"]])
    }

    @Test func aMemberDoesNotPrintItsParameters() async throws {
      let test = try GeneratedKeyFixture()
      let id = UUID()
      try await test.router.set("one", for: .draft(documentID: id))
      let draft = try #require(try await test.router.members(of: .draft).first)
      for text in ["\(draft)", String(reflecting: draft)] {
        #expect(!text.lowercased().contains(id.uuidString.lowercased()))
      }
    }

    @Test func aPropertyReadsAGeneratedPreference() async throws {
      let test = try GeneratedKeyFixture()
      @Stored(.theme, router: test.router) var theme
      #expect(theme == .system)
      theme = .dark
      #expect(try await test.router.get(.theme) == .dark)
      #expect(try test.router.value(.theme) == .dark)
    }
  }
#endif
