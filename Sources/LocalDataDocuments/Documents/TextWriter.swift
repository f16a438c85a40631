import LocalDataEmission

/// Writes a document as text for a terminal.
struct TextWriter: DocumentWriter, ~Copyable {
  private var output: OutputBuffer
  /// The titles of the columns of the table, as words of a sentence.
  private var columns: [String] = []

  private init(_ output: consuming OutputBuffer) { self.output = output }

  /// Returns the bytes that `body` writes.
  static func collect(capacity: Int, _ body: (inout TextWriter) -> Void) -> [UInt8] {
    OutputBuffer.collect(capacity: capacity) { output in
      var writer = TextWriter(consume output)
      body(&writer)
      output = writer.output
    }
  }

  mutating func title(_ title: String) { line("", title) }

  mutating func section(_ title: StaticString, _ address: StaticString, _ content: (inout TextWriter) -> Void) {
    line("\n", title.description)
    content(&self)
  }

  mutating func entry(
    _ name: String, _ kind: StaticString?, _ address: HTMLIdentifier?, _ content: (inout TextWriter) -> Void
  ) {
    line("\n", kind.map { "\(name), a \($0)" } ?? name)
    content(&self)
  }

  mutating func paragraph(_ text: DocumentText) { line("  ", text.text) }

  mutating func facts(_ content: (inout TextWriter) -> Void) { content(&self) }

  mutating func fact(_ label: StaticString, _ text: DocumentText) {
    output.write("  ")
    output.write(label)
    output.write(": ")
    // The column where the texts of most facts begin.
    for _ in min(label.utf8CodeUnitCount, 14)..<14 { output.write(" ") }
    line("", text.text)
  }

  mutating func list(_ items: [String]) { for item in items { line("  ", item) } }

  mutating func table(_ title: String, _ columns: [String], _ rows: (inout TextWriter) -> Void) {
    self.columns = columns.map { $0.prefix(1).lowercased() + $0.dropFirst() }
    rows(&self)
  }

  /// Writes a row on one line, for example `  health: where database visits; keys and fields Visit.diagnosis`.
  mutating func row(_ cells: [DocumentText], _ address: HTMLIdentifier?) {
    output.write("  ")
    for (index, cell) in cells.enumerated() {
      let text = cell.text
      if index > 0 {
        if text.isEmpty { continue }
        output.write(index == 1 ? ": " : "; ")
        output.write(columns[index])
        output.write(" ")
      }
      write(text)
    }
    output.write("\n")
  }

  private mutating func line(_ start: StaticString, _ text: String) {
    output.write(start)
    write(text)
    output.write("\n")
  }

  /// Writes text on one line, with invisible characters as their numbers.
  private mutating func write(_ text: String) { output.writeComment(text) }
}
