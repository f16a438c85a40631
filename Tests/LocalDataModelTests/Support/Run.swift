import LocalDataModel
import LocalDataSyntax
import Testing

/// The result of a run over catalogs.
struct Run {
  var catalogs: [ResolvedCatalog]
  var diagnostics: [Diagnostic]

  /// The day on which allowances and reviews are judged.
  static let today = CalendarDate("2026-01-01") ?? .earliest

  init(_ sources: [SourceFile]) throws {
    var trees: [SyntaxTree] = []
    for source in sources {
      let (tree, diagnostics) = CatalogReader.read(source)
      trees.append(try #require(tree, "not readable: \(diagnostics.map(\.message))"))
    }
    let (catalogs, report) = CatalogResolver.resolve(trees, FindingsPass(today: Self.today))
    (self.catalogs, diagnostics) = (catalogs, report.findings)
  }

  init(_ text: String) throws {
    try self.init([SourceFile(path: "Test.yaml", bytes: Array(text.utf8))])
  }

  /// A finding a line, as a golden case has it.
  var findings: String { Self.text(diagnostics) }

  /// The findings that are errors, for tests of values that a reviewer might question.
  var errors: String { Self.text(diagnostics.filter { $0.severity == .error }) }

  private static func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { diagnostic in
      let head = "\(Self.text(diagnostic.place)): \(diagnostic.severity): \(diagnostic.message) [\(diagnostic.rule)]"
      let help = diagnostic.help.map { ["  help: \($0)"] } ?? []
      let notes = diagnostic.notes.map { "  note: \(Self.text($0.place)): \($0.message)" }
      return ([head] + help + notes).joined(separator: "\n") + "\n"
    }.joined()
  }

  private static func text(_ place: SourcePlace?) -> String {
    guard let place else { return "-" }
    return "\(place.file.path):\(place.range.start.line):\(place.range.start.column)"
  }
}

/// Records that a value has another shape than it must have.
func unexpected(_ what: Any, _ location: Testing.SourceLocation = #_sourceLocation) {
  Issue.record("unexpected: \(what)", sourceLocation: location)
}
