import LocalDataDocuments
import Testing

/// The part of a document between markers.
struct MarkedDocumentTests {
  private func replaced(_ document: String, with markdown: String = "# New\n\ntext\n") throws -> String {
    String(decoding: try MarkedDocument(Array(document.utf8)).replacing(with: Array(markdown.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    (
      "a\n<!-- local-data:begin -->\nold\n<!-- local-data:end -->\nb",
      "a\n<!-- local-data:begin -->\n# New\n\ntext\n<!-- local-data:end -->\nb"
    ),
    (
      "<!-- local-data:begin, by a tool -->\n<!-- local-data:end -->",
      "<!-- local-data:begin, by a tool -->\n# New\n\ntext\n<!-- local-data:end -->"
    ),
    // The headings are below the one above them, and at most of level 6.
    (
      "# A\n### B\n<!-- local-data:begin -->\n# Old\n<!-- local-data:end -->\n",
      "# A\n### B\n<!-- local-data:begin -->\n#### New\n\ntext\n<!-- local-data:end -->\n"
    ),
    (
      "###### B\n<!-- local-data:begin -->\n<!-- local-data:end -->\n",
      "###### B\n<!-- local-data:begin -->\n###### New\n\ntext\n<!-- local-data:end -->\n"
    ),
    // Line ends are those of the document, and what is not text stays.
    (
      "a\r\n  <!-- local-data:begin -->\r\nold\r\n<!-- local-data:end -->\r\nb\r",
      "a\r\n  <!-- local-data:begin -->\r\n# New\r\n\r\ntext\r\n<!-- local-data:end -->\r\nb\r"
    ),
    (
      "\u{FEFF}<!-- local-data:begin -->\n<!-- local-data:end -->\n\0",
      "\u{FEFF}<!-- local-data:begin -->\n# New\n\ntext\n<!-- local-data:end -->\n\0"
    ),
    // Code, and the markers of others.
    (
      "```\n# no\n<!-- local-data:begin -->\n```\n<!-- local-data:begin -->\n~~~\n<!-- local-data:end -->\n```\n~~~~\n<!-- local-data:end -->\n",
      "```\n# no\n<!-- local-data:begin -->\n```\n<!-- local-data:begin -->\n# New\n\ntext\n<!-- local-data:end -->\n"
    ),
    (
      "    <!-- local-data:end -->\n<!-- local-data:beginning -->\n<!-- local-data:begin -->\nsays <!-- local-data:end -->\n<!-- local-data:end -->\n",
      "    <!-- local-data:end -->\n<!-- local-data:beginning -->\n<!-- local-data:begin -->\n# New\n\ntext\n<!-- local-data:end -->\n"
    ),
  ])
  func onlyThePartIsReplaced(document: String, wanted: String) throws {
    let once = try replaced(document)
    #expect(once == wanted)
    #expect(try replaced(once) == once)
  }

  @Test(
    arguments: [
      ("", .noMarkers), ("text\n", .noMarkers), ("<!-- local-data:begin -->\n", .notClosed(line: 1)),
      ("a\n<!-- local-data:end -->\n<!-- local-data:begin -->\n", .notOpened(line: 2)),
      (
        "<!-- local-data:begin -->\n<!-- local-data:begin -->\n<!-- local-data:end -->\n",
        .secondBegin(line: 2, first: 1)
      ),
      (
        "<!-- local-data:begin -->\n<!-- local-data:end -->\n\n<!-- local-data:end -->\n", .secondEnd(line: 4, first: 2)
      ),
      (
        "<!-- local-data:begin -->\n<!-- local-data:end -->\n<!-- local-data:begin -->\n",
        .secondBegin(line: 3, first: 1)
      ),
      ("<!-- local-data:begin\n-->\n<!-- local-data:end -->\n", .unfinishedMarker(line: 1)),
      ("```\n<!-- local-data:begin -->\n<!-- local-data:end -->\n", .noMarkers),
    ] as [(String, MarkedDocument.Problem)])
  func brokenMarkersAreRefused(document: String, problem: MarkedDocument.Problem) {
    #expect(throws: problem) { try MarkedDocument(Array(document.utf8)) }
  }
}
