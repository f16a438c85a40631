import Foundation
import Testing

@_spi(Generated) @testable import LocalData

/// The names of a family's members, and the parameters that they contain.
@Suite struct FamilyNameTests {
  private enum Shelf: String { case inbox, archive = "Archive 1" }
  private enum Rank: Int { case first = 1, second = 2 }

  private func parameters(_ declared: String, _ name: String) -> StorageKeyParameters? {
    FamilyName(declared).firstMember(of: name) { StorageKeyParameters(values: $0) }
  }

  @Test(arguments: ["", "a", "A/b", "é", "%", "a_b", "日本語", "\u{0}", String(repeating: "x", count: 3_000)])
  func aTextIsReadBackFromAName(_ text: String) throws {
    let name: StorageKeyName = "draft_\(text)_\(7)"
    let found = try #require(parameters("draft_{text}_{number}", name.text))
    #expect(try found.value(of: "text") as String == text)
    #expect(try found.value(of: "number") as Int == 7)
    #expect(FamilyName("draft_{text}_{number}").member(found.values) == name.text)
  }

  @Test func theOtherTypesAreReadBackToo() throws {
    let id = UUID()
    let name: StorageKeyName = "d\(id).\(Shelf.archive)/\(Rank.second)!"
    let found = try #require(parameters("d{id}.{shelf}/{rank}!", name.text))
    #expect(try found.value(of: "id") as UUID == id)
    #expect(try found.value(of: "shelf") as Shelf == .archive)
    #expect(try found.value(of: "rank") as Rank == .second)
  }

  @Test(arguments: ["a", "A/b", "é", "%41", "a_b.c", "日本語", "user@example.com", ""])
  func aVerbatimParameterIsReadBack(_ text: String) throws {
    let (family, id) = (FamilyName("{+text}_token.{+id:UUID}"), UUID())
    let name: StorageKeyName = "\(verbatim: text)_token.\(verbatim: id)"
    #expect(name.text == "\(text)_token.\(id.uuidString)")
    let found = try #require(parameters("{+text}_token.{+id:UUID}", name.text))
    #expect(try found.value(of: "text") as String == text)
    #expect(try found.value(of: "id") as UUID == id)
    #expect(family.member(found.values) == name.text)
    #expect(family.plain == "{text}_token.{id}")
    #expect(family.pattern == "{+}_token.{+}")
    #expect(!family.refuses(name.text))
    #expect(parameters("{+text}_token.{+id:UUID}", name.text.lowercased()) == nil)
  }

  /// Names that another choice of parameters has too, and names that no store takes.
  @Test(arguments: [("{+a}_{+b}", "x_y_z"), ("{+a}", "a\nb"), ("{+a}", "")])
  func aNameThatCannotBeReadBackIsRefused(_ family: String, _ name: String) {
    #expect(FamilyName(family).refuses(name))
    #expect(!FamilyName(family.replacing("+", with: "")).refuses(name))
    #expect(!FamilyName(family).refuses("x_y"))
  }

  /// Texts that are never written for a value of their type.
  @Test func aTextThatNoValueGivesIsNone() {
    func value<Value>(_ text: String, _ read: (StorageKeyParameters) throws(StorageError) -> Value) -> Value? {
      do throws(StorageError) { return try read(StorageKeyParameters(values: ["p": text])) } catch { return nil }
    }
    for text in ["007", "+7", "", "7a", "99999999999999999999"] {
      #expect(value(text) { (found) throws(StorageError) in try found.value(of: "p") as Int } == nil, "\(text)")
    }
    for text in [UUID().uuidString, "", "1"] {
      #expect(value(text) { (found) throws(StorageError) in try found.value(of: "p") as UUID } == nil, "\(text)")
    }
    #expect(value("outbox") { (found) throws(StorageError) in try found.value(of: "p") as Shelf } == nil)
    #expect(value("01") { (found) throws(StorageError) in try found.value(of: "p") as Rank } == nil)
    #expect(value("7") { (found) throws(StorageError) in try found.value(of: "q") as String } == nil)
  }

  @Test(arguments: [
    "draft_", "draft_a", "draft_a_", "draft_A_1", "draft_a_1x_", "draft_a_1_2", "raft_a_1", "draft_%2f_1", "draft_%4_1",
    "draft_%61_1", "draft_%FF_1", "draft_é_1",
  ])
  func aNameOfAnotherFormIsNoMembers(_ name: String) {
    let found = parameters("draft_{text}_{number}", name)
    #expect(name == "draft_a_" ? found != nil : found == nil)
  }

  /// Only the types show which `-` separates the parameters.
  @Test func theTypesDecideBetweenSeveralReadings() throws {
    let id = UUID()
    let name = "\(id.uuidString.lowercased())-a-b"
    let found = FamilyName("{id}-{text}").firstMember(of: name) { values -> (UUID, String)? in
      let parameters = StorageKeyParameters(values: values)
      do { return (try parameters.value(of: "id"), try parameters.value(of: "text")) } catch { return nil }
    }
    #expect(found?.0 == id)
    #expect(found?.1 == "a-b")
  }

  @Test func aHostileNameEndsTheSearch() {
    let name = String(repeating: "-", count: 300)
    var attempts = 0
    let found: Int? = FamilyName("{a}-{b}-{c}-{d}").firstMember(of: name) { _ in
      attempts += 1
      return nil
    }
    #expect(found == nil)
    #expect(attempts <= 1_000)
  }

  /// The name belongs to the family with the most text between its parameters, in whatever order the families are.
  @Test(arguments: [
    ("draft_a", ["draft_{id}"]), ("draft_a_1", ["draft_{folder}_{id}"]), ("draft_a_new", ["draft_{id}_new"]),
    ("note_a", ["{kind}_{id}", "{a}_{b}"]), ("draft", ["{any}"]), ("", ["{any}"]),
  ])
  func aNameBelongsToTheMostSpecificFamily(_ name: String, owners: [String]) {
    let declared = ["{any}", "draft_{id}_new", "{kind}_{id}", "draft_{id}", "{a}_{b}", "draft_{folder}_{id}"]
    #expect(declared.owners(of: name) { FamilyName($0) } == owners)
    #expect(declared.reversed().owners(of: name) { FamilyName($0) } == owners.reversed())
    #expect(["note_{id}", "x"].owners(of: name) { FamilyName($0) } == (name == "note_a" ? ["note_{id}"] : []))
  }
}
