import LocalDataEmission
import CatalogModel
import StorageAudit
import StorageVocabulary

/// Writes catalogs as one JSON document.
///
///     {
///     "format": 2,
///     "catalogs": [{
///       "name": "Account", "source": "Account.yaml", "access": "public",
///       "summary": {"keys": 4, "families": 1, "legacy": 1, "deprecated": 0, "reserved": 1,
///                   "domains": {…}, "security": {…}, "sensitivity": {…}, "values": {…}},
///       "privacyManifest": [{"NSPrivacyCollectedDataType": "NSPrivacyCollectedDataTypeEmailAddress", …}],
///       "keys": [{"line": 14, "access": "public", "member": "theme", "name": "theme", …, "notes": []}],
///       "reserved": [{"name": "session_v0", "domain": "userDefaults", "cleanup": "delete", "note": "…"}]
///     }]
///     }
///
/// A key has all fields of ``StorageKeyDescriptor`` in the form of the catalog language, its `privacy` and its `review` if the
/// catalog declares them, the names of its fates and of its answers to OWASP's weaknesses, and its notes. In place of the
/// sentence about its migration, it has the steps in `migrations`. ``AuditSchema`` describes the document. `privacyManifest` has
/// the entries that the keys and the records need in `NSPrivacyCollectedDataTypes` of the app's privacy manifest. ``JSONFates``
/// adds the fates, ``JSONValues`` what is exposed and what leaves the device, ``JSONWeaknesses`` the answers, and ``JSONRecordAudit`` databases and records. A change that removes or renames
/// a field increases `format`; a new field does not. Each key is one line, so that a diff shows which keys changed.
enum JSONAuditEmitter {
  static let format = 2

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
    let values = AuditedValues([catalog])
    write(catalog.keySummary, values, to: &output)
    JSONValues(values: values).write(to: &output)
    writePrivacyManifest(PrivacyManifest(catalog), to: &output)
    let fates = CatalogFates(catalog)
    JSONFates(fates: fates).write(to: &output)
    let weaknesses = JSONWeaknesses(catalog)
    weaknesses.write(to: &output)
    output.write(",\n\"keys\":[")
    for index in catalog.keys.indices {
      output.write(index == 0 ? "\n" : ",\n")
      write(catalog.keys[index], fates.profiles[fates.keys[index]].name, weaknesses.keys[index], to: &output)
    }
    output.write("\n],\n\"reserved\":[")
    for (index, name) in catalog.reserved.enumerated() {
      output.write(index == 0 ? "\n" : ",\n")
      output.writeReservedName(name)
    }
    output.write("\n]")
    JSONRecordAudit(catalog: catalog, fates: fates, weaknesses: weaknesses).write(to: &output)
    output.write("\n")
  }

  private static func write(
    _ key: ResolvedKey, _ fate: String, _ answers: String?, to output: inout OutputBuffer
  ) {
    output.write("{\"line\":")
    output.write(key.line)
    output.writeField("access", key.access.rawValue)
    output.write(",")
    output.writeDescriptor(key) { $0.writeMigration($1) }
    if let privacy = key.privacy { output.writePrivacy(privacy) }
    if let review = key.review { output.writeReview(review) }
    output.writeField("fate", fate)
    if let answers { output.writeField("masvs", answers) }
    output.write(",\"notes\":[")
    var isFirst = true
    key.descriptor.forEachAuditNote { note in
      if !isFirst { output.write(",") }
      isFirst = false
      output.writeJSON(note)
    }
    output.write("]}")
  }

  /// Writes the entries with Apple's keys, as a property list of a manifest has them.
  private static func writePrivacyManifest(_ manifest: PrivacyManifest, to output: inout OutputBuffer) {
    guard !manifest.entries.isEmpty else { return }
    output.write(",\n\"privacyManifest\":[")
    for (index, entry) in manifest.entries.enumerated() {
      output.write(index == 0 ? "\n{" : ",\n{")
      output.writeField("NSPrivacyCollectedDataType", entry.dataType.manifestName, isFirst: true)
      output.writeFlag("NSPrivacyCollectedDataTypeLinked", entry.isLinked)
      output.writeFlag("NSPrivacyCollectedDataTypeTracking", entry.isTracking)
      output.writeList("NSPrivacyCollectedDataTypePurposes", entry.purposes.map(\.manifestName))
      output.write("}")
    }
    output.write("\n]")
  }

  private static func write(_ summary: StorageAuditSummary, _ values: AuditedValues, to output: inout OutputBuffer) {
    output.write("{\"keys\":")
    output.write(summary.keys)
    output.writeCount("families", summary.families)
    output.writeCount("legacy", summary.legacy)
    output.writeCount("deprecated", summary.deprecated)
    if summary.records > 0 { output.writeCount("records", summary.records) }
    if summary.databases > 0 { output.writeCount("databases", summary.databases) }
    output.writeCount("reserved", summary.reserved)
    output.writeCounts("domains", summary.domains)
    output.writeCounts("security", summary.securities)
    output.writeCounts("sensitivity", summary.sensitivities)
    output.writeFieldName("values")
    output.write("{")
    for (index, protection) in AuditedPart.Protection.allCases.enumerated() {
      if index > 0 { output.write(",") }
      output.writeJSON(protection.rawValue)
      output.write(":{")
      for (index, sensitivity) in Sensitivity.allCases.enumerated() {
        if index > 0 { output.write(",") }
        output.writeJSON(sensitivity.rawValue)
        output.write(":")
        output.write(values.count(sensitivity, protection))
      }
      output.write("}")
    }
    output.write("}}")
  }
}

extension OutputBuffer {
  /// Writes the declaration of a key, a record or a field in the form of the catalog language.
  mutating func writePrivacy(_ privacy: ResolvedPrivacy) {
    writeFieldName("privacy")
    write("{")
    writeFlag("collected", privacy.isCollected, isFirst: true)
    if privacy.isCollected {
      writeFlag("linked", privacy.isLinked)
      writeFlag("tracking", privacy.isTracking)
      if let dataType = privacy.dataType { writeField("dataType", dataType.rawValue) }
      writeList("purposes", privacy.purposes.map(\.rawValue))
    }
    write("}")
  }

  mutating func writeReview(_ review: ResolvedReview) {
    writeFieldName("review")
    write("{")
    writeField("by", review.by, isFirst: true)
    writeField("until", review.until.text)
    write("}")
  }

  mutating func writeFlag(_ name: StaticString, _ flag: Bool, isFirst: Bool = false) {
    writeFieldName(name, isFirst: isFirst)
    write(flag ? "true" : "false")
  }

  mutating func writeList(_ name: StaticString, _ elements: [String]) {
    writeFieldName(name)
    write("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { write(",") }
      writeJSON(element)
    }
    write("]")
  }

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
  /// The counts at the beginning of the audit, without those of keys: what else there is, and the fields of records.
  var emptySummary: StorageAuditSummary {
    var summary = summaryOfNames
    for record in records {
      guard let database = database(of: record) else { continue }
      for field in record.fields {
        let security = field.encryption == .none ? .none : database.sealing.kind
        summary.count(database.domain.kind, security, record.toldSensitivity(of: field))
      }
    }
    return summary
  }

  /// The counts at the beginning of the audit.
  var auditSummary: StorageAuditSummary { addingKeys(to: emptySummary) }

  /// The counts, of which domains, securities and sensitivities are those of keys alone.
  var keySummary: StorageAuditSummary { addingKeys(to: summaryOfNames) }

  private var summaryOfNames: StorageAuditSummary {
    var summary = StorageAuditSummary(reserved: reserved.count + reservedRecords.count)
    summary.records = records.count
    summary.databases = databases.count
    return summary
  }

  private func addingKeys(to start: StorageAuditSummary) -> StorageAuditSummary {
    var summary = start
    // To pass a descriptor would copy it, with a dozen references in it.
    for key in keys {
      summary.add(
        isFamily: !key.descriptor.parameters.isEmpty, isLegacy: key.descriptor.isLegacy,
        isDeprecated: key.descriptor.deprecation != nil, domain: key.descriptor.domain.kind,
        security: key.descriptor.security.kind, sensitivity: key.descriptor.sensitivity)
    }
    return summary
  }
}
