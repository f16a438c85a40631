/// Findings put into words: the last step.
package struct DiagnosticRenderer {
  package enum Format: String, Sendable, CaseIterable {
    /// With excerpt, caret, help and notes, for people.
    case text
    /// The first lines only, which Xcode and SwiftPM parse.
    case xcode
    /// One JSON document.
    case json
  }

  private var output = ""
  private var excerpts = ExcerptWriter()

  /// All findings and a summary, as one document that ends with a line end, or is empty where there is nothing to say.
  package static func render(_ diagnostics: [Diagnostic], as format: Format, catalogs: Int) -> String {
    var renderer = DiagnosticRenderer()
    switch format {
    case .text:
      for diagnostic in diagnostics { renderer.writeText(diagnostic) }
      renderer.output += "\(summary(of: diagnostics, catalogs: catalogs))\n"
      return renderer.output
    case .xcode:
      for diagnostic in diagnostics { renderer.writeLines(diagnostic) }
      return renderer.output
    case .json: return JSONReport.write(diagnostics, catalogs: catalogs)
    }
  }

  /// How many findings there are, in one line.
  package static func summary(of diagnostics: [Diagnostic], catalogs: Int) -> String {
    let parts = Diagnostic.Severity.allCases.compactMap { severity in
      let count = diagnostics.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let findings = parts.isEmpty ? "no findings" : parts.joined(separator: " and ")
    return "\(findings) in \(catalogs) catalog\(catalogs == 1 ? "" : "s")"
  }

  private mutating func writeText(_ diagnostic: Diagnostic) {
    writeFirstLine(diagnostic)
    if let place = diagnostic.place { excerpts.write(place, to: &output) }
    if let help = diagnostic.help { output += "  help: \(SafeText.escaped(help))\n" }
    for note in diagnostic.notes {
      if let place = note.place {
        writeNote(note, at: place)
        excerpts.write(place, to: &output)
      } else {
        output += "  note: \(SafeText.escaped(note.message))\n"
      }
    }
  }

  private mutating func writeLines(_ diagnostic: Diagnostic) {
    writeFirstLine(diagnostic)
    for note in diagnostic.notes {
      if let place = note.place { writeNote(note, at: place) }
    }
  }

  private mutating func writeFirstLine(_ diagnostic: Diagnostic) {
    if let place = diagnostic.place { output += "\(Self.prefix(place)): " }
    output +=
      "\(diagnostic.severity.rawValue): \(SafeText.escaped(diagnostic.message)) [\(SafeText.escaped(diagnostic.rule))]\n"
  }

  private mutating func writeNote(_ note: Diagnostic.Note, at place: SourcePlace) {
    output += "\(Self.prefix(place)): note: \(SafeText.escaped(note.message))\n"
  }

  private static func prefix(_ place: SourcePlace) -> String {
    "\(SafeText.escaped(place.file.path)):\(place.range.start.line):\(place.range.start.column)"
  }
}
