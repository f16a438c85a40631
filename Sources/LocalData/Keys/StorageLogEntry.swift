import LocalDataVocabulary

/// A record of one call on a router, or of the migration of one key. It never contains a value or a parameter of a family.
///
/// The reads of a transaction are logged when they happen. When it ends, the last change of each key is logged, with an
/// error if the changes could not be stored. If the closure of the transaction throws or is called again, the changes before
/// that are not logged. A change that fails at once is logged at once.
///
/// ```swift
/// router.setLogger { print($0) }   // get 'theme' in userDefaults: 8 bytes, 0.1 ms
/// ```
public struct StorageLogEntry: Sendable {
  /// The verb that was called.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// `get`.
    case get
    /// `set`.
    case set
    /// `update`.
    case update
    /// `remove`, and each removal of `removeAll`.
    case remove
    /// `exists`.
    case exists
    /// `value`, and each read of `@Stored`.
    case value
    /// A read of `values(of:)` that found another value, or failed.
    case values
    /// `setValue`, and each assignment to `@Stored`.
    case setValue
    /// A change of the paired device that was stored, or that could not be stored. If it removes a value, it has no bytes.
    case receive
    /// The removal of a value whose retention has ended, by a read or by `maintenance.sweep`. The read has a separate entry. Or
    /// rows whose retention has ended could not be deleted; the entry has the error, and the next write tries again.
    case expire
    /// A read that has returned the default, because the stored bytes are no value of the key and its `onCorruption` is
    /// ``CorruptionPolicy/useDefault``. The verb has a separate entry. The duration of this entry is zero.
    case useDefault
    /// The move of stored bytes that are no value of the key and whose `onCorruption` is ``CorruptionPolicy/quarantine``. The
    /// verb has a separate entry.
    case quarantine
    /// `maintenance.restore`, which stores a quarantined value again.
    case restore
    /// A migration that stored a value at its key, secured it in place or removed a source, or that failed to do so. Each run
    /// has one entry for each key that it changes. The verb that needs the value has a separate entry, and so do the calls of a
    /// custom migration. The bytes are those that the migration stored. There are none if it only removed a source, or if it is
    /// a custom migration.
    case migrate
    /// `fetch` of records by their keys.
    case fetch
    /// A query of records: its `fetchAll`, `first`, `count` or `exists`, and each page.
    case query
    /// `save` of a record.
    case save
    /// `insert` of a record.
    case insert
    /// `delete` of a record, or of the records of a query.
    case delete
    /// A call on records that has left out damaged rows, because the `onCorruption` of their record is `skip`. The call has a
    /// separate entry. The duration of this entry is zero.
    case skip
    /// A transaction on a database, or a `read` of one. Its calls have no entries.
    case transaction
    /// A query of records that reads every row of its record, because no index serves its condition, or its order if it has a
    /// limit. The key names the record and the fields without an index, for example `Visit.note`. The verb or transaction has a
    /// separate entry. The duration of this entry is zero.
    case scan
  }

  /// The verb that was called.
  public let operation: Operation
  /// The declared name of the key, and the kind of its domain.
  public let key: StorageError.Subject
  /// The number of stored bytes that were read or written, with the bytes that encryption adds; `nil` if there were none.
  public let bytes: Int?
  /// The number of rows that were left out; `nil` unless the operation is ``Operation/skip``.
  public internal(set) var rows: Int?
  /// The time from the begin of the call to its end, including all waits. A change of a transaction ends when the transaction
  /// ends.
  public let duration: Duration
  /// The error that was thrown; `nil` if the call succeeded, or if the closure of an update threw. The error of a transaction
  /// may name another key of the transaction.
  public let error: StorageError?
}

extension StorageLogEntry: CustomStringConvertible {
  /// One line: `get 'theme' in userDefaults: 8 bytes, 0.1 ms`.
  public var description: String {
    let (seconds, attoseconds) = duration.components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    let time = "\(tenths / 10).\(tenths % 10) ms"
    if let error { return "\(operation.rawValue) \(key): failed after \(time): \(error)" }
    let count = bytes.map { "\($0) bytes, " } ?? rows.map { "\($0) \($0 == 1 ? "row" : "rows"), " } ?? ""
    return "\(operation.rawValue) \(key): \(count)\(time)"
  }
}
