import LocalDataModel
import Foundation
import TestSupport
import Testing

/// The tables of words in the pages about the language are those of the language.
@Suite struct WordTableTests {
  /// `LOCALDATA_RECORD=1` writes the words and their values.
  @Test(arguments: LanguagePage.all) func thePageHasTodaysWords(page: LanguagePage) throws {
    let text = try page.text
    let updated = WordTables.update(text)
    if GoldenFolder.isRecording {
      try Data(updated.utf8).write(to: page.url)
      Issue.record("recorded \(page.testDescription)")
    }
    #expect(text == updated)
  }

  /// A map of up to three words needs no table: the table of the map around it names them.
  @Test func eachMapHasOneTable() throws {
    let titles = try LanguagePage.all.flatMap { WordTables.titles(in: try $0.text) }
    #expect(Set(titles).count == titles.count)
    let known = Language.concepts.map(\.title)
    #expect(Set(titles).subtracting(known) == [WordTables.shared])
    for concept in Language.concepts where WordTables.entries(of: concept.title).count > 3 {
      #expect(titles.contains(concept.title), "no page has the words of '\(concept.title)'")
    }
  }

  @Test func theSharedWordsAreWordsOfKeys() {
    #expect(WordTables.entries(of: WordTables.shared).map(\.name) == WordTables.sharedWords)
  }

  /// Each word of the language is written as code on one of the pages, also values that no table has.
  @Test func eachWordIsOnAPage() throws {
    var written: Set<Substring> = []
    for page in LanguagePage.all {
      for code in try page.text.matches(of: /`([^`\n]+)`/) {
        written.formUnion(code.1.split { !($0.isLetter || $0.isNumber || $0 == "_") })
      }
    }
    for concept in Language.concepts {
      let missing = WordTables.words(of: .record(concept.entries)).filter { !written.contains($0[...]) }
      #expect(Set(missing) == [], "\(concept.title)")
    }
  }

  @Test func meaningsAreSentences() throws {
    for page in LanguagePage.all {
      var isTable = false
      for line in try page.text.components(separatedBy: "\n") {
        isTable = line.hasSuffix(" | values | meaning") || isTable && !line.isEmpty
        guard isTable, line.hasPrefix("`") else { continue }
        let meaning = line.components(separatedBy: " | ").dropFirst(2).joined(separator: " | ")
        #expect(meaning.hasSuffix(".") && meaning.count > 5, "\(page.testDescription): \(line)")
      }
    }
  }
}
