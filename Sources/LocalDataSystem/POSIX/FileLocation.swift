package import LocalDataFoundation

/// A folder that contains containers of values. Its path may lead through symbolic links and is resolved once. No path
/// below it may.
package struct StorageRoot: Hashable, Sendable {
  /// The absolute path, without links as far as it exists.
  package let path: String
  /// A Boolean value that indicates whether the system ends a suspended process that holds a lock in the folder. It does so in
  /// the container of an app group, which other processes use too, and in that of an extension. A watch app in the older form
  /// is an extension.
  package let isShared: Bool
  /// The path of a file that exists if the volume of the folder is mounted, or `nil` if there is none.
  package let marker: String?

  /// The root at a URL of a file.
  package init(_ url: URL, isShared: Bool = false, marker: URL? = nil) {
    self.init(RootFolder(url), isShared: isShared, marker: marker.map { RootFolder($0) })
  }

  package init(_ folder: RootFolder, isShared: Bool = false, marker: RootFolder? = nil) {
    // Foundation takes some time for it, at the launch of every app.
    path = Self.resolve(Self.isStandard(folder.path) ? folder.path : folder.url.standardizedFileURL.path)
    // The app may also have configured a folder of the group as its own.
    // Swift's own search prepares tables first, which would be a part of every launch.
    self.isShared =
      isShared || strstr(path, "/Containers/Shared/AppGroup/") != nil
      || strstr(path, "/Containers/Data/PluginKitPlugin/") != nil
    self.marker = marker?.path
  }

  /// Opens the folder. Returns `nil` if it does not exist and is not to be created.
  ///
  /// - Throws: ``StorageProblem/busy`` in a call that must not wait, because a folder and its files may be on a slow disk.
  ///   ``StorageProblem/folderUnavailable`` if the marker does not exist, or if the folder does not exist because a link
  ///   above it leads nowhere, for example to a volume that is not mounted.
  func open(creating: Bool) throws(StorageProblem) -> Folder? {
    try CallDeadline.requireWaiting()
    try requireMarker()
    if let folder = try Folder.open(path: path, creating: false, isShared: isShared) { return folder }
    try requireAncestors()
    return creating ? try Folder.open(path: path, creating: true, isShared: isShared) : nil
  }

  private func requireMarker() throws(StorageProblem) {
    guard let marker else { return }
    guard try SystemCall.runIfPresent({ access(marker, F_OK) }) != nil else { throw .folderUnavailable }
  }

  /// Examines the nearest part of the path that exists. If it is a link that leads nowhere, the folder is not absent.
  private func requireAncestors() throws(StorageProblem) {
    var part = path[...]
    while part.count > 1 {
      let name = String(part)
      var status = stat()
      if try SystemCall.runIfPresent({ lstat(name, &status) }) != nil {
        guard status.isLink, try SystemCall.runIfPresent({ stat(name, &status) }) == nil else { return }
        throw .folderUnavailable
      }
      guard let slash = part.lastIndex(of: "/") else { return }
      part = part[..<slash]
    }
  }

  /// Returns true if an absolute path has no empty part, no `.` and no `..`.
  private static func isStandard(_ path: String) -> Bool {
    guard path.utf8.first == UInt8(ascii: "/") else { return false }
    // The bytes of the current part, and whether they are all dots.
    var count = 0
    var isDots = true
    for byte in path.utf8.dropFirst() {
      if byte == UInt8(ascii: "/") {
        if count == 0 || isDots && count <= 2 { return false }
        count = 0
        isDots = true
      } else {
        count = count + 1
        isDots = isDots && byte == UInt8(ascii: ".")
      }
    }
    return count > 0 && !(isDots && count <= 2)
  }

  /// Resolves the longest part of a path that exists. The rest does not exist yet, so it contains no links.
  private static func resolve(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard path.count > 1, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
    let parent = resolve(String(path[..<slash]))
    return (parent == "/" ? "" : parent) + String(path[slash...])
  }
}

/// A folder below a root, named by the path that leads to it.
package struct FolderLocation: Hashable, Sendable {
  package var root: StorageRoot
  package var parts: [String]

  package init(root: StorageRoot, parts: [String]) {
    self.root = root
    self.parts = parts
  }

  /// The absolute path.
  package var path: String {
    parts.reduce(into: root.path) { path, part in
      path += "/"
      path += part
    }
  }

  /// Opens the folder part by part. Returns `nil` if it does not exist and is not to be created.
  ///
  /// If it may be created, it is opened for a writer: then access that others have to its parts is taken away.
  package func open(creating: Bool) throws(StorageProblem) -> Folder? {
    guard var folder = try root.open(creating: creating) else { return nil }
    for part in parts {
      guard let next = try folder.folder(part, creating: creating) else { return nil }
      try next.requireName(part)
      if creating { next.descriptor.narrow(try next.descriptor.status()) }
      folder = next
    }
    return folder
  }

  /// Opens the folder, which is created if it does not exist, for a writer that takes the lock `name` in it.
  ///
  /// Folders are on the disk before a lock is created in them. If the lock is missing, the process that created them may
  /// have been killed before that, so the names that lead here are synced again.
  package func openForWriting(lock name: String) throws(StorageProblem) -> Folder {
    guard let folder = try open(creating: true) else { throw .io(errno: ENOENT) }
    if try folder.status(of: FileLock.lockName(name)) == nil { try syncNames() }
    return folder
  }

  private func syncNames() throws(StorageProblem) {
    try Self.syncNames(above: root.path)
    guard var folder = try Folder.open(path: root.path, creating: false) else { return }
    for part in parts {
      try folder.descriptor.sync()
      guard let next = try folder.folder(part, creating: false) else { return }
      folder = next
    }
  }

  /// Syncs the folders above a path whose names may have been created by a process that uses the library.
  ///
  /// It ends at a folder whose mode or owner is not the one of the library's new folders, and at one that cannot be opened,
  /// for example above an app group's container. A folder is created only in one that can be opened.
  private static func syncNames(above path: String) throws(StorageProblem) {
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

  private static func openUnlessDenied(_ path: String) throws(StorageProblem) -> Folder? {
    do throws(StorageProblem) { return try Folder.open(path: path, creating: false) } catch {
      // A sandbox denies with EPERM, which means a locked device for files. No protection class locks a folder.
      guard error == .accessDenied || error == .locked else { throw error }
      return nil
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

  /// Returns the name under which the file is kept when it cannot be used.
  package func setAside(_ id: String = UUID().uuidString.lowercased()) -> FileLocation {
    let hidden = name.hasPrefix(".") ? name : "." + name
    return FileLocation(folder: folder, name: "\(hidden).damaged-\(id)")
  }
}

/// Reads and writes files of the library's own, for example the key file of a keystore.
extension FileLocation {
  /// Returns the file's bytes, or `nil` if there is no file. Throws `valueTooLarge` if it has more than `limit` bytes.
  package func read(upTo limit: Int) throws(StorageProblem) -> Data? {
    guard let folder = try folder.open(creating: false), let file = try folder.file(name, O_RDONLY) else { return nil }
    let status = try file.status()
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    let bytes = try file.read(upTo: limit + 1)
    guard bytes.count <= limit else { throw .valueTooLarge(limit: limit) }
    return bytes
  }

  /// Returns true if there is a file.
  package func exists() throws(StorageProblem) -> Bool {
    guard let folder = try folder.open(creating: false), let status = try folder.status(of: name) else { return false }
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    return true
  }

  /// Creates a file with mode 0600, and returns false if there is one already. Durable on return.
  package func create(
    _ bytes: Data, _ protection: FileProtection = .standard, patience: Duration = .seconds(10)
  ) throws(StorageProblem) -> Bool {
    let name = name
    let location = folder
    let folder = try location.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageProblem) in
      try DurableWriter.create(name, in: folder, with: [bytes], protection)
    }
  }

  /// Replaces the file's bytes by the result of `change`, which may read the file: no other process changes it meanwhile. If
  /// the result is nil, the file is unchanged. The bytes are durable when the function returns.
  package func change(
    patience: Duration = .seconds(10), _ change: () throws(StorageProblem) -> Data?
  ) throws(StorageProblem) {
    let name = name
    let location = folder
    let folder = try location.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: patience) { () throws(StorageProblem) in
      guard let bytes = try change() else { return }
      try DurableWriter.replace(name, in: folder, with: [bytes])
    }
  }
}
