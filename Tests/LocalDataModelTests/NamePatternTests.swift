import LocalDataVocabulary
import Testing

@testable import LocalDataModel

@Suite struct NamePatternTests {
  /// Parameters by the first letter of their names: `s` String, `i` Int, `u` UUID, `e` an enum of m and Im.
  private func automaton(_ text: String, folded: Bool = false) throws -> NameAutomaton {
    NameAutomaton(try NameParts.parse(text), folded: folded) { name in
      switch name.first {
      case "i": .int
      case "u": .uuid
      case "e": .oneOf(["m", "Im"])
      default: .string
      }
    }
  }

  @Test(arguments: [
    ("draft_{s}", "draft_new", "draft_new"), ("draft_{s}", "draft_", "draft_"), ("draft_{s}", "draft_%C3", "draft_%C3"),
    ("{s}", "", ""), ("{s}_x", "a_x", "a_x"), ("page_{i}", "page_-7", "page_-7"), ("page_{i}", "page_0", "page_0"),
    ("unit_{e}", "unit_%49m", "unit_%49m"),
    ("item_{u}", "item_01234567-89ab-cdef-0123-456789abcdef", "item_01234567-89ab-cdef-0123-456789abcdef"),
  ])
  func meets(_ left: String, _ right: String, _ want: String) throws {
    #expect(try automaton(left).meeting(automaton(right)) == want)
    #expect(try automaton(right).meeting(automaton(left)) == want)
  }

  @Test(arguments: [
    ("draft_{s}", "theme"), ("draft_{s}", "draft_New"), ("draft_{s}", "draft_a_b"), ("draft_{s}", "draft_%c3"),
    ("draft_{s}", "draft_%4"), ("page_{i}", "page_007"), ("page_{i}", "page_"), ("page_{i}", "page_-0"),
    ("unit_{e}", "unit_imperial"), ("item_{u}", "item_x"), ("a_{s}", "b_{s}"), ("{s}_a", "{s}_b"),
    ("item_{u}", "item_{i}"),
  ])
  func staysApart(_ left: String, _ right: String) throws {
    #expect(try automaton(left).meeting(automaton(right)) == nil)
    #expect(try automaton(right).meeting(automaton(left)) == nil)
  }

  @Test(arguments: [("a_{s}", "{s}_b"), ("x{s}", "x{i}"), ("x{s}", "x{u}"), ("{s}x", "x{s}"), ("{s}_{i}", "{s}_{s}")])
  func familiesMeet(_ left: String, _ right: String) throws {
    let name = try #require(try automaton(left).meeting(automaton(right)))
    #expect(try automaton(left).meeting(automaton(name)) == name)
    #expect(try automaton(right).meeting(automaton(name)) == name)
  }

  /// Checks that skeletons rule out only what automata rule out too. A skeleton never rules out two patterns that can
  /// produce the same name.
  @Test(arguments: [
    "draft_{s}", "{s}_a", "{s}_b", "a_{s}", "x{s}", "{s}x", "page_{i}", "{s}", "a_b_{s}", "{s1}_{s2}", "draft_new", "",
    "Draft_{u}", "{e}_{i}",
  ])
  func skeletonsAgreeWithAutomata(_ left: String) throws {
    for right in ["draft_{s}", "{s}_b", "x{i}", "{s1}_{s2}", "draft_new", "x", "a_a_%C3", "_", "Im_0"] {
      let mayMeet = try skeleton(left).mayMeet(skeleton(right))
      if try automaton(left).meeting(automaton(right)) != nil { #expect(mayMeet, "\(left) and \(right)") }
    }
    #expect(try !skeleton("{s}_1_{t}").mayMeet(skeleton("{s}_2_{t}")))
    #expect(try !skeleton("{s}_1").mayMeet(skeleton("{s}.1")))
  }

  private func skeleton(_ text: String) throws -> NameSkeleton {
    NameSkeleton(
      try NameParts.parse(text).map { if case .text(let text) = $0 { Array(text.utf8) } else { nil } })
  }

  @Test func inFoldersCaseDoesNotTellApart() throws {
    #expect(try automaton("Draft_{s}", folded: true).meeting(automaton("dRAFT_%c3", folded: true)) == "draft_%c3")
  }

  @Test(arguments: [
    ("{s1}{s2}", true), ("{s1}-{s2}", true), ("{s1}_{s2}", false), ("{u}{s}", false), ("{s}{u}", false),
    ("{i1}-{i2}", false), ("{i1}{i2}", true), ("{s1}-{i1}", true), ("{e1}{e2}", false), ("{s1}%{s2}", true),
    ("{s}", false),
  ])
  func ambiguity(_ text: String, _ want: Bool) throws {
    #expect(try automaton(text).isAmbiguous == want)
  }

  @Test(arguments: [("abc-09", "abc-09"), ("A_é.", "%41%5F%C3%A9%2E"), ("", ""), ("\n", "%0A")])
  func escaping(_ text: String, _ want: String) {
    #expect(ParameterText.escaped(text) == want)
  }

  @Test(arguments: [("a{b", NameParts.Problem.unclosed), ("a{b{c}", .unclosed), ("a}b", .strayBrace), ("{}", .empty)])
  func brokenParts(_ text: String, _ want: NameParts.Problem) {
    #expect(throws: want) { try NameParts.parse(text) }
  }
}
