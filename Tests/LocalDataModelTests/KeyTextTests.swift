import LocalDataSyntax
import LocalDataVocabulary
import Testing

@testable import LocalDataModel

/// Texts of a key's fields.
@Suite struct KeyTextTests {
  @Test(arguments: [
    ("<2.0.0", ResolvedMigration.VersionCondition(comparison: .less, version: [2, 0, 0])),
    ("<=1", .init(comparison: .atMost, version: [1])), ("= 3.10", .init(comparison: .equal, version: [3, 10])),
    (">=1.2", .init(comparison: .atLeast, version: [1, 2])), (">9", .init(comparison: .greater, version: [9])),
  ])
  func condition(_ text: String, _ want: ResolvedMigration.VersionCondition) {
    #expect(ResolvedMigration.VersionCondition(text) == want)
  }

  @Test(arguments: ["", "<", "2.0", "==2", "<2.", "<.2", "<2.x", "~2", "<-1", "<99999999999999999999"])
  func noCondition(_ text: String) {
    #expect(ResolvedMigration.VersionCondition(text) == nil)
  }

  @Test(
    arguments: [
      ("The colour scheme the user chose.", nil), ("Nearly nothing", nil), ("Todorov wrote this.", nil), ("設定の配色", nil),
      ("", .empty), ("  ", .empty), ("Token", .tooShort), ("42 17", .tooShort), ("TODO", .placeholder),
      ("todo: write it", .placeholder), ("TBD.", .placeholder),
    ] as [(String, Sentence.Problem?)])
  func sentence(_ text: String, _ want: Sentence.Problem?) {
    #expect(Sentence.problem(text) == want)
  }

  @Test(arguments: [
    ("plain", false), ("tab\t", true), ("\u{7F}", true), ("\u{85}", true), ("é", false), ("a\u{2029}", true),
    ("…", false),
  ])
  func controlCharacters(_ text: String, _ want: Bool) {
    #expect(ControlCharacters.occur(in: text) == want)
  }
}
