import LocalDataSyntax
package import LocalDataModel

/// Writes findings as one JSON document.
enum JSONReport {
  static func write(_ report: FindingsReport) -> String {
    let shown = report.shown
    var output = "{\n  \"version\": 1,\n  \"catalogs\": \(report.catalogs),\n"
    for severity in Diagnostic.Severity.allCases {
      output += "  \"\(severity.rawValue)s\": \(report.count(severity)),\n"
    }
    output += "  \"allowed\": \(report.allowed),\n  \"omitted\": \(report.findings.count - shown.count),\n"
    let findings = shown.map { "\n    \(JSONText.object(fields(of: $0)))" }.joined(separator: ",")
    output += "  \"findings\": [\(findings)\(findings.isEmpty ? "" : "\n  ")]\n}\n"
    return output
  }

  private static func fields(of diagnostic: Diagnostic) -> [JSONText.Field] {
    var fields: [JSONText.Field] = [
      ("rule", JSONText.quoted(diagnostic.rule)), ("severity", JSONText.quoted(diagnostic.severity.rawValue)),
      ("message", JSONText.quoted(diagnostic.message)),
    ]
    if let key = diagnostic.key { fields.append(("key", JSONText.quoted(key))) }
    fields += diagnostic.place.map(Self.fields) ?? []
    if let help = diagnostic.help { fields.append(("help", JSONText.quoted(help))) }
    if !diagnostic.notes.isEmpty {
      let notes = diagnostic.notes.map { note in
        JSONText.object([("message", JSONText.quoted(note.message))] + (note.place.map(Self.fields) ?? []))
      }
      fields.append(("notes", "[\(notes.joined(separator: ", "))]"))
    }
    return fields
  }

  private static func fields(of place: SourcePlace) -> [JSONText.Field] {
    [
      ("path", JSONText.quoted(place.file.path)), ("line", "\(place.range.start.line)"),
      ("column", "\(place.range.start.column)"), ("endLine", "\(place.range.end.line)"),
      ("endColumn", "\(place.range.end.column)"),
    ]
  }
}

extension JSONText {
  /// A field whose value is JSON already.
  package typealias Field = (name: String, value: String)

  package static func object(_ fields: [Field]) -> String {
    "{\(fields.map { "\(quoted($0.name)): \($0.value)" }.joined(separator: ", "))}"
  }
}
