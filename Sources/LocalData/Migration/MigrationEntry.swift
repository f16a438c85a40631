package import Foundation

/// A line of the log of migrations: how far the migration of one place has come.
package struct MigrationEntry: Sendable, Hashable, Codable {
  /// Where the value goes.
  package var place: PlaceID
  package var phase: Phase
  /// The sources whose values went into the destination.
  package var moved: [PlaceID]
  /// Of the process that wrote the line: one value for each run of the app.
  package var launch: UUID
  package var record: MigrationRecord

  package init(place: PlaceID, phase: Phase, moved: [PlaceID], launch: UUID, record: MigrationRecord) {
    self.place = place
    self.phase = phase
    self.moved = moved
    self.launch = launch
    self.record = record
  }

  package enum Phase: String, Sendable, Hashable, Codable {
    /// The destination is durable, and the sources are not yet removed.
    case committed
    /// Nothing is left to do: the sources are not consulted any more.
    case completed
  }
}

extension [MigrationEntry] {
  /// The last entry of every place.
  var latest: [PlaceID: MigrationEntry] { Dictionary(map { ($0.place, $0) }) { $1 } }

  /// Those that are worth keeping, in order: of entries that tell the same of a place, the last.
  var live: [MigrationEntry] {
    var told: Set<Told> = []
    return reversed()
      .filter { told.insert(Told($0)).inserted }
      .reversed()
  }
}

/// What an entry tells, whenever it was written.
private struct Told: Hashable {
  let place: PlaceID
  let outcome: MigrationRecord.Outcome
  let sources: [MigrationRecord.Source]

  init(_ entry: MigrationEntry) {
    (place, outcome, sources) = (entry.place, entry.record.outcome, entry.record.sources)
  }
}
