import SmallFoundation
import StorageStores

/// A log of migrations in a file, shared with other processes; see ``MigrationLogFormat``.
///
/// A damaged file reads as empty: keys behave as if no step of their migrations had completed, and compare every source
/// before they remove it. The next entry keeps the damaged file under another name (`.migrations.log.damaged-<uuid>`) and
/// begins a new one, whose first entry is ``MigrationRecord/Outcome/logSetAside``.
package final class FileMigrationLog: MigrationLog {
  /// The most bytes of a file: more than the migrations of 100,000 keys take.
  package static let largestFile = 64 << 20

  private let log: AppendOnlyLog<LoggedMigrations>
  private let name: String

  /// Creates a log over a file, which need not exist.
  package init(
    location: FileLocation, largestFile: Int = FileMigrationLog.largestFile, patience: Duration = .seconds(10)
  ) {
    log = AppendOnlyLog(location, MigrationLogFormat(), largestFile: largestFile, patience: patience)
    name = location.name
  }

  package func ledger() throws(StorageFault) -> MigrationLedger { try read { $0.ledger } }

  package var promptLedger: MigrationLedger? { log.promptRead { $0.ledger } }

  package func ledgerForUnmigratedKey() throws(StorageFault) -> MigrationLedger? { try ledger() }

  /// Returns every entry in the file.
  package func lines() throws(StorageFault) -> [MigrationEntry] { try read { $0.entries } }

  package func records() throws(StorageFault) -> [MigrationRecord] { try lines().live.compactMap(\.record) }

  private func read<Result>(_ body: (LoggedMigrations) -> Result) throws(StorageFault) -> Result {
    do throws(StorageFault) { return try log.read { body($0) } } catch {
      guard error == .corrupted else { throw error }
      return body(LoggedMigrations())
    }
  }

  package func append(
    isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]
  ) throws(StorageFault) {
    do throws(StorageFault) { return try change(isDurable: isDurable, make) } catch {
      guard error == .corrupted else { throw error }
    }
    _ = try log.setAside(as: "\(name).damaged-\(UUID().uuidString.lowercased())") {
      LoggedMigrations([.logSetAside(at: Date())])
    }
    try change(isDurable: true, make)
  }

  private func change(
    isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]
  ) throws(StorageFault) {
    try log.change(isDurable: isDurable) { contents, records in
      records = make(contents.ledger)
      for entry in records { contents.apply(entry) }
    }
  }
}

/// The entries of a log of migrations, and the state that results from them.
struct LoggedMigrations: LogContents {
  private(set) var entries: [MigrationEntry] = []
  private(set) var ledger = MigrationLedger()

  init() {}

  init(_ entries: [MigrationEntry]) { for entry in entries { apply(entry) } }

  mutating func apply(_ entry: MigrationEntry) {
    entries.append(entry)
    ledger.add(entry)
  }

  mutating func compact() { entries = entries.live }

  var records: [MigrationEntry] { entries }

  var count: Int { entries.live.count }
}
