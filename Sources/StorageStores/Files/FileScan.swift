import SmallFoundation
import StorageSystem

/// A visit to every value in a folder and in the folders below it.
///
/// A scan protects sealed values whose master key is missing, so it must not overlook a value of the library, and it
/// must not fail because of another file:
///
/// - A file whose name no stored name produces is not a value. It is not opened. This includes names with a leading dot.
/// - Any other file is opened, whatever its owner and mode: a restored backup or `chmod` may have changed both, and the
///   value can still be read.
/// - If the system denies that, the file is ignored only if another user owns it, or if its mode does not let its owner read
///   it. The library's writer never creates such files. Every other failure is thrown, because the file may be a sealed value.
/// - A file of SQLite is not closed again, see ``DatabaseFiles``.
/// - A folder that cannot be read is ignored only if another user owns it.
package struct FileScan {
  /// The number of bytes of a value that are handed over at most.
  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  /// Calls `visit` with the first bytes of every value. Returns `false` if `visit` ended the scan.
  func run(
    in folder: borrowing Folder, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) -> Bool {
    for name in try folder.names() where !name.hasPrefix(".") {
      // If a listed name no longer exists, it was removed, as it could have been before the scan.
      guard let status = try folder.status(of: name) else { continue }
      if status.isFolder {
        if let inner = try self.folder(name, status, in: folder), try !run(in: inner, visit) { return false }
      } else if status.isRegularFile, FileName.isFileName(name) {
        if let bytes = try beginning(of: name, status, in: folder), try !visit(bytes) { return false }
      }
    }
    return true
  }

  /// Calls `visit` with the stored name of every value in a folder, without the folders below it.
  ///
  /// A file whose name was shortened is opened, because it contains its stored name. It is ignored if what it contains is
  /// not a name that gives this file name.
  static func names(
    in folder: borrowing Folder, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    for name in try folder.names() where !name.hasPrefix(".") && FileName.isFileName(name) {
      guard let status = try folder.status(of: name), status.isRegularFile else { continue }
      let stored =
        FileName.isShortened(name)
        ? try storedName(in: name, status, in: folder) : FileName.storedName(of: name)
      if let stored, try !visit(stored) { return }
    }
  }

  private static func storedName(
    in name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageFault) -> String? {
    guard let file = try opened(name, status, in: folder) else { return nil }
    return try storedName(in: file, name)
  }

  /// Returns the stored name at the beginning of a file, or `nil` if the file name for that stored name is another one.
  package static func storedName(in file: borrowing Descriptor, _ name: String) throws(StorageFault) -> String? {
    guard let stored = try NamedContent.storedName(in: file), try FileName(stored).text == name else { return nil }
    return stored
  }

  private func folder(
    _ name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageFault) -> Folder? {
    do throws(StorageFault) { return try folder.folder(name, creating: false) } catch {
      guard error == .accessDenied, status.st_uid != geteuid() else { throw error }
      return nil
    }
  }

  private func beginning(
    of name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageFault) -> Data? {
    // A database of the app, which this process may have open.
    if DatabaseFiles.isKnown(status) { return nil }
    guard let file = try Self.opened(name, status, in: folder) else { return nil }
    let beginning = try NamedContent.beginning(of: file, named: name, upTo: limit)
    if DatabaseFiles.isDatabase(named: name, beginning) { DatabaseFiles.leaveOpen(file, status) }
    return beginning
  }

  private static func opened(
    _ name: String, _ status: stat, in folder: borrowing Folder
  ) throws(StorageFault) -> Descriptor? {
    do throws(StorageFault) { return try folder.file(name, O_RDONLY) } catch {
      let isOwn = status.st_uid == geteuid() && status.st_mode & 0o400 != 0
      guard error == .accessDenied, !isOwn else { throw error }
      return nil
    }
  }
}
