/// The findings of one file, kept to a number that a person can read.
struct Findings {
  /// A file of nothing but anchors would otherwise cost a gigabyte of findings.
  static let limit = 1000

  let source: SourceFile
  private(set) var diagnostics: [Diagnostic] = []

  init(source: SourceFile) { self.source = source }

  var isFull: Bool { diagnostics.count > Self.limit }

  mutating func report(
    _ rule: Rule, _ message: String, at range: SourceRange?, help: String? = nil, notes: [Diagnostic.Note] = []
  ) {
    guard !isFull else { return }
    let place = range.map { SourcePlace(file: source, range: $0) }
    if diagnostics.count == Self.limit {
      diagnostics.append(
        Diagnostic(
          rule: Rule.tooManyFindings.id,
          "more than \(Self.limit) findings; the rest of the file is not reported", at: place))
    } else {
      diagnostics.append(Diagnostic(rule: rule.id, message, at: place, help: help, notes: notes))
    }
  }

  func note(_ message: String, at range: SourceRange) -> Diagnostic.Note {
    Diagnostic.Note(message, at: SourcePlace(file: source, range: range))
  }
}

extension SourceRange {
  /// Characters of one line.
  init(line: Int, column: Int, length: Int) {
    self.init(start: SourceLocation(line: line, column: column), length: length)
  }

  init(start: SourceLocation, length: Int) {
    self.init(start: start, end: SourceLocation(line: start.line, column: start.column + length))
  }
}
