import LocalDataVocabulary

/// The audit of the values that an app persists: where each is stored, how it is secured and who owns it. It never
/// contains a value.
///
/// The generator and an app at run time print the same text.
///
///     print(StorageAuditReport.renderText(for: AccountCatalog.descriptors))
///
/// prints a summary and a paragraph for each key:
///
///     2 keys
///       Domains:        userDefaults 1, keychain 1
///       Security:       none 1, keychain 1
///       Sensitivity:    internal 1, credential 1
///
///     theme
///       The colour scheme the user chose.
///       Stored name:    theme
///       Where:          userDefaults, the app's own
///       …
public enum StorageAuditReport {
  /// Returns the text audit of descriptors in their order, under `title` if there is one.
  ///
  /// Control characters and invisible characters in names and prose are written as their numbers, so that the text is
  /// safe to show in a terminal.
  public static func renderText(
    for descriptors: [StorageKeyDescriptor], reserved: [StorageReservedName] = [], title: String? = nil
  ) -> String {
    var text = AuditText()
    if let title { text.line(title) }
    var summary = StorageAuditSummary(reserved: reserved.count)
    for descriptor in descriptors { summary.add(descriptor) }
    text.line(summary.text)
    text.fact("Domains", StorageAuditSummary.text(summary.domains))
    text.fact("Security", StorageAuditSummary.text(summary.securities))
    text.fact("Sensitivity", StorageAuditSummary.text(summary.sensitivities))
    for descriptor in descriptors {
      text.line("")
      text.line(descriptor.member)
      text.line("  \(descriptor.description)")
      descriptor.forEachAuditFact { text.fact($0, $1) }
      descriptor.forEachAuditNote { text.fact("Note", $0) }
    }
    if !reserved.isEmpty {
      text.line("")
      text.line("Reserved names")
      for name in reserved { text.line("  \(name.auditText)") }
    }
    return text.text
  }
}

extension StorageReservedName {
  /// For example `session_v0 (userDefaults, the app's own): leftovers are kept. Dropped in 1.4.`
  fileprivate var auditText: String {
    "\(name) (\(domain.auditText)): leftovers are \(leftoversText)."
      + (note.map { " \($0)" } ?? "")
  }
}

/// Lines of an audit.
private struct AuditText {
  private(set) var text = ""

  /// The column where the text of a fact begins.
  private static let column = 18

  mutating func line(_ content: String) {
    append(content)
    text += "\n"
  }

  mutating func fact(_ label: StaticString, _ content: String) {
    text += "  \(label): "
    text += String(repeating: " ", count: max(0, Self.column - 4 - label.utf8CodeUnitCount))
    line(content)
  }

  private mutating func append(_ content: String) {
    guard content.unicodeScalars.contains(where: InvisibleCharacter.contains) else { return text += content }
    for scalar in content.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": text += " "
      case _ where InvisibleCharacter.contains(scalar):
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
