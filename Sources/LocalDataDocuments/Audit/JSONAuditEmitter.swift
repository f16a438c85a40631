import LocalDataEmission
import LocalDataModel
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

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
/// the entries that the keys and the records need in `NSPrivacyCollectedDataTypes` of the app's privacy manifest. A change that
/// removes or renames a field increases `format`; a new field does not. Each key is one line, so that a diff shows which keys changed.
enum JSONAuditEmitter {
  static let format = 2

  static func emit(_ catalogs: [AuditedCatalog]) -> [UInt8] {
    OutputBuffer.collect(capacity: 512 + 1_024 * catalogs.reduce(0) { $0 + $1.catalog.keys.count }) { output in
      JSONForm.audit.write(&output, catalogs)
      output.write("\n")
    }
  }
}

/// A catalog with what documents say of it besides its declarations. All documents of a run share it.
///
/// A class, because each job and each section of a key would count a reference to every list in it.
final class AuditedCatalog: Sendable {
  let catalog: ResolvedCatalog
  let values: AuditedValues
  let fates: CatalogFates
  let weaknesses: WeaknessSection
  /// The same answers with the names that JSON gives them.
  let namedWeaknesses: JSONWeaknesses

  init(_ catalog: ResolvedCatalog) {
    self.catalog = catalog
    values = AuditedValues([catalog])
    fates = CatalogFates(catalog)
    weaknesses = WeaknessSection([catalog])
    namedWeaknesses = JSONWeaknesses(catalog)
  }

  /// The keys with the names of their fates and of their answers to OWASP's weaknesses.
  fileprivate var keys: some Sequence<AuditedKey> {
    catalog.keys.indices.lazy.map { [self] index in
      AuditedKey(
        key: catalog.keys[index], fate: fates.profiles[fates.keys[index]].name, answers: namedWeaknesses.keys[index])
    }
  }

  fileprivate var unmanaged: [AuditedUnmanaged]? {
    catalog.unmanaged.map { data in
      AuditedUnmanaged(
        data: data, fate: fates.index(of: data).map { fates.profiles[$0].name },
        answers: namedWeaknesses.name(of: data))
    }.nonEmpty
  }

  fileprivate var records: [AuditedRecord]? {
    catalog.records.indices.map { AuditedRecord($0, of: catalog, fates, answers: namedWeaknesses.name(of:)) }.nonEmpty
  }
}

/// A key with what a document says of it besides its declaration.
struct AuditedKey {
  let key: ResolvedKey
  let fate: String
  let answers: String?

  fileprivate var notes: [String] {
    var notes: [String] = []
    key.descriptor.forEachAuditNote { notes.append($0) }
    return notes
  }
}

extension JSONForm<[AuditedCatalog]> {
  static let audit = Self.object([
    .required("format", .format, onOwnLine: true) { _ in JSONAuditEmitter.format },
    .required("catalogs", .list(of: .catalog.named("catalog")), onOwnLine: true) { $0 },
  ])
}

extension JSONForm<Int> {
  fileprivate static let format = Self(schema: .constant(JSONAuditEmitter.format)) { $0.write($1) }
}

extension JSONForm<AuditedCatalog> {
  static let catalog = Self.object([
    .required("name", .text, onOwnLine: true, \.catalog.name), .required("source", .text, \.catalog.sourceName),
    .required("access", .word, \.catalog.access),
    .required("summary", .summary.named("summary"), onOwnLine: true) {
      AuditedCounts(summary: $0.catalog.keySummary, values: $0.values)
    },
    .required("notEncrypted", .lines(of: .exposure), onOwnLine: true, \.values.exposures),
    .required("leaves", .lines(of: .departure), onOwnLine: true, \.values.departures),
    .optional("privacyManifest", .lines(of: .manifestEntry.named("manifestEntry")), onOwnLine: true) {
      PrivacyManifest($0.catalog).entries.nonEmpty
    },
    .optional("fates", .fates, onOwnLine: true) { $0.fates.profiles.isEmpty ? nil : $0.fates },
    .optional("fateRules", .lines(of: .rule), onOwnLine: true, \.fates.rules.nonEmpty),
    .optional("masvs", .weaknesses.named("masvs"), onOwnLine: true, \.namedWeaknesses.ifAny),
    .required("keys", .keys, onOwnLine: true) { $0 },
    .required("reserved", .lines(of: .reservedName), onOwnLine: true, \.catalog.reserved),
    .optional("databases", .lines(of: .database.named("database")), onOwnLine: true, \.catalog.databases.nonEmpty),
    .optional("sources", .lines(of: .source.named("importSource")), onOwnLine: true, \.catalog.sources.nonEmpty),
    .optional("unmanaged", .lines(of: .unmanaged.named("unmanaged")), onOwnLine: true, \.unmanaged),
    .optional("records", .lines(of: .record.named("record")), onOwnLine: true, \.records),
    .optional(
      "reservedRecords", .lines(of: .reservedRecord.named("reservedRecord")), onOwnLine: true,
      \.catalog.reservedRecords.nonEmpty),
    .optional(
      "backups", .lines(of: .backup.named("backupFile")), onOwnLine: true, \.catalog.backupFiles.nonEmpty),
  ])

  /// A list of ten thousand keys is not made first.
  private static let keys = Self(schema: .list(.reference("key"))) { output, audited in
    output.writeLines("[", "]", audited.keys, JSONForm<AuditedKey>.key.write)
  }
}

/// The counts of a catalog.
struct AuditedCounts {
  let summary: StorageAuditSummary
  let values: AuditedValues
}

extension JSONForm<AuditedCounts> {
  static let summary = Self.object([
    .required("keys", .integer, \.summary.keys), .required("families", .integer, \.summary.families),
    .required("legacy", .integer, \.summary.legacy), .required("deprecated", .integer, \.summary.deprecated),
    .optional("records", .integer) { $0.summary.records > 0 ? $0.summary.records : nil },
    .optional("databases", .integer) { $0.summary.databases > 0 ? $0.summary.databases : nil },
    .required("reserved", .integer, \.summary.reserved),
    .required("domains", .counts(StorageDomain.Kind.self), \.summary.domains),
    .required("security", .counts(SecurityPolicy.Kind.self), \.summary.securities),
    .required("sensitivity", .counts(Sensitivity.self), \.summary.sensitivities),
    .required("values", .values, \.values),
  ])
}

extension JSONForm<[StorageAuditSummary.Count]> {
  fileprivate static func counts<Name: CaseIterable & RawRepresentable<String>>(_ names: Name.Type) -> Self {
    Self(schema: .counts(names.allCases.map(\.rawValue))) { output, counts in
      output.writeMap(counts.map { ($0.name, $0.keys) }, { $0 }, JSONForm<Int>.integer.write)
    }
  }
}

extension JSONForm<AuditedValues> {
  /// The number of values of each sensitivity, by their protection.
  fileprivate static let values = Self(
    schema: .object(
      AuditedPart.Protection.allCases.map {
        JSONSchema.required($0.rawValue, .counts(Sensitivity.allCases.map(\.rawValue)))
      })
  ) { output, values in
    output.writeMap(AuditedPart.Protection.allCases.map { ($0, $0) }, \.rawValue) { output, protection in
      let counts = Sensitivity.allCases.map { ($0, values.count($0, protection)) }
      output.writeMap(counts, \.rawValue) { $0.write($1) }
    }
  }
}

extension JSONForm<AuditedKey> {
  static let key = Self.object([
    .required("line", .integer, \.key.line), .required("access", .word, \.key.access), .descriptor,
    .optional("valid", .valid, \.key.valid), .optional("title", .text, \.key.labels.title),
    .optional("tags", .texts, \.key.labels.tags.nonEmpty),
    .optional("privacy", .privacy.named("privacy"), \.key.privacy),
    .optional("review", .review.named("review"), \.key.review), .required("fate", .text, \.fate),
    .optional("masvs", .text, \.answers), .required("notes", .texts, \.notes),
  ])
}

extension JSONForm<PrivacyManifest.Entry> {
  /// Apple's keys, as a property list of a manifest has them.
  static let manifestEntry = Self.object([
    .required("NSPrivacyCollectedDataType", .dataType, \.dataType),
    .required("NSPrivacyCollectedDataTypeLinked", .flag, \.isLinked),
    .required("NSPrivacyCollectedDataTypeTracking", .flag, \.isTracking),
    .required("NSPrivacyCollectedDataTypePurposes", .list(of: .purpose), \.purposes),
  ])
}

extension JSONForm<ResolvedPrivacy.DataType> {
  fileprivate static let dataType = Self(schema: .words(Value.allCases.map(\.manifestName))) {
    $0.writeJSON($1.manifestName)
  }
}

extension JSONForm<ResolvedPrivacy.Purpose> {
  fileprivate static let purpose = Self(schema: .words(Value.allCases.map(\.manifestName))) {
    $0.writeJSON($1.manifestName)
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
