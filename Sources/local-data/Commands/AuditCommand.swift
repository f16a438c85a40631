import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

/// `audit`: prints one document about everything that the catalogs declare.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Print the audit of catalogs.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The form of the audit.")
  var format = AuditFormat.markdown

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only the keys for which an expression holds, for example 'sensitivity = credential'.",
      valueName: "expression"))
  var condition: String?

  @Option(name: .shortAndLong, help: "The file to write the audit to (default: standard output).", completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The Markdown document to write the audit into, between its markers.",
      discussion: """
        The audit replaces what is between the lines '<!-- local-data:begin -->' and '<!-- local-data:end -->'. Everything \
        else in the document stays as it is.
        """, valueName: "file"),
    completion: .file(extensions: ["md"]))
  var into: String?

  @Flag(help: "Write nothing; print a diff and exit with 1 if the file of --output or --into is stale.")
  var check = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    try checkPath(output, of: "--output")
    try checkPath(into, of: "--into")
    if into != nil, output != nil {
      throw ValidationError("'--into' and '--output' name two documents; use one of them.")
    }
    if into != nil, format != .markdown { throw ValidationError("'--into' writes Markdown; leave '--format' out.") }
    if check, into == nil, output == nil { throw ValidationError("'--check' needs '--output' or '--into'.") }
  }

  func run() throws {
    // A page shows findings about releases too.
    let targets = try catalogs.resolved(diagnostics: diagnostics, againstReleases: format == .html)
    let resolved = targets.allCatalogs
    let path = output ?? into
    if let path { try catalogs.checkIsNoInput(path, resolved) }
    let selected = try condition.map { try Self.select($0, from: resolved) } ?? resolved
    var document = format.render(
      selected, targets.auditContext, processing: try catalogs.checks().project.processing)
    guard let path else { return try Terminal.write(document) }
    if into != nil { document = try AuthoredDocument.read(path).replacing(with: document) }
    guard check else { return try DocumentFile.write(document, to: path) }
    try DocumentFile.checkIsCurrent(document, at: path)
  }
}

extension AuditCommand {
  /// Returns the catalogs with the keys for which an expression holds.
  private static func select(_ text: String, from catalogs: [ResolvedCatalog]) throws -> [ResolvedCatalog] {
    let expression: Expression
    do throws(Expression.Problem) {
      expression = try Expression(text)
    } catch {
      throw ToolFailure(
        .wrongUse, "--where, character \(error.offset + 1): \(SafeText.escaped(error.message))",
        help: SafeText.escaped(error.help))
    }
    return catalogs.map { catalog in
      var catalog = catalog
      catalog.keys.removeAll { !expression.holds(for: $0) }
      return catalog
    }
  }
}

extension AuditFormat: ExpressibleByArgument {}
