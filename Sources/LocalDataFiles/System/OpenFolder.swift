#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open folder. Its files are reached by their names in it, and never through a link: a link in a working copy could
/// lead anywhere on the machine.
///
/// The path of the folder itself may contain links that do not lead out of the folder of the run.
package final class OpenFolder: Sendable {
  package typealias Failure = DiskFile.Failure

  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens the folder at a path. Returns nil if there is none.
  package static func open(_ path: CheckedPath) throws(Failure) -> OpenFolder? {
    let descriptor = openat(AT_FDCWD, path.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw Failure(code: errno) }
    return OpenFolder(descriptor: descriptor)
  }

  /// Opens a folder in this one. Returns nil if there is none, and throws if the name is a link.
  package func folder(_ name: String) throws(Failure) -> OpenFolder? {
    let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if child < 0, errno == ENOENT { return nil }
    guard child >= 0 else { throw Failure(code: errno) }
    return OpenFolder(descriptor: child)
  }

  /// Makes a folder in this one, unless it exists.
  package func makeFolder(_ name: String) throws(Failure) {
    guard mkdirat(descriptor, name, 0o755) == 0 || errno == EEXIST else { throw Failure(code: errno) }
  }

  /// Returns the status of a file, or of a link itself. Returns nil if there is neither.
  package func status(_ name: String) throws(Failure) -> DiskFile.Status? {
    var status = stat()
    if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return DiskFile.Status(status) }
    guard errno == ENOENT else { throw Failure(code: errno) }
    return nil
  }

  /// Returns the first bytes of a file, at most `limit`.
  ///
  /// - Throws: The failure of the system; also for links, and for what could block or never end.
  package func read(_ name: String, limit: Int) throws(Failure) -> [UInt8] {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Failure(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: EINVAL) }
    return try DiskFile.read(file, limit: limit)
  }

  /// Writes a file that does not exist yet. If that fails, there is no such file afterwards.
  ///
  /// - Parameter isSynced: Whether the bytes are on the disk before the function returns.
  package func create(_ name: String, _ parts: [[UInt8]], isSynced: Bool = false) throws(Failure) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Failure(code: errno) }
    let result = Result { () throws(Failure) in
      try DiskFile.writeAll(parts, to: file)
      if isSynced, fsync(file) != 0 { throw Failure(code: errno) }
    }
    let isClosed = close(file) == 0
    let closing = Failure(code: errno)
    do throws(Failure) {
      try result.get()
      guard isClosed else { throw closing }
    } catch {
      unlinkat(descriptor, name, 0)
      throw error
    }
  }

  /// Renames a file; one that has the new name already is replaced.
  package func move(_ name: String, to newName: String) throws(Failure) {
    guard renameat(descriptor, name, descriptor, newName) == 0 else { throw Failure(code: errno) }
  }

  /// Removes a file or a link, if there is one.
  package func remove(_ name: String) throws(Failure) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw Failure(code: errno) }
  }

  /// Returns the names in the folder, sorted.
  package func names() throws(Failure) -> [String] {
    // A second descriptor, because the stream closes it.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw Failure(code: errno) }
    guard let stream = fdopendir(copy) else {
      let failure = Failure(code: errno)
      close(copy)
      throw failure
    }
    return DiskFile.names(closing: stream)
  }

  /// Waits until the names of the folder are on the disk.
  package func sync() throws(Failure) {
    guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
  }
}
