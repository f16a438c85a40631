#if os(Linux)
  import CLocalDataSQLite
  import Foundation
  import LocalData
  import RuntimeTestSupport
  import LocalDataFoundation
  import LocalDataStores
  import LocalDataSystem

  /// The uses of the stores of one app: each call of its store of files, and each statement of its databases.
  final class StoreUses: Sendable {
    struct Counts: Sendable, Equatable {
      var (onMainActor, elsewhere) = (0, 0)
    }

    /// The recorded folders. A connection knows only the path of its database.
    private static let recorded = Lock<[String: Counts]>([:])
    /// Traces the statements of every connection that the process opens from now on.
    private static let isTracing: Bool = {
      let begin: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32 = {
        handle, _, _ in
        sqlite3_trace_v2(
          handle, UInt32(SQLITE_TRACE_STMT),
          { _, _, statement, _ in
            let path = sqlite3_db_filename(sqlite3_db_handle(OpaquePointer(statement)), "main")
            if let path { StoreUses.note(String(cString: path)) }
            return 0
          }, nil)
      }
      return sqlite3_auto_extension(unsafeBitCast(begin, to: (@convention(c) () -> Void).self)) == SQLITE_OK
    }()

    private static let mainQueue = DispatchSpecificKey<Bool>()
    /// A Boolean value that indicates whether the main actor runs the caller. On Linux, it can use any thread when the
    /// program's main function has ended.
    static var isMainActor: Bool { isMarked && DispatchQueue.getSpecific(key: mainQueue) == true }
    private static let isMarked: Bool = {
      DispatchQueue.main.setSpecific(key: mainQueue, value: true)
      return true
    }()

    private let folder: String

    /// - Parameter folder: The folder of the app, without links.
    init?(in folder: String) {
      guard Self.isTracing else { return nil }
      self.folder = folder
      reset()
    }

    deinit { Self.recorded.withLock { $0[folder] = nil } }

    var counts: Counts { Self.recorded.withLock { $0[folder] ?? Counts() } }

    func reset() { Self.recorded.withLock { $0[folder] = Counts() } }

    fileprivate static func note(_ path: String) {
      let isMain = isMainActor
      recorded.withLock { recorded in
        for folder in recorded.keys where path.hasPrefix(folder + "/") {
          if isMain { recorded[folder]?.onMainActor += 1 } else { recorded[folder]?.elsewhere += 1 }
        }
      }
    }

    /// The store of files, whose calls are noted.
    struct Files: ForwardingStore {
      let store: any ValueStore
      let uses: StoreUses

      var base: any ValueStore {
        StoreUses.note(uses.folder + "/")
        return store
      }
      var removesAtNextLaunch: Bool { store.removesAtNextLaunch }
    }
  }
#endif
