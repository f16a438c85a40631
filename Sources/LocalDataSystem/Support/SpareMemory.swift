#if os(Linux)
  package import LocalDataFoundation

  /// Memory for large bytes that are needed only until they are decrypted.
  ///
  /// An allocator may return large blocks to the system when they are released. The system then fills every page of the next
  /// block with zeros, which takes longer than reading and decrypting a file of 1 MiB. One block is therefore kept for as
  /// long as this object exists. While it is in use, other blocks are allocated and released.
  package final class SpareMemory: Sendable {
    /// A block of memory.
    ///
    /// `@unchecked Sendable`: a block has one owner at a time, either the spare memory, which passes it on under a lock, or
    /// the bytes that are stored in the block, which return it when they are released.
    private struct Block: @unchecked Sendable {
      let start: UnsafeMutableRawPointer
    }

    /// The least number of bytes for which the block is used. The allocator of glibc keeps smaller blocks itself.
    static let least = 128 << 10

    /// The size of the block in bytes. For more bytes than this, other memory is allocated.
    let size: Int
    private let spare = Lock<Block?>(nil)

    package init(size: Int) { self.size = size }

    deinit {
      if let block = take() { free(block.start) }
    }

    /// Returns the bytes that a closure writes.
    ///
    /// - Parameters:
    ///   - count: The greatest number of bytes.
    ///   - fill: Writes at most `count` bytes to the given address, and returns their number.
    /// - Returns: The bytes, or `nil` if the memory cannot be allocated.
    package func bytes(upTo count: Int, _ fill: (UnsafeMutableRawPointer) -> Int) -> Data? {
      guard Self.least <= count, count <= size else { return Data.allocated(upTo: count, fill) }
      guard let block = take() ?? malloc(size).map(Block.init) else { return nil }
      return Data(
        bytesNoCopy: block.start, count: fill(block.start),
        deallocator: .custom { [self] start, _ in keep(Block(start: start)) })
    }

    private func take() -> Block? {
      spare.withLock { spare in
        defer { spare = nil }
        return spare
      }
    }

    private func keep(_ block: Block) {
      let isKept = spare.withLock { spare in
        guard spare == nil else { return false }
        spare = block
        return true
      }
      if !isKept { free(block.start) }
    }
  }

  extension Data {
    /// Returns the bytes that `fill` writes, or `nil` if the memory cannot be allocated.
    package static func allocated(upTo count: Int, _ fill: (UnsafeMutableRawPointer) -> Int) -> Data? {
      guard let start = malloc(count) else { return nil }
      // The bytes own the memory and free it. If there are none, they free it now.
      return Data(bytesNoCopy: start, count: fill(start), deallocator: .free)
    }
  }
#endif
