import CatalogModel
import CatalogSyntax
import Foundation
import Testing

/// Catalogs that nobody meant to write: whatever they say, the answer is a list of located findings.
@Suite struct HostileCatalogTests {
  /// A small generator, so that a failure can be had again from its seed.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test(arguments: 0..<20)
  func mutilatedCatalogs(_ seed: Int) throws {
    let golden = try GoldenCase.all.filter { $0.name != "TooManyKeys" }
    let sources = try golden.flatMap { try $0.catalogs }
    var random = Random(state: UInt64(seed))
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
        #expect(CatalogRule(rawValue: diagnostic.rule) != nil)
        #expect(diagnostic.place != nil, "\(diagnostic.message)")
      }
    }
  }

  @Test func everyKeyBrokenIsStillFast() throws {
    var text = "localdata: 1\ncatalog: Test\nkeys:\n"
    for number in 0..<10_000 { text += "  key\(number): {typ: Strng, domain: keychian, name: a}\n" }
    let run = try Run(text)
    #expect(run.catalogs.isEmpty)
    // A field that is not there, a domain that is none, no owner, no description.
    #expect(run.diagnostics.count == 40_000)
  }

  @Test func everyKeyInOnePlaceIsStillFast() throws {
    var text = "localdata: 1\ncatalog: Test\ndefaults: {owner: Team, domain: userDefaults}\nkeys:\n"
    for number in 0..<10_000 { text += "  key\(number): {type: Int, description: The value., name: a}\n" }
    #expect(try Run(text).diagnostics.count == 9_999)
  }

  @Test func familiesWithoutAPrefixAreStillFast() throws {
    var text = """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, domain: userDefaults, parameters: {id: String}}
      keys:

      """
    for number in 0..<2_000 {
      text += "  key\(number): {type: Int, description: The value., name: \"{id}_\(number)\"}\n"
    }
    #expect(try Run(text).findings == "")
  }
}
