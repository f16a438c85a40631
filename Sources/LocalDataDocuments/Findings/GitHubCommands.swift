import LocalDataSyntax

/// Writes findings as workflow commands of GitHub Actions: `::error file=…,line=…,col=…,title=…::message`.
enum GitHubCommands {
  static func write(_ report: FindingsReport) -> String {
    var output = report.shown.map(command).joined()
    if let omission = report.omission { output += "::notice::\(message(omission))\n" }
    return output
  }

  private static func command(_ diagnostic: Diagnostic) -> String {
    var properties = diagnostic.place.map(self.properties) ?? []
    properties.append(("title", diagnostic.rule))
    let list = properties.map { "\($0.name)=\(property($0.value))" }.joined(separator: ",")
    var lines = [diagnostic.message]
    if let help = diagnostic.help { lines.append("help: \(help)") }
    for note in diagnostic.notes {
      lines.append(note.place.map { "\(SafeText.prefix($0)): note: \(note.message)" } ?? "note: \(note.message)")
    }
    let text = lines.map(message).joined(separator: "%0A")
    return "::\(diagnostic.severity.rawValue) \(list)::\(text)\n"
  }

  private static func properties(_ place: SourcePlace) -> [(name: String, value: String)] {
    let start = place.range.start
    let end = place.range.end
    var properties = [("file", place.file.path), ("line", "\(start.line)"), ("endLine", "\(end.line)")]
    properties.append(("col", "\(start.column)"))
    // Columns of two lines are not a range, so GitHub refuses them together.
    if start.line == end.line { properties.append(("endColumn", "\(end.column)")) }
    return properties
  }

  /// Text behind `::`. A line end or a `%` would end it or start an escape.
  private static func message(_ text: String) -> String { escaped(text) { $0 == "%" } }

  /// The value of a property, which a `:` or a `,` would end as well.
  private static func property(_ text: String) -> String { escaped(text) { $0 == "%" || $0 == ":" || $0 == "," } }

  private static func escaped(_ text: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    for scalar in SafeText.escaped(text).unicodeScalars {
      if isSpecial(scalar) {
        result += "%\(String(scalar.value, radix: 16, uppercase: true))"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
