import CatalogModel
import StorageVocabulary

extension OutputBuffer {
  /// The chain of a key's upgrades, behind the call that makes the key, the line in the YAML beside each transform:
  ///
  ///     .upgrading(
  ///       by: SchemaUpgrades(
  ///         decoding: .json,
  ///         by: ProfileV1.upgraded  // Account.yaml:12
  ///       ).then(
  ///         …
  ///       ))
  mutating func writeUpgrades(_ key: ResolvedKey, source: String, indent: Int) {
    write("\n")
    writeIndent(indent)
    write(RuntimeName.upgrading)
    write("\n")
    for (index, upgrade) in key.upgrades.enumerated() {
      writeIndent(indent + 1)
      write(index == 0 ? RuntimeName.upgradeChain : RuntimeName.then)
      write("\n")
      writeIndent(indent + 2)
      write(RuntimeName.decoding)
      write(key.descriptor.serializer.ofUpgrades.rawValue)
      write(",\n")
      writeIndent(indent + 2)
      write(RuntimeName.transform)
      write(upgrade.transform.text)
      write("  ")
      writeSourceLine(source, upgrade.line, indent: 0)
    }
    writeIndent(indent + 1)
    write("))")
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
