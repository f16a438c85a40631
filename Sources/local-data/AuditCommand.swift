import ArgumentParser
import CatalogEmitters
import CatalogModel
import CatalogSyntax

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

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = DiagnosticRenderer.Format.text

  func validate() throws {
    try checkPath(output, of: "--output")
  }

  func run() throws {
    // A page shows findings about releases too.
    let targets = try catalogs.resolved(diagnostics: diagnostics, againstReleases: format == .html)
    let resolved = targets.allCatalogs
    if let output { try catalogs.checkIsNoInput(output, resolved) }
    let selected = try condition.map { try Self.select($0, from: resolved) } ?? resolved
    let document = format.render(selected, targets.auditContext)
    if let output {
      try DocumentFile.write(document, to: output)
    } else {
      try Terminal.write(document)
    }
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
