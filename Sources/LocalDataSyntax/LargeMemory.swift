#if os(Linux)
  internal import CLocalDataYAML
#endif

/// Memory of several megabytes that is about to be filled.
///
/// The first use of each page takes time in the kernel. On Linux, pages of 2 MiB instead of 4 KiB save a tenth of a run
/// for ten thousand keys. On other systems this does nothing.
package enum LargeMemory {
  /// Asks for large pages. Memory of less than 2 MiB, and memory that is not used in the end, stays as it is.
  package static func prepare(_ memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      local_data_prefer_large_pages(memory.baseAddress, memory.count)
    #endif
  }
}
