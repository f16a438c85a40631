import CatalogModel
import StorageVocabulary

extension OutputBuffer {
  /// Writes the fields of a descriptor in the form that its `Codable` reads.
  ///
  /// The copy for the runtime omits fields that have the default of the language. A document is explicit: it has every
  /// field, and the parts of ``SecurityPolicy/recommended``, so that a script needs no knowledge of defaults.
  mutating func writeDescriptor(_ descriptor: StorageKeyDescriptor, isExplicit: Bool) {
    writeField("member", descriptor.member, isFirst: true)
    if isExplicit || descriptor.name != descriptor.member { writeField("name", descriptor.name) }
    writeField("type", descriptor.valueType)
    writeFieldName("domain")
    writeJSON(descriptor.domain)
    if isExplicit {
      writeFieldName("security")
      writeExplicitJSON(descriptor.security)
    } else if descriptor.security != .recommended {
      writeFieldName("security")
      writeJSON(descriptor.security)
    }
    if isExplicit || descriptor.serializer != .json {
      writeFieldName("serializer")
      writeJSON(descriptor.serializer)
    }
    writeField("owner", descriptor.owner)
    writeField("description", descriptor.description)
    if isExplicit || descriptor.availability != .all { writeField("availability", descriptor.availability.rawValue) }
    if isExplicit || descriptor.syncPolicy != .never { writeField("syncPolicy", descriptor.syncPolicy.rawValue) }
    if isExplicit || descriptor.sensitivity != .internal { writeField("sensitivity", descriptor.sensitivity.rawValue) }
    if let retention = descriptor.retention {
      writeFieldName("retention")
      writeJSON(retention)
    }
    if isExplicit || descriptor.maxSize != descriptor.domain.kind.defaultMaxSize {
      writeFieldName("maxSize")
      write(descriptor.maxSize)
    }
    if isExplicit || !descriptor.backup {
      writeFieldName("backup")
      write(descriptor.backup ? "true" : "false")
    }
    writeRest(descriptor)
  }
}

extension OutputBuffer {
  mutating func writeReservedName(_ name: ResolvedReservedName) {
    write("{")
    writeField("name", name.name, isFirst: true)
    writeFieldName("domain")
    writeJSON(name.domain)
    if name.deletesLeftovers { writeField("cleanup", StorageReservedName.Cleanup.delete.rawValue) }
    if let note = name.note { writeField("note", note) }
    write("}")
  }
}
