package import LocalDataModel

/// A backup of a state, with the stored names of its records and keys, which its files contain.
package struct DeclaredBackupFile: Declaration {
  package let member: String
  /// The facts in the order in which a snapshot writes them.
  package let facts: [FieldValue.Entry]
  package let catalog: String
  let records: [String]
  let keys: [String]

  /// Creates a backup from the facts of a snapshot. Returns nil if they are not complete.
  package init?(_ member: String, facts: FieldValue) {
    self.init(member, facts.entries.filter { Self.known.contains($0.name) })
  }

  /// - Parameters:
  ///   - records: The stored names of records by their Swift names.
  ///   - keys: The stored names of keys by their members.
  init?(_ backup: ResolvedBackupFile, catalog: String, records: [String: String], keys: [String: String]) {
    func list(_ names: [String], _ stored: [String: String]) -> FieldValue {
      names.isEmpty ? .absent : .list(names.map { .text(stored[$0] ?? $0) })
    }
    self.init(
      backup.member,
      FieldValue.map(present: [
        .init("catalog", .text(catalog)), .init("records", list(backup.records, records)),
        .init("keys", list(backup.keys, keys)), .init("privateKeys", list(backup.privateKeys, keys)),
        .init(Self.sealingPath, .flag(backup.isEncrypted)),
        .init(Self.personalDataPath, backup.personalData == nil ? .absent : .flag(true)),
      ]).entries)
  }

  private init?(_ member: String, _ facts: [FieldValue.Entry]) {
    let all = FieldValue.map(facts)
    guard let catalog = all["catalog"].text else { return nil }
    self.member = member
    self.facts = facts
    self.catalog = catalog
    records = all["records"].elements.compactMap(\.text)
    keys = (all["keys"].elements + all["privateKeys"].elements).compactMap(\.text)
  }

  /// The path of the fact that says whether the file is sealed.
  package static let sealingPath = "encrypted"
  /// The path of the fact that says whether the file is a document about the user.
  package static let personalDataPath = "personalData"
  private static let known: Set = ["catalog", "records", "keys", "privateKeys", sealingPath, personalDataPath]
}

extension CatalogState {
  mutating func addBackups(of resolved: [ResolvedCatalog]) {
    var records: [String: String] = [:]
    var keys: [String: String] = [:]
    for record in resolved.lazy.flatMap(\.records) { records[record.name] = record.storedName }
    for key in resolved.lazy.flatMap(\.keys) { keys[key.descriptor.member] = key.descriptor.name }
    for catalog in resolved {
      for backup in catalog.backupFiles {
        backups[backup.member] = DeclaredBackupFile(backup, catalog: catalog.name, records: records, keys: keys)
      }
    }
  }

  /// The findings about files of an earlier state's backups that the app can no longer restore. Other rules are about records and keys
  /// that are gone.
  func backupFindings(against old: CatalogState, besides unread: Set<String>) -> [Finding] {
    old.backups.values.filter { !unread.contains($0.catalog) }.sorted { $0.member < $1.member }.compactMap { released in
      let now = backups[released.member].flatMap { $0.catalog == released.catalog ? $0 : nil }
      let record = records.values.filter {
        released.records.contains($0.storedName) && now?.records.contains($0.storedName) != true
      }.min { $0.name < $1.name }
      let restored = keys.values.filter { now?.keys.contains($0.name) == true }
      // The value of a key that is legacy now is restored by the key that migrates from it.
      let migrated = Set(restored.flatMap(\.legacySources))
      let key = keys.values.filter {
        !migrated.contains($0.member) && released.keys.contains($0.name) && now?.keys.contains($0.name) != true
      }.min { $0.member < $1.member }
      guard let subject = record.map({ Finding.Subject.record($0.name) }) ?? key.map({ .key($0.member) }) else {
        return nil
      }
      let name = record?.name ?? key?.member ?? ""
      let end = now == nil ? "which is not declared now" : "which does not have it now"
      return Finding(
        rule: .backupRemoved, subject: subject,
        message: "could write '\(name)' into the backup '\(released.member)' of '\(released.catalog)', \(end)",
        help: "declare that again, so that the user's files can be restored", remedy: Remedy(), keys: [])
    }
  }
}

extension DeclaredKey {
  fileprivate var name: String { self[.name].text ?? member }

  /// The members of the legacy keys whose values the migration moves here.
  fileprivate var legacySources: [String] {
    steps.flatMap { step -> [String] in
      guard case .from(let sources) = step.action else { return [] }
      return sources.compactMap { if case .member(let member) = $0 { member } else { nil } }
    }
  }
}
