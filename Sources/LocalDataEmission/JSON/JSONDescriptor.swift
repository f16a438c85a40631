package import LocalDataModel
import LocalDataVocabulary

extension OutputBuffer {
  /// Writes the fields of a key's descriptor in the form that its `Codable` reads.
  ///
  /// The key is passed, not the descriptor: ten thousand copies count a dozen references each.
  ///
  /// The copy for the runtime omits fields that have the default of the language. A document is explicit: it has every
  /// field, and the parts of ``SecurityPolicy/recommended``, so that a script needs no knowledge of defaults.
  ///
  /// - Parameter writeMigration: Writes the steps of a migration into a document; nil for the runtime, which has them in words.
  package mutating func writeDescriptor(
    _ key: ResolvedKey, writeMigration: ((inout OutputBuffer, ResolvedMigration) -> Void)? = nil
  ) {
    let isExplicit = writeMigration != nil
    writeField("member", key.descriptor.member, isFirst: true)
    if isExplicit || key.descriptor.name != key.descriptor.member { writeField("name", key.descriptor.name) }
    writeField("type", key.descriptor.valueType)
    writeFieldName("domain")
    writeJSON(key.descriptor.domain)
    if isExplicit {
      writeFieldName("security")
      writeExplicitJSON(key.descriptor.security)
    } else if key.descriptor.security != .recommended {
      writeFieldName("security")
      writeJSON(key.descriptor.security)
    }
    if isExplicit || key.descriptor.serializer != .json {
      writeFieldName("serializer")
      writeJSON(key.descriptor.serializer)
    }
    if let dates = key.descriptor.dates { writeField("dates", dates.rawValue) }
    if let reads = key.descriptor.reads { writeField("reads", reads) }
    writeField("owner", key.descriptor.owner)
    writeField("description", key.descriptor.description)
    if isExplicit || key.descriptor.availability != .all {
      writeField("availability", key.descriptor.availability.rawValue)
    }
    if isExplicit || key.descriptor.syncPolicy != .never {
      writeField("syncPolicy", key.descriptor.syncPolicy.rawValue)
    }
    if isExplicit || key.descriptor.sensitivity != .internal {
      writeField("sensitivity", key.descriptor.sensitivity.rawValue)
    }
    if let retention = key.descriptor.retention {
      writeFieldName("retention")
      writeJSON(retention)
    }
    if isExplicit || key.descriptor.maxSize != key.descriptor.domain.kind.defaultMaxSize {
      writeFieldName("maxSize")
      write(key.descriptor.maxSize)
    }
    if isExplicit || !key.descriptor.backup {
      writeFieldName("backup")
      write(key.descriptor.backup ? "true" : "false")
    }
    writeRest(key, writeMigration)
  }
}

extension OutputBuffer {
  package mutating func writeReservedName(_ name: ResolvedReservedName) {
    write("{")
    writeField("name", name.name, isFirst: true)
    writeFieldName("domain")
    writeJSON(name.domain)
    if name.deletesLeftovers { writeField("cleanup", StorageReservedName.Cleanup.delete.rawValue) }
    if let note = name.note { writeField("note", note) }
    write("}")
  }
}
