import LocalDataSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Files and folders by their paths, through the calls of the system.
package enum DiskFile {
  /// Why a call of the system failed.
  package struct Failure: Error {
    package var code: Int32

    package init(code: Int32) { self.code = code }

    /// The system's words for the code.
    package var text: String { String(cString: strerror(code)) }
    /// A Boolean value that indicates whether the reader of a pipe has closed it.
    var isClosedPipe: Bool { code == EPIPE }
  }

  package enum Kind {
    case file, folder, link, other
  }

  /// The number of a file and of its device. Two paths with one identity name the same file.
  package struct Identity: Hashable {
    var device: UInt64
    package var number: UInt64
  }

  /// The attributes of a file that the system knows without opening it.
  package struct Status: Equatable {
    package var kind: Kind
    package var identity: Identity
    package var size: Int
    /// The time of the last change, in nanoseconds.
    package var changed: Int

    init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: kind = .file
      case S_IFDIR: kind = .folder
      case S_IFLNK: kind = .link
      default: kind = .other
      }
      identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
      size = Int(status.st_size)
      #if canImport(Darwin)
        changed = status.st_mtimespec.tv_sec * 1_000_000_000 + status.st_mtimespec.tv_nsec
      #else
        changed = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
      #endif
    }
  }

  /// Returns the bytes of a file, at most `limit` of them.
  package static func read(_ path: CheckedPath, limit: Int = .max) throws(Failure) -> [UInt8] {
    let descriptor = open(path.text, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    return try read(descriptor, limit: limit)
  }

  /// Returns the rest of an open file or pipe, at most `limit` bytes of it.
  package static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure(code: EISDIR) }

    // Pipes have no size. One byte more than the size shows the end of a file without another turn.
    var bytes: [UInt8] = []
    var room = max(Int(status.st_size) + 1, 4096)
    while bytes.count < limit {
      let part = try readPart(descriptor, atMost: min(room, limit - bytes.count))
      guard !part.isEmpty else { break }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      room = part.count < room ? 4096 : 2 * room
    }
    return bytes
  }

  /// Returns what one call reads; nothing at the end.
  private static func readPart(_ descriptor: Int32, atMost count: Int) throws(Failure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      LargeMemory.prepare(.init(buffer))
      var result = 0
      repeat {
        #if canImport(Darwin)
          result = Darwin.read(descriptor, buffer.baseAddress, count)
        #elseif canImport(Musl)
          result = Musl.read(descriptor, buffer.baseAddress, count)
        #else
          result = Glibc.read(descriptor, buffer.baseAddress, count)
        #endif
      } while result < 0 && errno == EINTR
      if result < 0 { code = errno }
      length = max(result, 0)
    }
    guard code == 0 else { throw Failure(code: code) }
    return bytes
  }

  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
    var offset = 0
    while offset < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Musl)
        let count = Musl.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(code: errno) }
      offset += count
    }
  }

  /// Writes arrays one after the other.
  static func writeAll(_ parts: [[UInt8]], to descriptor: Int32) throws(Failure) {
    for part in parts {
      // `withUnsafeBytes` would erase the type of the error.
      try part.withUnsafeBytes { buffer in
        Result { () throws(Failure) in try writeAll(buffer, to: descriptor) }
      }.get()
    }
  }

  /// Writes a file that does not exist yet, and makes the folders above it.
  package static func create(_ path: CheckedPath, _ bytes: [UInt8]) throws(Failure) {
    let (parent, name) = path.parts
    try makeFolder(parent)
    guard let folder = try OpenFolder.open(parent) else { throw Failure(code: ENOENT) }
    try folder.create(name, [bytes])
  }

  /// Gives a file another name.
  package static func move(_ path: CheckedPath, to destination: CheckedPath) throws(Failure) {
    guard rename(path.text, destination.text) == 0 else { throw Failure(code: errno) }
  }

  /// Writes bytes to a pipe or a device. If the reader has closed the pipe, the rest is dropped.
  package static func writeDirectly(_ bytes: [UInt8], to path: CheckedPath) throws(Failure) {
    let descriptor = open(path.text, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    do throws(Failure) {
      try writeAll([bytes], to: descriptor)
    } catch  where error.isClosedPipe {
      return
    }
  }

  /// Makes a folder and those above it.
  package static func makeFolder(_ path: CheckedPath) throws(Failure) { try makeFolder(path.text) }

  private static func makeFolder(_ path: String) throws(Failure) {
    if mkdir(path, 0o755) == 0 { return }
    switch errno {
    case EEXIST:
      guard kind(path) == .folder else { throw Failure(code: ENOTDIR) }
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw Failure(code: ENOENT) }
      try makeFolder(String(path[..<slash]))
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw Failure(code: errno) }
    case let code: throw Failure(code: code)
    }
  }

  /// Returns the status of a file, or nil if there is none. A link is what it leads to, unless asked for itself.
  package static func status(_ path: String, followingLinks: Bool = true) -> Status? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    return Status(status)
  }

  /// Returns the kind of what a path names, or nil if it names nothing.
  package static func kind(_ path: String, followingLinks: Bool = true) -> Kind? {
    status(path, followingLinks: followingLinks)?.kind
  }

  /// Returns the identity of what a path leads to, or nil if it leads to nothing.
  package static func identityIfKnown(_ path: String) -> Identity? { status(path)?.identity }

  package static func identity(_ path: String) throws(Failure) -> Identity {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(code: errno) }
    return Status(status).identity
  }

  /// Returns the names in a folder, sorted.
  package static func names(in path: CheckedPath) throws(Failure) -> [String] {
    guard let stream = opendir(path.text) else { throw Failure(code: errno) }
    return names(closing: stream)
  }

  #if canImport(Darwin)
    typealias FolderStream = UnsafeMutablePointer<DIR>
  #else
    typealias FolderStream = OpaquePointer
  #endif

  /// Returns the names that are left in a stream, sorted, and closes it.
  static func names(closing stream: FolderStream) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the absolute path without links, `.` and `..`, or nil if there is no such file.
  package static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
