import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalDataModel

/// Automata compared with the definition of a name: text and parameters in turn, tried for every short text.
@Suite struct NameAutomatonTests {
  /// `s` is a String, `i` an Int, and `e` an enum.
  private static let cases = ["", "a", "1-", "a1"]

  /// A template with its names up to five bytes.
  private struct Template {
    var text: String
    var automaton: NameAutomaton
    var parts: [ResolvedKey.NamePart]
    /// The positions in `texts` of its names, of which the first is a shortest one.
    var names: [Int] = []
    /// A Boolean value that indicates whether one of them has two choices of parameters.
    var isAmbiguous = false

    init(_ text: String, _ texts: [[UInt8]]) throws {
      self.text = text
      parts = try NameParts.parse(text)
      automaton = NameAutomaton(parts, folded: false) { name in
        switch name.first {
        case "i": .int
        case "e": .oneOf(NameAutomatonTests.cases)
        default: .string
        }
      }
      for (index, text) in texts.enumerated() {
        let count = choices(of: text)
        if count > 0 { names.append(index) }
        if count > 1 { isAmbiguous = true }
      }
    }

    /// Returns the number of choices of parameters that give a name.
    func choices(of name: [UInt8]) -> Int { choices(parts[...], name[...]) }

    private func choices(_ parts: ArraySlice<ResolvedKey.NamePart>, _ name: ArraySlice<UInt8>) -> Int {
      guard let part = parts.first else { return name.isEmpty ? 1 : 0 }
      let rest = parts.dropFirst()
      switch part {
      case .text(let text): return name.starts(with: text.utf8) ? choices(rest, name.dropFirst(text.utf8.count)) : 0
      case .parameter(let parameter):
        return (0...name.count).reduce(0) { sum, count in
          let isText = NameAutomatonTests.isText(name.prefix(count), of: parameter.first)
          return isText ? sum + choices(rest, name.dropFirst(count)) : sum
        }
      }
    }
  }

  private static func isText(_ bytes: ArraySlice<UInt8>, of kind: Character?) -> Bool {
    var text: String { String(decoding: bytes, as: UTF8.self) }
    switch kind {
    case "i": return Int(text).map { String($0) == text } ?? false
    case "e": return cases.contains { ParameterText.escaped($0) == text }
    default:
      var rest = bytes
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
          guard rest.count >= 2, rest.prefix(2).allSatisfy({ "0123456789ABCDEF".utf8.contains($0) }) else {
            return false
          }
          rest.removeFirst(2)
        } else if !"abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains(byte) {
          return false
        }
      }
      return true
    }
  }

  /// Every text of up to `count` of the bytes, the shorter ones first.
  private static func texts(of bytes: String, upTo count: Int) -> [[UInt8]] {
    var all: [[UInt8]] = [[]]
    var last = all
    for _ in 0..<count {
      last = last.flatMap { text in bytes.utf8.map { text + [$0] } }
      all += last
    }
    return all
  }

  /// Every template of up to `count` of the parts.
  private static func templates(of parts: [String], upTo count: Int) -> [String] {
    var all = [""]
    var last = all
    for number in 0..<count {
      // Parameters have different names.
      last = last.flatMap { text in parts.map { text + $0.replacing("}", with: "\(number)}") } }
      all += last
    }
    return all
  }

  @Test(arguments: [
    (["a", "1", "-", "{s}", "{i}", "{e}"], "a1-", 2), (["%", "1", "{s}", "{i}"], "1%A", 2),
    (["{s}", "{i}", "{e}", "-"], "a1-", 3),
  ])
  func namesAndMeetings(parts: [String], bytes: String, count: Int) throws {
    let texts = Self.texts(of: bytes, upTo: 5)
    let templates = try Sweep.sample(Self.templates(of: parts, upTo: count), quick: 14).map { try Template($0, texts) }
    for left in templates {
      #expect(left.automaton.isAmbiguous == left.isAmbiguous, "\(left.text)")
      for right in templates {
        let common = Set(left.names).intersection(right.names).min()
        let name = left.automaton.meeting(right.automaton).map { Array($0.utf8) }
        guard let name else {
          #expect(common == nil, "\(left.text) and \(right.text)")
          continue
        }
        #expect(left.choices(of: name) > 0 && right.choices(of: name) > 0, "\(left.text) and \(right.text)")
        #expect(name.count == common.map { texts[$0].count } ?? max(name.count, 6), "\(left.text) and \(right.text)")
      }
    }
  }

  /// Raw values are compared one by one as far as the number of states allows it. What is beyond is taken for any text.
  @Test func manyEnumsInOneName() throws {
    let cases = (0..<100).map { "cccccc\($0 + 100)" }
    func automaton(_ count: Int, _ end: String) throws -> NameAutomaton {
      let text = (0..<count).map { "{e\($0)}" }.joined(separator: "-") + end
      return NameAutomaton(try NameParts.parse(text), folded: false) { _ in .oneOf(cases) }
    }
    #expect(try automaton(4, "").isAmbiguous == false)
    #expect(try automaton(38, "").isAmbiguous)
    #expect(try automaton(38, "").states.count < 5_000)
    #expect(try automaton(38, "-a").meeting(automaton(38, "-b")) == nil)
  }
}
