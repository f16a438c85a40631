#if os(Linux)
  import Foundation
  import RuntimeTestSupport

  /// The changes of a process to its files and folders that are not yet synced, by the calls in a trace.
  ///
  /// The rules, each of which is a violation if it is broken:
  ///
  /// - A file is renamed or linked only after its last bytes are synced.
  /// - A file is removed, and a database is changed or replaced, only after what was written, named or renamed before is synced.
  /// - The log of a database is synced before the database is written.
  /// - When the operation has returned, every file is synced after its last bytes, and every folder after the last name that
  ///   was added, renamed or removed in it.
  ///
  /// The log of preferences may be synced later, drafts may be removed later and need be synced only to be renamed or linked,
  /// and the shared memory of a database is nothing that outlives the machine. What is found in a database after a loss of power is SQLite's to promise.
  struct UnsyncedChanges {
    private(set) var violations: [String] = []
    /// The number of syncs that were seen.
    private(set) var syncs = 0
    /// The last call that has changed a file or the names in a folder, by the path.
    private var files: [String: FaultShim.Call] = [:]
    private var folders: [String: FaultShim.Call] = [:]

    /// A Boolean value that indicates whether the log of preferences must be synced before a file is removed, because the
    /// value of the file was moved to them.
    private let movesToPreferences: Bool

    /// Applies the calls of an operation that has returned.
    init(_ calls: [FaultShim.Call], movesToPreferences: Bool = false) {
      self.movesToPreferences = movesToPreferences
      for call in calls { apply(call) }
      requireNothing("the operation has returned", withRemovals: true)
    }

    private mutating func apply(_ call: FaultShim.Call) {
      switch call.name {
      case "fsync", "fdatasync":
        syncs += 1
        files[call.path] = nil
        folders[call.path] = nil
      case "renameat", "linkat", "rename", "link":
        guard let newPath = call.newPath else { return }
        if let change = files[call.path] { violations.append("\(call), while \(change) is not synced") }
        if newPath.hasSuffix(".db") { requireNothing("\(call)") }
        folders[Self.folder(of: newPath)] = call
        if call.name.hasPrefix("rename") { folders[Self.folder(of: call.path)] = call }
      case "mkdirat", "mkdir": if !call.path.isEmpty { folders[Self.folder(of: call.path)] = call }
      // SQLite removes files that way, and sees to them itself.
      case "unlink": files[call.path] = nil
      case "unlinkat":
        files[call.path] = nil
        guard !call.isAbsent, !Self.isDraft(call.path) else { return }
        requireNothing("\(call)", withPreferences: movesToPreferences)
        folders[Self.folder(of: call.path)] = call
      default:
        guard call.name.contains("write") || call.name.contains("truncate"), !call.path.hasSuffix("-shm") else {
          return
        }
        if call.path.hasSuffix(".db"), let change = files[call.path + "-wal"] {
          violations.append("\(call), while \(change) is not synced")
        }
        // SQLite cuts a log off once all of it is in the database and on the disk.
        if Self.isLog(call.path), call.name.contains("truncate") { return }
        if Self.isLog(call.path) { requireNothing("\(call)", except: call.path) }
        files[call.path] = call
      }
    }

    /// - Parameters:
    ///   - path: A file that may be changed.
    ///   - withRemovals: A Boolean value that indicates whether removals must be synced too.
    ///   - withPreferences: A Boolean value that indicates whether the log of preferences must be. They promise to survive a
    ///     killed process.
    private mutating func requireNothing(
      _ occasion: String, except path: String? = nil, withRemovals: Bool = false, withPreferences: Bool = false
    ) {
      let changes = files.merging(folders, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }
      for (changed, call) in changes where changed != path && !Self.isDraft(changed) {
        if call.name == "unlinkat", !withRemovals { continue }
        if changed.contains("/preferences/"), Self.isLog(changed), !withPreferences { continue }
        violations.append("\(occasion), while \(call) is not synced")
      }
    }

    private static func isLog(_ path: String) -> Bool { path.hasSuffix(".db-wal") }

    private static func isDraft(_ path: String) -> Bool { path.contains(".new") }

    private static func folder(of path: String) -> String {
      path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
  }
#endif
