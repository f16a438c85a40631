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
    guard var folder = try Folder.open(path: root.path, creating: creating) else { return nil }
    for part in parts {
      guard let next = try folder.folder(part, creating: creating) else { return nil }
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
    guard let slash = root.path.lastIndex(of: "/") else { return }
    let parent = slash == root.path.startIndex ? "/" : String(root.path[..<slash])
    if let above = try Folder.open(path: parent, creating: false) { try above.descriptor.sync() }
    guard var folder = try Folder.open(path: root.path, creating: false) else { return }
    for part in parts {
      try folder.descriptor.sync()
      guard let next = try folder.folder(part, creating: false) else { return }
      folder = next
    }
  }
}
