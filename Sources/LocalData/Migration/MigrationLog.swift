/// What was migrated: durable, and only ever added to. One for the app's data, one for each group's container.
package protocol MigrationLog: Sendable {
  /// The last entry of every place. Cheap where nothing changed since the last call.
  func entries() throws(StorageFault) -> [PlaceID: MigrationEntry]

  /// Every record in order, for the history; one that a later one of the same place repeats is left out.
  func records() throws(StorageFault) -> [MigrationRecord]

  /// Adds entries: durable on return, and all of them or none, also where the process is killed or the disk is full.
  ///
  /// Where it throws, they may have been added or not.
  func append(_ entries: [MigrationEntry]) throws(StorageFault)
}

/// A log in memory, for tests and previews.
package final class MemoryMigrationLog: MigrationLog {
  private let lines = Lock<[MigrationEntry]>([])

  package init() {}

  package func entries() throws(StorageFault) -> [PlaceID: MigrationEntry] { lines.withLock { $0 }.latest }

  package func records() throws(StorageFault) -> [MigrationRecord] { lines.withLock { $0 }.live.map(\.record) }

  package func append(_ entries: [MigrationEntry]) throws(StorageFault) { lines.withLock { $0 += entries } }
}
