#if os(Linux)
  internal import CLocalDataMemory
#endif

/// Memory of several megabytes that is about to be filled.
///
/// The first use of a page of 4 KiB takes the kernel about two microseconds, which for ten thousand keys is a tenth of
/// a run. Linux has larger pages for those who ask for them. Apple's systems choose them by themselves.
package enum LargeMemory {
  /// Asks for large pages. Memory of less than 2 MiB, and memory that is not used in the end, stays as it is.
  package static func prepare(_ memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      local_data_prefer_large_pages(memory.baseAddress, memory.count)
    #endif
  }
}
