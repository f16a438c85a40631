#if canImport(Glibc)
  internal import CLocalDataMemory
  internal import Glibc
#endif

/// Settings for how the process requests memory from the system.
enum ProcessMemory {
  /// Keeps freed memory for later allocations, and uses large pages.
  ///
  /// A run makes one large array after the other: the tree, then the outputs. The system's allocator would return the
  /// first and request new pages, each of which the kernel must clear. Each thread keeps its heap: with one heap for
  /// all, they waited for each other.
  static func keepForReuse() {
    #if canImport(Glibc)
      mallopt(M_MMAP_THRESHOLD, 32 << 20)
      mallopt(M_TRIM_THRESHOLD, 256 << 20)
      preferLargePages(24 << 20)
    #endif
  }

  #if canImport(Glibc)
    /// Lets the kernel use pages of 2 MiB at the beginning of the heap: a run spent a tenth of its time on page faults
    /// of 4 KiB pages. No memory is used before it is written to. A kernel without such pages ignores the advice.
    private static func preferLargePages(_ byteCount: Int) {
      guard let block = malloc(byteCount) else { return }
      // What is freed at the end of the heap stays with it, by the threshold above.
      defer { free(block) }
      let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
      let start = (Int(bitPattern: block) + pageSize - 1) / pageSize * pageSize
      let end = (Int(bitPattern: block) + byteCount) / pageSize * pageSize
      madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, MADV_HUGEPAGE)
    }
  #endif
}
