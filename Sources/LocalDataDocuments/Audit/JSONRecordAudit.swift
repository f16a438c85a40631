import LocalDataEmission
import CatalogModel
import StorageVocabulary

/// Writes the databases and the records of a catalog as JSON.
///
///     "databases": [{"line": 12, "access": "public", "member": "wallet", "name": "wallet", …}],
///     "records": [{"line": 30, "access": "public", "type": "Credential", "name": "Credential", …, "fields": [
///       {"number": 1, "member": "id", "name": "id", "type": "String", …}
///     ]}]
///
/// A catalog without them has neither list. Each field is one line, so that a diff shows which fields changed.
struct JSONRecordAudit {
  let catalog: ResolvedCatalog
  let fates: CatalogFates
  let weaknesses: JSONWeaknesses

  func write(to output: inout OutputBuffer) {
    if !catalog.databases.isEmpty {
      output.writeLines("databases", catalog.databases) { write($1, to: &$0) }
    }
    if !catalog.records.isEmpty { output.writeLines("records", catalog.records) { write($1, to: &$0) } }
    if !catalog.reservedRecords.isEmpty {
      output.writeLines("reservedRecords", catalog.reservedRecords) { write($1, to: &$0) }
    }
  }

  private func write(_ database: ResolvedDatabase, to output: inout OutputBuffer) {
    output.write("{\"line\":\(database.line)")
    output.writeField("access", database.access.rawValue)
    output.writeField("member", database.member)
    output.writeField("name", database.name)
    output.writeFieldName("domain")
    output.writeJSON(database.domain)
    output.writeField("protection", database.protection.rawValue)
    output.writeFieldName("sealing")
    output.writeExplicitJSON(database.sealing)
    output.writeFlag("backup", database.isInBackup)
    writeMoves(database.movedFrom, to: &output)
    output.writeField("owner", database.owner)
    output.writeField("description", database.description)
    output.write("}")
  }

  private func write(_ reserved: ResolvedReservedRecord, to output: inout OutputBuffer) {
    output.write("{")
    output.writeField("record", reserved.record, isFirst: true)
    output.writeField("database", reserved.database)
    if let note = reserved.note { output.writeField("note", note) }
    output.write("}")
  }

  private func writeMoves(_ addresses: [ResolvedDatabase.Address], to output: inout OutputBuffer) {
    guard !addresses.isEmpty else { return }
    output.writeFieldName("movedFrom")
    for (index, address) in addresses.enumerated() {
      output.write(index == 0 ? "[{\"domain\":" : ",{\"domain\":")
      output.writeJSON(address.domain)
      output.writeField("name", address.name)
      output.write("}")
    }
    output.write("]")
  }

  private func write(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("{\"line\":\(record.line)")
    output.writeField("access", record.access.rawValue)
    output.writeField("type", record.name)
    output.writeField("name", record.storedName)
    output.writeField("member", record.member)
    output.writeField("database", record.database)
    output.writeField("key", record.key)
    output.writeField("owner", record.owner)
    output.writeField("description", record.description)
    output.writeField("sensitivity", record.sensitivity.rawValue)
    if let database = catalog.database(of: record) {
      var copies = BackupCopies()
      for part in AuditedPart.all(of: record, in: database, &copies) {
        output.writeField(
          part.protection == .none ? "plainSensitivity" : "sealedSensitivity", part.sensitivity.rawValue)
      }
    }
    if let privacy = record.privacy { output.writePrivacy(privacy) }
    if let review = record.review { output.writeReview(review) }
    if let deprecation = record.deprecation {
      output.writeField("deprecated", deprecation.reason)
      if let renamedTo = deprecation.renamedTo { output.writeField("renamedTo", renamedTo) }
    }
    if let retention = record.retention {
      output.writeFieldName("retention")
      output.writeJSON(FieldValue(retention))
    }
    if let expires = record.expires { output.writeField("expires", expires) }
    if record.skipsDamaged { output.writeField("onCorruption", "skip") }
    if let maxSize = record.maxSize {
      output.writeFieldName("maxSize")
      output.write(maxSize)
    }
    if let (plain, sealed) = fates.indices(of: record) {
      output.writeField("fate", fates.profiles[plain].name)
      if let sealed { output.writeField("sealedFate", fates.profiles[sealed].name) }
    }
    weaknesses.writeField(of: record, to: &output)
    writeIndexes("indexes", record.indexes, of: record, to: &output)
    writeIndexes("unique", record.unique, of: record, to: &output)
    writeIndexes("keepFirst", record.unique.filter { record.existing[$0]?.kept == .keepFirst }, of: record, to: &output)
    writeIndexes("keepLast", record.unique.filter { record.existing[$0]?.kept == .keepLast }, of: record, to: &output)
    writeIndexes("cascading", record.unique.filter { record.existing[$0]?.cascades == true }, of: record, to: &output)
    writeReserved(record.reserved, to: &output)
    output.write(",\"fields\":[")
    for (index, field) in record.fields.enumerated() {
      output.write(index == 0 ? "\n" : ",\n")
      write(field, to: &output)
    }
    output.write("\n]}")
  }

  private func write(_ field: ResolvedRecord.Field, to output: inout OutputBuffer) {
    output.write("{\"number\":\(field.number)")
    output.writeField("member", field.name)
    output.writeField("name", field.storedName)
    output.writeField("type", field.type.swiftText)
    if let value = field.defaultValue { output.writeField("default", value.auditText) }
    output.writeField("sensitivity", field.sensitivity.rawValue)
    output.write(",\"encrypted\":")
    switch field.encryption {
    case .none: output.write("false")
    case .sealed: output.write("true")
    case .blind: output.write("{\"index\":\"blind\"}")
    }
    if let reference = field.reference {
      output.writeField("references", reference.record)
      output.writeField("onDelete", reference.onDelete.rawValue)
    }
    if field.isInSeconds { output.writeField("wire", "seconds") }
    writeTransforms(field.transforms, to: &output)
    if let privacy = field.privacy { output.writePrivacy(privacy) }
    if let description = field.description { output.writeField("description", description) }
    output.write("}")
  }

  /// Writes the functions that make a field from earlier ones, the newest first.
  private func writeTransforms(_ transforms: [ResolvedRecord.Transform], to output: inout OutputBuffer) {
    guard !transforms.isEmpty else { return }
    output.writeFieldName("from")
    output.writeArray(transforms) { output, transform in
      output.write("{\"fields\":")
      output.writeArray(transform.sources) { output, source in
        output.write("{\"number\":\(source.number)")
        output.writeField("type", source.type.swiftText)
        output.write(",\"encrypted\":\(source.isEncrypted)")
        if source.isInSeconds { output.writeField("wire", "seconds") }
        output.write("}")
      }
      output.writeField("transform", transform.function.text)
      output.write("}")
    }
  }

  /// Writes the names of the fields of each index.
  private func writeIndexes(
    _ name: StaticString, _ indexes: [[Int]], of record: ResolvedRecord, to output: inout OutputBuffer
  ) {
    guard !indexes.isEmpty else { return }
    output.writeFieldName(name)
    output.writeArray(indexes) { output, numbers in
      output.writeArray(record.names(of: numbers)) { $0.writeJSON($1) }
    }
  }

  private func writeReserved(_ reserved: [ResolvedRecord.Reserved], to output: inout OutputBuffer) {
    guard !reserved.isEmpty else { return }
    output.writeFieldName("reserved")
    output.writeArray(reserved) { output, each in
      output.write("{\"numbers\":")
      output.writeArray(each.numbers) { $0.write($1) }
      if !each.names.isEmpty { output.writeList("names", each.names) }
      if each.deletesValues { output.writeField("cleanup", StorageReservedName.Cleanup.delete.rawValue) }
      output.write("}")
    }
  }
}

extension OutputBuffer {
  /// Writes a list of a catalog with one element on each line.
  fileprivate mutating func writeLines<Element>(
    _ name: StaticString, _ elements: [Element], _ body: (inout OutputBuffer, Element) -> Void
  ) {
    write(",\n\"")
    write(name)
    write("\":[")
    for (index, element) in elements.enumerated() {
      write(index == 0 ? "\n" : ",\n")
      body(&self, element)
    }
    write("\n]")
  }
}
