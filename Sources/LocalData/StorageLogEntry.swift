import StorageVocabulary

/// One call on a router, as a log shows it. It never contains a value, or a parameter of a family.
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
    /// A read of `values(of:)` that has found another value, or has failed.
    case values
    /// `setValue`, and each assignment to `@Stored`.
    case setValue
    /// A change of the paired device that was stored, or that could not be stored. If it removes a value, it has no bytes.
    case receive
    /// The removal of a value whose retention has ended, by a read or by `maintenance.sweep`. The entry comes besides that of
    /// the read.
    case expire
    /// A read that has returned the default, because the stored bytes are no value of the key and its `onCorruption` is
    /// ``CorruptionPolicy/useDefault``. The entry comes besides that of the verb, and has no duration.
    case useDefault
    /// The move of stored bytes that are no value of the key and whose `onCorruption` is ``CorruptionPolicy/quarantine``. The
    /// entry comes besides that of the verb.
    case quarantine
    /// `maintenance.restore`: a value that was moved aside is stored again.
    case restore
  }

  /// The verb that was called.
  public let operation: Operation
  /// The key as declared, and the kind of its domain.
  public let key: StorageError.Subject
  /// The stored bytes that were read or written, with what encryption adds; `nil` if there were none.
  public let bytes: Int?
  /// The time from the call to its end, with all waiting. A change of a transaction ends when the transaction ends.
  public let duration: Duration
  /// The error that was thrown; `nil` if the call succeeded, or if the change of an update threw. That of a transaction may
  /// name another key of it.
  public let error: StorageError?
}

extension StorageLogEntry: CustomStringConvertible {
  /// One line: `get 'theme' in userDefaults: 8 bytes, 0.1 ms`.
  public var description: String {
    let (seconds, attoseconds) = duration.components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    let time = "\(tenths / 10).\(tenths % 10) ms"
    if let error { return "\(operation.rawValue) \(key): failed after \(time): \(error)" }
    return "\(operation.rawValue) \(key): " + (bytes.map { "\($0) bytes, " } ?? "") + time
  }
}
