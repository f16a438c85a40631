#if canImport(Glibc)
  internal import CLocalDataMemory
  internal import Glibc
#endif

/// How the process asks the system for memory.
enum ProcessMemory {
  /// Keeps what is freed for what comes next, and takes memory in large pages.
  ///
  /// A run makes one large array after the other: the tree, then the outputs. The system's allocator would give the first
  /// back and take new pages, each of which the kernel must clear. Threads keep heaps of their own: one heap for all was
  /// slower, since they waited for each other at it.
  static func keepForReuse() {
    #if canImport(Glibc)
      mallopt(M_MMAP_THRESHOLD, 32 << 20)
      mallopt(M_TRIM_THRESHOLD, 256 << 20)
      preferLargePages(24 << 20)
    #endif
  }

  #if canImport(Glibc)
    /// Lets the kernel back the beginning of the heap with pages of 2 MiB: a tenth of a run went by in taking pages of
    /// 4 KiB one by one. Nothing is taken before it is written to. A kernel that has no such pages refuses, which is
    /// fine.
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
