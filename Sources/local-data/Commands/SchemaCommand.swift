import LocalDataFiles
import ArgumentParser
import LocalDataDocuments

/// `schema`: the JSON Schema of catalogs, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of catalogs, for the completion of editors; or that of audits.",
    discussion: """
      Write the schema to a file, and name it in the first line of each catalog:
        local-data schema > Catalogs/catalog.schema.json
        # yaml-language-server: $schema=catalog.schema.json
      """)

  /// The documents that have a schema.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case catalog, audit
  }

  @Option(help: "The document that the schema describes: a catalog, or the JSON audit.")
  var of = Subject.catalog

  func run() throws {
    switch of {
    case .catalog: try Terminal.write(SchemaEmitter.emit())
    case .audit: try Terminal.write(AuditSchema.emit())
    }
  }
}
