/// Writes findings in the form that a person or a program reads.
package struct DiagnosticRenderer {
  package enum Format: String, Sendable, CaseIterable {
    /// With excerpt, caret, help and notes, for people.
    case text
    /// A line for each message, help and note, as Xcode and SwiftPM parse them.
    case xcode
  }

  private var output = ""
  private var excerpts: ExcerptWriter
  private let style: TerminalStyle

  private init(_ style: TerminalStyle) {
    self.style = style
    excerpts = ExcerptWriter(style: style)
  }

  /// Returns the findings as one text, which is empty or ends with a line end.
  ///
  /// - Parameter isColored: Whether the form `text` uses the colours of a terminal. The other form never does.
  package static func render(_ report: FindingsReport, as format: Format, isColored: Bool = false) -> String {
    switch format {
    case .text:
      var renderer = DiagnosticRenderer(isColored ? .colored : .plain)
      for diagnostic in report.shown { renderer.writeText(diagnostic) }
      if let omission = report.omission { renderer.output += "\(omission)\n" }
      return "\(renderer.output)\(report.summary)\n"
    case .xcode:
      var renderer = DiagnosticRenderer(.plain)
      for diagnostic in report.shown { renderer.writeLines(diagnostic) }
      if let omission = report.omission { renderer.output += "note: \(omission)\n" }
      return renderer.output
    }
  }

  private mutating func writeText(_ diagnostic: Diagnostic) {
    writeFirstLine(diagnostic)
    if let place = diagnostic.place { excerpts.write(place, style.color(of: diagnostic.severity), to: &output) }
    if let help = diagnostic.help { output += "  \(style.in(.label, "help:")) \(SafeText.escaped(help))\n" }
    for note in diagnostic.notes {
      if let place = note.place {
        writeNote(note, at: place)
        excerpts.write(place, .label, to: &output)
      } else {
        output += "  \(style.in(.label, "note:")) \(SafeText.escaped(note.message))\n"
      }
    }
  }

  private mutating func writeLines(_ diagnostic: Diagnostic) {
    writeFirstLine(diagnostic)
    if let help = diagnostic.help {
      if let place = diagnostic.place { output += "\(SafeText.prefix(place)): " }
      output += "note: help: \(SafeText.escaped(help))\n"
    }
    for note in diagnostic.notes {
      if let place = note.place { writeNote(note, at: place) }
    }
  }

  private mutating func writeFirstLine(_ diagnostic: Diagnostic) {
    if let place = diagnostic.place { output += "\(style.in(.place, "\(SafeText.prefix(place)):")) " }
    let severity = style.in(style.color(of: diagnostic.severity), "\(diagnostic.severity.rawValue):")
    output += "\(severity) \(style.in(.place, SafeText.escaped(diagnostic.message)))"
    output += " [\(SafeText.escaped(diagnostic.rule))]\n"
  }

  private mutating func writeNote(_ note: Diagnostic.Note, at place: SourcePlace) {
    output += "\(style.in(.place, "\(SafeText.prefix(place)):")) \(style.in(.label, "note:")) "
    output += "\(SafeText.escaped(note.message))\n"
  }
}

extension SafeText {
  /// `Catalogs/account.yaml:14:13`.
  package static func prefix(_ place: SourcePlace) -> String {
    "\(escaped(place.file.path)):\(place.range.start.line):\(place.range.start.column)"
  }
}
