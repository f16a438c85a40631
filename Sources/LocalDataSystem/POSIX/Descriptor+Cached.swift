#if os(Linux)
  internal import CLocalDataLinux
  internal import LocalDataFoundation

  /// Calls that need only what the kernel has in memory.
  extension Descriptor {
    /// Opens a file for reading. Returns `nil` if it does not exist, and throws ``StorageProblem/busy`` if the disk is needed, or
    /// for any other error.
    package static func openCached(_ path: String) throws(StorageProblem) -> Descriptor? {
      let raw = localdata_open_cached(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      if raw >= 0 { return Descriptor(raw: raw) }
      guard errno == ENOENT else { throw .busy }
      return nil
    }

    /// Reads from the beginning of a file. Returns the number of bytes, or a negative number if the disk is needed.
    package static func readCached(_ raw: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
      localdata_read_cached(raw, buffer, count, 0)
    }
  }
#endif
