/// Turns a source file into code: comments and the text of string literals become spaces. Lines stay in their places, and
/// the code of interpolations stays code.
struct SwiftCode {
  private let source: [UInt8]
  private var position = 0
  private var code: [UInt8] = []

  /// Returns the code of a source file.
  static func code(of text: String) -> [UInt8] {
    var reader = SwiftCode(source: Array(text.utf8))
    reader.code.reserveCapacity(reader.source.count)
    while reader.position < reader.source.count { reader.readCode(isInterpolated: false) }
    return reader.code
  }

  private init(source: [UInt8]) { self.source = source }

  private func isNext(_ text: String) -> Bool { source[position...].starts(with: text.utf8) }

  /// Moves on, and writes spaces for what is not code.
  private mutating func skip(_ count: Int = 1) {
    for _ in 0..<min(count, source.count - position) {
      code.append(source[position] == UInt8(ascii: "\n") ? source[position] : UInt8(ascii: " "))
      position += 1
    }
  }

  private mutating func take() {
    code.append(source[position])
    position += 1
  }

  /// Reads to the end, or to the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolated: Bool) {
    var depth = 0
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: "/") where isNext("//"): while position < source.count, !isNext("\n") { skip() }
      case UInt8(ascii: "/") where isNext("/*"): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "#"): if let literal { read(literal) } else { take() }
      case UInt8(ascii: "("):
        depth += 1
        take()
      case UInt8(ascii: ")"):
        depth -= 1
        take()
        if isInterpolated, depth < 0 { return }
      default: take()
      }
    }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      let (begins, ends) = (isNext("/*"), isNext("*/"))
      depth += begins ? 1 : ends ? -1 : 0
      skip(begins || ends ? 2 : 1)
    } while depth > 0 && position < source.count
  }

  /// The quotes of a literal, with the number signs around them.
  private struct Literal {
    let quotes: String
    let signs: String

    var end: String { quotes + signs }
    var escape: String { "\\" + signs }
  }

  /// The literal that begins here.
  private var literal: Literal? {
    let signs = String(repeating: "#", count: source[position...].prefix { $0 == UInt8(ascii: "#") }.count)
    guard isNext(signs + "\"") else { return nil }
    return Literal(quotes: isNext(signs + "\"\"\"") ? "\"\"\"" : "\"", signs: signs)
  }

  private mutating func read(_ literal: Literal) {
    skip(literal.end.utf8.count)
    while position < source.count, !isNext(literal.end) {
      if isNext(literal.escape + "(") {
        skip(literal.escape.utf8.count + 1)
        readCode(isInterpolated: true)
      } else {
        skip(isNext(literal.escape) ? literal.escape.utf8.count + 1 : 1)
      }
    }
    skip(literal.end.utf8.count)
  }
}

/// The types that a file declares and mentions.
struct SwiftTypes {
  /// The types outside all others that other files can see.
  private(set) var visible: Set<String> = []
  /// The names of all types that are declared here, inside others too.
  private(set) var all: Set<String> = []
  /// The number of functions in the declarations and extensions of each type.
  private(set) var functions: [String: Int] = [:]
  /// The names that begin with a capital letter and are no member of another name, with their lines.
  private(set) var mentions: [(name: String, line: Int)] = []
  /// The members of extensions that other files can see.
  private(set) var extensionMembers: Set<String> = []
  /// The names of members, variables, parameters and labels: every name that may be used as a member here.
  private(set) var names: Set<String> = []
  /// The names after a dot and the names of called functions, with their lines.
  private(set) var uses: [(name: String, line: Int)] = []

  /// An open brace.
  private struct Scope {
    /// `nil` for a brace that does not begin a type.
    var type: String?
    /// A Boolean value that indicates whether it is the brace of an extension that other files can see.
    var isExtension = false
  }

  private var scopes: [Scope] = []
  /// The type whose opening brace is expected next.
  private var next = Scope()
  /// A Boolean value that indicates whether the line declares cases or matches them.
  private var isInCase = false
  /// A Boolean value that indicates whether the name of an extended type may go on.
  private var isExtended = false
  private var isPrivate = false
  private var keyword = ""
  private var line = 1

  init(_ text: String) {
    let code = SwiftCode.code(of: text)
    var position = 0
    while position < code.count {
      let start = position
      while position < code.count, Self.isPartOfName(code[position]) { position += 1 }
      if start < position {
        let isMember = start > 0 && code[start - 1] == UInt8(ascii: ".")
        let word = String(decoding: code[start..<position], as: UTF8.self)
        if word.first?.isLowercase == true { read(name: word, isMember, position < code.count ? code[position] : 0) }
        read(word: word, isMember)
      } else {
        read(code[position])
        position += 1
      }
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: byte >= 0x80
    }
  }

  private mutating func read(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): (line, isPrivate, isInCase) = (line + 1, false, false)
    case UInt8(ascii: "{"):
      scopes.append(next)
      next = Scope()
    // The name of an operator is no word.
    case UInt8(ascii: "(") where keyword == "func": keyword = ""
    case UInt8(ascii: "}"): _ = scopes.popLast()
    default: break
    }
  }

  /// Reads a name that begins with a small letter, before the byte `after`.
  private mutating func read(name: String, _ isMember: Bool, _ after: UInt8) {
    let isDeclared = !isMember && ["func", "var", "let"].contains(keyword)
    if isDeclared, !isPrivate, scopes.count == 1, scopes[0].isExtension { extensionMembers.insert(name) }
    if isDeclared || (!isMember && (isInCase || after == UInt8(ascii: ":"))) { names.insert(name) }
    if isMember || (!isDeclared && after == UInt8(ascii: "(")) { uses.append((name, line)) }
    if name == "case", !isMember { isInCase = true }
  }

  private mutating func read(word: String, _ isMember: Bool) {
    if isMember {
      if isExtended, let outer = next.type { next.type = outer + "." + word }
      return
    }
    isExtended = keyword == "extension"
    let isName = word.first?.isUppercase == true
    switch (keyword, word) {
    case ("extension", _) where isName:
      next = Scope(type: word, isExtension: !isPrivate)
      mentions.append((word, line))
    case ("struct", _) where isName, ("enum", _) where isName, ("class", _) where isName, ("actor", _) where isName,
      ("protocol", _) where isName, ("typealias", _) where isName:
      all.insert(word)
      if scopes.isEmpty, !isPrivate { visible.insert(word) }
      if keyword != "typealias" { next = Scope(type: (scopes.compactMap(\.type) + [word]).joined(separator: ".")) }
    case (_, "private"), (_, "fileprivate"): isPrivate = true
    case (_, "func"): if let type = scopes.last?.type { functions[type, default: 0] += 1 }
    default: if isName { mentions.append((word, line)) }
    }
    keyword = word
  }
}
