@testable import LocalDataDocuments
import LocalDataSyntax
import Foundation
import Testing

/// Changes of property lists, byte for byte.
@Suite struct PropertyListEditTests {
  /// The same change of different files: `flag` becomes true, `list` gets a text, and the root gets a dictionary.
  private func edited(_ text: String) throws -> String {
    let list = try PropertyListReader.read(SourceFile(path: "App.plist", bytes: Array(text.utf8)))
    let entries = try list.dictionary(list.root, "the root")
    var edit = PropertyListEdit(list)
    #expect(edit.isEmpty && edit.bytes == list.file.bytes)
    edit.set(try #require(entries["flag"]), to: true)
    edit.add(.text("<new>"), to: try #require(entries["list"]))
    edit.add(.init("added", .dictionary([.init("a", .array([.text("b")])), .init("c", .array([]))])), to: list.root)
    // The result is a property list with the same meaning for Foundation.
    let object = try PropertyListSerialization.propertyList(from: Data(edit.bytes), format: nil)
    let dictionary = try #require(object as? [String: Any])
    #expect(dictionary["flag"] as? Bool == true)
    #expect((dictionary["list"] as? [String])?.last == "<new>")
    #expect((dictionary["added"] as? [String: [String]]) == ["a": ["b"], "c": []])
    return String(decoding: edit.bytes, as: UTF8.self)
  }

  @Test(arguments: ["\t", "  ", "    "], ["\n", "\r\n"])
  func keepsIndentationAndLineEnds(unit: String, lineEnd: String) throws {
    func lines(_ text: String) -> String {
      text.replacing("→", with: unit).replacing("\n", with: lineEnd)
    }
    let old = lines(
      """
      <plist version="1.0">
      <dict>
      →<!-- Why. -->
      →<key>flag</key>
      →<false/>
      →<key>list</key>
      →<array>
      →→<string>old</string> <!-- kept -->
      →→<!-- the last -->
      →</array>
      →<key>other</key>   <integer>1</integer>
      </dict>
      </plist>

      """)
    let new = lines(
      """
      <plist version="1.0">
      <dict>
      →<!-- Why. -->
      →<key>flag</key>
      →<true/>
      →<key>list</key>
      →<array>
      →→<string>old</string> <!-- kept -->
      →→<!-- the last -->
      →→<string>&lt;new&gt;</string>
      →</array>
      →<key>other</key>   <integer>1</integer>
      →<key>added</key>
      →<dict>
      →→<key>a</key>
      →→<array>
      →→→<string>b</string>
      →→</array>
      →→<key>c</key>
      →→<array/>
      →</dict>
      </dict>
      </plist>

      """)
    #expect(try edited(old) == new)
  }

  @Test(arguments: [
    // One line, an array that is one tag, and a flag of two tags.
    (
      "<plist><dict><key>flag</key><false></false><key>list</key><array/></dict></plist>",
      """
      <plist><dict><key>flag</key><true/><key>list</key><array>
      \t<string>&lt;new&gt;</string>
      </array>
      \t<key>added</key>
      \t<dict>
      \t\t<key>a</key>
      \t\t<array>
      \t\t\t<string>b</string>
      \t\t</array>
      \t\t<key>c</key>
      \t\t<array/>
      \t</dict>
      </dict></plist>
      """
    ),
    // Values that are not indented, and an array on the line of its name.
    (
      """
      <plist>
        <dict>
        <key>flag</key><false/>
        <key>list</key><array></array>
        </dict>
      </plist>
      """,
      """
      <plist>
        <dict>
        <key>flag</key><true/>
        <key>list</key><array>
        \t<string>&lt;new&gt;</string>
        </array>
        <key>added</key>
        <dict>
        \t<key>a</key>
        \t<array>
        \t\t<string>b</string>
        \t</array>
        \t<key>c</key>
        \t<array/>
        </dict>
        </dict>
      </plist>
      """
    ),
  ])
  func otherShapes(old: String, new: String) throws {
    #expect(try edited(old) == new)
  }
}
