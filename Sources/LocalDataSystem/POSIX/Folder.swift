package import LocalDataFoundation

/// An open folder. Names are looked up in it, never paths, and no link is followed.
package struct Folder: ~Copyable, Sendable {
  package let descriptor: Descriptor
  /// A Boolean value that indicates whether the folder is in the container of an app group or of an extension.
  let isShared: Bool

  /// A Boolean value that indicates whether a lock in this folder may be held only inside an ``ExpiringActivity``.
  package var endsSuspendedLockHolders: Bool {
    #if os(iOS) || os(watchOS) || os(visionOS)
      isShared
    #else
      false
    #endif
  }

  /// The mode of every folder that is created here.
  static let mode: mode_t = 0o700

  /// Opens the folder at an absolute path without links. Returns `nil` if it does not exist and is not to be created.
  static func open(path: String, creating: Bool, isShared: Bool = false) throws(StorageProblem) -> Folder? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    if let raw = try SystemCall.runIfPresent({ LocalDataFoundation.open(path, flags) }) {
      return Folder(descriptor: Descriptor(raw: raw), isShared: isShared)
    }
    guard creating, path.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
    let parent = slash == path.startIndex ? "/" : String(path[..<slash])
    guard let folder = try open(path: parent, creating: true, isShared: isShared) else { return nil }
    return try folder.folder(String(path[path.index(after: slash)...]), creating: true)
  }

  /// Opens a folder in this one. Returns `nil` if it does not exist and is not to be created.
  package func folder(_ name: String, creating: Bool) throws(StorageProblem) -> Folder? {
    if let folder = try existingFolder(name) { return folder }
    guard creating else { return nil }
    let raw = descriptor.raw
    do throws(StorageProblem) {
      try SystemCall.run { mkdirat(raw, name, Self.mode) }
      // A mask may take bits away even from 0700.
      try SystemCall.run { fchmodat(raw, name, Self.mode, 0) }
      try protect(name)
      try descriptor.sync()
    } catch {
      // Another process was first.
      guard error == .io(errno: EEXIST) else { throw error }
    }
    guard let folder = try existingFolder(name) else { throw .io(errno: ENOENT) }
    return folder
  }

  /// Sets the protection of a new folder to the one that ends with the first unlock. New files take over that of their folder,
  /// and an app may declare complete protection for its container: then no file could be created while the device is locked.
  private func protect(_ name: String) throws(StorageProblem) {
    #if os(iOS) || os(watchOS) || os(visionOS)
      guard let folder = try existingFolder(name) else { return }
      do throws(StorageProblem) { try FileProtection.standard.apply(to: folder.descriptor) } catch {
        // If the folder stayed, its protection would never be set.
        _ = unlinkat(descriptor.raw, name, AT_REMOVEDIR)
        throw error
      }
    #endif
  }

  private func existingFolder(_ name: String) throws(StorageProblem) -> Folder? {
    let raw = descriptor.raw
    do throws(StorageProblem) {
      let found = try SystemCall.runIfPresent { openat(raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      guard let found else { return nil }
      return Folder(descriptor: Descriptor(raw: found), isShared: isShared)
    } catch {
      // If a link is opened as a folder, Linux reports "not a folder".
      if error == .io(errno: ENOTDIR), try status(of: name)?.isLink == true { throw .io(errno: ELOOP) }
      throw error
    }
  }

  /// Opens a file in this folder, or returns `nil` if it does not exist. A new file has mode 0600, with every umask.
  package func file(_ name: String, _ flags: Int32) throws(StorageProblem) -> Descriptor? {
    let raw = descriptor.raw
    // O_NONBLOCK: a pipe of this name must not hold us up.
    let all = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    guard let found = try SystemCall.runIfPresent({ openat(raw, name, all, 0o600) }) else { return nil }
    let file = Descriptor(raw: found)
    if flags & O_CREAT != 0, try file.status().st_mode & 0o777 != 0o600 {
      try SystemCall.run { fchmod(found, 0o600) }
    }
    return file
  }

  /// Takes files of this user away from other users. What cannot be changed stays as it is. No file is opened, since closing it
  /// would end the locks of the process on it.
  ///
  /// - Parameter names: The names of the files. The name `.` is that of the folder.
  package func makePrivate(_ names: [String]) throws(StorageProblem) {
    for name in names {
      guard let status = try status(of: name), status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { continue }
      _ = fchmodat(descriptor.raw, name, status.isFolder ? Self.mode : 0o600, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Returns the status of a name, or `nil` if it does not exist. Symbolic links are not followed.
  package func status(of name: String) throws(StorageProblem) -> stat? {
    let raw = descriptor.raw
    var status = stat()
    let result = try SystemCall.runIfPresent { fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) }
    return result == nil ? nil : status
  }

  /// Removes a file, and returns true if there was one.
  @discardableResult
  package func unlink(_ name: String) throws(StorageProblem) -> Bool {
    let raw = descriptor.raw
    return try SystemCall.runIfPresent { unlinkat(raw, name, 0) } != nil
  }

  /// Removes a folder without content, and returns true if there was one.
  @discardableResult
  package func removeFolder(_ name: String) throws(StorageProblem) -> Bool {
    let raw = descriptor.raw
    return try SystemCall.runIfPresent { unlinkat(raw, name, AT_REMOVEDIR) } != nil
  }

  package func rename(_ name: String, to newName: String) throws(StorageProblem) {
    let raw = descriptor.raw
    try SystemCall.run { renameat(raw, name, raw, newName) }
  }

  /// Adds a second name to a file. Returns false if the name exists already.
  package func link(_ name: String, as newName: String) throws(StorageProblem) -> Bool {
    let raw = descriptor.raw
    do throws(StorageProblem) {
      try SystemCall.run { linkat(raw, name, raw, newName, 0) }
      return true
    } catch {
      if error == .io(errno: EEXIST) { return false }
      throw error
    }
  }

  /// Returns the names in this folder.
  package func names() throws(StorageProblem) -> [String] {
    let raw = descriptor.raw
    // A separate descriptor, because reading a folder moves the position, and closedir closes the descriptor.
    let copy = try SystemCall.run { openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      _ = close(copy)
      throw StorageProblem(errno: code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw StorageProblem(errno: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Throws ``StorageProblem/configurationConflict`` if the folder was opened by another spelling of its name: on a volume
  /// that ignores case, `Reports` and `reports` are one folder, and the values of two directories would share files.
  func requireName(_ name: String) throws(StorageProblem) {
    #if canImport(Darwin)
      let path = try descriptor.path()
      // Compared as text: some volumes normalize names.
      guard path.split(separator: "/").last.map({ $0 == name }) == true else { throw .configurationConflict }
    #endif
  }

  /// Returns false if a file in this folder is found by a name that the volume spells in another way, because it ignores case.
  package func spells(_ name: String) -> Bool {
    #if canImport(Darwin)
      // The call that uses a file reports why it cannot be opened.
      do throws(StorageProblem) {
        guard let file = try file(name, O_RDONLY) else { return true }
        return try file.path().split(separator: "/").last.map { $0 == name } ?? true
      } catch { return true }
    #else
      return true
    #endif
  }
}
