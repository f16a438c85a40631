import CatalogModel
import StorageAudit
import StorageVocabulary

/// The fates of the values of a catalog. Values with the same facts share them, so that ten thousand keys need some dozens.
struct CatalogFates {
  struct Profile {
    let name: String
    let fates: [Fate]
  }

  /// The profiles, sorted by name.
  let profiles: [Profile]
  /// The positions of the profiles of the keys, in the order of the catalog.
  let keys: [Int]
  private let indices: [StoredFacts: Int]
  private let catalog: ResolvedCatalog

  init(_ catalog: ResolvedCatalog) {
    self.catalog = catalog
    let ofKeys = catalog.keys.map(\.storedFacts)
    var facts = Set(ofKeys)
    for record in catalog.records {
      guard let database = catalog.database(of: record) else { continue }
      facts.insert(record.storedFacts(in: database))
      if let sealed = record.sealedFacts(in: database) { facts.insert(sealed) }
    }
    facts.formUnion(catalog.sources.compactMap(\.storedFacts))
    let named = facts.map { (name: $0.name, facts: $0) }.sorted { $0.name < $1.name }
    profiles = named.map { Profile(name: $0.name, fates: FateTable.fates(of: $0.facts)) }
    let indices = Dictionary(uniqueKeysWithValues: zip(named.map(\.facts), named.indices))
    self.indices = indices
    keys = ofKeys.map { indices[$0] ?? 0 }
  }

  /// Returns the positions of the profiles of a record's plain and encrypted fields.
  func indices(of record: ResolvedRecord) -> (plain: Int, sealed: Int?)? {
    guard let database = catalog.database(of: record), let plain = indices[record.storedFacts(in: database)] else {
      return nil
    }
    return (plain, record.sealedFacts(in: database).flatMap { indices[$0] })
  }

  /// Returns the position of the profile of a file of another library.
  func index(of source: ResolvedSource) -> Int? { source.storedFacts.flatMap { indices[$0] } }

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

extension StorageEvent {
  /// The events of a table for people. What happens at a sign-out is the same for all values, so it is told in sentences.
  static let shown = allCases.filter { $0 != .signOut }
}

extension [Fate] {
  /// The fates at the events of a table for people, from those at all events.
  var shown: [Fate] { zip(StorageEvent.allCases, self).filter { event, _ in event != .signOut }.map { $1 } }
}
