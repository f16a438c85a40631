#if os(Linux)
  internal import LocalDataFoundation
  internal import Synchronization
  package import LocalDataSystem

  /// A state of a database. It is current until any process commits to the database, or the file is replaced.
  package struct SQLiteState: Sendable {
    fileprivate let header: SQLiteLogHeader
    fileprivate let words: SQLiteLogHeader.Words

    /// Reads no file: a commit changes memory that the processes share. Only the first call in 10 ms checks whether the file
    /// was deleted or replaced.
    package var isCurrent: Bool { header.words == words && header.isInPlace }
  }

  /// The header of a write-ahead log's index, in memory that SQLite shares between processes. Each commit changes it.
  ///
  /// `@unchecked Sendable`: of `connection` only a constant is used here, and `memory` is only read.
  package final class SQLiteLogHeader: @unchecked Sendable {
    /// One of the two copies of the header. A writer changes the second one first.
    struct Words: Equatable, Sendable {
      private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

      static func == (one: Self, other: Self) -> Bool { one.words == other.words }
    }

    /// Keeps the memory mapped, because a reader may be using it.
    private let connection: SQLiteConnection
    private let path: String
    /// The file that the connection has open.
    private let file: FileID
    private let memory: UnsafeRawPointer
    /// The last check of the file.
    private let last: Lock<Look>

    private struct Look: Sendable {
      /// The time of the last check in milliseconds.
      var time = Int.min
      var replacements = 0
    }

    private static let interval = 10
    /// Counts how often this process has created, opened or moved a database file to write to it.
    private static let replacements = Atomic(0)

    /// Makes the next call of ``isInPlace`` of every header check its file.
    package static func lookAgain() { replacements.add(1, ordering: .acquiringAndReleasing) }

    /// Creates the header of a database that was just opened. Returns `nil` if the file was replaced since.
    ///
    /// - Parameters:
    ///   - connection: A connection that no other thread uses yet.
    ///   - location: The file of the database.
    init?(_ connection: SQLiteConnection, at location: FileLocation) {
      path = location.path
      guard let memory = connection.logIndex, let file = FileStamp(path: path)?.id, !connection.hasMoved else {
        return nil
      }
      self.connection = connection
      self.memory = memory
      self.file = file
      last = Lock(Look())
    }

    /// The header, or `nil` while a process writes it.
    var words: Words? {
      let first = memory.load(as: Words.self)
      atomicMemoryFence(ordering: .acquiringAndReleasing)
      let second = memory.load(fromByteOffset: MemoryLayout<Words>.size, as: Words.self)
      return first == second ? first : nil
    }

    /// A Boolean value that indicates whether the file is still the database of this process.
    var isInPlace: Bool {
      let now = Look(time: Self.milliseconds, replacements: Self.replacements.load(ordering: .acquiring))
      return last.withLock { [self] last in
        if last.replacements == now.replacements, last.time > now.time - Self.interval { return true }
        guard connection.isOfThisProcess, FileStamp(path: path)?.id == file else { return false }
        last = now
        return true
      }
    }

    /// The time of a clock that costs no call of the system, and counts in steps of a few milliseconds.
    private static var milliseconds: Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
  }

  extension SQLiteDatabase {
    /// Returns the state of the database before a read, or `nil` if the file does not exist, or is being written.
    ///
    /// If the call must not wait, it throws ``StorageProblem/busy`` if the database has to be opened.
    package func state() throws(StorageProblem) -> SQLiteState? {
      guard let header = try logHeader(), let words = header.words else { return nil }
      return SQLiteState(header: header, words: words)
    }

    /// Returns the header of the log's index, or `nil` if the file does not exist yet.
    private func logHeader() throws(StorageProblem) -> SQLiteLogHeader? {
      if let known = knownHeader.withLock({ $0 }), known.isInPlace { return known }
      guard let connection = try files.openForReading(until: files.end) else { return nil }
      let header = SQLiteLogHeader(connection, at: files.location)
      knownHeader.withLock { $0 = header }
      // The read that requests it needs a connection too.
      readers.giveBack(connection)
      return header
    }
  }
#endif
