import LocalDataEmission
import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// Writes catalogs as one table in CSV: a row for each key, for each field of a record, for each database, and for
/// each declaration of unmanaged data.
///
///     kind,catalog,name,storedName,type,where,security,…
///     key,Account,theme,theme,Theme,"userDefaults, the app's own","none, stored as it is",…
///     field,Wallet,Credential.issuer,iss,String,"wallet: fileSystem, applicationSupport",…
///
/// A cell without a value is empty. New columns are added at the end.
enum CSVAudit {
  static let columns = [
    "kind", "catalog", "name", "storedName", "type", "where", "security", "serializer", "sensitivity", "owner",
    "availability", "sync", "kept", "backup", "collected", "dataType", "linked", "tracking", "purposes", "reviewedBy",
    "reviewedUntil", "deprecated", "description", "notes", "source", "line", "protection", "partSensitivity", "leaves",
    "privateKey",
  ]

  static func emit(_ catalogs: [ResolvedCatalog]) -> [UInt8] {
    OutputBuffer.collect(capacity: 1_024 + 512 * catalogs.reduce(0) { $0 + $1.keys.count }) { output in
      output.writeCSVRow(columns)
      var storages = AuditedStorages()
      for catalog in catalogs {
        for key in catalog.keys {
          let privateKey = key.descriptor.signing?.enclaveText ?? ""
          output.writeCSVRow(row(of: key, in: catalog) + cells(of: AuditedPart(key, &storages)) + [privateKey])
        }
        for record in catalog.records {
          let database = catalogs.lazy.flatMap(\.databases).first { $0.member == record.database }
          let parts = database.map { AuditedPart.all(of: record, in: $0, &storages) } ?? []
          for field in record.fields {
            let part = parts.first { ($0.protection == .none) == (field.encryption == .none) }
            output.writeCSVRow(row(of: field, record, database, in: catalog) + cells(of: part) + [""])
          }
        }
        for database in catalog.databases {
          output.writeCSVRow(row(of: database, in: catalog) + cells(of: nil as AuditedPart?) + [""])
        }
        for data in catalog.unmanaged {
          output.writeCSVRow(row(of: data, in: catalog) + cells(of: AuditedPart(data, &storages)) + [""])
        }
      }
    }
  }

  private static func row(of key: ResolvedKey, in catalog: ResolvedCatalog) -> [String] {
    let descriptor = key.descriptor
    var notes: [String] = []
    descriptor.forEachAuditNote { notes.append($0) }
    let isSynchronized = key.storedFacts.isSynchronizable && descriptor.syncPolicy == .never
    let sync = isSynchronized ? "iCloudKeychain" : descriptor.syncPolicy.rawValue
    let start = [
      "key", catalog.name, descriptor.member, descriptor.name, descriptor.valueType, descriptor.domain.auditText,
      descriptor.security.auditText, descriptor.serializer.auditText, descriptor.sensitivity.rawValue,
      descriptor.owner, descriptor.availability.rawValue, sync, descriptor.keptText,
      descriptor.backupText,
    ]
    let end = [
      descriptor.deprecation ?? "", descriptor.description, notes.joined(separator: " "), catalog.sourceName,
      String(key.line),
    ]
    return start + cells(of: key.privacy) + cells(of: key.review) + end
  }

  private static func row(
    of field: ResolvedRecord.Field, _ record: ResolvedRecord, _ database: ResolvedDatabase?,
    in catalog: ResolvedCatalog
  ) -> [String] {
    let start = [
      "field", catalog.name, "\(record.name).\(field.name)", field.storedName, field.type.swiftText,
      "\(record.database)\(database.map { ": \($0.whereText)" } ?? "")", database?.securityText(of: field) ?? "", "",
      field.sensitivity.rawValue, record.owner, "", "", record.retention?.auditText ?? "until removed",
      database.map { $0.isInBackup ? "included" : "excluded" } ?? "",
    ]
    let end = [
      record.deprecation?.reason ?? "", field.description ?? record.description, "", catalog.sourceName,
      String(field.line),
    ]
    return start + cells(of: field.privacy) + cells(of: record.review) + end
  }

  private static func row(of database: ResolvedDatabase, in catalog: ResolvedCatalog) -> [String] {
    let start = [
      "database", catalog.name, database.member, database.name, "", database.whereText,
      "file protection \(database.protection.rawValue)", "", "", database.owner, "", "", "",
      database.isInBackup ? "included" : "excluded",
    ]
    return start + cells(of: nil as ResolvedPrivacy?) + cells(of: nil as ResolvedReview?)
      + ["", database.description, "", catalog.sourceName, String(database.line)]
  }

  private static func row(of data: ResolvedUnmanaged, in catalog: ResolvedCatalog) -> [String] {
    let descriptor = data.descriptor
    let start = [
      ResolvedUnmanaged.section, catalog.name, data.member, data.storedName, "", data.whereText, data.securedText, "",
      descriptor.sensitivity.rawValue, descriptor.owner, "", "", descriptor.periodText, descriptor.backupText,
    ]
    return start + cells(of: data.key.privacy) + cells(of: nil as ResolvedReview?)
      + ["", descriptor.description, "", catalog.sourceName, String(data.key.line)]
  }

  /// The protection, the sensitivity of the most sensitive field that has the same one, and what leaves the device.
  private static func cells(of part: AuditedPart?) -> [String] {
    part.map { [$0.protection.rawValue, $0.sensitivity.rawValue, $0.storage.departureText] } ?? ["", "", ""]
  }

  private static func cells(of review: ResolvedReview?) -> [String] {
    [review?.by ?? "", review?.until.text ?? ""]
  }

  private static func cells(of privacy: ResolvedPrivacy?) -> [String] {
    guard let privacy else { return ["", "", "", "", ""] }
    guard privacy.isCollected else { return ["no", "", "", "", ""] }
    return [
      "yes", privacy.dataType?.rawValue ?? "", privacy.isLinked ? "yes" : "no", privacy.isTracking ? "yes" : "no",
      privacy.purposes.map(\.rawValue).joined(separator: " "),
    ]
  }
}

extension ResolvedDatabase {
  /// The protection of a field's values, in words.
  func securityText(of field: ResolvedRecord.Field) -> String {
    securityText(of: field.encryption == .none ? .none : .encrypted)
      + (field.encryption == .blind ? ", with a blind index" : "")
  }
}
