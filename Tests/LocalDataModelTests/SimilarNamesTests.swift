import LocalDataSyntax
import TestSupport
import Testing

@testable import LocalDataModel

/// Names that are easily mistaken for each other, found by hashes as by comparing each with each.
@Suite struct SimilarNamesTests {
  private func laterOnes(_ names: [String]) -> [Int] {
    SimilarNames.pairs(names.indices) {
      names[$0]
    } where: { _, _ in
      true
    }.map(\.later)
  }

  @Test(arguments: [
    ("userName", "username", true), ("userName", "user_name", true), ("user-name", "UserName", true),
    ("note", "notes", true), ("tag", "tags", true), ("notesList", "noteList", true), ("a", "as", false),
    ("receiver", "reciever", true), ("separator", "seperator", true), ("curser", "cursor", false),
    ("cursorr", "cursor", true), ("light", "night", false), ("height", "weight", false), ("stable", "table", false),
    ("start", "stat", false), ("theme1", "theme2", false), ("item10", "item100", false), ("optionA", "optionB", false),
    ("minValue", "maxValue", false), ("isOn", "isOff", false), ("receiver", "cereiver", false),
    ("accountID", "accountIDs", false), ("theme", "contrast", false),
  ])
  func pairs(first: String, second: String, areSimilar: Bool) {
    #expect(laterOnes([first, second]) == (areSimilar ? [1] : []))
    #expect(laterOnes([second, first]) == (areSimilar ? [1] : []))
  }

  @Test(arguments: 0..<UInt64(Sweep.count(quick: 3, full: 20)))
  func asComparingEachWithEach(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let names = (0..<120).map { _ in
      (0..<Int.random(in: 1...2, using: &random)).map { _ in
        let length = Int.random(in: 3...9, using: &random)
        return String((0..<length).map { _ in "aabs".randomElement(using: &random) ?? "a" })
      }.joined(separator: "_")
    }
    let want = names.indices.filter { later in
      (0..<later).contains { Self.areSimilar(names[$0], names[later]) || Self.areSimilar(names[later], names[$0]) }
    }
    #expect(laterOnes(names) == want)
  }

  /// The letters of a name, and its words as ranges of them.
  private static func words(_ name: String) -> (letters: [UInt8], ranges: [Range<Int>]) {
    NameWords.withWords(of: name) { letters, starts in
      (Array(letters), zip(starts, starts.dropFirst() + [letters.count]).map { $0..<$1 })
    }
  }

  /// By the definition, with changes of words of the first name.
  private static func areSimilar(_ first: String, _ second: String) -> Bool {
    let (letters, ranges) = words(first)
    let (other, otherRanges) = words(second)
    if letters == other { return true }
    for word in ranges where word.count >= 4 {
      for position in word.dropFirst() {
        if word.count > 5 || position == word.upperBound - 1 && letters[position] == UInt8(ascii: "s") {
          if Array(letters[..<position] + letters[(position + 1)...]) == other { return true }
        }
        if word.count >= 5, position + 1 < word.upperBound {
          var swapped = letters
          swapped.swapAt(position, position + 1)
          if swapped == other { return true }
        }
        if word.count >= 8, letters.count == other.count,
          otherRanges.contains(where: { $0.count >= 8 && $0.dropFirst().contains(position) })
        {
          var changed = letters
          changed[position] = other[position]
          if changed == other { return true }
        }
      }
    }
    return false
  }

  /// Each name is reported at most once, however many are like it.
  @Test func manyNamesThatAreAlike() throws {
    var text = "localdata: 1\ncatalog: Test\ndefaults: {owner: Team, domain: userDefaults, security: none}\nkeys:\n"
    let base = Array("abcdefghij")
    for first in 1..<10 {
      for letter in "klmnopqrstuvwxyz" {
        var name = base
        name[first] = letter
        text += "  \(String(name)): {type: Int, description: The value.}\n"
      }
    }
    let run = try Run(text)
    #expect(run.diagnostics.count == 9 * 15)
    #expect(Set(run.diagnostics.map(\.rule)) == ["name-too-similar"])
  }
}
