import LocalDataVocabulary

/// A condition on a key: `sensitivity = credential and not domain in [keychain, encryptedFileSystem]`.
///
///     expression = or
///     or         = and {"or" and}
///     and        = not {"and" not}
///     not        = "not" not | "(" or ")" | comparison
///     comparison = field ("=" | "!=") value | field "in" "[" value {"," value} "]" | field
///
/// A field is a path of the language, such as `domain.service`. A value is a word, a number, or text in double quotes. A
/// field alone is true if the key has it, and if it is not `false`. A list is equal to a value if it contains it. A map of
/// fields that is not a field itself, such as `retention`, can only be written alone: it is true if the key has the map.
package struct Expression: Sendable, Equatable {
  private let root: Node

  fileprivate indirect enum Node: Sendable, Equatable {
    case equal(ResolvedField, [String])
    case present(ResolvedField)
    /// The key has one of the fields, whatever its value.
    case hasAny([ResolvedField])
    case not(Node)
    case and(Node, Node)
    case or(Node, Node)
  }

  /// The reason why a text is not an expression.
  package struct Problem: Error, Equatable {
    package var message: String
    package var help: String
    /// The number of characters before the one at fault.
    package var offset: Int
  }

  package init(_ text: String) throws(Problem) {
    var parser = Parser(Array(text.unicodeScalars))
    root = try parser.expression(depth: 0)
    try parser.expectEnd()
  }

  /// Returns true if the expression holds for a key.
  package func holds(for key: ResolvedKey) -> Bool { root.holds(for: key) }
}

extension Expression.Node {
  fileprivate func holds(for key: ResolvedKey) -> Bool {
    switch self {
    case .equal(let field, let values):
      let own = key[field].words
      return values.contains { value in own.contains(value) }
    case .present(let field): return key[field] != .absent && key[field] != .flag(false)
    case .hasAny(let fields): return fields.contains { key[$0] != .absent }
    case .not(let node): return !node.holds(for: key)
    case .and(let left, let right): return left.holds(for: key) && right.holds(for: key)
    case .or(let left, let right): return left.holds(for: key) || right.holds(for: key)
    }
  }
}

extension FieldValue {
  /// The texts that a comparison accepts for the value: one for each element of a list.
  fileprivate var words: [String] {
    switch self {
    case .absent: ["none"]
    case .text(let text): [text]
    case .flag(let flag): [flag ? "true" : "false"]
    case .integer(let number): [String(number)]
    case .list(let elements): elements.flatMap(\.words)
    case .map(let entries): entries.map(\.name)
    }
  }
}

// MARK: - Parsing

extension Expression {
  private struct Parser {
    private enum Token: Equatable {
      case word(String)
      case text(String)
      case sign(Character)
      case notEqual
      case end
    }

    /// A deeper expression would need a frame of the stack for each level, here and wherever it is evaluated.
    private static let maximumDepth = 64
    private static let maximumLength = 4_096

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var token = Token.end
    private var start = 0
    private var pending: Problem?

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func expression(depth: Int) throws(Problem) -> Node {
      if depth == 0 {
        guard scalars.count <= Self.maximumLength else {
          throw Problem(
            message: "an expression has at most \(Self.maximumLength) characters", help: "divide it into several",
            offset: 0)
        }
        try advance()
      }
      guard depth < Self.maximumDepth else {
        throw problem("an expression has at most \(Self.maximumDepth) levels", "simplify it")
      }
      var node = try conjunction(depth)
      while token == .word("or") {
        try advance()
        node = .or(node, try conjunction(depth))
      }
      return node
    }

    func expectEnd() throws(Problem) {
      guard token == .end else { throw problem("nothing is expected here", "join conditions with 'and' or 'or'") }
    }

    private mutating func conjunction(_ depth: Int) throws(Problem) -> Node {
      var node = try negation(depth)
      while token == .word("and") {
        try advance()
        node = .and(node, try negation(depth))
      }
      return node
    }

    private mutating func negation(_ depth: Int) throws(Problem) -> Node {
      guard depth < Self.maximumDepth else {
        throw problem("an expression has at most \(Self.maximumDepth) levels", "simplify it")
      }
      if token == .word("not") {
        try advance()
        return .not(try negation(depth + 1))
      }
      if token == .sign("(") {
        try advance()
        let node = try expression(depth: depth + 1)
        guard token == .sign(")") else { throw problem("')' is missing", "close the parenthesis") }
        try advance()
        return node
      }
      return try comparison()
    }

    private mutating func comparison() throws(Problem) -> Node {
      if case .word(let name) = token, ResolvedField.maps.contains(name) { return try presence(ofMap: name) }
      let field = try self.field()
      switch token {
      case .sign("="):
        try advance()
        return .equal(field, [try value(of: field)])
      case .notEqual:
        try advance()
        return .not(.equal(field, [try value(of: field)]))
      case .word("in"):
        try advance()
        return .equal(field, try values(of: field))
      default: return .present(field)
      }
    }

    private mutating func presence(ofMap name: String) throws(Problem) -> Node {
      try advance()
      let fields = ResolvedField.fields(ofMap: name)
      guard token != .sign("="), token != .notEqual, token != .word("in") else {
        throw problem(
          "'\(name)' has no value that can be compared",
          "write `\(name)` alone, or compare one of \(fields.map(\.path).listing)")
      }
      return .hasAny(fields)
    }

    private mutating func field() throws(Problem) -> ResolvedField {
      guard case .word(let path) = token, !["and", "or", "in"].contains(path) else {
        throw problem("a field of a key is expected here", "write a field, for example `domain = keychain`")
      }
      guard let field = ResolvedField(rawValue: path) else {
        let known = ResolvedField.allCases.map(\.path) + ResolvedField.maps
        throw problem(
          "'\(path)' is not a field of a key\(Spelling.suggestion(for: path, among: known))",
          "use one of \(known.listing)")
      }
      try advance()
      return field
    }

    private mutating func values(of field: ResolvedField) throws(Problem) -> [String] {
      guard token == .sign("[") else { throw problem("'in' needs a list", "write `\(field.path) in [a, b]`") }
      try advance()
      var values = [try value(of: field)]
      while token == .sign(",") {
        try advance()
        values.append(try value(of: field))
      }
      guard token == .sign("]") else { throw problem("']' is missing", "close the list") }
      try advance()
      return values
    }

    private mutating func value(of field: ResolvedField) throws(Problem) -> String {
      let text: String
      switch token {
      case .word(let word): text = word
      case .text(let quoted): text = quoted
      default: throw problem("a value is expected here", "write a word, or text in double quotes")
      }
      let value = try text == "none" ? text : checked(text, as: field)
      try advance()
      return value
    }

    /// Returns a value as a key has it: `30d` for `720h`.
    private func checked(_ text: String, as field: ResolvedField) throws(Problem) -> String {
      let shape = Language.shape(of: field)
      switch shape {
      case .integer?:
        if let number = Int(text) { return String(number) }
        throw problem("'\(text)' is not a number", "write a whole number, for example `\(field.path) = 1`")
      case .duration?:
        if let seconds = Retention.seconds(text) { return Retention.text(seconds: seconds) }
        throw problem("'\(text)' is not a duration", "write a number and a unit, for example `\(field.path) = 30d`")
      default:
        let words = shape?.words ?? []
        if words.isEmpty || words.contains(text) { return text }
        throw problem(
          "'\(text)' is not a value of '\(field.path)'\(Spelling.suggestion(for: text, among: words))",
          "use one of \(words.listing)")
      }
    }

    // MARK: Tokens

    private func problem(_ message: String, _ help: String) -> Problem {
      Problem(message: message, help: help, offset: start)
    }

    private mutating func advance() throws(Problem) {
      while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
      start = position
      guard position < scalars.count else {
        token = .end
        return
      }
      switch scalars[position] {
      case "(", ")", "[", "]", ",", "=":
        token = .sign(Character(scalars[position]))
        position += 1
      case "!":
        guard position + 1 < scalars.count, scalars[position + 1] == "=" else {
          throw problem("'!' is not an operator", "write '!=' or 'not'")
        }
        token = .notEqual
        position += 2
      case "\"": token = .text(try quoted())
      default:
        var word = String.UnicodeScalarView()
        while position < scalars.count, Self.isWord(scalars[position]) {
          word.append(scalars[position])
          position += 1
        }
        guard !word.isEmpty else {
          throw problem("'\(scalars[position])' cannot be used here", "put text in double quotes")
        }
        token = .word(String(word))
      }
    }

    private mutating func quoted() throws(Problem) -> String {
      var text = String.UnicodeScalarView()
      position += 1
      while position < scalars.count, scalars[position] != "\"" {
        text.append(scalars[position])
        position += 1
      }
      guard position < scalars.count else { throw problem("the text has no closing quote", "close it with '\"'") }
      position += 1
      return String(text)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
      default: false
      }
    }
  }
}

extension ResolvedField {
  /// The maps of a key that are not fields themselves, such as `retention`.
  fileprivate static let maps: [String] = {
    var maps: [String] = []
    for field in allCases {
      let map = String(field.path.prefix { $0 != "." })
      if ResolvedField(rawValue: map) == nil, !maps.contains(map) { maps.append(map) }
    }
    return maps
  }()

  /// The fields of a map: `retention.maxAge` and `retention.until` of `retention`.
  fileprivate static func fields(ofMap name: String) -> [ResolvedField] {
    allCases.filter { $0.path.hasPrefix("\(name).") }
  }
}

extension Language {
  /// The shape of a field's value, or nil if an expression does not check it.
  fileprivate static func shape(of field: ResolvedField) -> Shape? {
    guard field != .type else { return nil }
    var shape: Shape? = .record(key.entries)
    for part in field.path.split(separator: ".") { shape = shape?.part(String(part)) }
    return shape
  }
}

extension Shape {
  /// The shape of a part of the value.
  fileprivate func part(_ name: String) -> Shape? {
    switch self {
    case .record(let entries): entries.first { $0.name == name }?.shape
    case .choice(let alternatives): alternatives.lazy.compactMap { $0.part(name) }.first
    default: nil
    }
  }

  fileprivate var words: [String] {
    switch self {
    case .word(let words): words
    case .flag: ["true", "false"]
    case .choice(let alternatives): alternatives.map(\.name)
    case .list(let element): element.words
    default: []
    }
  }
}

extension Shape.Alternative {
  fileprivate func part(_ name: String) -> Shape? {
    switch payload {
    case .none: nil
    case .fields(let entries, _): entries.first { $0.name == name }?.shape
    case .value(let shape, _): self.name == name ? shape : nil
    }
  }
}
