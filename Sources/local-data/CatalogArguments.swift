import ArgumentParser
import CatalogModel
import CatalogSyntax

/// The catalogs that every verb takes.
struct CatalogArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Catalogs, or folders to search for them (default: Catalogs).",
      discussion: "In a folder named Catalogs every .yaml file is a catalog, elsewhere every .catalog.yaml file."),
    completion: .file(extensions: ["yaml"]))
  var paths: [String] = []

  /// The checked catalogs, for verbs whose document is another than the findings: those go to standard error, and end
  /// the run where one is an error.
  func resolved(diagnostics format: DiagnosticRenderer.Format) throws -> [ResolvedCatalog] {
    let sources = try CatalogFinder.find(paths)
    var pipeline = GeneratorPipeline()
    let resolved = pipeline.resolve(sources)
    Report.printToError(pipeline.diagnostics, as: format, catalogs: sources.count)
    guard let resolved else { throw ExitCode(.findings) }
    return resolved
  }
}

extension DiagnosticRenderer.Format: ExpressibleByArgument {}

/// Findings on their way out.
enum Report {
  /// For verbs whose document is another: nothing is printed where nothing was found.
  static func printToError(_ diagnostics: [Diagnostic], as format: DiagnosticRenderer.Format, catalogs: Int) {
    guard !diagnostics.isEmpty || format == .json else { return }
    Terminal.write(DiagnosticRenderer.render(diagnostics, as: format, catalogs: catalogs), to: .error)
  }
}
