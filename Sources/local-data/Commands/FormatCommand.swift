import LocalDataDocuments
import LocalDataFiles
import ArgumentParser
import LocalDataModel
import LocalDataSyntax

/// `fmt`: catalogs in their canonical form.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt", abstract: "Write catalogs in their canonical form.",
    discussion: """
      Fields are written in the order of the language, with two spaces for each level. Comments, quotes and the order of \
      keys remain. CR LF line ends become LF; --check accepts both. A catalog that cannot be read is left as it is.
      """)

  @OptionGroup var catalogs: CatalogArguments

  @Flag(help: "Write nothing; print a diff and exit with 1 if a catalog is not in its canonical form.")
  var check = false

  func run() throws {
    let sources = try GeneratorPipeline.read(catalogs.existing())
    var diagnostics: [Diagnostic] = []
    var isCanonical = true
    for source in sources {
      let (tree, found) = CatalogReader.read(source)
      diagnostics += found
      guard let tree else { continue }
      guard let text = CatalogFormatter.format(tree) else {
        throw ToolFailure(
          .cannotReadOrWrite, "'\(source.path)' has a layout that cannot be formatted without changing it",
          help: "write it in blocks, a field on each line")
      }
      let formatted = Array(text.utf8)
      let old = check ? source.bytes.withLineFeeds : source.bytes
      guard formatted != old else { continue }
      isCanonical = false
      if check {
        let difference = UnifiedDiff.write(old: old, new: formatted, path: source.path)
        try Terminal.write(SafeText.lines(String(decoding: difference, as: UTF8.self)))
      } else {
        try DocumentFile.write(formatted, to: source.path)
      }
    }
    let report = try catalogs.checks().pass.report(diagnostics, files: sources)
    GeneratorPipeline.printToError(report, as: .text, isColored: catalogs.isColored(on: .error))
    if report.hasErrors || check && !isCanonical { throw ToolExit.findings }
  }
}
