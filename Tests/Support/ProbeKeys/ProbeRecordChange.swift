@_spi(Generated) package import LocalData
@_spi(Generated) import LocalDataRecords

/// A change of records, the same in every process.
package enum ProbeRecordChange: String, CaseIterable, Sendable {
  /// Stores the first rows of a database that does not exist, and its record key.
  case create
  case save, insert
  /// Changes an encrypted field.
  case update
  /// Deletes a record with those that refer to it.
  case delete
  case deleteOfQuery
  /// Several records together.
  case transaction
  /// The first call of the second release.
  case merge
  /// Removes the rows of all records.
  case removeAll

  /// The rows that ``seed(on:)`` stores, as ``rows(on:)`` returns them.
  package var before: [String] {
    switch self {
    case .create: []
    case .merge: ["a oooo 0", "b oooo 0"]
    default: ["a oooo 0", "b oooo 0", "1 a first", "2 a second", "3 b third"]
    }
  }

  /// The rows after the change.
  package var after: [String] {
    switch self {
    case .create: ["c nnnn 0", "4 c fourth"]
    case .save: ["a nnnn 7", "b oooo 0", "1 a first", "2 a second", "3 b third"]
    case .insert: before + ["4 b fourth"]
    case .update: ["a oooo 0", "b oooo 0", "1 a changed", "2 a second", "3 b third"]
    case .delete: ["b oooo 0", "3 b third"]
    case .deleteOfQuery: ["a oooo 0", "b oooo 0", "3 b third"]
    case .transaction: ["b oooo 0", "c nnnn 0", "3 c third", "4 c fourth"]
    case .merge: before
    case .removeAll: []
    }
  }

  /// Returns the rows of all records, or the folders alone if the second release makes the change.
  package func rows(on router: StorageRouter) async throws -> [String] {
    guard self != .merge else { return try await Self.rowsOfSecondRelease(on: router) }
    let router = try Self.firstRelease(on: router)
    let folders = try await router.folders.fetchAll().map { "\($0.id) \($0.text.prefix(4)) \($0.count)" }
    return folders + (try await router.pages.fetchAll().map { "\($0.id) \($0.folder) \($0.secret)" })
  }

  private static func rowsOfSecondRelease(on router: StorageRouter) async throws -> [String] {
    try router.registerCatalog(ProbeRecordCatalog<ProbeLabelledFolder>.self)
    // Both fail if a part of the merge is missing.
    _ = try await router.records(ProbeLabel.self).count()
    let folders = try await router.records(ProbeLabelledFolder.self).where { $0.label == "none" }.fetchAll()
    return folders.map { "\($0.id) \($0.text.prefix(4)) \($0.count)" }
  }

  /// Registers the catalog of the first release.
  package static func firstRelease(on router: StorageRouter) throws -> StorageRouter {
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    return router
  }

  /// Stores the rows that the change finds.
  package func seed(on router: StorageRouter) async throws {
    let router = try Self.firstRelease(on: router)
    for id in ["a", "b"] { try await router.folders.save(Self.folder(id, "o")) }
    for (number, secret) in ["first", "second", "third"].enumerated() {
      try await router.pages.save(ProbePage(id: number + 1, folder: number < 2 ? "a" : "b", secret: secret))
    }
  }

  /// Makes the change.
  package func run(on router: StorageRouter) async throws {
    if self == .merge {
      _ = try await rows(on: router)
      return
    }
    let router = try Self.firstRelease(on: router)
    switch self {
    case .create:
      try await router.transaction(in: ProbeFolder.Database.self) { probe in
        try probe.folders.save(Self.folder("c", "n"))
        try probe.pages.save(ProbePage(id: 4, folder: "c", secret: "fourth"))
      }
    case .save: try await router.folders.save(Self.folder("a", "n", count: 7))
    case .insert: try await insert(router)
    case .update: try await router.pages.update(id: 1) { $0.secret = "changed" }
    case .delete: try await router.folders.delete(id: "a")
    case .deleteOfQuery: try await router.pages.where { $0.folder == "a" }.delete()
    case .transaction:
      try await router.transaction(in: ProbeFolder.Database.self) { probe in
        try probe.folders.delete(id: "a")
        try probe.folders.save(Self.folder("c", "n"))
        try probe.pages.update(id: 3) { $0.folder = "c" }
        try probe.pages.save(ProbePage(id: 4, folder: "c", secret: "fourth"))
      }
    case .removeAll: try await router.removeAll(in: ProbeFolder.Database.self)
    case .merge: break
    }
  }

  /// Inserts a page, unless an earlier try has.
  private func insert(_ router: StorageRouter) async throws {
    do throws(StorageError) { try await router.pages.insert(ProbePage(id: 4, folder: "b", secret: "fourth")) } catch {
      guard error.code == .alreadyStored else { throw error }
    }
  }

  /// A folder whose row has several pages of the database.
  private static func folder(_ id: String, _ letter: Character, count: Int = 0) -> ProbeFolder {
    ProbeFolder(id: id, text: String(repeating: letter, count: 9_000), count: count)
  }
}
