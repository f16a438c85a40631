import ArgumentParser
import CatalogSyntax

/// `generate`: typed keys and audit documents from catalogs.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write typed Swift keys, and the audit documents in the folder Audit beside them.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(name: .shortAndLong, help: "The folder of the outputs.")
  var output = "Generated"

  @Flag(help: "Write nothing; print a diff and exit with 1 where the output is stale.")
  var check = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = DiagnosticRenderer.Format.text

  func run() throws {
    let files = GeneratorPipeline().emit(try catalogs.resolved(diagnostics: diagnostics))
    let folder = OutputFolder(path: output)
    guard check else { return try folder.commit(files) }
    let difference = try folder.difference(to: files)
    guard difference.isEmpty else {
      Terminal.write(difference, to: .output)
      throw ExitCode(.findings)
    }
  }
}
