import LocalDataSyntax
import TestSupport
import Testing

/// Whatever the bytes, reading ends, and says where something is wrong.
@Suite struct ReaderResilienceTests {
  private static let catalog = """
    # A catalog.
    localdata: 1
    catalog: Account   # trailing
    imports: [AccountModels, 'Other']
    types:
      Theme: {enum: [system, light, "d\\u00e4rk"]}
    keys:
      theme:
        type: Theme
        default: system
        description: >
          The colour scheme
          the user chose.
      "draft":
        parameters: {documentID: UUID}
        name: "draft_{documentID}"
        note: |-
          Ünïcödé 漢字 👩‍👩‍👧
        description: plain text
          over two lines
      empty:
    reserved:
      - {name: a, cleanup: delete}
      - &anchor !tag b

    """

  /// Checks that reading returns either a tree without findings, or findings whose places are in the text. Every node
  /// must be in the text and in its parent.
  private func check(_ bytes: [UInt8]) throws {
    let (tree, diagnostics) = read(bytes)
    #expect((tree == nil) == !diagnostics.isEmpty, "\(bytes)")
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for diagnostic in diagnostics {
      let start = try #require(diagnostic.place, "\(bytes)").range.start
      #expect(start.line >= 1 && start.line <= lines.count, "\(bytes)")
      #expect(start.column >= 1, "\(bytes)")
      let width = lines[min(start.line, lines.count) - 1].count
      #expect(start.column <= width + 1, "\(bytes)")
    }
    if let root = tree?.root { check(root, lines: lines.count) }
    // Rendering must accept every result of reading.
    #expect(!DiagnosticRenderer.render(diagnostics, as: .text, catalogs: 1).isEmpty)
  }

  private func check(_ node: SyntaxNode, lines: Int) {
    #expect(node.range.start <= node.range.end)
    #expect(node.range.end.line <= lines)
    for child in node.children {
      #expect(node.range.start <= child.range.start && child.range.end <= node.range.end)
      check(child, lines: lines)
    }
  }

  @Test func everyBeginningOfACatalog() throws {
    let bytes = Array(Self.catalog.utf8)
    for count in 0...bytes.count { try check(Array(bytes[..<count])) }
  }

  @Test func everyEndOfACatalog() throws {
    let bytes = Array(Self.catalog.utf8)
    for start in bytes.indices { try check(Array(bytes[start...])) }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func mutatedCatalogs(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let special = Array("[]{}:,-?&*!|>'\"%@`#\\\n\r\t ~<=.a".utf8) + [0x00, 0x80, 0xC3, 0xE2, 0xF0, 0xFF, 0xEF, 0xBB]
    for _ in 0..<250 {
      var bytes = Array(Self.catalog.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = special.randomElement(using: &random) ?? 0
        case 1: bytes.insert(special.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes.remove(at: place)
        default:
          let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
          bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      try check(bytes)
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func noise(seed: UInt64) throws {
    var random = SeededRandom(seed: seed &+ 100)
    let alphabet = Array("[]{}:,-?&*!|>'\"%@`#\\\n\n\n    ab".utf8)
    for _ in 0..<500 {
      let count = Int.random(in: 0...60, using: &random)
      try check((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
  }
}
