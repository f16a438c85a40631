import LocalDataDocuments
import LocalDataFiles
import ArgumentParser
import LocalDataSyntax

/// `validate`: checks catalogs and writes no files.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check catalogs by every rule, and write no files.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The form of the findings.")
  var format = FindingsFormat.text

  func run() throws {
    let checks = try catalogs.checks()
    var report = FindingsReport(catalogs: 0)
    for target in try catalogs.targets(of: checks.project) {
      let selection = try catalogs.selection(of: target)
      try selection.checkExists()
      let sources = try GeneratorPipeline.read(selection)
      let resolution = try GeneratorPipeline.resolve(sources, checks.of(target), releasesBeside: selection)
      report = report.adding(resolution.report)
    }
    let isColored = catalogs.isColored(on: .output)
    try Terminal.write(format.render(report, isColored: isColored))
    if report.hasErrors { throw ToolExit.findings }
  }
}
