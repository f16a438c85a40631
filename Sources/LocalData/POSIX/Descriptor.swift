import Foundation

/// An open file, which is closed when the descriptor's lifetime ends.
struct Descriptor: ~Copyable, Sendable {
  let raw: Int32

  init(raw: Int32) { self.raw = raw }

  // Everything that must be durable was synced before, so that an error of close does not matter.
  deinit { _ = close(raw) }

  /// Reads up to `limit` bytes from the current position.
  func read(upTo limit: Int) throws(StorageFault) -> Data {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = Foundation.read(raw, &chunk, wanted)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw StorageFault(errno: errno)
      }
      bytes.append(contentsOf: chunk[0..<count])
    }
    return bytes
  }

  /// Sets the position, as an offset from the beginning.
  func seek(to offset: Int) throws(StorageFault) {
    guard lseek(raw, off_t(offset), SEEK_SET) >= 0 else { throw StorageFault(errno: errno) }
  }

  /// Writes all bytes.
  func write(_ bytes: Data) throws(StorageFault) {
    // Errors do not keep their type through `withUnsafeBytes`: the code comes out as a value.
    let failure: Int32 = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = Foundation.write(raw, start, rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if count == 0 {
          return EIO
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    if failure != 0 { throw StorageFault(errno: failure) }
  }

  /// Waits until the file, or the folder's list of names, is on the disk.
  func sync() throws(StorageFault) {
    let descriptor = raw
    #if canImport(Darwin)
      // fsync leaves bytes in the drive's cache there.
      do throws(StorageFault) {
        try SystemCall.run { fcntl(descriptor, F_FULLFSYNC) }
        return
      } catch {
        guard case .io(let code) = error, Self.isUnsupported(code) else { throw error }
      }
    #endif
    try SystemCall.run { fsync(descriptor) }
  }

  #if canImport(Darwin)
    /// Returns true if the code says that a volume has no full sync, as volumes on a network often do not.
    ///
    /// The request reaches the file system as an ioctl. A file system that does not know it answers ENOTSUP (SMB, and the
    /// default of the kernel) or ENOTTY; the other codes are those of file systems outside the kernel. A disk that fails
    /// answers none of them.
    private static func isUnsupported(_ code: Int32) -> Bool {
      [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL, ENOSYS].contains(code)
    }
  #endif

  #if canImport(Darwin)
    /// Returns the absolute path of the file as the volume spells it.
    func path() throws(StorageFault) -> String {
      var path = [CChar](repeating: 0, count: Int(MAXPATHLEN))
      let descriptor = raw
      do throws(StorageFault) { try SystemCall.run { fcntl(descriptor, F_GETPATH, &path) } } catch {
        // ENOSPC is about the space for the path.
        throw error == .outOfSpace ? .io(errno: ENAMETOOLONG) : error
      }
      let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self)
    }
  #endif

  /// Leaves the file open until the process ends.
  consuming func leaveOpen() { discard self }

  func status() throws(StorageFault) -> stat {
    var status = stat()
    let descriptor = raw
    try SystemCall.run { fstat(descriptor, &status) }
    return status
  }
}

extension stat {
  var kind: mode_t { st_mode & mode_t(S_IFMT) }
  var isRegularFile: Bool { kind == mode_t(S_IFREG) }
  var isFolder: Bool { kind == mode_t(S_IFDIR) }
  var isLink: Bool { kind == mode_t(S_IFLNK) }
}

/// The attributes of a file that differ once it has changed.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    (seconds, nanoseconds) = (Int64(changed.tv_sec), Int64(changed.tv_nsec))
  }

  /// Creates the stamp of the file at a path, or returns `nil` if the file cannot be examined.
  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
