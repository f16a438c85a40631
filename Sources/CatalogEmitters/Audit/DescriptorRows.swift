import CatalogModel
import StorageVocabulary

/// Each key's descriptor and each reserved name as a JSON object on one line, as the runtime's decoder reads them.
struct DescriptorRows {
  private var buffer: OutputBuffer
  private var keyEnds: [Int] = []
  private var reservedEnds: [Int] = []

  init(_ catalog: ResolvedCatalog) {
    buffer = OutputBuffer(capacity: 512 * catalog.keys.count)
    keyEnds.reserveCapacity(catalog.keys.count)
    for key in catalog.keys {
      buffer.writeDescriptor(key.descriptor)
      keyEnds.append(buffer.count)
    }
    for name in catalog.reserved {
      buffer.writeReservedName(name)
      reservedEnds.append(buffer.count)
    }
  }

  var keys: [ArraySlice<UInt8>] { slices(keyEnds, from: 0) }
  var reserved: [ArraySlice<UInt8>] { slices(reservedEnds, from: keyEnds.last ?? 0) }

  private func slices(_ ends: [Int], from start: Int) -> [ArraySlice<UInt8>] {
    var start = start
    return ends.map { end in
      defer { start = end }
      return buffer.bytes[start..<end]
    }
  }
}

extension OutputBuffer {
  /// What is as where a catalog says nothing is left out.
  fileprivate mutating func writeDescriptor(_ descriptor: StorageKeyDescriptor) {
    write("{")
    writeField("member", descriptor.member, isFirst: true)
    if descriptor.name != descriptor.member { writeField("name", descriptor.name) }
    writeField("type", descriptor.valueType)
    writeFieldName("domain")
    writeJSON(descriptor.domain)
    if descriptor.security != .recommended {
      writeFieldName("security")
      writeJSON(descriptor.security)
    }
    if descriptor.serializer != .json {
      writeFieldName("serializer")
      writeJSON(descriptor.serializer)
    }
    writeField("owner", descriptor.owner)
    writeField("description", descriptor.description)
    if descriptor.availability != .all { writeField("availability", descriptor.availability.rawValue) }
    if descriptor.syncPolicy != .never { writeField("syncPolicy", descriptor.syncPolicy.rawValue) }
    if descriptor.sensitivity != .internal { writeField("sensitivity", descriptor.sensitivity.rawValue) }
    if let retention = descriptor.retention {
      writeFieldName("retention")
      writeJSON(retention)
    }
    if descriptor.maxSize != descriptor.domain.kind.defaultMaxSize {
      writeFieldName("maxSize")
      write(descriptor.maxSize)
    }
    if !descriptor.backup {
      writeFieldName("backup")
      write("false")
    }
    writeRest(descriptor)
    write("}")
  }

  fileprivate mutating func writeReservedName(_ name: ResolvedReservedName) {
    write("{")
    writeField("name", name.name, isFirst: true)
    writeFieldName("domain")
    writeJSON(name.domain)
    if name.deletesLeftovers { writeField("cleanup", StorageReservedName.Cleanup.delete.rawValue) }
    if let note = name.note { writeField("note", note) }
    write("}")
  }
}
