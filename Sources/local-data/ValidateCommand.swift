import ArgumentParser
import CatalogSyntax

/// `validate`: every rule, no output files.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check catalogs by every rule, and write no files.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The form of the findings.")
  var format = DiagnosticRenderer.Format.text

  func run() throws {
    let sources = try CatalogFinder.find(catalogs.paths)
    var pipeline = GeneratorPipeline()
    _ = pipeline.resolve(sources)
    Terminal.write(
      DiagnosticRenderer.render(pipeline.diagnostics, as: format, catalogs: sources.count), to: .output)
    if pipeline.hasErrors { throw ExitCode(.findings) }
  }
}
