import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The fates of the values of a catalog. Values with the same facts share them, so that ten thousand keys need some dozens.
struct CatalogFates {
  struct Profile {
    let name: String
    /// The fates at the events of the catalog.
    let fates: [Fate]
  }

  /// The events at which values have a fate.
  let events: [StorageEvent]

  /// The profiles, sorted by name.
  let profiles: [Profile]
  /// The positions of the profiles of the keys, in the order of the catalog.
  let keys: [Int]
  private let indices: [StoredFacts: Int]
  private let ofRecords: [(plain: StoredFacts, sealed: StoredFacts?)?]

  init(_ catalog: ResolvedCatalog) {
    let events = StorageEvent.events(of: [catalog])
    self.events = events
    let backedUp = BackedUpValues(catalog)
    let ofKeys = catalog.keys.map { backedUp.facts(of: $0) }
    ofRecords = catalog.records.map { record in catalog.database(of: record).map { backedUp.facts(of: record, in: $0) }
    }
    var facts = Set(ofKeys)
    for record in ofRecords {
      guard let record else { continue }
      facts.insert(record.plain)
      if let sealed = record.sealed { facts.insert(sealed) }
    }
    facts.formUnion(catalog.sources.compactMap(\.storedFacts))
    facts.formUnion(catalog.unmanaged.map(\.storedFacts))
    let named = facts.map { (name: $0.name, facts: $0) }.sorted { $0.name < $1.name }
    profiles = named.map { named in
      Profile(name: named.name, fates: events.map { FateTable.fate(of: named.facts, at: $0) })
    }
    let indices = Dictionary(uniqueKeysWithValues: zip(named.map(\.facts), named.indices))
    self.indices = indices
    keys = ofKeys.map { indices[$0] ?? 0 }
  }

  /// Returns the positions of the profiles of the plain and encrypted fields of a record, by its position in the catalog.
  func indices(ofRecord position: Int) -> (plain: Int, sealed: Int?)? {
    guard let facts = ofRecords[position], let plain = indices[facts.plain] else { return nil }
    return (plain, facts.sealed.flatMap { indices[$0] })
  }

  /// Returns the position of the profile of a file of another library.
  func index(of source: ResolvedSource) -> Int? { source.storedFacts.flatMap { indices[$0] } }

  /// Returns the position of the profile of unmanaged data.
  func index(of data: ResolvedUnmanaged) -> Int? { indices[data.storedFacts] }

  /// The rules of these fates, in the order of the table.
  var rules: [FateRule] {
    let used = Set(profiles.flatMap { $0.fates.map(\.rule) })
    return FateTable.rules.filter(used.contains)
  }

  /// The outcomes of these fates, in the order of the table.
  var outcomes: [Fate.Outcome] {
    let used = Set(profiles.flatMap { $0.fates.map(\.outcome) })
    return Fate.Outcome.allCases.filter(used.contains)
  }
}

/// The rows of a matrix of fates, in the order of their first names: the values of one sensitivity that share their fates.
struct FateRows<Name> {
  struct Row {
    /// The position of the profile.
    let profile: Int
    let sensitivity: String
    fileprivate(set) var names: [Name] = []
  }

  private(set) var all: [Row] = []
  private var positions: [Int: [String: Int]] = [:]

  mutating func add(_ name: Name, _ sensitivity: String, _ profile: Int?) {
    guard let profile else { return }
    let position = positions[profile, default: [:]][sensitivity] ?? all.count
    if position == all.count {
      all.append(Row(profile: profile, sensitivity: sensitivity))
      positions[profile, default: [:]][sensitivity] = position
    }
    all[position].names.append(name)
  }
}

extension ResolvedSource {
  /// The facts of a file of another library. A legacy key has its own.
  var storedFacts: StoredFacts? {
    guard case .file(let file) = content else { return nil }
    var facts = StoredFacts(domain: file.group == nil ? .fileSystem : .appGroupFileSystem)
    facts.isInCaches = file.directory == .caches
    facts.isInGroupKeychain = file.group != nil
    return facts
  }
}

/// The keys and records in the backups of a run.
private struct BackedUpValues {
  private let keys: Set<String>
  private let records: Set<String>

  init(_ catalog: ResolvedCatalog) {
    keys = Set(catalog.backupFilesOfRun.flatMap { $0.keys + $0.privateKeys })
    records = Set(catalog.backupFilesOfRun.flatMap(\.records))
  }

  func facts(of key: ResolvedKey) -> StoredFacts {
    var facts = key.storedFacts
    facts.isInOwnBackup = keys.contains(key.descriptor.member)
    return facts
  }

  /// Returns the facts of the plain and of the encrypted fields of a record.
  func facts(of record: ResolvedRecord, in database: ResolvedDatabase) -> (plain: StoredFacts, sealed: StoredFacts?) {
    var plain = record.storedFacts(in: database)
    var sealed = record.sealedFacts(in: database)
    plain.isInOwnBackup = records.contains(record.name)
    sealed?.isInOwnBackup = records.contains(record.name)
    return (plain, sealed)
  }
}

extension StorageEvent {
  /// Returns the events at which the values of catalogs have a fate. Only an app with backups can restore one.
  static func events(of catalogs: [ResolvedCatalog]) -> [StorageEvent] {
    let hasBackups = catalogs.contains { $0.backupFilesOfRun.contains { $0.personalData == nil } }
    return allCases.filter { $0 != .ownBackup || hasBackups }
  }
}

extension [StorageEvent] {
  /// The events of a table for people. What happens at a sign-out is the same for all values, so it is told in sentences.
  var shown: [StorageEvent] { filter { $0 != .signOut } }

  /// Returns the fates at the events of a table for people, from those at these events.
  func shown(_ fates: [Fate]) -> [Fate] { zip(self, fates).filter { event, _ in event != .signOut }.map { $1 } }
}
