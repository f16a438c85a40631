import LocalDataEmission
import CatalogModel
import StorageAudit
import StorageVocabulary

/// Writes catalogs as one Markdown document: counts, the entries of a privacy manifest, a table of the keys with the
/// fields that every key has, and a section for each key with its description, its notes and its other fields.
/// ``MarkdownRecordAudit`` adds databases and records.
///
/// A section does not repeat the table, so that a reviewer of ten thousand keys can read all of it.
enum MarkdownAuditEmitter {
  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    Array(catalogs.map { emitOverview($0) + emitFates($0) + emitKeys($0) }.joined(separator: "\n".utf8))
  }

  /// Returns the counts, the privacy manifest and the table of the keys.
  static func emitOverview(_ catalog: ResolvedCatalog) -> [UInt8] {
    OutputBuffer.collect(capacity: 1_024 + 512 * catalog.keys.count) { output in
      writeHead(catalog, to: &output)
      MarkdownValues(catalog: catalog).write(to: &output)
      writePrivacyManifest(of: catalog, to: &output)
      writeOverview(catalog.keys, to: &output)
    }
  }

  /// Returns the tables of the fates and of the weaknesses.
  static func emitFates(_ catalog: ResolvedCatalog) -> [UInt8] {
    OutputBuffer.collect(capacity: 16_384 + 256 * catalog.keys.count) { output in
      MarkdownFates(catalog: catalog).write(to: &output)
      MarkdownWeaknesses(catalog: catalog).write(to: &output)
    }
  }

  /// Returns the part below the tables: a section for each key, the reserved names, the databases and the records.
  static func emitKeys(_ catalog: ResolvedCatalog) -> [UInt8] {
    OutputBuffer.collect(capacity: 1_024 + 512 * catalog.keys.count) { output in
      output.write("\n## Keys\n\n")
      output.write(ordinary)
      let source = catalog.sourceName
      for index in catalog.keys.indices { write(catalog.keys[index], source, to: &output) }
      writeReserved(catalog.reserved, to: &output)
      MarkdownRecordAudit(catalog: catalog).write(to: &output)
    }
  }

  private static func writeHead(_ catalog: ResolvedCatalog, to output: inout OutputBuffer) {
    let summary = catalog.auditSummary
    output.write("# ")
    output.write(catalog.name)
    output.write(catalog.records.isEmpty ? "\n\nThe keys of " : "\n\nThe keys and records of ")
    output.writeMarkdown(catalog.sourceName, in: .document)
    output.write(", written by local-data: ")
    output.write(summary.text)
    output.write(".\n\n")
    if !catalog.records.isEmpty {
      output.writeFact("Records: ", catalog.records.map(\.name).joined(separator: ", "), isFree: false)
    }
    output.writeFact("Domains: ", StorageAuditSummary.text(summary.domains))
    output.writeFact("Security: ", StorageAuditSummary.text(summary.securities))
    output.writeFact("Sensitivity: ", StorageAuditSummary.text(summary.sensitivities))
  }

  /// Writes the entries that the catalog needs in the app's privacy manifest, by Apple's names.
  private static func writePrivacyManifest(of catalog: ResolvedCatalog, to output: inout OutputBuffer) {
    let manifest = PrivacyManifest(catalog)
    guard !manifest.entries.isEmpty else { return }
    output.write("\n## Privacy manifest\n\n")
    output.write("| data type | linked | tracking | purposes | ")
    output.write(catalog.records.isEmpty ? "keys" : "keys and records")
    output.write(" |\n|---|---|---|---|---|\n")
    for entry in manifest.entries {
      output.write("| ")
      output.write(entry.dataType.manifestName)
      output.writeCell(entry.isLinked ? "yes" : "no", isFree: false)
      output.writeCell(entry.isTracking ? "yes" : "no", isFree: false)
      output.writeCell(entry.purposes.map(\.manifestName).joined(separator: ", "), isFree: false)
      output.writeCell(entry.members.joined(separator: ", "), isFree: false)
      output.write(" |\n")
    }
  }

  private static func writeOverview(_ keys: [ResolvedKey], to output: inout OutputBuffer) {
    output.write("\n## Overview\n\n")
    output.write("| key | stored name | type | where | secured | serializer | sensitivity | owner | sync | kept |\n")
    output.write("|---|---|---|---|---|---|---|---|---|---|\n")
    for index in keys.indices { writeRow(keys[index], to: &output) }
  }

  private static let ordinary: StaticString = """
    Unless its section says otherwise, a key exists on every device, a value has at most 1 MiB (in a file 16 MiB), and
    backups of the device include it.

    """

  private static func writeRow(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.write("| ")
    output.write(key.descriptor.member)
    output.writeCell(key.descriptor.name)
    output.writeCell(key.descriptor.valueType)
    output.writeCell(key.descriptor.domain.auditText)
    output.writeCell(key.descriptor.security.auditText, isFree: key.descriptor.security.kind == .encrypted)
    output.writeCell(key.descriptor.serializer.auditText, isFree: key.descriptor.serializer.kind == .custom)
    output.writeCell(key.descriptor.sensitivity.rawValue, isFree: false)
    output.writeCell(key.descriptor.owner)
    output.writeCell(key.descriptor.syncText, isFree: false)
    output.writeCell(key.descriptor.keptText, isFree: false)
    output.write(" |\n")
  }

  private static func write(_ key: ResolvedKey, _ source: String, to output: inout OutputBuffer) {
    output.write("\n### ")
    output.write(key.descriptor.member)
    output.write("\n\n")
    output.writeMarkdown(key.descriptor.description, in: .document)
    output.write("\n\n")
    key.descriptor.forEachAuditFact(besideTable: true) { output.writeFact($0, $1, isFree: $2) }
    if let privacy = key.privacy { output.writeFact("Privacy: ", privacy.auditText, isFree: false) }
    if let review = key.review { output.writeFact("Reviewed: ", review.auditText) }
    output.write("- Declared: ")
    output.writeMarkdown(source, in: .document)
    output.write(", line ")
    output.write(key.line)
    output.write("\n")
    key.descriptor.forEachAuditNote { output.writeFact("Note: ", $0) }
  }

  private static func writeReserved(_ names: [ResolvedReservedName], to output: inout OutputBuffer) {
    guard !names.isEmpty else { return }
    output.write("\n## Reserved names\n\n| name | where | leftovers | note |\n|---|---|---|---|\n")
    for name in names {
      output.write("| ")
      output.writeMarkdown(name.name, in: .document)
      output.writeCell(name.domain.auditText)
      output.writeCell(name.reservation.leftoversText)
      output.writeCell(name.note ?? "")
      output.write(" |\n")
    }
  }
}

extension OutputBuffer {
  mutating func writeFact(_ label: StaticString, _ text: String, isFree: Bool = true) {
    write("- ")
    write(label)
    if isFree { writeMarkdown(text, in: .document) } else { write(text) }
    write("\n")
  }

  mutating func writeCell(_ text: String, isFree: Bool = true) {
    write(" | ")
    if isFree { writeMarkdown(text, in: .document) } else { write(text) }
  }
}
