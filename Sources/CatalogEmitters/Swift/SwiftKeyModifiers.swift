import CatalogModel
import StorageVocabulary

extension OutputBuffer {
  /// What few keys say, behind the call that makes the key, a line each: an argument that a key leaves out costs the
  /// compiler time all the same.
  mutating func writeModifiers(
    of key: ResolvedKey, in catalog: ResolvedCatalog, source: String, indent: Int, withMigration: Bool = true
  ) {
    if key.descriptor.isDecryptedForSync {
      writeLineStart(indent)
      write(RuntimeName.decrypted)
    }
    if let form = key.watchRepresentation { writeWatchRepresentation(form, source: source, indent: indent) }
    if withMigration, key.migration != nil {
      writeLineStart(indent)
      writeMigrationReference(key, in: catalog)
    }
    if !key.upgrades.isEmpty { writeUpgrades(key, source: source, indent: indent) }
  }

  /// Writes the representation for the watch, the line in the YAML above it.
  private mutating func writeWatchRepresentation(_ form: ResolvedKey.WatchRepresentation, source: String, indent: Int) {
    write("\n")
    writeSourceLine(source, form.line, indent: indent)
    writeIndent(indent)
    write(RuntimeName.watched)
    writeType(form.type)
    write(">")
    writeSerializer(form.serializer ?? .json)
    if form.schema != 1 { write(", schema: \(form.schema)") }
    write(RuntimeName.watchTransform)
    write(form.transform.text)
    write(") })")
  }

  private mutating func writeLineStart(_ indent: Int) {
    write("\n")
    writeIndent(indent)
  }
}
