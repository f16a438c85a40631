/// A character that looks like one of the keyboard, or like nothing, and is text for YAML. Such characters come from documents
/// and web pages.
struct LookAlike {
  private let scalar: Unicode.Scalar
  /// The sign that YAML needs; nil for a space and for an invisible character.
  let sign: Character?

  private init(_ scalar: Unicode.Scalar, sign: Character? = nil) {
    self.scalar = scalar
    self.sign = sign
  }

  /// A character that looks like a space or like nothing. Nil if the character is none. The joiners of emoji are seen by what they
  /// join.
  static func space(_ scalar: Unicode.Scalar) -> LookAlike? {
    switch scalar.value {
    case 0xA0, 0xAD, 0x1680, 0x180E, 0x2000...0x200B, 0x202F, 0x205F, 0x2060, 0x2800, 0x3000, 0x3164: LookAlike(scalar)
    default: nil
    }
  }

  /// A character that looks like a sign between the names of fields and their values. Nil if the character is none.
  static func sign(_ scalar: Unicode.Scalar) -> LookAlike? {
    let sign: Character? =
      switch scalar.value {
      case 0xFF1A, 0xFE55, 0xA789, 0x2236: ":"
      case 0xFF0C, 0xFE50, 0x3001, 0x201A: ","
      case 0xFF5B: "{"
      case 0xFF5D: "}"
      case 0xFF3B: "["
      case 0xFF3D: "]"
      case 0xFF03: "#"
      case 0xFF0D, 0x2010...0x2015, 0x2212: "-"
      default: nil
      }
    return sign.map { LookAlike(scalar, sign: $0) }
  }

  /// Returns true if a part of a source has a character that looks like a space.
  static func isSpace(in source: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard source.contains(where: { $0 >= 0xC2 }) else { return false }
    return String(decoding: source, as: UTF8.self).unicodeScalars.contains { space($0) != nil }
  }

  static func any(_ scalar: Unicode.Scalar) -> LookAlike? { space(scalar) ?? sign(scalar) }

  var message: String {
    if let sign { return "the character \(number) looks like '\(sign)', and is text for YAML" }
    switch scalar.value {
    case 0xA0: return "the no-break space \(number) looks like a space, and is text for YAML"
    case 0x202F: return "the narrow no-break space \(number) looks like a space, and is text for YAML"
    case 0x3000: return "the ideographic space \(number) looks like a space, and is text for YAML"
    case 0xAD, 0x180E, 0x200B, 0x2060: return "the character \(number) is invisible, and is text for YAML"
    default: return "the space \(number) looks like a space, and is text for YAML"
    }
  }

  /// What to write between names and values.
  var help: String {
    if let sign { return "write the '\(sign)' of the keyboard instead, or put text that keeps it into quotes" }
    switch scalar.value {
    case 0xAD, 0x180E, 0x200B, 0x2060: return "remove it"
    default: return "write a space of the keyboard instead"
    }
  }

  /// What to write in text, which the character can be meant to be a part of.
  var helpInText: String { sign == nil ? "\(help); if it is meant, write \"\\u\(hex)\" in double quotes" : help }

  private var hex: String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  private var number: String { "U+\(hex)" }
}

extension CatalogReader {
  /// Returns the look-alikes in a tree that YAML accepts: in the name of a field, and where a text begins or ends.
  ///
  /// In the middle of prose such a character may be meant. An escape in double quotes always is.
  static func lookAlikes(in tree: SyntaxTree) -> [Diagnostic] {
    guard let root = tree.root, !tree.isASCII else { return [] }
    var findings = Findings(source: tree.source)
    report(root, isName: false, &findings)
    return findings.diagnostics
  }

  private static func report(_ node: SyntaxNode, isName: Bool, _ findings: inout Findings) {
    switch node.kind {
    case _ where findings.isFull: return
    case .scalar: if let found = isName ? node.lookAlikeInName : node.lookAlikeAtEnd { findings.report(found) }
    case .sequence: for child in node.children { report(child, isName: false, &findings) }
    case .mapping:
      for (name, value) in node.fields {
        report(name, isName: true, &findings)
        report(value, isName: false, &findings)
      }
    }
  }
}

extension Findings {
  fileprivate mutating func report(_ found: SyntaxNode.FoundLookAlike) {
    report(.lookAlike, found.message, at: found.range, help: found.help)
  }
}

extension SyntaxNode {
  /// A look-alike that the source of a node contains.
  package struct FoundLookAlike {
    package let message: String
    package let help: String
    let range: SourceRange
    package let place: SourcePlace
  }

  /// The first look-alike of a space in the text.
  package var lookAlikeSpace: FoundLookAlike? { first(of: LookAlike.space, inText: true) }

  /// The first look-alike of a space or a sign in a name. A name in quotes may contain the signs.
  package var lookAlikeInName: FoundLookAlike? {
    first(of: isPlain ? LookAlike.any : LookAlike.space, inText: false)
  }

  /// The look-alike of a space that the text begins or ends with.
  fileprivate var lookAlikeAtEnd: FoundLookAlike? {
    guard withText({ $0.contains { $0 >= 0xC2 } }) else { return nil }
    let scalars = text.unicodeScalars
    let ends = [scalars.first, scalars.last].compactMap { $0 }.filter { LookAlike.space($0) != nil }
    guard !ends.isEmpty else { return nil }
    return first(of: { ends.contains($0) ? LookAlike.space($0) : nil }, inText: true)
  }

  private func first(of lookAlike: (Unicode.Scalar) -> LookAlike?, inText: Bool) -> FoundLookAlike? {
    guard !tree.isASCII, withText({ $0.contains { $0 >= 0xC2 } }), !isDecoded || hasLookAlike else { return nil }
    let scalars = text.unicodeScalars
    guard let index = scalars.firstIndex(where: { lookAlike($0) != nil }), let found = lookAlike(scalars[index]) else {
      return nil
    }
    var start = range.start
    // A text that is its source is on one line.
    if !isDecoded { start.column += scalars.distance(from: scalars.startIndex, to: index) + (isPlain ? 0 : 1) }
    let range = SourceRange(start: start, length: 1)
    return FoundLookAlike(
      message: found.message, help: inText ? found.helpInText : found.help, range: range,
      place: SourcePlace(file: tree.source, range: range))
  }
}
