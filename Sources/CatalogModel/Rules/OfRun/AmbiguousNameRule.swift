import CatalogSyntax
import StorageVocabulary

/// A family's name must be readable back: two choices of parameters never give one name.
struct AmbiguousNameRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      for key in document.keys where key.resolved.parameters.count > 1 {
        guard key.isSound(KeyFieldSet(.name, .parameters)), !isPlainlyClear(key.resolved.nameParts),
          NamePattern(key.resolved, run.decoder.types).automaton.isAmbiguous
        else { continue }
        let node = key.body.value(of: KeyField.name.text) ?? key.member
        findings.report(
          .ambiguousName, "two choices of parameters can give '\(key.resolved.descriptor.name)' the same name",
          at: node,
          help: "put text between the parameters that they cannot contain, such as '_'")
      }
    }
  }

  /// Between any two parameters stands a character that no parameter has.
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
