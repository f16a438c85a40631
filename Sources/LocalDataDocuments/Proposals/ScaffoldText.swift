package import LocalDataComparison
import LocalDataModel

extension Scaffold {
  /// The YAML, with the reason of each part above it. It is complete enough to be read as part of a catalog.
  ///
  /// - Parameters:
  ///   - isFlow: Returns true if a catalog writes a declaration in braces, so that fields can be pasted there only in
  ///     braces.
  ///   - path: The file of a catalog.
  package func text(isFlow: (Finding.Subject) -> Bool = { _ in false }, path: (String) -> String?) -> String {
    var output = ""
    for (catalog, part) in parts.sorted(by: { $0.key < $1.key }) {
      output += "# \(path(catalog) ?? catalog)\n"
      output += Self.text("types", part.types) { isFlow(.type($0)) }
      output += Self.text("databases", part.databases) { isFlow(.database($0)) }
      output += Self.text("records", part.records) { isFlow(.record($0)) }
      output += Self.text("keys", part.keys) { isFlow(.key($0)) }
      if !part.reserved.isEmpty {
        output += "reserved:\n"
        for (entry, reasons) in part.reserved {
          output += reasons.map { "  # \($0)\n" }.joined()
          let what = entry["record"] == .absent ? "key can read these values" : "record has these rows"
          output += "  # no \(what) any more\n  - \(entry)\n"
        }
      }
    }
    for other in others { output += "# \(other)\n" }
    return output
  }

  private static func text(_ section: String, _ changes: [Change], isFlow: (String) -> Bool) -> String {
    guard !changes.isEmpty else { return "" }
    return "\(section):\n" + changes.map { text($0, isFlow: !$0.isNew && isFlow($0.name)) }.joined()
  }

  private static func text(_ change: Change, isFlow: Bool) -> String {
    if isFlow {
      return change.reasons.map { "  # \($0)\n" }.joined() + "  \(change.name): \(FieldValue.map(change.fields))\n"
    }
    return "  \(change.name):\n" + change.reasons.map { "    # \($0)\n" }.joined()
      + change.fields.map(text).joined()
  }

  /// The fields of a record have a line each.
  private static func text(_ field: FieldValue.Entry) -> String {
    guard field.name == "fields" else { return "    \(field.name): \(field.value)\n" }
    return "    fields:\n" + field.value.entries.map { "      \($0.name): \($0.value)\n" }.joined()
  }
}
