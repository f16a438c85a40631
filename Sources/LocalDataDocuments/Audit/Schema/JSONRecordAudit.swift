import LocalDataModel
import LocalDataEmission
import LocalDataAudit
import LocalDataVocabulary

/// A record with what a document says of it besides its declaration.
struct AuditedRecord {
  let record: ResolvedRecord
  /// The most sensitive of the plain and of the encrypted fields.
  var plain: Sensitivity?
  var sealed: Sensitivity?
  /// The names of the fates of the plain and of the encrypted fields.
  var fate: String?
  var sealedFate: String?
  /// The name of the answers to OWASP's weaknesses.
  let answers: String?

  init(_ position: Int, of catalog: ResolvedCatalog, _ fates: CatalogFates, answers: (ResolvedRecord) -> String?) {
    let record = catalog.records[position]
    self.record = record
    self.answers = answers(record)
    if let database = catalog.database(of: record) {
      var storages = AuditedStorages()
      for part in AuditedPart.all(of: record, in: database, &storages) {
        if part.protection == .none { plain = part.sensitivity } else { sealed = part.sensitivity }
      }
    }
    if let indices = fates.indices(ofRecord: position) {
      fate = fates.profiles[indices.plain].name
      sealedFate = indices.sealed.map { fates.profiles[$0].name }
    }
  }

  /// The names of the fields of each index; nil if there is none.
  fileprivate func names(_ indexes: [[Int]]) -> [[String]]? { indexes.map { record.names(of: $0) }.nonEmpty }

  fileprivate func names(_ isIncluded: (ResolvedRecord.Existing) -> Bool) -> [[String]]? {
    names(record.unique.filter { record.existing[$0].map(isIncluded) ?? false })
  }
}

// The databases and the records of a catalog as JSON. A catalog without them has neither list.
//
//     "databases": [{"line": 12, "access": "public", "member": "wallet", "name": "wallet", …}],
//     "records": [{"line": 30, "access": "public", "type": "Credential", "name": "Credential", …, "fields": [
//       {"number": 1, "member": "id", "name": "id", "type": "String", …}
//     ]}]

extension JSONForm<ResolvedDatabase> {
  static let database = Self.object([
    .required("line", .integer, \.line), .required("access", .word, \.access), .required("member", .text, \.member),
    .required("name", .text, \.name), .required("domain", .domain, \.domain),
    .required("protection", .word, \.protection), .required("sealing", .security, \.sealing),
    .required("backup", .flag, \.isInBackup), .optional("movedFrom", .list(of: .address), \.movedFrom.nonEmpty),
    .required("owner", .text, \.owner), .required("description", .text, \.description),
  ])
}

extension JSONForm<ResolvedDatabase.Address> {
  fileprivate static let address = Self.object([
    .required("domain", .domain, \.domain), .required("name", .text, \.name),
  ])
}

extension JSONForm<ResolvedReservedRecord> {
  static let reservedRecord = Self.object([
    .required("record", .text, \.record), .required("database", .text, \.database), .optional("note", .text, \.note),
  ])
}

extension JSONForm<ResolvedBackupFile> {
  static let backup = Self.object([
    .required("line", .integer, \.line), .required("member", .text, \.member),
    .optional("records", .texts, \.records.nonEmpty), .optional("keys", .texts, \.keys.nonEmpty),
    .optional("privateKeys", .texts, \.privateKeys.nonEmpty),
    .optional("personalData", .personalData.named("personalData"), \.personalData),
    .required("encrypted", .flag, \.isEncrypted),
    .required("description", .text, \.description),
  ])
}

extension JSONForm<ResolvedBackupFile.PersonalData> {
  static let personalData = Self.object([
    .optional("records", .texts, \.records.nonEmpty), .optional("keys", .texts, \.keys.nonEmpty),
    .optional("leftOut", .texts, \.leftOut.nonEmpty),
  ])
}

extension JSONForm<AuditedRecord> {
  static let record = Self.object([
    .required("line", .integer, \.record.line), .required("access", .word, \.record.access),
    .required("type", .text, \.record.name), .required("name", .text, \.record.storedName),
    .required("member", .text, \.record.member), .required("database", .text, \.record.database),
    .required("key", .text, \.record.key), .required("owner", .text, \.record.owner),
    .required("description", .text, \.record.description), .required("sensitivity", .word, \.record.sensitivity),
    .optional("plainSensitivity", .word, \.plain), .optional("sealedSensitivity", .word, \.sealed),
    .optional("signOut", .signOut, \.record.signOut),
    .optional("title", .text, \.record.labels.title), .optional("tags", .texts, \.record.labels.tags.nonEmpty),
    .optional("privacy", .privacy.named("privacy"), \.record.privacy),
    .optional("review", .review.named("review"), \.record.review),
    .optional("deprecated", .text, \.record.deprecation?.reason),
    .optional("renamedTo", .text, \.record.deprecation?.renamedTo),
    .optional("retention", .recordRetention, \.record.retention), .optional("expires", .text, \.record.expires),
    .optional("onCorruption", .onCorruption) { $0.record.skipsDamaged ? "skip" : nil },
    .optional("maxSize", .integer, \.record.maxSize), .optional("fate", .text, \.fate),
    .optional("sealedFate", .text, \.sealedFate), .optional("masvs", .text, \.answers),
    .optional("indexes", .names) { $0.names($0.record.indexes) },
    .optional("unique", .names) { $0.names($0.record.unique) },
    .optional("keepFirst", .names) { $0.names { $0.kept == .keepFirst } },
    .optional("keepLast", .names) { $0.names { $0.kept == .keepLast } },
    .optional("cascading", .names) { $0.names(\.cascades) },
    .optional("reserved", .list(of: .reserved), \.record.reserved.nonEmpty),
    .optional("importedFrom", .text, \.record.imported?.words),
    .required("fields", .lines(of: .field.named("recordField")), \.record.fields),
  ])
}

extension JSONForm<[[String]]> {
  fileprivate static let names = Self.list(of: .texts)
}

extension JSONForm<String> {
  fileprivate static let onCorruption = Self(schema: .words(["skip"])) { $0.writeJSON($1) }
  fileprivate static let wire = Self(schema: .words(["seconds"])) { $0.writeJSON($1) }
}

extension JSONForm<ValidValues> {
  static let valid = Self.object([
    .optional("range", .text, \.range?.text), .optional("count", .text, \.count?.text),
  ])
}

extension JSONForm<ResolvedRecord.SignOut> {
  fileprivate static let signOut = Self(
    schema: .either([.words([SignOutPolicy.keep.rawValue]), .object([JSONSchema.required("by")])])
  ) { $0.writeJSON($1.value) }
}

extension JSONForm<ResolvedRecord.Retention> {
  fileprivate static let recordRetention = Self(schema: .reference("retention")) { $0.writeJSON(FieldValue($1)) }
}

extension JSONForm<ResolvedRecord.Reserved> {
  fileprivate static let reserved = Self.object([
    .required("numbers", .list(of: .integer), \.numbers), .optional("names", .texts, \.names.nonEmpty),
    .optional("cleanup", .word) { $0.deletesValues ? StorageReservedName.Cleanup.delete : nil },
  ])
}

extension JSONForm<ResolvedRecord.Field> {
  static let field = Self.object([
    .required("number", .integer, \.number), .required("member", .text, \.name),
    .required("name", .text, \.storedName), .required("type", .text, \.type.swiftText),
    .optional("default", .text, \.defaultValue?.auditText), .required("sensitivity", .word, \.sensitivity),
    .required("encrypted", .encryption, \.encryption), .optional("references", .text, \.reference?.record),
    .optional("onDelete", .word, \.reference?.onDelete),
    .optional("wire", .wire) { $0.isInSeconds ? "seconds" : nil },
    .optional("from", .list(of: .transform), \.transforms.nonEmpty),
    .optional("valid", .valid, \.valid), .optional("privacy", .privacy.named("privacy"), \.privacy),
    .optional("description", .text, \.description),
  ])
}

extension JSONForm<ResolvedRecord.Encryption> {
  fileprivate static let encryption = Self(
    schema: .either([.flag, .object([JSONSchema.required("index", .words(["blind"]))])])
  ) { output, encryption in
    switch encryption {
    case .none: output.write("false")
    case .sealed: output.write("true")
    case .blind: output.write("{\"index\":\"blind\"}")
    }
  }
}

extension JSONForm<ResolvedRecord.Transform> {
  fileprivate static let transform = Self.object([
    .required("fields", .list(of: .source), \.sources), .required("transform", .text, \.function.text),
  ])
}

extension JSONForm<ResolvedRecord.Source> {
  fileprivate static let source = Self.object([
    .required("number", .integer, \.number), .required("type", .text, \.type.swiftText),
    .required("encrypted", .flag, \.isEncrypted), .optional("wire", .wire) { $0.isInSeconds ? "seconds" : nil },
  ])
}
