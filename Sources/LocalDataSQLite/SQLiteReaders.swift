import LocalDataFoundation
import LocalDataSystem

/// The connections that read a database while another one writes to it.
///
/// A reader takes one and returns it. A connection to a file that is no longer the database is closed.
struct SQLiteReaders: Sendable {
  /// `@unchecked Sendable`: the pool owns the connection, or else the one reader that has taken it out.
  private struct Idle: @unchecked Sendable {
    let connection: SQLiteConnection
  }

  /// More readers than this at the same time are rare. Their connections are closed again.
  private static let mostIdle = 4

  private let idle = Lock<[Idle]>([])
  /// The connections that failed because the device is locked. They are closed after the next success: closing the last connection
  /// would copy the log, which cannot be read until then.
  private let locked = Lock<[Idle]>([])

  /// Returns a connection that no other thread uses, or `nil` if one has to be opened.
  func take() -> SQLiteConnection? {
    while let connection = idle.withLock({ $0.popLast() })?.connection {
      if !connection.hasMoved { return connection }
    }
    return nil
  }

  func keepLocked(_ connection: SQLiteConnection) {
    let idling = Idle(connection: connection)
    locked.withLock { $0.append(idling) }
  }

  /// Releases the memory of the connections that no reader uses. They stay open: none may be opened while the device is locked.
  func releaseMemory() { idle.withLock { for idling in $0 { idling.connection.releaseMemory() } } }

  func giveBack(_ connection: SQLiteConnection) {
    locked.withLock { $0 = [] }
    // It would not see the change if the folder can be written to again.
    if connection.kind == .unchanging { return }
    let idling = Idle(connection: connection)
    idle.withLock { if $0.count < Self.mostIdle { $0.append(idling) } }
  }
}
