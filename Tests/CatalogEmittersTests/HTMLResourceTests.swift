import Foundation
import TestSupport
import Testing

@testable import LocalDataDocuments

/// The style and the script of pages.
///
/// To change them, edit `audit.css` or `audit.js`, and run these tests with `LOCALDATA_RECORD=1`: it writes the literals of
/// `HTMLResourceText.swift` anew, and fails.
struct HTMLResourceTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/LocalDataDocuments/HTML")

  private static func file(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  @Test func theLiteralsAreTheFiles() throws {
    let name = "HTMLResourceText.swift"
    let wanted = Self.source(style: try Self.file("audit.css"), script: try Self.file("audit.js"))
    if GoldenFolder.isRecording {
      try Data(wanted.utf8).write(to: Self.folder.appendingPathComponent(name))
      Issue.record("recorded \(name)")
    }
    #expect(try Self.file(name) == wanted)
    #expect(HTMLResource.auditStyle.text.description == (try Self.file("audit.css")))
    #expect(HTMLResource.auditScript.text.description == (try Self.file("audit.js")))
  }

  private static func source(style: String, script: String) -> String {
    let quotes = String(repeating: "\"", count: 3)
    func literal(_ text: String) -> String { "##\(quotes)\n\(text)\n\(quotes)##" }
    return """
      // swift-format-ignore-file

      /// The texts of `audit.css` and `audit.js`. HTMLResourceTests writes this file.
      enum HTMLResourceText {
        static let style: StaticString = \(literal(style))

        static let script: StaticString = \(literal(script))
      }

      """
  }

  /// What a browser would run, load or end early is not in the files.
  @Test(arguments: [
    "</script", "</style", "<!--", "http:", "https:", "url(", "@import", "innerHTML", "outerHTML", "insertAdjacentHTML",
    "document.write", "eval(", "new Function", "fetch(", "XMLHttpRequest", "WebSocket", "localStorage", ".style.",
  ])
  func theFilesAreHarmless(word: String) throws {
    for name in ["audit.css", "audit.js"] { #expect(try !Self.file(name).contains(word), "\(name)") }
  }

  @Test(arguments: ["audit.css", "audit.js"])
  func linesAreShort(name: String) throws {
    let lines = try Self.file(name).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { $0.count > 120 || $0.hasSuffix(" ") || $0.contains("\t") } == [])
    #expect(lines.last == "" && lines.dropLast().last != "")
  }

  #if os(Linux) || os(macOS)
    @Test func nodeReadsTheScript() throws {
      guard try ChildProcess.run("/usr/bin/env", ["node", "--version"]).code == 0 else {
        print("skipped: there is no node to check audit.js")
        return
      }
      let script = Self.folder.appendingPathComponent("audit.js").path
      let end = try ChildProcess.run("/usr/bin/env", ["node", "--check", script])
      #expect(end == ChildProcess.End(code: 0, output: ""))
    }
  #endif
}
