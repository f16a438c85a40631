import LocalDataFoundation
import LocalDataStores

/// The durable log of migrations, to which entries are only added. The app's data has one log, and each group has one.
///
/// The log of a keyset has the entries of its keys, and those of other keysets' keys about their sources in it. The state of a
/// key's steps is read from the log of the key's keyset.
///
/// A damaged file reads as empty: keys behave as if no step of their migrations had completed, and compare every source
/// before they remove it. The next entry keeps the damaged file under another name (`.migrations.log.damaged-<uuid>`) and
/// begins a new one, whose first entry is ``MigrationEvent/Outcome/logSetAside``.
package struct MigrationLog: Sendable {
  /// The most bytes of a file: more than the migrations of 100,000 keys take.
  package static let largestFile = 64 << 20

  private let log: AppendOnlyLog<LoggedMigrations>

  /// Called before the log is read. A test delays or fails reads with it.
  package var willRead: (@Sendable () throws(StorageProblem) -> Void)?
  /// Called before entries are added. A test delays or fails a call with it.
  package var willAppend: (@Sendable () throws(StorageProblem) -> Void)?

  /// Creates a log over a file, which need not exist, or in memory if `location` is `nil`.
  package init(
    in location: FileLocation? = nil, largestFile: Int = MigrationLog.largestFile, patience: Duration = .seconds(10)
  ) {
    log = AppendOnlyLog(location, largestFile: largestFile, patience: patience)
  }

  /// Returns the current state of the log. Fast if the log has not changed since the last call.
  ///
  /// - Throws: ``StorageProblem/unknownFormatVersion`` if a newer version of the library wrote the log, and other faults if it
  ///   cannot be read now: ``StorageProblem/busy`` if the call must not wait, and the log has changed.
  package func ledger() throws(StorageProblem) -> MigrationLedger { try read { $0.ledger } }

  /// Returns every entry in the log.
  ///
  /// - Throws: What ``ledger()`` throws.
  package func entries() throws(StorageProblem) -> [MigrationEntry] { try read { $0.entries } }

  /// Returns every event in order, for the history. An event that a later one of the same steps repeats is left out.
  ///
  /// - Throws: What ``ledger()`` throws.
  package func events() throws(StorageProblem) -> [MigrationEvent] { try entries().live.compactMap(\.event) }

  private func read<Result>(_ body: (LoggedMigrations) -> Result) throws(StorageProblem) -> Result {
    if let willRead {
      try CallDeadline.requireWaiting()
      try willRead()
    }
    do throws(StorageProblem) { return try log.read { body($0) } } catch {
      guard error == .corrupted else { throw error }
      return body(LoggedMigrations())
    }
  }

  /// Adds the entries that `make` returns for the current state of the log. No other writer can add entries in between.
  ///
  /// They are durable on return, and all of them are added or none, also if the process is killed or the disk is full.
  ///
  /// - Parameter isDurable: False if the call need not wait for the disk. A loss of power may lose the entries then, a killed
  ///   process does not.
  /// - Throws: What ``ledger()`` throws, ``StorageProblem/busy`` and ``StorageProblem/outOfSpace``. The entries may have been
  ///   added or not.
  package func append(isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]) throws(StorageProblem) {
    try willAppend?()
    do throws(StorageProblem) { return try change(isDurable: isDurable, make) } catch {
      guard error == .corrupted else { throw error }
    }
    _ = try log.setAside(with: ".damaged-\(UUID().uuidString.lowercased())") {
      LoggedMigrations([.logSetAside(at: Date())])
    }
    try change(isDurable: true, make)
  }

  private func change(isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]) throws(StorageProblem) {
    try log.change(isDurable: isDurable) { (contents, lines) throws(StorageProblem) in
      let entries = make(contents.ledger)
      lines = try entries.encoded
      for entry in entries { contents.add(entry) }
    }
  }

  /// Adds entries without a look at the state of the log.
  ///
  /// - Throws: What ``append(isDurable:_:)`` throws.
  package func append(_ entries: [MigrationEntry]) throws(StorageProblem) {
    guard !entries.isEmpty else { return }
    try append(isDurable: true) { _ in entries }
  }

  /// Adds the entries that the log does not contain yet. If several processes finish one step, it is noted once.
  ///
  /// - Parameter isDurable: True if the entries must survive a loss of power.
  func appendNew(_ entries: [MigrationEntry], isDurable: Bool = true) throws(StorageProblem) {
    guard !entries.isEmpty else { return }
    try append(isDurable: isDurable) { ledger in entries.filter { !ledger.makesNoDifference($0) } }
  }
}

/// The entries of a log of migrations, and the state that results from them. A line is an entry as JSON.
struct LoggedMigrations: LogContents {
  static let encoding = LogEncoding(magic: "LDMIGR", version: 1)

  private(set) var entries: [MigrationEntry] = []
  private(set) var ledger = MigrationLedger()

  init() {}

  init(_ entries: [MigrationEntry]) { for entry in entries { add(entry) } }

  mutating func add(_ entry: MigrationEntry) {
    entries.append(entry)
    ledger.add(entry)
  }

  mutating func apply(_ line: Data) throws(StorageProblem) { add(try MigrationEntry(encoded: line)) }

  mutating func compact() { entries = entries.live }

  var lines: [Data] { get throws(StorageProblem) { try entries.encoded } }

  var count: Int { entries.live.count }
}
