import LocalDataTesting
import Testing

@testable import LocalDataSystem

@Suite struct FileNameTests {
  @Test(arguments: [
    ("token", "token"), ("last_backup-at.v1", "last_backup-at.v1"), (".hidden", "%2Ehidden"), ("..", "%2E."),
    ("../x", "%2E.%2Fx"), ("a b", "a%20b"), ("100%", "100%25"), ("%2F", "%252F"), ("é", "%C3%A9"), ("a~", "a%7E"),
    ("a\u{0}", "a%00"),
  ])
  func text(_ name: String, _ file: String) throws {
    #expect(try FileName(name).text == file)
    #expect(try !FileName(name).isShortened)
  }

  @Test func longNames() throws {
    let whole = try FileName(String(repeating: "x", count: 200))
    #expect(whole.text.utf8.count == 200)
    #expect(!whole.isShortened)
    let cut = try FileName(String(repeating: "x", count: 201))
    #expect(cut.isShortened)
    // The SHA-256 of 201 times "x", from another program.
    #expect(
      cut.text == String(repeating: "x", count: 135)
        + "~84a0678c90937f5dcf9994d5866668da6b995109c8ad845410559b48a4ecafed")
    let escaped = try FileName(String(repeating: "é", count: 100))
    #expect(escaped.text.utf8.count <= 200)
    #expect(escaped.text.hasPrefix("%C3%A9%C3%A9"))
    #expect(escaped.text.firstIndex(of: "~").map { escaped.text[..<$0].utf8.count % 3 } == 0)
  }

  @Test(arguments: [
    ("token", "token"), ("Token", "%54oken"), ("A.Z", "%41.%5A"), ("É", "%C3%89"), ("a%2F", "a%252%46"),
    (".A", "%2E%41"),
  ])
  func textWhereCaseIsIgnored(_ name: String, _ file: String) throws {
    #expect(try FileName(name, .ignored).text == file)
  }

  @Test func aNameOfManyCapitalsIsShortened() throws {
    let name = try FileName(String(repeating: "X", count: 67), .ignored)
    #expect(name.isShortened)
    #expect(try !FileName(String(repeating: "X", count: 66), .ignored).isShortened)
    #expect(FileName.isFileName(name.text, .ignored))
  }

  @Test func theRuleOfLinuxKeepsCapitals() throws { #expect(try FileName("Token").text == "Token") }

  @Test(arguments: FileName.Case.allCases) func noTwoNamesMeet(_ rule: FileName.Case) throws {
    var seen: [String: String] = [:]
    for name in ValueStoreContract.difficultNames {
      let file = try FileName(name, rule).text
      #expect(FileName.isFileName(file, rule))
      let key = rule == .ignored ? file.lowercased() : file
      #expect(seen.updateValue(name, forKey: key) == nil, "\(name.debugDescription)")
      #expect(!file.hasPrefix("."))
      #expect(file.utf8.count <= 200)
      #expect(!file.contains("/"))
    }
  }

  @Test(arguments: [
    "", ".a", ".", "My notes.txt", "é", "%2f", "%41", "%", "%4", "a%FF", "~", "a~", "a~b",
    "a~" + String(repeating: "A", count: 64), "~" + String(repeating: "a", count: 64),
    "a" + String(repeating: "b", count: 200),
  ])
  func noStoredNameGives(_ text: String) { #expect(!FileName.isFileName(text, .distinguished)) }

  @Test func noStoredNameGivesCapitalsWhereCaseIsIgnored() {
    #expect(!FileName.isFileName("Notes.txt", .ignored))
    #expect(FileName.isFileName("Notes.txt", .distinguished))
  }

  @Test func anEmptyNameIsNone() { #expect(throws: StorageProblem.invalidName) { try FileName("") } }
}
