#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Files and folders by the calls of the system.
enum DiskFile {
  /// The system's words for why a call failed.
  struct Failure: Error {
    var code: Int32

    var text: String { String(cString: strerror(code)) }
    var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
  }

  enum Kind {
    case file, folder, link, other
  }

  /// What tells a file from another, whatever their paths.
  struct Identity: Hashable {
    var device: UInt64
    var number: UInt64
  }

  /// The bytes of a file, at most `limit` of them.
  static func read(_ path: String, limit: Int = .max) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure(code: EISDIR) }

    // Pipes have no size; one byte more shows the end of a file without another turn.
    var bytes: [UInt8] = []
    var capacity = min(max(Int(status.st_size) + 1, 4096), limit)
    while bytes.count < limit {
      let known = bytes.count
      var count = 0
      bytes.reserveCapacity(capacity)
      bytes.append(contentsOf: repeatElement(0, count: capacity - known))
      repeat {
        count = bytes.withUnsafeMutableBytes { buffer in
          #if canImport(Darwin)
            Darwin.read(descriptor, buffer.baseAddress?.advanced(by: known), capacity - known)
          #elseif canImport(Musl)
            Musl.read(descriptor, buffer.baseAddress?.advanced(by: known), capacity - known)
          #else
            Glibc.read(descriptor, buffer.baseAddress?.advanced(by: known), capacity - known)
          #endif
        }
      } while count < 0 && errno == EINTR
      guard count >= 0 else { throw Failure(code: errno) }
      bytes.removeLast(capacity - known - count)
      if count == 0 { break }
      if bytes.count == capacity { capacity = min(2 * capacity, limit) }
    }
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

  /// Writes a file that does not exist yet, its parts one behind the other.
  static func create(_ path: String, _ parts: [[UInt8]]) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    let result = Result { () throws(Failure) in
      for part in parts {
        // `withUnsafeBytes` would erase the type of the error.
        try part.withUnsafeBytes { buffer in
          Result { () throws(Failure) in try writeAll(buffer, to: descriptor) }
        }.get()
      }
    }
    let isClosed = close(descriptor) == 0
    let closing = Failure(code: errno)
    do throws(Failure) {
      try result.get()
      guard isClosed else { throw closing }
    } catch {
      unlink(path)
      throw error
    }
  }

  static func move(_ path: String, to destination: String) throws(Failure) {
    guard rename(path, destination) == 0 else { throw Failure(code: errno) }
  }

  /// Removes a file; one that is not there is fine.
  static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Failure(code: errno) }
  }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(Failure) {
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

  /// What a path names; `nil` where it names nothing. A link is what it leads to, unless asked for itself.
  static func kind(_ path: String, followingLinks: Bool = true) -> Kind? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  static func identity(_ path: String) throws(Failure) -> Identity {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(code: errno) }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }

  /// The names in a folder, sorted.
  static func names(in path: String) throws(Failure) -> [String] {
    guard let folder = opendir(path) else { throw Failure(code: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The absolute path without links, `.` and `..`.
  static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
