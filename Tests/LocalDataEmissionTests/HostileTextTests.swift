import LocalDataModel
import LocalDataVocabulary
import Testing

@testable import LocalDataEmission
@testable import LocalDataDocuments

/// Text that tries to leave the place where it is written.
struct HostileTextTests {
  private func written(_ write: (inout OutputBuffer) -> Void) -> String {
    String(decoding: OutputBuffer.collect(write), as: UTF8.self)
  }

  /// Returns the text that a Swift compiler reads between the quotes.
  private func read(literal: String) -> String? {
    var text = String.UnicodeScalarView()
    var rest = literal.unicodeScalars.dropFirst().dropLast()[...]
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return nil }
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "\"": text.append("\"")
      case "\\": text.append("\\")
      case "u":
        let hex = rest.dropFirst().prefix { $0 != "}" }
        guard let value = UInt32(String(String.UnicodeScalarView(hex)), radix: 16), let scalar = Unicode.Scalar(value)
        else { return nil }
        text.append(scalar)
        rest = rest.dropFirst(hex.count + 2)
      default: return nil
      }
    }
    return String(text)
  }

  @Test(arguments: Samples.hostile)
  func aLiteralReadsAsItsText(_ text: String) {
    let literal = written { $0.writeLiteral(text) }
    #expect(read(literal: literal) == text)
    #expect(!literal.unicodeScalars.contains { $0.value < 0x20 || (0x202A...0x202E).contains($0.value) })
  }

  @Test(arguments: Samples.hostile)
  func aCommentIsOneLine(_ text: String) {
    for comment in [
      written { $0.writeComment(text) }, written { $0.writeMarkdown(text, in: .documentation) },
      written { $0.writeMarkdown(text, in: .document) }, written { $0.writeMarkdown(text, in: .comment) },
    ] {
      #expect(!comment.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
      #expect(!comment.unicodeScalars.contains { (0x2028...0x202E).contains($0.value) || $0.value == 0xFEFF })
    }
  }

  @Test(arguments: [
    ("a_b snake_case_", "a_b snake_case\\_"), ("use `x`", "use \\`x\\`"), ("# no", "\\# no"), ("C# yes", "C# yes"),
    ("- no", "\\- no"), ("12. no", "12\\. no"), ("1.5 is", "1\\.5 is"), ("v1.5 is", "v1.5 is"),
    ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"), ("a|b", "a\\|b"), ("![x](y)", "\\!\\[x\\](y)"),
    ("http://x", "http\\://x"), ("WWW.x", "WWW\\.x"), ("a: b", "a: b"), ("   lead", "lead"), ("a\nb", "a b"),
    // Everything that begins a block.
    ("1) no", "1\\) no"), ("123456789) no", "123456789\\) no"), ("1234567890) yes", "1234567890) yes"),
    (") yes", ") yes"),
    ("f(1) yes", "f(1) yes"), ("+ no", "\\+ no"), ("* no", "\\* no"), ("> no", "&gt; no"), ("## no", "\\## no"),
    ("===", "\\==="), ("---", "\\---"), ("- - -", "\\- - -"), ("***", "\\*\\*\\*"), ("___", "\\_\\_\\_"),
    ("~~~", "\\~\\~\\~"),
    ("```swift", "\\`\\`\\`swift"), ("|---|", "\\|---\\|"), ("<!-- no", "&lt;!-- no"), ("<div>", "&lt;div&gt;"),
    ("[x]: no", "\\[x\\]: no"), ("[^1]: no", "\\[^1\\]: no"), ("\tcode", "code"), ("    code", "code"),
    ("@Metadata", "\\@Metadata"),
    // What changes a character within a line.
    (":smile: no", "\\:smile: no"), (":+1: no", "\\:+1: no"), ("at 12:00:00", "at 12:00:00"), ("&amp;", "&amp;amp;"),
    ("end\\", "end\\\\"), ("$x$", "\\$x\\$"),
  ])
  func markdownShowsText(_ text: String, _ wanted: String) {
    #expect(written { $0.writeMarkdown(text, in: .document) } == wanted)
  }

  /// A comment on a change mentions nobody, and no other change.
  @Test func commentsLinkNothing() {
    #expect(written { $0.writeMarkdown("#1 of @team, see #12", in: .comment) } == "\\#1 of \\@team, see \\#12")
    #expect(written { $0.writeMarkdown("see #12 of @team", in: .document) } == "see #12 of @team")
  }

  @Test func aLongCommentIsBrokenBeforeLettersOnly() {
    let text = Array(repeating: "word - 1. # > + more", count: 40).joined(separator: " ")
    let lines = written { $0.writeDocComment(text, indent: 1) }.split(separator: "\n")
    #expect(lines.count > 5)
    #expect(lines.allSatisfy { $0.hasPrefix("  /// ") && $0.count <= 120 })
    #expect(lines.allSatisfy { $0.dropFirst(6).first?.isLetter == true })
    #expect(lines.map { $0.dropFirst(6) }.joined(separator: " ") == text)
  }

  @Test func aWordLongerThanALineStays() {
    let text = "see " + String(repeating: "x", count: 300) + " and more"
    let lines = written { $0.writeDocComment(text, indent: 0) }.split(separator: "\n")
    #expect(lines.map { $0.dropFirst(4) }.joined(separator: " ") == text)
  }

  @Test(arguments: Samples.hostile)
  func aTableRowKeepsItsCells(_ text: String) throws {
    let key = Samples.key("key", name: text, description: text) { ($0.owner, $0.valueType) = (text, text) }
    let document = String(decoding: AuditFormat.markdown.render([Samples.catalog(keys: [key])]), as: UTF8.self)
    let row = try #require(
      document.split(separator: "\n").first {
        $0.hasPrefix("| key |") && $0.hasSuffix(" |") && !$0.contains("stored name")
      })
    let bars = row.indices.filter { row[$0] == "|" && (row.startIndex == $0 || row[row.index(before: $0)] != "\\") }
    #expect(bars.count == 11)
    #expect(!document.contains("<"))
  }
}
