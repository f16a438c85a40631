import CatalogModel
import StorageVocabulary

extension OutputBuffer {
  /// The chain of a key's upgrades as an argument, the line in the YAML beside each transform:
  ///
  ///     schema: SchemaUpgrades(
  ///       decoding: .json,
  ///       by: ProfileV1.upgraded  // Account.yaml:12
  ///     ).then(
  ///       …
  ///     )
  mutating func writeUpgrades(_ key: ResolvedKey, source: String, indent: Int) {
    write(RuntimeName.schema)
    for (index, upgrade) in key.upgrades.enumerated() {
      write(index == 0 ? RuntimeName.upgrades : RuntimeName.then)
      write("(\n")
      writeIndent(indent + 1)
      write(RuntimeName.decoding)
      write(key.descriptor.serializer.ofUpgrades.rawValue)
      write(",\n")
      writeIndent(indent + 1)
      write(RuntimeName.transform)
      write(upgrade.transform.text)
      write("  ")
      writeSourceLine(source, upgrade.line, indent: 0)
      writeIndent(indent)
      write(")")
    }
  }
}

extension SerializerKind {
  /// What a transform is handed: values of the old type, and the bytes where only the app knows what they say.
  fileprivate var ofUpgrades: Kind {
    switch kind {
    case .json, .propertyList, .data: kind
    case .custom: .data
    }
  }
}
