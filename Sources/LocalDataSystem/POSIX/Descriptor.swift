package import LocalDataFoundation

/// An open file, which is closed when the descriptor's lifetime ends.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: Int32

  package init(raw: Int32) { self.raw = raw }

  /// Opens a file that the app names. Its path may lead through links.
  package init(readingFileAt path: String) throws(StorageProblem) {
    self.init(raw: try SystemCall.run { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
  }

  // Everything that must be durable was synced before, so that an error of close does not matter.
  deinit { _ = close(raw) }

  /// Reads up to `limit` bytes from the current position.
  ///
  /// - Parameter size: The number of bytes that are expected, for example the size of the file. More are read too.
  package func read(upTo limit: Int, expecting size: Int? = nil) throws(StorageProblem) -> Data {
    // One byte more shows that the file has ended.
    let first = min(limit, max(size.map { $0 + 1 } ?? 4_096, 1))
    guard limit > 0 else { return Data() }
    guard let buffer = malloc(first) else { throw .io(errno: ENOMEM) }
    var bytes: Data
    do throws(StorageProblem) {
      let count = try fill(UnsafeMutableRawBufferPointer(start: buffer, count: first))
      bytes = Data(bytesNoCopy: buffer, count: count, deallocator: .free)
      if count < first { return bytes }
    } catch {
      free(buffer)
      throw error
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = try fill(UnsafeMutableRawBufferPointer(rebasing: chunk[..<wanted]))
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      if count < wanted { break }
    }
    return bytes
  }

  /// Fills a buffer, and returns the number of bytes in it, which is smaller at the end of the file.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(StorageProblem) -> Int {
    var filled = 0
    while filled < buffer.count, let start = buffer.baseAddress {
      let count = LocalDataFoundation.read(raw, start + filled, buffer.count - filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw StorageProblem(errno: errno)
      }
    }
    return filled
  }

  /// Sets the position, as an offset from the beginning.
  package func seek(to offset: Int) throws(StorageProblem) {
    guard lseek(raw, off_t(offset), SEEK_SET) >= 0 else { throw StorageProblem(errno: errno) }
  }

  /// Sets the position to the next bytes that are not in a hole of the file, and returns it; nil if there are none.
  package func seekToData(from offset: Int) throws(StorageProblem) -> Int? {
    #if canImport(Darwin) && !canImport(Glibc)
      let data = SEEK_DATA
    #else
      // Swift does not import it.
      let data: Int32 = 3
    #endif
    let position = lseek(raw, off_t(offset), data)
    // A caller adds the length of what it reads, also where Int has 32 bits.
    guard position <= off_t(Int.max - 1 << 24) else { throw .io(errno: EFBIG) }
    if position >= 0 { return Int(position) }
    if errno == ENXIO { return nil }
    // A file system without holes.
    try seek(to: offset)
    return offset
  }

  /// Writes all bytes.
  package func write(_ bytes: Data) throws(StorageProblem) {
    // Errors do not keep their type through `withUnsafeBytes`: the code comes out as a value.
    let failure: Int32 = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = LocalDataFoundation.write(raw, start, rest.count)
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
    if failure != 0 { throw StorageProblem(errno: failure) }
  }

  /// Waits until the file, or the folder's list of names, is on the disk.
  package func sync() throws(StorageProblem) {
    let descriptor = raw
    #if canImport(Darwin)
      // fsync leaves bytes in the drive's cache there.
      do throws(StorageProblem) {
        try SystemCall.run { fcntl(descriptor, F_FULLFSYNC) }
        return
      } catch {
        guard let code = error.errno, Self.isUnsupported(code) else { throw error }
      }
    #endif
    try SystemCall.run { fsync(descriptor) }
  }

  #if canImport(Darwin)
    /// Returns true if the code means that a volume has no full sync, as volumes on a network often do not.
    ///
    /// The request reaches the file system as an ioctl. A file system that does not support it returns ENOTSUP (SMB, and the
    /// default of the kernel) or ENOTTY; the other codes are those of file systems outside the kernel. A disk that fails
    /// answers none of them.
    private static func isUnsupported(_ code: Int32) -> Bool {
      [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL, ENOSYS].contains(code)
    }
  #endif

  #if canImport(Darwin)
    /// Opens a file by a path without links.
    package init(readingFrom path: String) throws(StorageProblem) {
      raw = try SystemCall.run { openat(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
    }

    /// Returns the absolute path of the file as the volume spells it.
    func path() throws(StorageProblem) -> String {
      var path = [CChar](repeating: 0, count: Int(MAXPATHLEN))
      let descriptor = raw
      do throws(StorageProblem) { try SystemCall.run { fcntl(descriptor, F_GETPATH, &path) } } catch {
        // ENOSPC is about the space for the path.
        throw error == .outOfSpace ? .io(errno: ENAMETOOLONG) : error
      }
      let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self)
    }
  #endif

  /// Sets the time at which the content was last changed, and that of the last read.
  func setTimeOfModification(_ time: timespec) throws(StorageProblem) {
    let descriptor = raw
    try SystemCall.run { futimens(descriptor, [time, time]) }
  }

  /// Takes away the access of others, which a restored backup may have given them, to a file or folder of this user.
  package func narrow(_ status: stat) {
    // If the system refuses it, the file is used as it is.
    if status.st_mode & 0o077 != 0, status.st_uid == geteuid() { _ = fchmod(raw, status.st_mode & 0o700) }
  }

  /// Leaves the file open until the process ends.
  package consuming func leaveOpen() { discard self }

  package func status() throws(StorageProblem) -> stat {
    var status = stat()
    let descriptor = raw
    try SystemCall.run { fstat(descriptor, &status) }
    return status
  }
}

extension stat {
  var kind: mode_t { st_mode & mode_t(S_IFMT) }
  package var isRegularFile: Bool { kind == mode_t(S_IFREG) }
  package var isFolder: Bool { kind == mode_t(S_IFDIR) }
  package var isLink: Bool { kind == mode_t(S_IFLNK) }

  /// A Boolean value that indicates whether the file belongs to the user of this process, and its mode lets the owner read it.
  package var isReadable: Bool { st_uid == geteuid() && st_mode & 0o400 != 0 }

  /// The time at which the content was last changed.
  package var modification: Date {
    let time = timeOfModification
    return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
  }

  /// The same, as the file system has it.
  var timeOfModification: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

/// The identity of a file, independent of its names.
package struct FileID: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The attributes of a file that differ once it has changed.
package struct FileStamp: Hashable, Sendable {
  package let id: FileID
  package let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  package init(_ status: stat) {
    id = FileID(status)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    seconds = Int64(changed.tv_sec)
    nanoseconds = Int64(changed.tv_nsec)
  }

  /// Creates the stamp of the file at a path, or returns `nil` if the file cannot be examined.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
