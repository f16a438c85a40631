/// All stored names of a family, as an automaton. A position is one byte of a name.
///
/// It is built by Glushkov's construction: it has no empty steps, and for each name as many paths as there are choices of
/// parameters that give it. Names have at most 200 bytes and enums count up to 1,000, so that a comparison of two families
/// takes a few megabytes.
struct NameAutomaton {
  /// The bytes that a position takes.
  struct ByteClass: Hashable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// A byte beyond ASCII, which only literal text has.
    var exact: UInt8 = 0

    init(_ byte: UInt8) {
      if byte < 64 {
        low = 1 << UInt64(byte)
      } else if byte < 128 {
        high = 1 << UInt64(byte - 64)
      } else {
        exact = byte
      }
    }

    init(_ characters: String) {
      for byte in characters.utf8 {
        let one = ByteClass(byte)
        low |= one.low
        high |= one.high
      }
    }

    func meets(_ other: ByteClass) -> Bool {
      low & other.low != 0 || high & other.high != 0 || exact != 0 && exact == other.exact
    }

    /// A byte that both take, for an example.
    func common(_ other: ByteClass) -> UInt8 {
      let (low, high) = (low & other.low, high & other.high)
      if high != 0 { return UInt8(64 + high.trailingZeroBitCount) }
      return low != 0 ? UInt8(low.trailingZeroBitCount) : exact
    }
  }

  private(set) var classes: [ByteClass] = []
  /// The positions that may follow each.
  private(set) var follow: [[Int]] = []
  private(set) var first: [Int] = []
  private(set) var isLast: [Bool] = []
  private(set) var takesEmpty = false

  /// A part of the expression, with the positions at which it begins and ends.
  private struct Piece {
    var first: [Int] = []
    var last: [Int] = []
    var isNullable = true
  }

  /// - Parameters:
  ///   - folded: A Boolean value that indicates whether case is ignored, as in folders.
  ///   - shape: Returns the shape of a parameter.
  init(_ parts: [ResolvedKey.NamePart], folded: Bool, shape: (String) -> Shape) {
    var whole = Piece()
    for part in parts {
      switch part {
      case .text(let text): whole = join(whole, literal(folded ? text.lowercased() : text))
      case .parameter(let name): whole = join(whole, piece(shape(name), folded: folded))
      }
    }
    first = whole.first
    takesEmpty = whole.isNullable
    isLast = Array(repeating: false, count: classes.count)
    for position in whole.last { isLast[position] = true }
  }

  /// The texts that a parameter can have.
  enum Shape {
    case string, int, uuid
    /// One of these texts, not yet escaped.
    case oneOf([String])
  }

  /// The most bytes that the raw values of an enum may have to be compared one by one.
  private static let largestEnum = 1_000

  // MARK: Building

  private mutating func position(_ bytes: ByteClass) -> Piece {
    classes.append(bytes)
    follow.append([])
    return Piece(first: [classes.count - 1], last: [classes.count - 1], isNullable: false)
  }

  private mutating func join(_ left: Piece, _ right: Piece) -> Piece {
    for position in left.last { follow[position] += right.first }
    return Piece(
      first: left.isNullable ? left.first + right.first : left.first,
      last: right.isNullable ? left.last + right.last : right.last, isNullable: left.isNullable && right.isNullable)
  }

  private func either(_ pieces: [Piece]) -> Piece {
    Piece(
      first: pieces.flatMap(\.first), last: pieces.flatMap(\.last), isNullable: pieces.contains { $0.isNullable })
  }

  private mutating func anyNumber(of piece: Piece) -> Piece {
    for position in piece.last { follow[position] += piece.first }
    return Piece(first: piece.first, last: piece.last, isNullable: true)
  }

  private mutating func literal(_ text: String) -> Piece {
    var whole = Piece()
    for byte in text.utf8 { whole = join(whole, position(ByteClass(byte))) }
    return whole
  }

  private mutating func piece(_ shape: Shape, folded: Bool) -> Piece {
    let digits = ByteClass("0123456789")
    switch shape {
    case .string:
      let hex = ByteClass(folded ? "0123456789abcdef" : "0123456789ABCDEF")
      let plain = position(ByteClass("abcdefghijklmnopqrstuvwxyz0123456789-"))
      var escape = position(ByteClass("%"))
      escape = join(escape, position(hex))
      escape = join(escape, position(hex))
      return anyNumber(of: either([plain, escape]))
    case .int:
      // A number is written in one way: `0`, or with no zero in front.
      let zero = position(ByteClass("0"))
      let sign = position(ByteClass("-"))
      let leading = position(ByteClass("123456789"))
      follow[sign.last[0]] += leading.first
      let rest = anyNumber(of: position(digits))
      let number = join(Piece(first: sign.first + leading.first, last: leading.last, isNullable: false), rest)
      return either([zero, number])
    case .uuid:
      let hex = ByteClass("0123456789abcdef")
      var whole = Piece()
      for (index, count) in [8, 4, 4, 4, 12].enumerated() {
        if index > 0 { whole = join(whole, position(ByteClass("-"))) }
        for _ in 0..<count { whole = join(whole, position(hex)) }
      }
      return whole
    case .oneOf(let texts):
      // The names of a large enum are taken for any text: a comparison then needs little memory, and accepts no two
      // names that could be equal.
      guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.largestEnum else { return piece(.string, folded: folded) }
      return either(texts.map { literal(folded ? ParameterText.escaped($0).lowercased() : ParameterText.escaped($0)) })
    }
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
