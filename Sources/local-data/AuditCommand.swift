import ArgumentParser
import CatalogEmitters
import CatalogModel
import CatalogSyntax
import StorageVocabulary

/// `audit`: one document about all that the catalogs declare.
struct AuditCommand: ParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown, json, text
  }

  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Print the audit of catalogs.")

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The form of the audit: markdown, json, text.")
  var format = Format.markdown

  @Option(help: "The form of findings, on standard error: \(DiagnosticRenderer.Format.list).")
  var diagnostics = DiagnosticRenderer.Format.text

  func run() throws {
    let sources = try CatalogFinder.find(catalogs.paths)
    var pipeline = GeneratorPipeline()
    let resolved = pipeline.resolve(sources)
    Report.printToError(pipeline.diagnostics, as: diagnostics, catalogs: sources.count)
    guard let resolved else { throw ExitCode(.findings) }

    switch format {
    case .text:
      let descriptors = resolved.flatMap { $0.keys.map(\.descriptor) }
      Terminal.write(StorageAuditReport.renderText(for: descriptors), to: .output)
    case .markdown:
      let documents = pipeline.emit(resolved).filter { $0.path.hasSuffix(".md") }
      Terminal.write(Array(documents.map(\.bytes).joined(separator: Array("\n".utf8))), to: .output)
    case .json:
      let documents = pipeline.emit(resolved).filter { $0.path.hasSuffix(".json") }.map(\.bytes)
      Terminal.write(Self.array(of: documents), to: .output)
    }
  }

  /// One document of a catalog as it is, those of several as an array.
  private static func array(of documents: [[UInt8]]) -> [UInt8] {
    guard documents.count != 1 else { return documents[0] }
    let trimmed = documents.map { $0.last == UInt8(ascii: "\n") ? $0.dropLast() : $0[...] }
    return Array("[".utf8) + Array(trimmed.joined(separator: Array(",\n".utf8))) + Array("]\n".utf8)
  }
}
