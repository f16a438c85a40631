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
    for index in catalog.keys.indices {
      buffer.write("{")
      buffer.writeDescriptor(catalog.keys[index].descriptor, isExplicit: false)
      buffer.write("}")
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
