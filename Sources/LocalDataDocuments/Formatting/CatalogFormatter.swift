import LocalDataModel
package import LocalDataSyntax

/// Writes a catalog in its canonical form: fields in the order of the language, two spaces for each level, one space
/// after a colon and a comma, at most one empty line between fields, and line ends of LF.
///
/// Comments keep their places: one alone on its line stays before the field that follows it, and one after a value
/// stays after it. Texts keep their quotes, and maps keep their braces. Keys, types, cases and the elements of lists keep
/// their order, because it is part of what is generated.
package struct CatalogFormatter {
  /// Lines are not joined beyond this number of columns.
  private static let width = 120

  private let lines: [[Unicode.Scalar]]
  /// The lines, from 0, that are part of a text or of a map in braces that began on an earlier line.
  private let continued: Set<Int>
  private var output: [String] = []
  /// The first line, from 0, whose comments have not been written.
  private var nextLine = 0

  /// Returns the canonical form of a catalog. Returns nil if it would not mean the same, or lose a comment.
  package static func format(_ tree: SyntaxTree) -> String? {
    let text = String(decoding: tree.source.bytes, as: UTF8.self)
    guard let root = tree.root, root.kind == .mapping else { return text }
    let formatted = canonical(tree, root)
    let again = CatalogReader.read(SourceFile(path: tree.source.path, bytes: Array(formatted.utf8))).tree
    guard let newRoot = again?.root, root.means(newRoot), comments(of: text) == comments(of: formatted) else {
      return nil
    }
    return formatted
  }

  /// Returns the words of a file that begin with `#`, in any order: every comment is among them.
  private static func comments(of text: String) -> [String: Int] {
    var counts: [String: Int] = [:]
    // A carriage return and a line feed are two scalars, but one character.
    let words = text.unicodeScalars.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    for word in words where word.first == "#" { counts[String(word), default: 0] += 1 }
    return counts
  }

  private static func canonical(_ tree: SyntaxTree, _ root: SyntaxNode) -> String {
    var formatter = CatalogFormatter(tree, root)
    formatter.writeMapping(root, as: .file, indent: 0)
    formatter.writeComments(before: formatter.lines.count, indent: 0)
    while formatter.output.last?.isEmpty == true { formatter.output.removeLast() }
    return formatter.output.joined(separator: "\n") + "\n"
  }

  private init(_ tree: SyntaxTree, _ root: SyntaxNode) {
    let text = String(decoding: tree.source.bytes, as: UTF8.self)
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Array(line.last == "\r" ? line.dropLast() : line)
    }
    var continued: Set<Int> = []
    Self.collectContinued(root, lines, &continued)
    self.continued = continued
  }

  private static func collectContinued(
    _ node: SyntaxNode, _ lines: [[Unicode.Scalar]], _ continued: inout Set<Int>
  ) {
    let range = node.range
    if node.kind == .scalar || isFlow(node, lines) {
      if range.end.line > range.start.line { continued.formUnion(range.start.line...range.end.line - 1) }
    } else {
      for child in node.children { collectContinued(child, lines, &continued) }
    }
  }

  // MARK: Maps and lists

  private mutating func writeMapping(_ node: SyntaxNode, as form: Form, indent: Int, afterDash: Bool = false) {
    var chunks: [(rank: Int, lines: [String])] = []
    let outer = output
    for (index, field) in node.fields.enumerated() {
      output = []
      writeComments(before: field.key.range.start.line - 1, indent: indent)
      writeField(field.key, field.value, form, indent)
      chunks.append((form.rank(of: field.key.text, at: index), output))
    }
    output = outer
    // The sort keeps fields of one rank in their order.
    let sorted = chunks.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    for (position, chunk) in sorted.enumerated() {
      var lines = chunk.element.lines
      // An empty line divides a field from the one before it, so the first field of a map has none.
      if position == 0, !output.isEmpty || afterDash { while lines.first?.isEmpty == true { lines.removeFirst() } }
      output += lines
    }
  }

  private mutating func writeField(_ key: SyntaxNode, _ value: SyntaxNode, _ form: Form, _ indent: Int) {
    let head = String(repeating: " ", count: indent) + text(key.range) + ":"
    let inner = form.form(of: key.text, value)
    if value.kind == .scalar || Self.isFlow(value, lines) {
      // A comment between a field and its value goes before the field.
      if value.range.start != value.range.end { writeComments(before: value.range.start.line - 1, indent: indent) }
      writeInline(head + " ", value, inner, indent)
    } else {
      output.append(head + comment(after: key.range.end, skipping: ":"))
      nextLine = key.range.end.line
      write(value, as: inner, indent: indent + 2)
    }
  }

  private mutating func write(_ node: SyntaxNode, as form: Form, indent: Int) {
    switch node.kind {
    case .mapping: writeMapping(node, as: form, indent: indent)
    case .sequence: writeSequence(node, as: form, indent: indent)
    case .scalar: break
    }
  }

  private mutating func writeSequence(_ node: SyntaxNode, as form: Form, indent: Int) {
    let dash = String(repeating: " ", count: indent) + "- "
    for child in node.children {
      writeComments(before: child.range.start.line - 1, indent: indent)
      if child.kind == .scalar || Self.isFlow(child, lines) {
        writeInline(dash, child, form.form(of: child), indent)
        continue
      }
      let outer = output
      output = []
      if child.kind == .mapping {
        writeMapping(child, as: form.form(of: child), indent: indent + 2, afterDash: true)
      } else {
        writeSequence(child, as: form.form(of: child), indent: indent + 2)
      }
      // Comments before the first field go before the dash.
      let first = output.firstIndex { line in !Self.isComment(line.drop { $0 == " " }) } ?? 0
      let comments = output[..<first].map { line in
        String(repeating: " ", count: indent) + line.drop { $0 == " " }
      }
      output[first] = dash + output[first].dropFirst(indent + 2)
      output = outer + comments + output[first...]
    }
  }

  // MARK: Values on the line of their field

  private mutating func writeInline(_ head: String, _ value: SyntaxNode, _ form: Form, _ indent: Int) {
    let range = value.range
    let end = max(range.start.line, range.end.line)
    defer { nextLine = max(nextLine, end) }
    if range.start.line == range.end.line || canBeJoined(value) {
      let line = head + inline(value, form)
      if range.start.line == range.end.line || line.unicodeScalars.count <= Self.width {
        let isEmpty = value.kind == .scalar && range.start == range.end
        let trimmed = isEmpty ? String(line.dropLast()) : line
        output.append(trimmed + comment(after: range.end, skipping: isEmpty ? ":" : ""))
        return
      }
    }
    // A text of several lines, or a map that is too long for one: its lines move with the field.
    let first = lines[range.start.line - 1]
    let opening = Self.trimmed(first[(range.start.column - 1)...])
    output.append(head + opening)
    let rest = lines[range.start.line..<max(range.start.line, min(end, lines.count))]
    let indents = rest.filter { !Self.trimmed($0).isEmpty }.map { $0.prefix { $0 == " " }.count }
    // A digit after `|` or `>` counts from the indentation of the field.
    let isCounted = opening.first.map { "|>".contains($0) } == true && opening.contains { "123456789".contains($0) }
    let (old, new) = isCounted ? (first.prefix { $0 == " " }.count, indent) : (indents.min() ?? 0, indent + 2)
    for line in rest {
      let own = line.prefix { $0 == " " }.count
      let text = Self.trimmed(line.dropFirst(own))
      output.append(text.isEmpty ? "" : String(repeating: " ", count: max(indent + 1, own - old + new)) + text)
    }
  }

  /// Returns true if a value of several lines can be written on one: a map or a list in braces without comments.
  private func canBeJoined(_ value: SyntaxNode) -> Bool {
    guard value.kind != .scalar else { return false }
    return value.children.allSatisfy { child in
      child.trailingComment == nil
        && (child.kind == .scalar ? child.range.start.line == child.range.end.line : canBeJoined(child))
    } && !hasComment(value.range)
  }

  private func hasComment(_ range: SourceRange) -> Bool {
    for number in range.start.line - 1..<range.end.line {
      let line = lines[number]
      for (index, scalar) in line.enumerated() where scalar == "#" {
        if index == 0 || line[index - 1] == " " || line[index - 1] == "\t" { return true }
      }
    }
    return false
  }

  private func inline(_ node: SyntaxNode, _ form: Form) -> String {
    switch node.kind {
    case .scalar: return text(node.range)
    case .sequence: return "[" + node.children.map { inline($0, form.form(of: $0)) }.joined(separator: ", ") + "]"
    case .mapping:
      let fields = node.fields.enumerated().map { index, field in
        let value = inline(field.value, form.form(of: field.key.text, field.value))
        return (
          rank: form.rank(of: field.key.text, at: index), index: index,
          text: text(field.key.range) + (value.isEmpty && !hasColon(after: field.key) ? "" : ": " + value)
        )
      }
      let sorted = fields.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }
      return "{" + sorted.map(\.text).joined(separator: ", ") + "}"
    }
  }

  /// Returns true if a colon follows the name of a field. Between braces a name can be written without one.
  private func hasColon(after key: SyntaxNode) -> Bool {
    let end = key.range.end
    return lines[end.line - 1].dropFirst(end.column - 1).first { $0 != " " } == ":"
  }

  // MARK: Comments and text

  /// Writes the comments and empty lines up to a line, from 0.
  private mutating func writeComments(before end: Int, indent: Int) {
    while nextLine < min(end, lines.count) {
      defer { nextLine += 1 }
      guard !continued.contains(nextLine) else { continue }
      // The dash of an element can have a comment, if the element begins on the next line.
      let text = Self.trimmed(lines[nextLine].drop { $0 == " " || $0 == "\t" || $0 == "-" })
      if text.isEmpty {
        if output.last?.isEmpty != true { output.append("") }
      } else if Self.isComment(text) {
        output.append(String(repeating: " ", count: indent) + text)
      }
    }
  }

  /// Returns the comment on the rest of a line, with the spaces before it.
  private func comment(after location: SourceLocation, skipping sign: String) -> String {
    guard location.line <= lines.count else { return "" }
    let rest = lines[location.line - 1].dropFirst(location.column - 1).drop { $0 == " " || $0 == "\t" }
    var text = Self.trimmed(rest)
    if !sign.isEmpty, text.hasPrefix(sign) {
      text = String(text.dropFirst(sign.count).drop { $0 == " " || $0 == "\t" })
    }
    return Self.isComment(text) ? "  " + text : ""
  }

  /// Returns true if a text begins with `#`. An accent after it makes another character of it, but no other scalar.
  private static func isComment(_ text: some StringProtocol) -> Bool { text.unicodeScalars.first == "#" }

  private func text(_ range: SourceRange) -> String {
    guard range.start.line <= lines.count, range.start.line == range.end.line else { return "" }
    let line = lines[range.start.line - 1]
    var view = String.UnicodeScalarView()
    view.append(contentsOf: line[min(range.start.column - 1, line.count)..<min(range.end.column - 1, line.count)])
    return String(view)
  }

  private static func trimmed(_ scalars: some Collection<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    while let last = view.last, last == " " || last == "\t" || last == "\r" { view.removeLast() }
    return String(view)
  }

  /// Returns true if a map or a list is written in braces or brackets.
  private static func isFlow(_ node: SyntaxNode, _ lines: [[Unicode.Scalar]]) -> Bool {
    guard node.kind != .scalar else { return false }
    let start = node.range.start
    guard start.line <= lines.count, start.column <= lines[start.line - 1].count else { return false }
    let first = lines[start.line - 1][start.column - 1]
    return first == "{" || first == "["
  }
}
