import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import Foundation
import TestSupport
import Testing

/// A parser of CommonMark reads an audit with hostile text as it reads one with harmless text.
///
/// The parser is Python's `markdown-it-py` (Debian: `python3-markdown-it`). Without it the tests are skipped.
struct MarkdownParserTests {
  /// Prints, for each document, the structure that the parser finds: the blocks, and the parts of each line of text.
  private static let script = """
    import json, sys
    from markdown_it import MarkdownIt
    parser = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
    def shape(document):
        shapes = []
        for token in parser.parse(document):
            children = [child.type for child in token.children or []]
            shapes.append(" ".join([token.type] + children))
        return shapes
    print(json.dumps([shape(document) for document in json.load(open(sys.argv[1]))]))
    """

  static let isInstalled =
    (try? ChildProcess.run("/usr/bin/env", ["python3", "-c", "import markdown_it"]))?.code == 0

  private static func shapes(_ documents: [String]) throws -> [[String]] {
    let folder = try ScratchFolder()
    let file = folder.url.appendingPathComponent("documents.json")
    try JSONEncoder().encode(documents).write(to: file)
    let end = try ChildProcess.run("/usr/bin/env", ["python3", "-c", script, file.path])
    try #require(end.code == 0, "\(end.output)")
    return try JSONDecoder().decode([[String]].self, from: Data(end.output.utf8))
  }

  private static func document(_ catalog: ResolvedCatalog) -> String {
    String(decoding: AuditFormat.markdown.render([catalog]), as: UTF8.self)
  }

  @Test(.enabled(if: isInstalled)) func auditsHaveTheSameBlocks() throws {
    let all = try InjectionTests.all.get()
    let hostile = all.map { Self.document($0.catalog) }
    let harmless = try all.map { Self.document(try InjectionTests.harmless($0.number)) }
    for (index, shapes) in zip(try Self.shapes(hostile), try Self.shapes(harmless)).enumerated() {
      #expect(shapes.0 == shapes.1, "\(all[index].payload.debugDescription)")
    }
  }

  /// A line of a documentation comment is one paragraph of text, whatever it begins with.
  @Test(.enabled(if: isInstalled)) func documentationCommentsAreParagraphs() throws {
    let comments = InjectionCatalog.payloads.map { payload in
      let catalog = Samples.catalog(keys: [Samples.key("key", description: payload + " and more.")])
      let swift = CatalogEmitter.emit([catalog]).last.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
      return swift.split(separator: "\n").filter { $0.utf8.starts(with: "  /// ".utf8) }
        .map { String(decoding: $0.utf8.dropFirst(6), as: UTF8.self) }
        .joined(separator: "\n")
    }
    for (index, shape) in try Self.shapes(comments).enumerated() {
      let inline = shape.count == 3 ? Set(shape[1].split(separator: " ").dropFirst()) : []
      #expect(inline.subtracting(["text", "softbreak"]) == [] && shape.count == 3, "\(comments[index]) is \(shape)")
    }
  }
}
