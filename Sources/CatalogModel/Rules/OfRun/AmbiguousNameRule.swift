import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let ambiguousName = Rule(
    "ambiguous-name", .places, "Two choices of parameters never give one stored name.",
    why: "Two members of the family would have one value.",
    bad: .keys(
      "text: {type: String, name: \"text{a}{b}\", parameters: {a: String, b: String}, description: What was written.}"),
    good: .keys(
      "text: {type: String, name: \"text_{a}_{b}\", parameters: {a: String, b: String}, "
        + "description: What was written.}"))
}

/// Checks that the parameters of a family can be read back from each of its stored names.
struct AmbiguousNameRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      for key in document.keys where key.resolved.parameters.count > 1 {
        guard key.isSound(KeyFieldSet(.name, .parameters)), !isPlainlyClear(key.resolved.nameParts),
          NamePattern(key.resolved, run.context.types).automaton.isAmbiguous
        else { continue }
        let node = key.body.value(of: KeyField.name.text) ?? key.member
        findings.about(key) {
          $0.report(
            .ambiguousName, "'\(key.resolved.descriptor.name)' can give two choices of parameters the same stored name",
            at: node, help: "separate the parameters with text that they cannot contain, such as '_'")
        }
      }
    }
  }

  /// Returns true if a character that no parameter contains separates any two parameters.
  private func isPlainlyClear(_ parts: [ResolvedKey.NamePart]) -> Bool {
    var needsText = false
    for part in parts {
      switch part {
      case .parameter:
        if needsText { return false }
        needsText = true
      case .text(let text):
        if text.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }) { needsText = false }
      }
    }
    return true
  }
}
