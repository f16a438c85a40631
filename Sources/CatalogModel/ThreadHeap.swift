/// The memory of a thread that works beside others.
enum ThreadHeap {
  /// Asks at once for what is about to be asked for in small pieces.
  ///
  /// The allocator of Linux grows the heap of a second thread a page at a time, each by a call of the system for which
  /// all threads wait. What is taken and given back stays with the heap.
  static func reserve(_ byteCount: Int) {
    UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16).deallocate()
  }
}
