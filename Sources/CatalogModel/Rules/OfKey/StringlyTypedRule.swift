import CatalogSyntax
import StorageVocabulary

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
      help: "declare an enum: `types: {\(Self.typeName(key)): {enum: [\(words.joined(separator: ", "))]}}`")
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
