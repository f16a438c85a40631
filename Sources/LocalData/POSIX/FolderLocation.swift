import Foundation

/// A folder below a root, by the names that lead to it.
package struct FolderLocation: Hashable, Sendable {
  package var root: StorageRoot
  package var parts: [String]

  package init(root: StorageRoot, parts: [String]) {
    self.root = root
    self.parts = parts
  }

  /// The absolute path.
  package var path: String { ([root.path] + parts).joined(separator: "/") }

  /// The folder, opened part by part; `nil` where it is absent and not to be made.
  func open(creating: Bool) throws(StorageFault) -> Folder? {
    guard var folder = try Folder.open(path: root.path, creating: creating, isShared: root.isShared) else { return nil }
    for part in parts {
      guard let next = try folder.folder(part, creating: creating) else { return nil }
      try next.requireName(part)
      folder = next
    }
    return folder
  }

  /// The folder, made where it is absent, with the lock `name` in it.
  ///
  /// Folders are on the disk before a lock is made in them. So a missing lock says that their maker may have been
  /// killed before that, and the names that lead here are synced again.
  func openForWriting(lock name: String) throws(StorageFault) -> Folder {
    guard let folder = try open(creating: true) else { throw .io(errno: ENOENT) }
    if try folder.status(of: FileLock.lockName(name)) == nil { try syncNames() }
    return folder
  }

  private func syncNames() throws(StorageFault) {
    try Self.syncNames(above: root.path)
    guard var folder = try Folder.open(path: root.path, creating: false) else { return }
    for part in parts {
      try folder.descriptor.sync()
      guard let next = try folder.folder(part, creating: false) else { return }
      folder = next
    }
  }

  /// Syncs the folders above a path that may have got a new name from a process of ours.
  ///
  /// That ends at a folder whose mode or owner is not what we give to a new one, and at one that cannot be opened, as what
  /// is above an app group's container: a folder is created in an open one only.
  private static func syncNames(above path: String) throws(StorageFault) {
    var path = path[...]
    while let slash = path.lastIndex(of: "/"), path.count > 1 {
      guard let folder = try Folder.open(path: String(path), creating: false) else { return }
      let status = try folder.descriptor.status()
      guard status.st_uid == geteuid(), status.st_mode & 0o777 == Folder.mode else { return }
      let parent = slash == path.startIndex ? "/" : path[..<slash]
      guard let above = try openUnlessDenied(String(parent)) else { return }
      try above.descriptor.sync()
      path = parent
    }
  }

  private static func openUnlessDenied(_ path: String) throws(StorageFault) -> Folder? {
    do throws(StorageFault) { return try Folder.open(path: path, creating: false) } catch {
      // A sandbox denies with EPERM, which means a locked device for files. No protection class locks a folder.
      guard error == .accessDenied || error == .locked else { throw error }
      return nil
    }
  }
}
