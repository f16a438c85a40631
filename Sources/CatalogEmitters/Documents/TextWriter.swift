import StorageAudit

/// Writes a document as text for a terminal.
struct TextWriter: DocumentWriter {
  private(set) var text = AuditText()
  private var columns: [String] = []

  mutating func title(_ title: String) { text.line(title) }

  mutating func section(_ title: StaticString, _ address: StaticString, _ content: (inout TextWriter) -> Void) {
    text.line("")
    text.line(title.description)
    content(&self)
  }

  mutating func entry(
    _ name: String, _ kind: StaticString?, _ address: HTMLIdentifier?, _ content: (inout TextWriter) -> Void
  ) {
    text.line("")
    text.line(kind.map { "\(name), a \($0)" } ?? name)
    content(&self)
  }

  mutating func paragraph(_ text: DocumentText) { self.text.line("  \(text.text)") }

  mutating func facts(_ content: (inout TextWriter) -> Void) { content(&self) }

  mutating func fact(_ label: StaticString, _ text: DocumentText) { self.text.fact(label, text.text) }

  mutating func list(_ items: [String]) { for item in items { text.line("  \(item)") } }

  mutating func table(_ title: String, _ columns: [String], _ rows: (inout TextWriter) -> Void) {
    self.columns = columns.map { $0.prefix(1).lowercased() + $0.dropFirst() }
    rows(&self)
  }

  /// Writes a row on one line, for example `  health: where database visits; keys and fields Visit.diagnosis`.
  mutating func row(_ cells: [DocumentText], _ address: HTMLIdentifier?) {
    var line = "  "
    for (index, cell) in cells.enumerated() {
      let text = cell.text
      if index == 0 {
        line += text
      } else if !text.isEmpty {
        line += "\(index == 1 ? ":" : ";") \(columns[index]) \(text)"
      }
    }
    text.line(line)
  }
}
