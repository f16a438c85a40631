import CatalogEmitters
import CatalogModel
import CatalogSyntax

/// The whole generator: sources → trees → catalogs → files.
///
/// Each stage collects what it finds in all catalogs; where that is an error, none of the later stages runs.
struct GeneratorPipeline {
  private(set) var diagnostics: [Diagnostic] = []

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Checked catalogs; `nil` where a finding is an error.
  mutating func resolve(_ sources: [SourceFile]) -> [ResolvedCatalog]? {
    guard let trees = parse(sources) else { return nil }
    let (catalogs, diagnostics) = CatalogResolver.resolve(trees)
    return pass(catalogs, diagnostics)
  }

  /// The files of checked catalogs, in the order of their paths.
  func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    CatalogEmitter.emit(catalogs)
  }

  private mutating func parse(_ sources: [SourceFile]) -> [SyntaxTree]? {
    let results = sources.map(CatalogReader.read)
    return pass(results.compactMap(\.tree), results.flatMap(\.diagnostics))
  }

  /// What a stage made, unless it found an error.
  private mutating func pass<Value>(_ value: Value, _ found: [Diagnostic]) -> Value? {
    diagnostics += found
    return hasErrors ? nil : value
  }
}
