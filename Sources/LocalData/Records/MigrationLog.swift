import SmallFoundation
import StorageStores

/// The durable log of migrations, to which entries are only added. The app's data has one log, and each group has one.
///
/// The log of a keyset has the entries of its keys, and those of other keysets' keys about their sources in it. The state of a
/// key's steps is read from the log of the key's keyset.
package protocol MigrationLog: Sendable {
  /// Returns the current state of the log. Fast if the log has not changed since the last call.
  ///
  /// A damaged log is set aside, see ``FileMigrationLog``. Then the ledger is empty.
  ///
  /// - Throws: ``StorageFault/unknownFormatVersion`` if a newer version of the library wrote the log, and other faults if it
  ///   cannot be read now.
  func ledger() throws(StorageFault) -> MigrationLedger

  /// The ledger, or `nil` if the file would have to be read, or a writer to be waited for.
  var promptLedger: MigrationLedger? { get }

  /// Returns the state of the log for a key without a migration, or `nil` if such a key must not wait for it.
  ///
  /// - Throws: What ``ledger()`` throws.
  func ledgerForUnmigratedKey() throws(StorageFault) -> MigrationLedger?

  /// Returns every record in order, for the history. A record that a later one of the same steps repeats is left out.
  ///
  /// - Throws: What ``ledger()`` throws.
  func records() throws(StorageFault) -> [MigrationRecord]

  /// Adds the entries that `make` returns for the current state of the log. No other writer can add entries in between.
  ///
  /// They are durable on return, and all of them are added or none, also if the process is killed or the disk is full.
  ///
  /// - Parameter isDurable: False if the call need not wait for the disk. A loss of power may lose the entries then, a killed
  ///   process does not.
  /// - Throws: What ``ledger()`` throws, ``StorageFault/busy`` and ``StorageFault/outOfSpace``. The entries may have been
  ///   added or not.
  func append(isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]) throws(StorageFault)
}

extension MigrationLog {
  package var promptLedger: MigrationLedger? { nil }

  package func ledgerForUnmigratedKey() throws(StorageFault) -> MigrationLedger? { promptLedger }

  /// Adds entries without a look at the state of the log.
  ///
  /// - Throws: What ``append(isDurable:_:)`` throws.
  package func append(_ entries: [MigrationEntry]) throws(StorageFault) {
    guard !entries.isEmpty else { return }
    try append(isDurable: true) { _ in entries }
  }

  /// Adds the entries that the log does not contain yet. If several processes finish one step, it is recorded once.
  ///
  /// - Parameter isDurable: True if the entries must survive a loss of power.
  func appendNew(_ entries: [MigrationEntry], isDurable: Bool = true) throws(StorageFault) {
    guard !entries.isEmpty else { return }
    try append(isDurable: isDurable) { ledger in entries.filter { !ledger.makesNoDifference($0) } }
  }
}

/// A log in memory, for tests and previews.
package final class MemoryMigrationLog: MigrationLog {
  private struct Contents {
    var lines: [MigrationEntry] = []
    var ledger = MigrationLedger()
  }

  private let contents = Lock(Contents())

  package init() {}

  /// Every entry that was added, in order.
  package var lines: [MigrationEntry] { contents.withLock { $0.lines } }

  package func ledger() throws(StorageFault) -> MigrationLedger { contents.withLock { $0.ledger } }

  package var promptLedger: MigrationLedger? { contents.withLock { $0.ledger } }

  package func records() throws(StorageFault) -> [MigrationRecord] { lines.live.compactMap(\.record) }

  package func append(isDurable: Bool, _ make: (MigrationLedger) -> [MigrationEntry]) throws(StorageFault) {
    turn.lock()
    defer { turn.unlock() }
    let entries = make(contents.withLock { $0.ledger })
    contents.withLock { contents in
      contents.lines += entries
      for entry in entries { contents.ledger.add(entry) }
    }
  }

  /// Held while `make` runs, which a ``Lock`` does not allow.
  private let turn = NSLock()
}
