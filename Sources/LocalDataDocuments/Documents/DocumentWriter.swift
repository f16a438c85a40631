/// Writes a document in one format, part by part. A section of the audit is described once, for all writers.
///
/// Nothing is kept: each part is written at once, because ten thousand keys need about two million writes.
protocol DocumentWriter: ~Copyable {
  mutating func title(_ title: String)
  /// Writes a section with a heading.
  mutating func section(_ title: StaticString, _ address: StaticString, _ content: (inout Self) -> Void)
  /// Writes the section of one declaration.
  ///
  /// - Parameters:
  ///   - kind: For example `record`. Keys, which most declarations are, have none.
  ///   - address: The address of the section, for formats that have links.
  mutating func entry(
    _ name: String, _ kind: StaticString?, _ address: HTMLIdentifier?, _ content: (inout Self) -> Void)
  mutating func paragraph(_ text: DocumentText)
  /// Writes a list of facts.
  mutating func facts(_ content: (inout Self) -> Void)
  /// Writes one fact of a list.
  mutating func fact(_ label: StaticString, _ text: DocumentText)
  mutating func list(_ items: [String])
  /// Writes a table. The first cell of each row is its name.
  mutating func table(_ title: String, _ columns: [String], _ rows: (inout Self) -> Void)
  mutating func row(_ cells: [DocumentText], _ address: HTMLIdentifier?)
}

extension DocumentWriter where Self: ~Copyable {
  mutating func row(_ cells: [DocumentText]) { row(cells, nil) }

  mutating func row(texts: [String]) { row(texts.map(DocumentText.author), nil) }

  mutating func fact(_ label: StaticString, _ text: String) { fact(label, .author(text)) }

  /// Writes a fact if there is a text.
  mutating func fact(_ label: StaticString, ifAny text: String?) {
    if let text { fact(label, .author(text)) }
  }
}
