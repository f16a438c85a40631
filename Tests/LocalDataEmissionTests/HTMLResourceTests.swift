import Foundation
import TestSupport
import Testing

@testable import LocalDataDocuments

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The style and the script of pages.
///
/// To change them, edit `audit.css` or `audit.js`, and write the hash that a failure shows into `HTMLResource.swift`.
struct HTMLResourceTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/LocalDataDocuments/HTML")

  private static func file(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// A policy with another hash would stop the style or the script.
  @Test func thePolicyHasTheHashesOfTheFiles() throws {
    for (resource, name) in [(HTMLResource.auditStyle, "audit.css"), (.auditScript, "audit.js")] {
      let text = try Self.file(name)
      #expect(String(decoding: resource.bytes, as: UTF8.self) == text)
      let hash = Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
      #expect(resource.policySource.description == "'sha256-\(hash)'", "\(name)")
    }
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
