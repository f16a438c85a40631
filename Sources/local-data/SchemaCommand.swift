import ArgumentParser
import CatalogEmitters

/// `schema`: the JSON Schema of catalogs, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of catalogs, for the completion of editors.",
    discussion: """
      Write the schema to a file, and name it in the first line of each catalog:
        local-data schema > Catalogs/catalog.schema.json
        # yaml-language-server: $schema=catalog.schema.json
      """)

  func run() throws { try Terminal.write(SchemaEmitter.emit()) }
}
