import LocalDataSyntax
import Foundation
import LocalDataDocuments
import TestSupport
import Testing

@testable import LocalDataModel

/// `fmt` changes the layout of a catalog and nothing else.
@Suite struct CatalogFormatterTests {
  private func tree(_ text: String) throws -> SyntaxTree {
    let (tree, diagnostics) = CatalogReader.read(SourceFile(path: "Test.yaml", bytes: Array(text.utf8)))
    return try #require(tree, "\(diagnostics.map(\.message))\n\(text)")
  }

  private func formatted(_ text: String) throws -> String {
    try #require(CatalogFormatter.format(try tree(text)), "not formatted:\n\(text)")
  }

  @Test func aCatalogIsWrittenInTheOrderOfTheLanguage() throws {
    let text = """
      catalog:   Test
      # The version.
      localdata: 1   # first


      keys:
          # The theme.
          theme:    # seen
              description: >
                  The colour scheme
                  the user chose.
              domain: {  keychain: {synchronizable: true,service: shop} }   # here
              type:    String
          # The name.
          name: {description: "The name: of the user.", type: String,
              domain: userDefaults}
      # The end.
      """
    #expect(
      try formatted(text) == """
        # The version.
        localdata: 1  # first
        catalog: Test

        keys:
          # The theme.
          theme:  # seen
            type: String
            domain: {keychain: {service: shop, synchronizable: true}}  # here
            description: >
              The colour scheme
              the user chose.
          # The name.
          name: {type: String, domain: userDefaults, description: "The name: of the user."}
        # The end.

        """)
  }

  @Test func listsAndCommentsInThemKeepTheirOrder() throws {
    let text = """
      localdata: 1
      catalog: Test
      reserved:
      # Dropped in 1.0.
      - {domain: userDefaults, name: a}
      -   # Dropped in 1.1.
          note: Dropped.
          name: b
          domain: userDefaults
      - note: Dropped.
        database: main
        record: C

      types:
        Size:
          enum: [  small,large ]
          description: The size.
      """
    #expect(
      try formatted(text) == """
        localdata: 1
        catalog: Test

        types:
          Size:
            description: The size.
            enum: [small, large]
        reserved:
          # Dropped in 1.0.
          - {name: a, domain: userDefaults}
          # Dropped in 1.1.
          - name: b
            domain: userDefaults
            note: Dropped.
          - record: C
            database: main
            note: Dropped.

        """)
  }

  @Test func aCommentBeforeAValueGoesBeforeItsField() throws {
    let text = "localdata: 1\ncatalog:\n  # The name.\n  A\nkeys:\n  # None.\n  {}\n"
    #expect(try formatted(text) == "localdata: 1\n# The name.\ncatalog: A\n# None.\nkeys: {}\n")
  }

  /// The fields of databases and records are in the order of the language, and the maps that an author names in theirs.
  @Test func recordsAreInTheOrderOfTheLanguage() throws {
    #expect(
      try formatted(
        """
        localdata: 1
        catalog: A
        keys: {}
        records:
          Note:
            description: What the user wrote.
            reserved: {names: [old], numbers: [3]}
            fields:
              text: {number: 2, encrypted: {index: blind}, type: String}
              id:
                default: new
                number: 1
                type: UUID
            member: notes
        databases:
          main:
            description: All that is stored.
            domain: {appGroupFileSystem: {directory: documents, identifier: group.a}}
        defaults: {database: main, owner: Team}

        """) == """
          localdata: 1
          catalog: A
          defaults: {owner: Team, database: main}
          databases:
            main:
              domain: {appGroupFileSystem: {identifier: group.a, directory: documents}}
              description: All that is stored.
          records:
            Note:
              member: notes
              fields:
                text: {type: String, number: 2, encrypted: {index: blind}}
                id:
                  type: UUID
                  number: 1
                  default: new
              reserved: {numbers: [3], names: [old]}
              description: What the user wrote.
          keys: {}

          """)
  }

  /// Every catalog of the golden cases, and the sample's.
  private static var samples: [String] {
    get throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let folders = ["LocalDataModelTests/Cases", "LocalDataEmissionTests/Cases", "../Catalogs"]
      var samples: [String] = []
      for folder in folders {
        let start = root.appendingPathComponent(folder)
        let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
        for path in paths.sorted() where path.hasSuffix(".yaml") {
          samples.append(String(decoding: try Data(contentsOf: start.appendingPathComponent(path)), as: UTF8.self))
        }
      }
      return samples
    }
  }

  @Test func theMeaningAndTheCommentsRemain() throws {
    var random = SeededRandom(seed: Sweep.seed)
    var checked = 0
    for sample in try Self.samples {
      guard CatalogReader.read(SourceFile(path: "a.yaml", bytes: Array(sample.utf8))).tree != nil else { continue }
      for round in 0..<Sweep.count(quick: 1, full: 8) {
        let text = round == 0 ? sample : Self.relaid(sample, using: &random)
        // A change of layout can make a text that is not YAML, or another catalog.
        guard let tree = CatalogReader.read(SourceFile(path: "a.yaml", bytes: Array(text.utf8))).tree else { continue }
        let once = try #require(CatalogFormatter.format(tree), "not formatted:\n\(text)")
        #expect(try formatted(once) == once, "a second time:\n\(text)")
        checked += 1
      }
    }
    Sweep.report("layouts of catalogs", "\(checked)")
    #expect(checked > Sweep.count(quick: 50, full: 300))
  }

  /// A line end of CR LF is one character of a text in Swift.
  @Test func lineEndsBecomeLF() throws {
    let text = "localdata: 1\r\ncatalog:   A\r\n\r\n# The keys.\r\nkeys: {}  # none\r\n# The end.\r\n"
    let want = "localdata: 1\ncatalog: A\n\n# The keys.\nkeys: {}  # none\n# The end.\n"
    #expect(try formatted(text) == want)
    #expect(try formatted(want) == want)
  }

  @Test func aCatalogWithCRLFIsFormattedAsOneWithLF() throws {
    var checked = 0
    for sample in try Self.samples {
      let (tree, _) = CatalogReader.read(SourceFile(path: "a.yaml", bytes: Array(sample.utf8)))
      guard let tree, let root = tree.root, root.kind == .mapping else { continue }
      let other = try self.tree(sample.replacingOccurrences(of: "\n", with: "\r\n"))
      let otherRoot = try #require(other.root)
      #expect(root.means(otherRoot), "\(sample)")
      let want = try #require(CatalogFormatter.format(tree), "not formatted:\n\(sample)")
      #expect(CatalogFormatter.format(other) == want, "\(sample)")
      checked += 1
    }
    #expect(checked > 50)
  }

  /// A `#` with an accent is another character, and still begins a comment.
  @Test func aCommentMayBeginWithAnAccent() throws {
    let text = "localdata: 1  #\u{301} a\ncatalog: A\n#\u{301} b\nkeys: {}\n"
    #expect(try formatted(text) == text)
  }

  /// A catalog with other spaces, empty lines and comments.
  private static func relaid(_ text: String, using random: inout SeededRandom) -> String {
    var result: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: result.append("\(indent)# comment \(result.count)")
      case 1: result.append("")
      case 2 where !line.isEmpty && !line.contains("#"):
        result.append(line + "   ")
        continue
      default: break
      }
      result.append(String(line))
    }
    return result.joined(separator: "\n")
  }
}
