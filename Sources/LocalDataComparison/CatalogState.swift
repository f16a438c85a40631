package import LocalDataModel
package import LocalDataVocabulary

/// The declarations of a run's catalogs at one time: today's, those of a release, or those of a revision.
package struct CatalogState: Sendable {
  /// The words for it in messages: `release 1.2`, `revision main`.
  package var title: String
  /// The names of the catalogs, with their access.
  package var catalogs: [String: String]
  package var types: [String: DeclaredType]
  /// By member. In a release that is compared with today, only the keys that differ.
  package var keys: [String: DeclaredKey]
  package var reserved: [ReservedName]
  /// By member.
  package var databases: [String: DeclaredDatabase] = [:]
  /// By Swift type.
  package var records: [String: DeclaredRecord] = [:]
  package var reservedRecords: [ReservedRecord] = []
  /// By member.
  package var backups: [String: DeclaredBackupFile] = [:]
  /// By member.
  package var unmanaged: [String: DeclaredUnmanaged] = [:]

  /// A Boolean value that indicates whether the state has declarations that older tools do not know.
  package var hasRecords: Bool { !databases.isEmpty || !records.isEmpty }

  package struct ReservedName: Sendable, Hashable {
    package var catalog: String
    package var name: String
    package var domain: StorageDomain
    package var deletesLeftovers: Bool
    package var note: String?
  }

  /// A record that no catalog of the state may declare.
  package struct ReservedRecord: Sendable, Hashable {
    package var catalog: String
    package var reserved: ResolvedReservedRecord
  }

  package init(
    title: String, catalogs: [String: String] = [:], types: [String: DeclaredType] = [:],
    keys: [String: DeclaredKey] = [:], reserved: [ReservedName] = []
  ) {
    self.title = title
    self.catalogs = catalogs
    self.types = types
    self.keys = keys
    self.reserved = reserved
  }

  package init(_ resolved: [ResolvedCatalog], title: String) {
    self.init(title: title)
    keys.reserveCapacity(resolved.reduce(0) { $0 + $1.keys.count })
    for catalog in resolved {
      catalogs[catalog.name] = catalog.access.rawValue
      for type in catalog.types { types[type.name] = DeclaredType(type, catalog: catalog.name) }
      for key in catalog.keys { keys[key.descriptor.member] = DeclaredKey(key) }
      reserved += catalog.reserved.map { name in
        ReservedName(
          catalog: catalog.name, name: name.name, domain: name.domain, deletesLeftovers: name.deletesLeftovers,
          note: name.note)
      }
    }
    addRecords(of: resolved)
    addBackups(of: resolved)
    for catalog in resolved {
      for data in catalog.unmanaged { unmanaged[data.member] = DeclaredUnmanaged(data, catalog: catalog.name) }
    }
  }

  private mutating func addRecords(of resolved: [ResolvedCatalog]) {
    var resolvedTypes: [String: ResolvedType] = [:]
    for type in resolved.lazy.flatMap(\.types) { resolvedTypes[type.name] = type }
    for catalog in resolved {
      for database in catalog.databases {
        databases[database.member] = DeclaredDatabase(database, catalog: catalog.name)
      }
      for record in catalog.records {
        records[record.name] = DeclaredRecord(record, catalog: catalog.name, types: resolvedTypes)
      }
      reservedRecords += catalog.reservedRecords.map { ReservedRecord(catalog: catalog.name, reserved: $0) }
    }
    // Without records, nothing is stored by the numbers of fields.
    if !hasRecords { types = types.mapValues(\.withoutNumbers) }
  }
}

/// An earlier state, as far as it differs from today's.
package struct Baseline: Sendable {
  /// The keys that differ, and everything else.
  package var state: CatalogState
  /// The members of keys that are the same today.
  package var unchanged: [String]

  package init(state: CatalogState, unchanged: [String] = []) {
    self.state = state
    self.unchanged = unchanged
  }
}

/// A key of a state, by its fields.
package struct DeclaredKey: Sendable {
  private enum Content: Sendable {
    case resolved(ResolvedKey)
    /// The values in the order of the fields.
    case recorded([FieldValue])
  }

  private let content: Content
  package let member: String
  package let domain: StorageDomain
  package let security: SecurityPolicy
  /// The line of its declaration; 0 if it was read from a release.
  package let line: Int
  /// The stored form of a source that is compared in place of the key.
  private var sourceForm: StoredForm?

  init(_ key: ResolvedKey) {
    content = .resolved(key)
    member = key.descriptor.member
    domain = key.descriptor.domain
    security = key.descriptor.security
    line = key.line
  }

  /// A key of a release; nil if its place or its protection is unknown to this version.
  init?(_ values: [FieldValue]) {
    content = .recorded(values)
    func value(_ field: ResolvedField) -> FieldValue { values[field.index] }
    guard let member = value(.member).text, let domain = StorageDomain(leaves: value),
      let security = SecurityPolicy(leaves: value)
    else { return nil }
    self.member = member
    self.domain = domain
    self.security = security
    line = 0
  }

  package subscript(field: ResolvedField) -> FieldValue {
    switch content {
    case .resolved(let key): key[field]
    case .recorded(let values): values[field.index]
    }
  }

  package var isLegacy: Bool { self[.legacy] == .flag(true) }
  package var schema: Int { self[.schema].integer ?? 1 }
  package var type: String { self[.type].text ?? "" }
  package var catalog: String { self[.catalog].text ?? "" }
  package var steps: [MigrationStep] { self[.migration].elements.map { MigrationStep($0, of: self) } }

  /// The serializer as a catalog writes it.
  package var serializer: FieldValue {
    guard case .text(let name) = self[.customSerializer] else { return self[.serializer] }
    return .map([.init("custom", .text(name))])
  }

  package var isBackedUp: Bool { self[.backup] != .flag(false) }

  /// Returns true if a custom migration of this key can have moved what a release stored for `released`. A migration that
  /// the release had too moves what was stored before it, and not what the release stored.
  func mayHaveMoved(_ released: DeclaredKey) -> Bool {
    let earlier = released.customMigrations
    return customMigrations.contains { !earlier.contains($0) }
  }

  /// The names of the custom migrations in Swift.
  private var customMigrations: [FieldValue] {
    steps.lazy.filter { $0.action == .custom }.map { $0.value["custom"] }
  }

  /// The stored form of the key's values.
  package var form: StoredForm {
    StoredForm(
      name: self[.name].text ?? member, domain: domain, security: security, type: type, serializer: serializer,
      dates: self[.dates], reads: self[.reads].elements, schema: schema,
      parameters: self[.parameters].entries.map { .init($0) })
  }
}

extension DeclaredKey {
  /// The key, as if it stored its values where and as a source of its migration does.
  func storing(_ form: StoredForm) -> DeclaredKey {
    var key = self
    key.sourceForm = form
    return key
  }

  /// The stored form that is compared: that of the source if there is one, otherwise that of the key.
  var storedForm: StoredForm { sourceForm ?? form }
}

extension DeclaredKey: Equatable {
  package static func == (left: DeclaredKey, right: DeclaredKey) -> Bool {
    ResolvedField.allCases.allSatisfy { left[$0] == right[$0] }
  }
}

extension ResolvedField {
  private static let indices = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  var index: Int { Self.indices[self] ?? 0 }
}
