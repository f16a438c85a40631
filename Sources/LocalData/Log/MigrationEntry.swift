package import LocalDataFoundation
import LocalDataStores

/// An entry of the migration log: how far some steps of one key have come.
package struct MigrationEntry: Sendable, Hashable, Codable {
  /// The address of the key.
  package var address: AddressID
  /// The steps that the entry is about. It is empty if the entry only notes that a migration has found or stores a value at the
  /// key's address. With sources, it notes their values before the first of them is stored, for one key or for many.
  package var steps: [StepID]
  package var phase: Phase
  /// The form in which the key's value is stored. It is nil if the entry does not note a stored value.
  package var form: StoredForm?
  /// The sources whose values are to be removed, or were removed.
  package var moved: [AddressID]
  /// The values that the sources had. A source that is not listed had none. It is nil in an entry that does not note them.
  package var seen: [SeenSource]?
  /// Identifies the process that wrote the entry.
  package var launch: UUID
  /// The line of the history. It is nil if no event of the history has happened yet.
  package var event: MigrationEvent?

  package init(
    address: AddressID, steps: [StepID], phase: Phase, form: StoredForm? = nil, moved: [AddressID],
    seen: [SeenSource]? = nil, launch: UUID, event: MigrationEvent?
  ) {
    self.address = address
    self.steps = steps
    self.phase = phase
    self.form = form
    self.moved = moved
    self.seen = seen
    self.launch = launch
    self.event = event
  }

  private enum CodingKeys: String, CodingKey {
    // The name in the files of the log.
    case address = "place"
    case steps, phase, form, moved, seen, launch
    case event = "record"
  }

  package enum Phase: String, Sendable, Hashable, Codable {
    /// A custom migration is about to run.
    case started
    /// A custom migration has started, and the app has written or removed the key's value since.
    case superseded
    /// A custom migration has ended without a value. It may run again.
    case ended
    /// The destination is durable. The sources are compared once more before they are removed.
    case committed
    /// The destination is durable, or the key is being removed. The sources are being removed, and the remaining ones is
    /// removed without another comparison.
    case removing
    /// The step is completed. The sources are no longer read.
    case completed
  }
}

extension MigrationEntry {
  /// The first entry of a log that replaces a damaged one. It is about no key.
  static func logSetAside(at date: Date) -> MigrationEntry {
    MigrationEntry(
      address: AddressID(StorageAddress(container: .preferences(suite: nil), name: "")), steps: [], phase: .completed,
      moved: [],
      launch: UUID(),
      event: MigrationEvent(
        key: "", domain: .fileSystem, sources: [], outcome: .logSetAside, date: date, appVersion: nil))
  }

  /// The note that the values of addresses and families are removed, also where no value is stored.
  ///
  /// It has no steps. Versions of the library that do not know it ignore it.
  ///
  /// - Parameter causes: The addresses and families whose removal by the user is obeyed. If there are none, the user has removed
  ///   the values.
  static func removal(of ids: [AddressID], because causes: [AddressID] = [], launch: UUID) -> MigrationEntry {
    // Of the entries with one address, a log that is compacted keeps the last. So each choice of addresses has its own.
    let name = (ids + causes).map(\.description).joined()
    return MigrationEntry(
      address: AddressID(StorageAddress(container: .preferences(suite: nil), name: name)), steps: [], phase: .ended,
      moved: ids, seen: causes.isEmpty ? nil : causes.map { SeenSource(address: $0, fingerprint: nil) }, launch: launch,
      event: nil)
  }

  /// A Boolean value that indicates whether the entry notes removals.
  var isRemovalNote: Bool { steps.isEmpty && phase == .ended }

  /// A Boolean value that indicates whether the entry notes the values of sources before a key takes them.
  var isAnnouncement: Bool { steps.isEmpty && phase == .completed && !moved.isEmpty }

  /// A copy with a new state of its steps.
  func at(_ phase: Phase) -> MigrationEntry {
    var entry = self
    entry.phase = phase
    return entry
  }

  /// A Boolean value that indicates whether the entry notes a live value at the key's address.
  var hasWritten: Bool {
    switch phase {
    case .started, .superseded, .ended: false
    case .committed, .removing, .completed: event?.outcome != .removed && !isAnnouncement
    }
  }
}

/// The bytes of an entry in the log: JSON with sorted keys, in which a date is the number of milliseconds since 1970.
extension MigrationEntry {
  /// Reads an entry.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the bytes are no entry.
  package init(encoded bytes: Data) throws(StorageProblem) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let milliseconds = try decoder.singleValueContainer().decode(Int64.self)
      return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
    do { self = try decoder.decode(Self.self, from: bytes) } catch { throw .corrupted }
  }
}

extension [MigrationEntry] {
  /// The bytes of each entry.
  package var encoded: [Data] {
    get throws(StorageProblem) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        // A date that no clock shows becomes 1970.
        try container.encode(Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? 0)
      }
      do { return try map { try encoder.encode($0) } } catch { throw .cannotEncode }
    }
  }

  /// The entries that are still needed, in order: of equal entries about the same steps, only the last.
  var live: [MigrationEntry] {
    var seen: Set<Statement> = []
    return reversed()
      .filter { seen.insert(Statement($0)).inserted }
      .reversed()
  }
}

/// The statement of an entry, without the time at which it was written.
private struct Statement: Hashable {
  let address: AddressID
  let steps: [StepID]
  let form: StoredForm?
  let outcome: MigrationEvent.Outcome?
  let sources: [MigrationEvent.Source]
  /// Of an entry without an event.
  let phase: MigrationEntry.Phase?
  /// Of an entry without a step.
  let moved: [AddressID]

  init(_ entry: MigrationEntry) {
    address = entry.address
    steps = entry.steps
    form = entry.form
    outcome = entry.event?.outcome
    sources = entry.event?.sources ?? []
    phase = entry.event == nil ? entry.phase : nil
    moved = entry.steps.isEmpty ? entry.moved : []
  }
}
