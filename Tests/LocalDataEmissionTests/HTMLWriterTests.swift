import Testing

@testable import LocalDataDocuments

/// The bytes of elements, and that no text becomes markup.
struct HTMLWriterTests {
  private static func html(_ body: (inout HTMLWriter) -> Void) -> String {
    String(decoding: HTMLWriter.collect(capacity: 16, body), as: UTF8.self)
  }

  @Test func elementsAreNested() {
    let html = Self.html { html in
      html.element(.section, .id(HTMLIdentifier("key", "theme")), .class("key")) { html in
        html.element(.h3, text: "theme")
        html.line()
        html.element(.input, .type("search"), .value("a"))
        html.element(.td, .colspan(2)) { $0.text(12) }
      }
    }
    #expect(
      html == """
        <section id="key-theme" class="key"><h3>theme</h3>
        <input type="search" value="a"><td colspan="2">12</td></section>
        """)
  }

  @Test func flagsAreWrittenIfTrue() {
    #expect(
      Self.html { $0.element(.div, .hidden(), .open(false)) { $0.text("x") } } == "<div hidden>x</div>")
  }

  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("a & b &amp; c", "a &amp; b &amp;amp; c"),
    ("\" onclick=\"x", "&quot; onclick=&quot;x"),
    ("' onclick='x", "&#39; onclick=&#39;x"),
    ("]]> --> <!--", "]]&gt; --&gt; &lt;!--"),
    ("a\nb\tc\rd", "a b c d"),
    ("\u{202E}evil\u{200B}", "\\u{202E}evil\\u{200B}"),
    ("\u{0}\u{1B}[31m", "\\u{0}\\u{1B}[31m"),
    ("é 漢字 👩‍👩‍👧 ﷽", "é 漢字 👩‍👩‍👧 ﷽"),
    ("", ""),
  ])
  func textStaysText(text: String, escaped: String) {
    #expect(Self.html { $0.element(.p, text: text) } == "<p>\(escaped)</p>")
    #expect(Self.html { $0.element(.p, .title(text)) { _ in } } == "<p title=\"\(escaped)\"></p>")
    #expect(Self.html { $0.element(.p, .data("owner", text)) { _ in } } == "<p data-owner=\"\(escaped)\"></p>")
    #expect(Self.html { $0.element(.p, .aria("label", text)) { _ in } } == "<p aria-label=\"\(escaped)\"></p>")
  }

  /// Text of this package is escaped too, so that markup cannot be written by mistake.
  @Test func fixedTextIsEscaped() {
    #expect(Self.html { $0.element(.p, text: "a < b") } == "<p>a &lt; b</p>")
    #expect(Self.html { $0.text("<b>") } == "&lt;b&gt;")
    #expect(Self.html { $0.element(.p, .class("\"x")) { _ in } } == "<p class=\"&quot;x\"></p>")
  }

  @Test(arguments: [
    (["theme"], "key-theme"), (["Credential", "claims"], "key-Credential.claims"), (["a.b"], "key-a-2eb"),
    (["a-2eb"], "key-a-2d2eb"), (["\" x"], "key--22-20x"), (["é"], "key--c3-a9"), (["\u{1}"], "key--01"),
    ([""], "key-"),
  ])
  func addressesAreStable(names: [String], address: String) {
    let identifier = names.count == 1 ? HTMLIdentifier("key", names[0]) : HTMLIdentifier("key", names[0], names[1])
    #expect(identifier.text == address)
    #expect(Self.html { $0.element(.a, .href(identifier)) { _ in } } == "<a href=\"#\(address)\"></a>")
  }

  @Test func addressesOfDifferentNamesDiffer() {
    let names = ["a", "a.b", "a-b", "a-2db", "A", "a b", "a/b", "ab", "a_b", "a%20b", "#", "\u{E9}", "e\u{301}"]
    let addresses = Set(names.map { HTMLIdentifier("key", $0).text.utf8.map(\.self) })
    #expect(addresses.count == names.count)
  }

  @Test func picturesAreElementsToo() {
    var path = SVGPath()
    path.move(toX: 0, y: 0)
    path.line(toX: 10, y: -5)
    path.close()
    let html = Self.html { html in
      html.element(.svg, .viewBox(0, 0, 10, 10), .role("img")) { html in
        html.element(.svgTitle, text: "a <b>")
        html.element(.path, .d(path), .class("flow"))
      }
    }
    #expect(
      html == """
        <svg viewBox="0 0 10 10" role="img"><title>a &lt;b&gt;</title>\
        <path d="M0 0L10 -5Z" class="flow"></path></svg>
        """)
  }

  /// Nothing that the builder can write runs or loads anything, except the files of this package.
  @Test func noElementLoadsOrRunsAnything() {
    let names = Set(HTMLElement.allCases.map { String(decoding: $0.start.dropFirst(), as: UTF8.self) })
    #expect(names.contains("svg"))
    #expect(names.isDisjoint(with: ["script", "style", "link", "iframe", "object", "embed", "img", "base", "image"]))
    // `use` shows an element of the same document: no function of an attribute takes another address.
  }

  @Test func thePolicyNamesTheFilesOfThePage() {
    let page = String(
      decoding: HTMLPage.collect(title: "A & B", capacity: 64) { $0.element(.main, text: "x") }, as: UTF8.self)
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"))
    #expect(page.contains("<title>A &amp; B</title>"))
    #expect(page.prefix(400).contains("ritten by local-data"))
    for resource in [HTMLResource.auditStyle, .auditScript] {
      let text = String(decoding: resource.bytes, as: UTF8.self)
      #expect(page.contains("<\(resource.element)>\(text)</\(resource.element)>"))
      #expect(HTMLPage.policy.contains(resource.policySource.description))
    }
  }
}
