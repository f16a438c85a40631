#if canImport(Glibc)
  internal import CLocalDataMemory
#endif

/// How the process asks the system for memory.
enum ProcessMemory {
  /// Keeps what is freed for what comes next.
  ///
  /// A run makes one large array after the other: the tree, then the outputs. The system's allocator would give the first
  /// back and take new pages, each of which the kernel must clear. Threads keep heaps of their own: one heap for all was
  /// slower, since they waited for each other at it.
  static func keepForReuse() {
    #if canImport(Glibc)
      mallopt(M_MMAP_THRESHOLD, 32 << 20)
      mallopt(M_TRIM_THRESHOLD, 256 << 20)
    #endif
  }
}
