#if canImport(Glibc)
  internal import CLocalDataMemory
#endif

/// How the process asks the system for memory.
enum ProcessMemory {
  /// Keeps what is freed for what comes next.
  ///
  /// A run makes one large array after the other: the tree, then the outputs. The system's allocator would give the first
  /// back and take new pages, each of which the kernel must clear; and a heap for each thread grows a page at a time.
  static func keepForReuse() {
    #if canImport(Glibc)
      mallopt(M_MMAP_THRESHOLD, 32 << 20)
      mallopt(M_TRIM_THRESHOLD, 256 << 20)
      mallopt(M_ARENA_MAX, 1)
    #endif
  }
}
