#if os(Linux)
  import Dispatch
  import LocalDataFoundation
  import LocalDataSystem

  extension SQLiteDatabase {
    /// Calls `onChange` after each commit by any process, and perhaps more often, until the result is released.
    package func watch(_ onChange: @escaping @Sendable () -> Void) -> any Sendable {
      let log = files.location.name + "-wal"
      let name = files.location.name
      let commits = DatabaseCommits(database: self, onChange: onChange)
      return FolderWatch(files.location.folder.path, where: { $0 == log || $0 == name }) { commits.fileHasChanged() }
    }
  }

  /// Waits for the commit that a change of a file belongs to, and then notifies the listeners.
  private final class DatabaseCommits: Sendable {
    private enum State: Sendable {
      case idle, waiting
      /// The files have changed since the wait began.
      case waitingAgain
    }

    private let database: SQLiteDatabase
    private let onChange: @Sendable () -> Void
    private let state = Lock(State.idle)

    init(database: SQLiteDatabase, onChange: @escaping @Sendable () -> Void) {
      self.database = database
      self.onChange = onChange
    }

    func fileHasChanged() {
      let begins = state.withLock { state in
        defer { state = state == .idle ? .waiting : .waitingAgain }
        return state == .idle
      }
      if begins { DispatchQueue.global(qos: .utility).async { [self] in wait() } }
    }

    private func wait() {
      var isCertain = true
      repeat {
        // If a writer holds the database for too long, the check may run too early, and runs again.
        do throws(StorageProblem) { try database.waitForWriters() } catch { isCertain = error != .busy }
        onChange()
      } while !isDone(isCertain)
    }

    private func isDone(_ isCertain: Bool) -> Bool {
      state.withLock { state in
        guard isCertain, state == .waiting else {
          state = .waiting
          return false
        }
        state = .idle
        return true
      }
    }
  }
#endif
