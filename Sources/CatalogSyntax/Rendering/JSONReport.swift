/// Findings for a machine.
enum JSONReport {
  static func write(_ diagnostics: [Diagnostic], catalogs: Int) -> String {
    var output = "{\n  \"version\": 1,\n  \"catalogs\": \(catalogs),\n"
    for severity in Diagnostic.Severity.allCases {
      output += "  \"\(severity.rawValue)s\": \(diagnostics.count { $0.severity == severity }),\n"
    }
    let findings = diagnostics.map { "\n    \(object(fields(of: $0)))" }.joined(separator: ",")
    output += "  \"findings\": [\(findings)\(findings.isEmpty ? "" : "\n  ")]\n}\n"
    return output
  }

  private typealias Field = (name: String, value: String)

  private static func fields(of diagnostic: Diagnostic) -> [Field] {
    var fields: [Field] = [
      ("rule", quoted(diagnostic.rule)), ("severity", quoted(diagnostic.severity.rawValue)),
      ("message", quoted(diagnostic.message)),
    ]
    fields += diagnostic.place.map(Self.fields) ?? []
    if let help = diagnostic.help { fields.append(("help", quoted(help))) }
    if !diagnostic.notes.isEmpty {
      let notes = diagnostic.notes.map { note in
        object([("message", quoted(note.message))] + (note.place.map(Self.fields) ?? []))
      }
      fields.append(("notes", "[\(notes.joined(separator: ", "))]"))
    }
    return fields
  }

  private static func fields(of place: SourcePlace) -> [Field] {
    [
      ("path", quoted(place.file.path)), ("line", "\(place.range.start.line)"),
      ("column", "\(place.range.start.column)"), ("endLine", "\(place.range.end.line)"),
      ("endColumn", "\(place.range.end.column)"),
    ]
  }

  private static func object(_ fields: [Field]) -> String {
    "{\(fields.map { "\(quoted($0.name)): \($0.value)" }.joined(separator: ", "))}"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where SafeText.isShown(scalar): result.unicodeScalars.append(scalar)
      default:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
        }
      }
    }
    return result + "\""
  }
}
