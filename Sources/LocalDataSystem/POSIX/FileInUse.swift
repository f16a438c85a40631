import LocalDataFoundation

/// A new file that a process uses for longer than a call. It is locked as long as the value exists. A file without a lock was left by
/// a killed process.
///
/// The system ends an app that is suspended with a lock in the container of an app group. There, files have no lock, and are in use
/// for a day.
package final class FileInUse: Sendable {
  package let location: FileLocation
  /// Stays open because its lock shows that the file is in use.
  private let file: Descriptor

  private static let day: TimeInterval = 86_400

  /// Creates a file, with its folder.
  package init(creating location: FileLocation) throws(StorageProblem) {
    self.location = location
    file = try Self.create(location)
  }

  private static func create(_ location: FileLocation) throws(StorageProblem) -> Descriptor {
    guard let folder = try location.folder.open(creating: true) else { throw .io(errno: ENOENT) }
    while true {
      guard let file = try folder.file(location.name, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
      if folder.endsSuspendedLockHolders { return file }
      try file.takeLock(LOCK_EX, until: CallDeadline.end(of: FileLock.patience), in: nil)
      // Until it was locked, another process may have taken it for abandoned and removed it.
      if try file.status().st_nlink > 0 { return file }
    }
  }

  /// Removes the file. What cannot be removed now is removed as that of a killed process.
  package func remove() {
    do throws(StorageProblem) { try location.folder.open(creating: false)?.unlink(location.name) } catch {}
  }

  /// Removes a file that no process uses, and returns true if it no longer exists.
  package static func removeAbandoned(_ name: String, in folder: borrowing Folder) throws(StorageProblem) -> Bool {
    guard let found = try folder.status(of: name) else { return true }
    // The library creates no link and no folder here.
    guard found.isRegularFile else { return try folder.unlink(name) }
    let opened: Descriptor?
    do throws(StorageProblem) { opened = try folder.file(name, O_WRONLY) } catch {
      // On a locked device, that of a value that is completely protected. It is removed later.
      guard error == .locked || error == .accessDenied else { throw error }
      return false
    }
    guard let file = opened else { return true }
    guard !folder.endsSuspendedLockHolders || isOld(found) else { return false }
    guard folder.endsSuspendedLockHolders || lock(file), let status = try folder.status(of: name) else { return false }
    // Its writer may have renamed it since, and another one taken the name.
    guard FileID(status) == FileID(try file.status()) else { return false }
    return try folder.unlink(name)
  }

  static func isOld(_ status: stat, at now: Date = Date()) -> Bool { status.modification + day < now }

  /// Locks a file, and returns false if it is in use.
  static func lock(_ file: borrowing Descriptor) -> Bool { flock(file.raw, LOCK_EX | LOCK_NB) == 0 }
}
