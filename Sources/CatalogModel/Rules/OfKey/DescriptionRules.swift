import CatalogSyntax
import StorageVocabulary

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
    let words = NameWords(description).texts.filter { !fillers.contains($0) }.map(singular)
    let known = NameWords(name).texts.map(singular)
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
