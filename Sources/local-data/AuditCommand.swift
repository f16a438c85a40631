import ArgumentParser
import CatalogEmitters
import CatalogSyntax

/// `audit`: one document about all that the catalogs declare.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Print the audit of catalogs.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The form of the audit.")
  var format = AuditFormat.markdown

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = DiagnosticRenderer.Format.text

  func run() throws {
    Terminal.write(format.render(try catalogs.resolved(diagnostics: diagnostics)), to: .output)
  }
}

extension AuditFormat: ExpressibleByArgument {}
