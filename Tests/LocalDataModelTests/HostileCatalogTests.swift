import LocalDataModel
import LocalDataSyntax
import TestSupport
import Testing

/// Catalogs that no author wrote on purpose. Whatever they contain, the result is a list of findings with locations.
@Suite struct HostileCatalogTests {
  @Test(arguments: 0..<UInt64(Sweep.count(quick: 3, full: 20)))
  func mutilatedCatalogs(_ seed: UInt64) throws {
    let golden = try GoldenCase.all.filter { $0.name != "TooManyKeys" }
    let sources = try golden.flatMap { try $0.catalogs }
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let words = try #require(sources.randomElement(using: &random)).bytes.split(
        separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      let other = try #require(sources.randomElement(using: &random)).bytes.split(separator: UInt8(ascii: " "))
      var mutilated = words
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<mutilated.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: mutilated[place] = try #require(other.randomElement(using: &random))
        case 1: mutilated.swapAt(place, Int.random(in: 0..<mutilated.count, using: &random))
        default: mutilated[place] = []
        }
      }
      let source = SourceFile(path: "Mutilated.yaml", bytes: Array(mutilated.joined(separator: [UInt8(ascii: " ")])))
      guard let tree = CatalogReader.read(source).tree else { continue }
      let (catalogs, diagnostics) = CatalogResolver.resolve([tree])
      #expect(catalogs.isEmpty == diagnostics.contains { $0.severity == .error })
      for diagnostic in diagnostics {
        #expect(RuleCatalog.rule(diagnostic.rule) != nil)
        #expect(diagnostic.place != nil, "\(diagnostic.message)")
      }
    }
  }

  private static func catalog(_ defaults: String, _ count: Int, _ key: (Int) -> String) -> String {
    var text = "localdata: 1\ncatalog: Test\ndefaults: {owner: Team, domain: userDefaults\(defaults)}\nkeys:\n"
    for number in 0..<count { text += "  key\(number): {\(key(number))}\n" }
    return text
  }

  @Test func everyKeyBroken() throws {
    let run = try Run(Self.catalog("", 1_000) { _ in "typ: Strng, domain: keychian, name: a, description: Text" })
    #expect(run.catalogs.isEmpty)
    #expect(run.diagnostics.count == 3_000)
  }

  @Test func everyKeyInOnePlace() throws {
    let run = try Run(Self.catalog("", 1_000) { _ in "type: Int, description: The value., name: a" })
    #expect(run.diagnostics.count == 999)
  }

  /// Comparing each with each would take minutes.
  @Test func familiesWithoutAPrefix() throws {
    let run = try Run(
      Self.catalog(", parameters: {id: String}", 5_000) { "type: Int, description: The value., name: \"{id}_\($0)\"" })
    #expect(run.findings == "")
  }

  @Test func familiesThatBeginAndEndAlike() throws {
    let run = try Run(
      Self.catalog(", parameters: {a: Int, b: Int}", 300) {
        "type: Int, description: The value., name: \"{a}_\($0)_{b}\""
      })
    #expect(run.findings == "")
  }

  /// Rather than compare for minutes, the rule says that it cannot.
  @Test func familiesThatOnlyAutomataTellApart() throws {
    let run = try Run(
      Self.catalog(", parameters: {a: UUID}", 150) {
        "type: Int, description: The value., name: \"{a}\($0 + 1_000)_\""
      })
    #expect(run.findings == "")
    let more = try Run(
      Self.catalog(", parameters: {a: UUID, b: UUID}", 150) {
        "type: Int, description: The value., name: \"{a}\($0 + 1_000){b}\""
      })
    #expect(more.diagnostics.map(\.rule) == ["meeting-names"])
    #expect(more.diagnostics.first?.message.hasPrefix("too many families") == true)
  }

  private static func records(_ count: Int, _ record: (Int) -> String) -> String {
    var text = "localdata: 1\ncatalog: Test\ndefaults: {owner: Team, database: d0}\ndatabases:\n"
    for number in 0..<count {
      text +=
        "  d\(number): {name: d\(number), domain: {fileSystem: {directory: documents}}, description: A database.}\n"
    }
    text += "records:\n"
    for number in 0..<count {
      text += "  R\(number): {description: The record., fields: {id: {type: UUID, number: 1}, \(record(number))}}\n"
    }
    return text
  }

  /// Each record names another one, up to a cycle of all of them.
  @Test func cascadesThroughAllRecords() throws {
    let run = try Run(
      Self.records(1_000) { number in
        "next: {type: UUID, number: 2, references: R\((number + 1) % 1_000), onDelete: cascade}"
      })
    #expect(run.diagnostics.map(\.rule) == ["cascade-cycle"])
    #expect(run.diagnostics.first?.message.hasSuffix(" and 992 more") == true)
  }

  @Test func everyRecordBroken() throws {
    let run = try Run(
      Self.records(1_000) { number in
        "next: {type: UInt, references: X\(number), number: 1, index: true}"
      })
    #expect(run.catalogs.isEmpty)
    // An unknown record, a number that is there twice and a type.
    #expect(run.diagnostics.count == 3_000)
  }
}
