import LocalData
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

/// The move of a database from the address that it had in an earlier release.
///
/// It is made before the first call, and is complete or not made at all. See ``SQLiteMove`` for the order of its steps.
final class RecordMove: Sendable {
  /// An address of an earlier release, with the keys that its record keys are sealed for.
  private final class Source: Sendable {
    let address: StorageAddress
    let location: FileLocation
    let keys: RecordKeys?

    init(_ address: StorageAddress, _ location: FileLocation, _ keys: RecordKeys?) {
      self.address = address
      self.location = location
      self.keys = keys
    }
  }

  /// The next step of a move.
  private enum Step: Sendable {
    case none
    /// No file exists.
    case mark
    /// The process that moved the file to this address was killed after the copy was complete.
    case complete(SQLiteMove)
    case move(Source, [RecordKeys.Stored], highest: UInt32)
    /// Several files have rows.
    case conflict
  }

  private let sources: [Source]
  private let keys: RecordKeys?
  private let files: SQLiteMove
  private let done = Lock(false)

  /// Returns nil if the database has no address of an earlier release, or is in memory.
  ///
  /// - Parameter keys: Returns the record keys of a database, sealed for its address.
  init?(
    _ sources: [StorageAddress], _ creation: SQLiteCreation?, _ locations: StorageLocations?,
    keys: (_ database: RecordDatabaseFile) -> RecordKeys?, destination: RecordDatabaseFile?
  ) throws(StorageProblem) {
    guard !sources.isEmpty, let creation, let locations, let destination else { return nil }
    var list: [Source] = []
    for address in sources {
      let file = try RecordDatabaseFile(address, locations)
      list.append(Source(address, file.location, keys(file)))
    }
    self.sources = list
    self.keys = keys(destination)
    files = SQLiteMove(to: creation, patience: CallDeadline.ordinaryPatience)
  }

  /// The files at the addresses of earlier releases, with their record keys.
  var earlier: [(location: FileLocation, keys: RecordKeys?)] { sources.map { ($0.location, $0.keys) } }

  /// A Boolean value that indicates whether nothing is left to do.
  var isDone: Bool { done.withLock { $0 } }

  /// Moves the file, if there is one to move.
  ///
  /// - Parameter isWriting: True if the call may create the database.
  func move(isWriting: Bool) async throws(StorageProblem) -> RecordObstacle? {
    // Another process may move the file, or change the keys that seal its record keys.
    for _ in 0..<8 where !isDone {
      let made = try await BlockingExecutor.shared.run { [self] () throws(StorageProblem) -> Step in
        try step(isWriting: isWriting)
      }
      switch made {
      case .mark where !isWriting: return nil
      case .none, .mark: done.withLock { $0 = true }
      case .conflict: return .twoFiles
      case .complete: break
      case .move(let source, let stored, let highest): try await move(source, stored, highest)
      }
    }
    guard isDone else { throw .busy }
    return nil
  }

  /// Removes the rows at the addresses of earlier releases, and those of an unfinished move.
  func discard() async throws(StorageProblem) {
    try await BlockingExecutor.shared.run { [files, sources] () throws(StorageProblem) in
      try files.discard(sources.map(\.location))
    }
  }

  /// Makes the next step, unless it needs keys.
  private func step(isWriting: Bool) throws(StorageProblem) -> Step {
    let step = try nextStep()
    switch step {
    case .complete(let files):
      // The process was killed perhaps before the marker was on the disk.
      for source in sources { try source.location.folder.open(creating: false)?.descriptor.sync() }
      try files.complete()
    case .mark where isWriting: for source in sources { try files.mark(source.location) }
    default: break
    }
    return step
  }

  private func nextStep() throws(StorageProblem) -> Step {
    var live: [Source] = []
    var tokens: [Data] = []
    for source in sources {
      switch try files.state(of: source.location) {
      case .absent: break
      case .live: live.append(source)
      case .moved(let token): tokens.append(token)
      }
    }
    let destination = try files.state()
    guard let source = live.first else {
      if destination == .live { return .none }
      if try files.hasCopy() { return .complete(files) }
      // An earlier release may have been killed while it moved the file to another one of the addresses.
      for source in sources {
        let earlier = files.to(source.location)
        for token in tokens where try earlier.hasCopy(token) { return .complete(earlier) }
      }
      return .mark
    }
    // The copy of a killed process is that of a source if the source was replaced by its marker.
    for token in tokens where try files.hasCopy(token) { return .conflict }
    guard live.count == 1, destination != .live else { return .conflict }
    let (stored, _, highest) = try files.read(source.location, RecordKeys.state)
    return .move(source, stored, highest: highest)
  }

  private func move(
    _ source: Source, _ stored: [RecordKeys.Stored], _ highest: UInt32
  ) async throws(StorageProblem) {
    var sealed: [RecordKeys.Stored] = []
    if !stored.isEmpty {
      guard let keys, let old = source.keys else { throw .keyMaterialMissing }
      sealed = try await old.sealed(stored, above: highest, for: keys)
    }
    let name = source.address.name
    try await BlockingExecutor.shared.run { [files, keys, sealed] () throws(StorageProblem) in
      func move() throws(StorageProblem) {
        try files.move(source.location) { (copy) throws(StorageProblem) in
          guard try RecordKeys.stored(on: copy) == stored else { throw .busy }
          try RecordKeys.replace(with: sealed, sealedAs: name, on: copy)
          // There is no file at this address, and a list would be that of an earlier one.
          try keys?.relist(as: source.keys?.listed() ?? [])
        }
      }
      if let keys { try keys.storing(sealed, move) } else { try move() }
    }
  }
}

extension RecordKeys {
  /// Replaces the keys of a database that moves.
  ///
  /// - Parameter name: The name of the database until now, which the sealed parts of its rows contain.
  fileprivate static func replace(
    with sealed: [Stored], sealedAs name: String, on connection: SQLiteConnection
  ) throws(StorageProblem) {
    for row in sealed {
      try connection.writeRow(
        "INSERT OR REPLACE INTO local_data_keys VALUES (?, ?, 0)", [.integer(Int64(row.number)), .blob(row.envelope)])
    }
    if let newest = sealed.last { try noteHighest(newest.number, on: connection) }
    // The name of the first database stays.
    if !sealed.isEmpty { try connection.run("INSERT OR IGNORE INTO local_data VALUES ('database', ?)", [.text(name)]) }
  }
}
