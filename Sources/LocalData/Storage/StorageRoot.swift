package import Foundation

/// A folder that values lie below. Its own path may lead through links and is resolved once; nothing below it may.
package struct StorageRoot: Hashable, Sendable {
  /// The absolute path, without links as far as it exists.
  package let path: String

  /// The root at a URL of a file.
  package init(_ url: URL) { path = Self.resolve(url.standardizedFileURL.path) }

  /// Resolves the longest part of a path that exists; what does not exist yet has no links.
  private static func resolve(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard path.count > 1, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
    return resolve(String(path[..<slash])) + path[slash...]
  }
}

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

/// A file below a root.
package struct FileLocation: Hashable, Sendable {
  package var folder: FolderLocation
  package var name: String

  package init(folder: FolderLocation, name: String) {
    self.folder = folder
    self.name = name
  }

  /// The absolute path.
  package var path: String { folder.path + "/" + name }
}
