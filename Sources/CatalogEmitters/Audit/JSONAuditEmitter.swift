import CatalogModel
import StorageVocabulary

/// Catalogs to one JSON document.
///
///     {
///     "format": 1,
///     "catalogs": [{
///       "name": "Account", "source": "Account.yaml", "access": "public",
///       "summary": {"keys": 4, "families": 1, "legacy": 1, "deprecated": 0, "reserved": 1,
///                   "domains": {…}, "security": {…}, "sensitivity": {…}},
///       "keys": [{"line": 14, "access": "public", "member": "theme", "name": "theme", …, "notes": []}],
///       "reserved": [{"name": "session_v0", "domain": "userDefaults", "cleanup": "delete", "note": "…"}]
///     }]
///     }
///
/// A key has the fields of ``StorageKeyDescriptor`` in the form of the catalog language, nothing left out, then its
/// notes. Shapes change only together with `format`. A key takes a line, so that changes read well.
enum JSONAuditEmitter {
  static let format = 1

  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    OutputBuffer.collect(capacity: 512 + 1_024 * catalogs.reduce(0) { $0 + $1.keys.count }) { output in
      output.write("{\n\"format\":")
      output.write(format)
      output.write(",\n\"catalogs\":[")
      for (index, catalog) in catalogs.enumerated() {
        output.write(index == 0 ? "{\n" : ",{\n")
        write(catalog, to: &output)
        output.write("}")
      }
      output.write("]\n}\n")
    }
  }

  private static func write(_ catalog: ResolvedCatalog, to output: inout OutputBuffer) {
    output.writeField("name", catalog.name, isFirst: true)
    output.writeField("source", catalog.sourceName)
    output.writeField("access", catalog.access.rawValue)
    output.write(",\n\"summary\":")
    write(catalog.auditSummary, to: &output)
    output.write(",\n\"keys\":[")
    for index in catalog.keys.indices {
      output.write(index == 0 ? "\n" : ",\n")
      write(catalog.keys[index], to: &output)
    }
    output.write("\n],\n\"reserved\":[")
    for (index, name) in catalog.reserved.enumerated() {
      output.write(index == 0 ? "\n" : ",\n")
      output.writeReservedName(name)
    }
    output.write("\n]\n")
  }

  private static func write(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.write("{\"line\":")
    output.write(key.line)
    output.writeField("access", key.access.rawValue)
    output.write(",")
    output.writeDescriptor(key.descriptor, isExplicit: true)
    output.write(",\"notes\":[")
    var isFirst = true
    key.descriptor.forEachAuditNote { note in
      if !isFirst { output.write(",") }
      isFirst = false
      output.writeJSON(note)
    }
    output.write("]}")
  }

  private static func write(_ summary: StorageAuditSummary, to output: inout OutputBuffer) {
    output.write("{\"keys\":")
    output.write(summary.keys)
    output.writeCount("families", summary.families)
    output.writeCount("legacy", summary.legacy)
    output.writeCount("deprecated", summary.deprecated)
    output.writeCount("reserved", summary.reserved)
    output.writeCounts("domains", summary.domains)
    output.writeCounts("security", summary.securities)
    output.writeCounts("sensitivity", summary.sensitivities)
    output.write("}")
  }
}

extension OutputBuffer {
  fileprivate mutating func writeCount(_ name: StaticString, _ count: Int) {
    writeFieldName(name)
    write(count)
  }

  fileprivate mutating func writeCounts(_ name: StaticString, _ counts: [StorageAuditSummary.Count]) {
    writeFieldName(name)
    write("{")
    for (index, count) in counts.enumerated() {
      if index > 0 { write(",") }
      writeJSON(count.name)
      write(":")
      write(count.keys)
    }
    write("}")
  }
}

extension ResolvedCatalog {
  /// The counts at the head of its audit.
  var auditSummary: StorageAuditSummary {
    var summary = StorageAuditSummary(reserved: reserved.count)
    for key in keys { summary.add(key.descriptor) }
    return summary
  }
}
