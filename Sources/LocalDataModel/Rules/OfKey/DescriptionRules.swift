import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let terseDescription = Rule(
    "terse-description", .clarity, .warning, "A description says more than the name of its key or record.",
    why: "A reader of the audit sees the name already.",
    bad: .keys("launchCount: {type: Int, description: The launch count.}"),
    good: .keys("launchCount: {type: Int, description: How often the app was opened since it was installed.}"))

  static let todoInDescription = Rule(
    "todo-in-description", .clarity, .warning, "A description has no TODO, FIXME or XXX.",
    why: "The audit and the documentation of the emitted code are read by others than their author.",
    bad: .keys("theme: {type: String, description: The colour scheme. TODO say which ones there are.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))
}

/// Checks that a description has a word that the member has not.
struct TerseDescriptionRule: KeyRule {
  private static let fillers: Set<String> = ["the", "a", "an", "of", "for", "this", "its", "s"]

  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.isSound(KeyFieldSet(.description)) else { return }
    let descriptor = key.resolved.descriptor
    Self.check(
      descriptor.description, of: descriptor.member, at: key.node(of: .description, defaults: defaults), &findings)
  }

  static func check(
    _ description: String, of name: String, at node: @autoclosure () -> SyntaxNode, _ findings: inout Findings
  ) {
    // Longer text has a word that the member has not.
    guard description.utf8.count < 60, !description.isEmpty, description.utf8.allSatisfy({ $0 < 0x80 }) else { return }
    let words = NameWords.texts(of: description).filter { !fillers.contains($0) }.map(singular)
    let known = NameWords.texts(of: name).map(singular)
    guard words.allSatisfy(known.contains) else { return }
    findings.report(
      .terseDescription, "the description says only what the name '\(name)' says", at: node(),
      help: "say what the value means, or when it changes: The colour scheme the user chose.")
  }

  private static func singular(_ word: String) -> String {
    word.hasSuffix("s") ? String(word.dropLast()) : word
  }
}

/// Checks that a description has no note of a developer.
struct TodoInDescriptionRule: KeyRule {
  private static let notes = ["TODO", "FIXME", "XXX"].map { Array($0.utf8) }

  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.isSound(KeyFieldSet(.description)) else { return }
    Self.check(key.resolved.descriptor.description, at: key.node(of: .description, defaults: defaults), &findings)
  }

  static func check(_ description: String, at node: @autoclosure () -> SyntaxNode, _ findings: inout Findings) {
    var description = description
    guard let note = description.withUTF8({ note(in: $0) }) else { return }
    findings.report(
      .todoInDescription, "the description has '\(note)' in it", at: node(),
      help: "finish the description, and keep the note in a comment")
  }

  private static func note(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    func isLetter(_ index: Int) -> Bool {
      bytes.indices.contains(index) && (Identifier.isLower(bytes[index] | 0x20) || Identifier.isDigit(bytes[index]))
    }
    var index = 0
    while index < bytes.count {
      if Identifier.isUpper(bytes[index]), !isLetter(index - 1) {
        for note in notes where bytes[index...].starts(with: note) && !isLetter(index + note.count) {
          return String(decoding: note, as: UTF8.self)
        }
      }
      index += 1
    }
    return nil
  }
}

extension Rule {
  static let stringlyTyped = Rule(
    "stringly-typed", .clarity, .warning, "A text that is one of a few words has an enum of `types` as its type.",
    why:
      "The compiler then finds a misspelt word, and a stored one that is unknown is an error instead of a wrong branch.",
    bad: .keys("theme: {type: String, description: \"The colour scheme, one of light, dark or system.\"}"),
    good: .catalog(
      "\(Example.defaults)types: {Theme: {enum: [light, dark, system]}}\n"
        + "keys:\n  theme: {type: Theme, description: The colour scheme the user chose.}"))
}

/// Checks that the description of a text does not list the words that it can be: "one of a, b or c", "either a or b" or
/// "a|b|c", up to the end of the sentence.
struct StringlyTypedRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.type == .scalar(.string), !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.type, .description)),
      let words = Self.listedWords(key.resolved.descriptor.description)
    else { return }
    findings.report(
      .stringlyTyped, "the description lists the words that '\(key.resolved.descriptor.member)' can be",
      at: key.node(of: .type, defaults: defaults),
      help: words.allSatisfy { Identifier.isWellFormed($0, as: .enumCase) }
        ? "declare an enum: `types: {\(Self.typeName(key)): {enum: [\(words.joined(separator: ", "))]}}`"
        : "declare an enum, with these words as the raw values of its cases",
      notes: key.mayUseDefault
        ? [
          .init(
            "with `onCorruption: useDefault`, a stored word that is no case reads as the default", at: key.member.place)
        ]
        : [])
  }

  private static func typeName(_ key: DecodedKey) -> String {
    let member = key.resolved.descriptor.member
    return member.prefix(1).uppercased() + member.dropFirst()
  }

  private static func listedWords(_ text: String) -> [String]? {
    guard hasSign(text) else { return nil }
    let tokens = text.split(separator: " ").map(String.init)
    for (index, token) in tokens.enumerated() {
      let list: [String]?
      if token.contains("|") {
        let parts = trimmed(token).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        list = parts.count > 1 && parts.allSatisfy(isWord) ? parts : nil
      } else if token.lowercased() == "one", index + 1 < tokens.count, ["of", "of:"].contains(tokens[index + 1]) {
        list = words(tokens[(index + 2)...])
      } else if token.lowercased() == "either" {
        list = words(tokens[(index + 1)...])
      } else {
        continue
      }
      if let list { return list }
    }
    return nil
  }

  /// Returns true if a text has "one of" or "either" in it, or a `|`.
  private static func hasSign(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      for (index, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "|"): return true
        case UInt8(ascii: "o"), UInt8(ascii: "O"): if bytes[(index + 1)...].starts(with: "ne of".utf8) { return true }
        case UInt8(ascii: "e"), UInt8(ascii: "E"): if bytes[(index + 1)...].starts(with: "ither".utf8) { return true }
        default: break
        }
      }
      return false
    }
  }

  /// The words of a list that ends with its sentence.
  private static func words(_ tokens: ArraySlice<String>) -> [String]? {
    enum Expected {
      case word, connector, lastWord, end
    }
    var expected = Expected.word
    var result: [String] = []
    for token in tokens {
      if token == "or" || token == "and" {
        guard !result.isEmpty, expected == .word || expected == .connector else { return nil }
        expected = .lastWord
        continue
      }
      let word = trimmed(token)
      guard expected == .word || expected == .lastWord, isWord(word) else { return nil }
      result.append(word)
      if [".", ";", "!", ")"].contains(where: { token.hasSuffix($0) }) { return result.count > 1 ? result : nil }
      expected = expected == .lastWord ? .end : token.hasSuffix(",") ? .word : .connector
    }
    return result.count > 1 && expected != .lastWord ? result : nil
  }

  private static func trimmed(_ token: String) -> String {
    let signs = Set<Character>([",", ".", ";", ":", "!", "(", ")", "'", "\"", "`"])
    return String(token.drop { signs.contains($0) }.reversed().drop { signs.contains($0) }.reversed())
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        Identifier.isLower($0 | 0x20) || Identifier.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }
}

extension DecodedKey {
  /// A Boolean value that indicates whether the key has a default that reads could return for a preference that is no value.
  fileprivate var mayUseDefault: Bool {
    let descriptor = resolved.descriptor
    return resolved.defaultValue != nil && descriptor.domain.kind.isPreferences && descriptor.security == .none
      && descriptor.onCorruption == .throw
  }
}
