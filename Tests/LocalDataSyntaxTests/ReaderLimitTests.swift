import LocalDataSyntax
import Testing

/// The limits of a catalog: at each of them fine, one beyond refused.
@Suite struct ReaderLimitTests {
  @Test(arguments: [
    ("[", "]", ""), ("{a: ", "}", "b"), ("- ", "", "a"),
  ])
  func depth(opening: String, closing: String, leaf: String) {
    func nested(_ depth: Int) -> String {
      String(repeating: opening, count: depth) + leaf + String(repeating: closing, count: depth)
    }
    #expect(read(nested(64)).diagnostics.map(\.summary) == [])
    let column = 64 * opening.count + 1
    #expect(read(nested(65)).diagnostics.map(\.summary) == ["1:\(column)-1:\(column + 1) too-deep"])
  }

  /// libyaml alone spends 10 s on the first of these.
  @Test(arguments: ["[", "[\n", "{a: ", "- ", "? ", "[[]", "{? "])
  func aHundredThousandOpenings(text: String) {
    let diagnostics = read("a: 1\nb:\n  " + String(repeating: text, count: 100_000)).diagnostics
    #expect(!diagnostics.isEmpty)
    #expect(diagnostics.allSatisfy { $0.place != nil })
  }

  @Test func aHundredThousandDirectivesBehindTheDocument() {
    let directives = (0..<100_000).map { "%TAG !a\($0)! tag:b\n" }.joined()
    #expect(read("a: b\n...\n" + directives).diagnostics.map(\.summary) == ["3:1-3:2 directive"])
    #expect(read(directives + "--- a").diagnostics.count == 1001)
  }

  @Test(arguments: ["a: ", "a: '", "a: |\n  ", "é: "])
  func text(opening: String) {
    let closing = opening.contains("'") ? "'" : ""
    let isBlock = opening.contains("|")
    let longest = String(repeating: "x", count: (64 << 10) - (isBlock ? 1 : 0))
    let end = isBlock ? "\n" : ""
    #expect(read(opening + longest + closing + end).diagnostics.map(\.summary) == [])
    #expect(read(opening + longest + "x" + closing + end).diagnostics.map(\.summary) == ["1:4-1:5 text-too-long"])
  }

  @Test func aLongName() {
    let name = String(repeating: "x", count: 65 << 10)
    #expect(read("? \(name)\n: a\n").diagnostics.map(\.rule) == ["text-too-long"])
  }

  @Test func size() {
    let comment = [UInt8](repeating: UInt8(ascii: "#"), count: CatalogReader.maximumSize)
    #expect(read(comment).diagnostics.isEmpty)
    #expect(read(comment + [0x0A]).diagnostics.map(\.summary) == ["1:1-1:2 file-too-large"])
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(read(mark + comment).diagnostics.isEmpty)
  }

  @Test func findings() throws {
    let diagnostics = read("a: [" + String(repeating: "&b c, ", count: 5000) + "]").diagnostics
    #expect(diagnostics.count == 1001)
    #expect(diagnostics.last?.rule == "too-many-findings")
    #expect(diagnostics[999].summary == "1:\(5 + 999 * 6)-1:\(7 + 999 * 6) anchor")
  }
}
