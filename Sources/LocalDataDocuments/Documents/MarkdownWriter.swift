import LocalDataModel
import LocalDataEmission
import LocalDataAudit

/// Writes a document in Markdown.
struct MarkdownWriter: DocumentWriter, ~Copyable {
  private var output: OutputBuffer
  /// True if the next part begins the document.
  private var isFirst: Bool

  private init(_ output: consuming OutputBuffer, isFirst: Bool) {
    self.output = output
    self.isFirst = isFirst
  }

  /// Returns the bytes that `body` writes.
  ///
  /// - Parameter isFirst: False for a piece that is appended to another one.
  static func collect(
    capacity: Int, isFirst: Bool = false, _ body: (inout MarkdownWriter) -> Void
  ) -> [UInt8] {
    OutputBuffer.collect(capacity: capacity) { output in
      var writer = MarkdownWriter(consume output, isFirst: isFirst)
      body(&writer)
      output = writer.output
    }
  }

  mutating func title(_ title: String) {
    beginPart()
    output.write("# ")
    write(.author(title))
    output.write("\n")
  }

  mutating func section(_ title: StaticString, _ address: StaticString, _ content: (inout MarkdownWriter) -> Void) {
    beginPart()
    output.write("## ")
    output.write(title)
    output.write("\n")
    content(&self)
  }

  mutating func entry(
    _ name: String, _ kind: StaticString?, _ address: HTMLIdentifier?, _ content: (inout MarkdownWriter) -> Void
  ) {
    beginPart()
    output.write("### ")
    write(.author(name))
    output.write("\n")
    content(&self)
  }

  mutating func paragraph(_ text: DocumentText) {
    beginPart()
    write(text)
    output.write("\n")
  }

  mutating func facts(_ content: (inout MarkdownWriter) -> Void) {
    beginPart()
    content(&self)
  }

  mutating func fact(_ label: StaticString, _ text: DocumentText) {
    output.write("- ")
    output.write(label)
    output.write(": ")
    write(text)
    output.write("\n")
  }

  mutating func list(_ items: [String]) {
    beginPart()
    for item in items {
      output.write("- ")
      write(.author(item))
      output.write("\n")
    }
  }

  mutating func table(_ title: String, _ columns: [String], _ rows: (inout MarkdownWriter) -> Void) {
    beginPart()
    row(columns.map(DocumentText.author), nil)
    output.write("|")
    for _ in columns { output.write("---|") }
    output.write("\n")
    rows(&self)
  }

  mutating func row(_ cells: [DocumentText], _ address: HTMLIdentifier?) {
    for cell in cells {
      output.write("| ")
      write(cell)
      output.write(" ")
    }
    output.write("|\n")
  }

  /// Separates two parts by a blank line.
  private mutating func beginPart() {
    if !isFirst { output.write("\n") }
    isFirst = false
  }

  private mutating func write(_ text: DocumentText) {
    switch text {
    case .fixed(let text): output.write(text)
    case .author(let text), .link(let text, _): output.writeMarkdown(text, in: .document)
    case .source(let text): output.write(text.hasPrefix("https://") ? "[source](\(text))" : "`\(text)` of LocalData")
    case .outcome(let outcome): output.write(outcome.text)
    case .answer(let state): output.write(state.text)
    }
  }
}
