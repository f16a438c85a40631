@testable import LocalDataDocuments
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// Property lists that are read, and those that are refused at a line and a column.
@Suite struct PropertyListReaderTests {
  private static func read(_ bytes: [UInt8]) throws(PropertyListFailure) -> PropertyList {
    try PropertyListReader.read(SourceFile(path: "App.plist", bytes: bytes))
  }

  /// A refused file, with the place of the finding and a part of its message.
  private static func finding(_ bytes: [UInt8]) -> String {
    do throws(PropertyListFailure) {
      _ = try read(bytes)
      return "read"
    } catch {
      let start = error.finding.place?.range.start
      #expect(error.finding.rule == "invalid-property-list")
      #expect(error.finding.help != nil)
      return "\(start?.line ?? 0):\(start?.column ?? 0) \(error.finding.message)"
    }
  }

  private static func plist(_ value: String) -> String { "<plist version=\"1.0\">\n\(value)\n</plist>\n" }

  @Test func everyKindOfValue() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- A comment -- of two lines
           with <tags>. -->
      <plist version='1.0'>
      <dict>
        <key>a &amp; &#98;</key> <string>&lt;ü&gt; &quot;&apos;&#x1F600;</string>
        <key>empty</key><string/>
        <key>flags</key><array><true/><false></false><true> </true></array>
        <key>others</key><array><integer>1</integer><real>2.5</real><date>2026-01-01T00:00:00Z</date><data>AA==</data></array>
        <key>none</key><dict/>
      </dict>
      </plist>
      <!-- The end. -->
      """
    let list = try Self.read(Array(text.utf8))
    let entries = try list.dictionary(list.root, "the root")
    #expect(entries.map(\.name) == ["a & b", "empty", "flags", "others", "none"])
    #expect(try list.text(try #require(entries["a & b"]), "it") == "<ü> \"'😀")
    #expect(try list.text(try #require(entries["empty"]), "it") == "")
    let flags = try list.array(try #require(entries["flags"]), "it")
    #expect(try flags.map { try list.flag($0, "it") } == [true, false, true])
    #expect(try list.array(try #require(entries["others"]), "it").count == 4)
    #expect(try list.dictionary(try #require(entries["none"]), "it").isEmpty)
    // The places are those of the text.
    for entry in entries {
      let bytes = list.file.bytes[entry.value.range]
      #expect(bytes.first == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">"))
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("<\(entry.value.element)"))
    }
    #expect(list.place(of: try #require(entries["empty"])).range.start == SourceLocation(line: 8, column: 19))
  }

  @Test(arguments: [
    ("", "1:1 this is not a property list in XML"), ("{a = 1;}", "1:1 this is not a property list in XML"),
    ("bplist00\u{1}", "1:1 this is a binary property list"),
    (plist("<dict><key>a</key></dict>"), "2:19 <key> has no value here"),
    (plist("<dict><string>a</string></dict>"), "2:7 <dict> has a value without a <key>"),
    (plist("<dict>\n<key>a</key><true/>\n<key>a</key><true/></dict>"), "4:1 'a' is in a <dict> twice"),
    (plist("<dict><key>x</key><dict><key>a</key><true/><key>&#97;</key><true/></dict></dict>"), "2:44 'a' is in a"),
    (plist("<dict><key>ü</key><string>a &evil; b</string></dict>"), "2:29 '&' does not begin"),
    (plist("<string>a & b</string>"), "2:11 '&' does not begin"), (plist("<string>&#0;</string>"), "2:9 '&' does not"),
    (plist("<string>&#xD800;</string>"), "2:9 '&' does not begin"),
    (plist("<string><![CDATA[a]]></string>"), "2:9 a CDATA section is not supported"),
    (plist("<string>a<!-- b --></string>"), "2:10 <string> contains a comment"),
    (plist("<string>a<b>c</b></string>"), "2:10 <string> contains more than text"),
    (plist("<true>yes</true>"), "2:1 <true> contains text"), (plist("<null/>"), "2:1 <null> is no value"),
    (plist("<array id=\"1\"/>"), "2:1 <array> has an attribute"),
    (plist("<array></dict>"), "2:8 </dict> does not close"),
    (plist("<array>text</array>"), "2:8 there is text between the elements"),
    (plist("<?php ?><true/>"), "2:1 a declaration or an instruction"),
    (plist("<true/><true/>"), "2:8 <plist> has more"),
    (plist("<true/>") + "<plist/>", "4:1 there is something after </plist>"),
    ("<dict/>", "1:1 the first element is not"),
    ("<plist>", "1:8 the file ends before <plist> is closed"), ("<plist><array>", "1:15 the file ends before <array>"),
    ("<plist><string>a", "1:17 the file ends before <string> is closed"), ("<plist", "1:1 a tag does not end"),
    ("<plist><!-- a", "1:8 a comment does not end"), ("<plist a=\"<\"><true b='", "1:14 a tag does not end"),
    ("<!DOCTYPE plist [<!ENTITY a \"b\">]>\n" + plist("<true/>"), "1:1 the document type declares something"),
    ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + plist("<true/>"), "1:1 the first line names another"),
    (plist("<string>\u{7}</string>"), "2:9 XML has no character U+7"),
  ])
  func isRefused(text: String, finding: String) {
    let found = Self.finding(Array(text.utf8))
    #expect(found.hasPrefix(finding), "\(found)")
  }

  @Test func bytesThatAreNoText() {
    let text = Array("<plist><string>".utf8) + [0xC3] + Array("</string></plist>".utf8)
    #expect(Self.finding(text) == "1:16 a byte does not belong to UTF-8 text")
    #expect(Self.finding([0xFF, 0xFE, 0x3C, 0]) == "1:1 the file is not UTF-8")
    #expect(Self.finding([0x3C, 0, 0x70, 0]) == "1:1 the file is not UTF-8")
    let large = [UInt8](repeating: 0x20, count: PropertyListReader.maximumSize + 1)
    #expect(Self.finding(large).hasPrefix("1:1 the file has more than"))
  }

  /// Thousands of open tags are refused at the 65th, and overflow no stack.
  @Test(arguments: ["<array>", "<dict><key>a</key>"])
  func deepNesting(tag: String) {
    let finding = Self.finding(Array(("<plist>" + String(repeating: tag, count: 10_000)).utf8))
    #expect(finding.hasSuffix("values are nested more than 64 deep"), "\(finding)")
    let allowed = "<plist>" + String(repeating: "<array>", count: 64) + String(repeating: "</array>", count: 64)
    #expect(Self.finding(Array("\(allowed)</plist>".utf8)) == "read")
  }

  /// Each beginning of a file is refused, and no byte of it is read twice.
  @Test func everyBeginningIsRefused() throws {
    let text = Array(Self.plist("<dict><key>a</key><array><string>&amp;b</string><true/></array></dict>").utf8)
    for count in 0..<text.count - 1 { #expect(Self.finding(Array(text.prefix(count))) != "read", "\(count)") }
    #expect(Self.finding(text) == "read")
  }

  /// A file with changed bytes that both read has the same meaning for Foundation.
  @Test func changedFilesMeanWhatFoundationReads() throws {
    let text = Array(
      Self.plist("<dict><key>a</key><string>x&lt;</string>\n<key>b</key><array><true/></array></dict>").utf8)
    var generator = SeededRandom(seed: 32)
    for _ in 0..<500 {
      var changed = text
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        changed[Int.random(in: text.indices, using: &generator)] = text.randomElement(using: &generator) ?? 0x20
      }
      guard let list = try? Self.read(changed), case .dictionary(let entries) = list.root.content,
        let object = try? PropertyListSerialization.propertyList(from: Data(changed), format: nil)
      else { continue }
      let names = try #require(object as? [String: Any], "\(String(decoding: changed, as: UTF8.self))").keys
      #expect(Set(entries.map(\.name)) == Set(names), "\(String(decoding: changed, as: UTF8.self))")
    }
  }

  @Test(arguments: [
    ("array", "'x' is an array: <array>, and not <true>"), ("dict", "'x' is a dictionary: <dict>, and not <true>"),
    ("string", "'x' is a text: <string>, and not <true>"),
  ])
  func valuesOfAnotherType(type: String, message: String) throws {
    let list = try Self.read(Array(Self.plist("<true/>").utf8))
    do throws(PropertyListFailure) {
      switch type {
      case "array": _ = try list.array(list.root, "'x'")
      case "dict": _ = try list.dictionary(list.root, "'x'")
      default: _ = try list.text(list.root, "'x'")
      }
      Issue.record("accepted")
    } catch {
      #expect(error.finding.message == message)
      #expect(error.finding.place?.range.start == SourceLocation(line: 2, column: 1))
    }
  }
}
