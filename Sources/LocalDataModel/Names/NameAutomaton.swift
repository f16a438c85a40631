/// All stored names of a family, as an automaton whose states are the bytes of a name.
///
/// It has no empty steps, and for each name as many paths as there are choices of parameters that give it. A name has at most
/// a few thousand states, and a search keeps only the pairs of states that it reaches.
struct NameAutomaton {
  /// The bytes that a state takes.
  struct ByteClass: Hashable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// A byte beyond ASCII, which only literal text has.
    var exact: UInt8 = 0
    /// A Boolean value that indicates whether the state takes every byte beyond ASCII, as in a verbatim text.
    var hasOthers = false

    /// Every byte of a verbatim text, which has no control character.
    ///
    /// - Parameter folded: True in a path, whose parameters have no `/`, and whose names are compared in lower case.
    static func verbatim(folded: Bool) -> Self {
      var bytes = Self("")
      bytes.low = ~0 << 32
      bytes.high = ~(1 << 63)
      bytes.hasOthers = true
      if folded {
        bytes.low &= ~Self("/").low
        bytes.high &= ~Self("ABCDEFGHIJKLMNOPQRSTUVWXYZ").high
      }
      return bytes
    }

    init(_ byte: UInt8) {
      if byte < 64 {
        low = 1 << UInt64(byte)
      } else if byte < 128 {
        high = 1 << UInt64(byte - 64)
      } else {
        exact = byte
      }
    }

    /// Any of these characters of ASCII.
    init(_ characters: String) {
      for byte in characters.utf8 {
        let one = ByteClass(byte)
        low |= one.low
        high |= one.high
      }
    }

    func meets(_ other: ByteClass) -> Bool {
      low & other.low != 0 || high & other.high != 0 || exact != 0 && exact == other.exact
        || hasOthers && (other.hasOthers || other.exact != 0) || other.hasOthers && exact != 0
    }

    /// A byte that both take, for an example.
    func common(_ other: ByteClass) -> UInt8 {
      let low = low & other.low
      let high = high & other.high
      if high != 0 { return UInt8(64 + high.trailingZeroBitCount) }
      return low != 0 ? UInt8(low.trailingZeroBitCount) : max(exact, other.exact)
    }
  }

  struct State {
    var bytes: ByteClass
    /// The states that may follow.
    var next: [Int]
  }

  /// The texts that a parameter can have.
  enum Shape {
    case string, int, uuid
    /// One of these texts, not yet escaped.
    case oneOf([String])
    /// Texts as they are.
    indirect case verbatim(Shape)

    var isVerbatim: Bool { if case .verbatim = self { true } else { false } }
  }

  /// The end of a name takes a byte that no text has.
  private static let end = 0
  private(set) var states = [State(bytes: ByteClass(0xFF), next: [])]
  /// The states that a name begins with.
  private var first = [Self.end]

  /// The most bytes of raw values that are compared one by one: of one enum, and of all enums in a name.
  private static let largestEnum = 1_000
  private static let largestEnums = 4_000
  private var enumBytes = 0

  /// - Parameters:
  ///   - folded: A Boolean value that indicates whether case is ignored, as in folders.
  ///   - shape: Returns the shape of a parameter.
  init(_ parts: [ResolvedKey.NamePart], folded: Bool, shape: (String) -> Shape) {
    // Each part is added before the states that follow it.
    for part in parts.reversed() {
      switch part {
      case .text(let text): first = add(text: folded ? text.lowercased() : text, before: first)
      case .parameter(let name): first = add(shape(name), folded: folded, before: first)
      }
    }
  }

  // MARK: Building

  /// Adds a state, and returns the states that a text then begins with.
  private mutating func add(_ bytes: ByteClass, before next: [Int]) -> [Int] {
    states.append(State(bytes: bytes, next: next))
    return [states.count - 1]
  }

  private mutating func add(text: String, before next: [Int]) -> [Int] {
    text.utf8.reversed().reduce(next) { add(ByteClass($1), before: $0) }
  }

  private mutating func add(_ shape: Shape, folded: Bool, before next: [Int]) -> [Int] {
    switch shape {
    case .string:
      // Any number of bytes that stay, or of `%XX`.
      let start = states.count
      let loop = [start, start + 1] + next
      let hex = ByteClass(folded ? "0123456789abcdef" : "0123456789ABCDEF")
      states += [
        State(bytes: ByteClass("abcdefghijklmnopqrstuvwxyz0123456789-"), next: loop),
        State(bytes: ByteClass("%"), next: [start + 2]), State(bytes: hex, next: [start + 3]),
        State(bytes: hex, next: loop),
      ]
      return loop
    case .int:
      // A number is written in one way: `0`, or with no zero in front.
      let loop = [states.count] + next
      states.append(State(bytes: ByteClass("0123456789"), next: loop))
      let leading = add(ByteClass("123456789"), before: loop)
      return add(ByteClass("0"), before: next) + add(ByteClass("-"), before: leading) + leading
    case .uuid:
      return "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh".reversed().reduce(next) {
        add(ByteClass($1 == "h" ? "0123456789abcdef" : "-"), before: $0)
      }
    case .oneOf(let texts):
      // The names of a large enum are taken for any text: a comparison then needs little memory, and accepts no two
      // names that could be equal.
      let count = texts.reduce(0) { $0 + $1.utf8.count }
      guard count <= Self.largestEnum, enumBytes + count <= Self.largestEnums else {
        return add(.string, folded: folded, before: next)
      }
      enumBytes += count
      return texts.flatMap { text in
        let escaped = ParameterText.escaped(text)
        return add(text: folded ? escaped.lowercased() : escaped, before: next)
      }
    case .verbatim(let shape): return add(verbatim: shape, folded: folded, before: next)
    }
  }

  private mutating func add(verbatim shape: Shape, folded: Bool, before next: [Int]) -> [Int] {
    switch shape {
    case .uuid where !folded:
      return "HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH".reversed().reduce(next) {
        add(ByteClass($1 == "H" ? "0123456789ABCDEF" : "-"), before: $0)
      }
    case .int, .uuid: return add(shape, folded: folded, before: next)
    case .oneOf(let texts) where texts.reduce(0, { $0 + $1.utf8.count }) <= Self.largestEnum:
      return texts.flatMap { add(text: folded ? $0.lowercased() : $0, before: next) }
    case .string, .oneOf, .verbatim:
      let loop = [states.count] + next
      states.append(State(bytes: .verbatim(folded: folded), next: loop))
      return loop
    }
  }

  // MARK: Comparing

  /// The shortest name that both can have, or `nil` if there is none.
  func meeting(_ other: NameAutomaton) -> String? { shortestName(with: other, hasParted: true) }

  /// A Boolean value that indicates whether two choices of parameters can give one name: whether a name has two paths.
  var isAmbiguous: Bool { shortestName(with: self, hasParted: false) != nil }

  /// A pair of states that the same bytes reach.
  private struct Step {
    var left: Int
    var right: Int
    /// A Boolean value that indicates whether the paths to the two states count as different.
    var hasParted: Bool
    /// The place of the step before it.
    var previous: Int
    var byte: UInt8
  }

  /// Returns the shortest name that has two different paths, one here and one in the other automaton.
  ///
  /// - Parameter hasParted: True if any two paths are different, because the automata are of two families.
  private func shortestName(with other: NameAutomaton, hasParted: Bool) -> String? {
    // The shorter ones first.
    var steps: [Step] = []
    var seen: Set<Int> = []
    /// Adds the steps to the states that follow. Returns true if one is the end of both names.
    func reachesEnd(_ lefts: [Int], _ rights: [Int], _ hasParted: Bool, after previous: Int) -> Bool {
      for left in lefts {
        for right in rights where states[left].bytes.meets(other.states[right].bytes) {
          let hasParted = hasParted || left != right
          // The end meets the end only.
          if left == Self.end {
            if hasParted { return true }
          } else if seen.insert((left * other.states.count + right) * 2 + (hasParted ? 1 : 0)).inserted {
            let byte = states[left].bytes.common(other.states[right].bytes)
            steps.append(Step(left: left, right: right, hasParted: hasParted, previous: previous, byte: byte))
          }
        }
      }
      return false
    }
    if reachesEnd(first, other.first, hasParted, after: -1) { return "" }
    var index = 0
    while index < steps.count {
      let step = steps[index]
      if reachesEnd(states[step.left].next, other.states[step.right].next, step.hasParted, after: index) {
        let places = sequence(first: index) { steps[$0].previous >= 0 ? steps[$0].previous : nil }
        return String(decoding: places.map { steps[$0].byte }.reversed(), as: UTF8.self)
      }
      index += 1
    }
    return nil
  }
}

/// The text of a parameter in a stored name.
enum ParameterText {
  /// `a-z`, `0-9` and `-` stay, every other byte becomes `%XX`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if Identifier.isLower(byte) || Identifier.isDigit(byte) || byte == UInt8(ascii: "-") {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let hex = String(byte, radix: 16, uppercase: true)
        result += hex.count < 2 ? "%0" + hex : "%" + hex
      }
    }
    return result
  }
}
