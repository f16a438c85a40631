@testable import LocalDataSystem
#if os(Linux)
  import Foundation
  import Testing

  @Suite struct SpareMemoryTests {
    private static let size = 1 << 20
    private let memory = SpareMemory(size: size)

    private func bytes(_ count: Int, of byte: UInt8) throws -> (bytes: Data, address: UInt) {
      var address: UInt = 0
      let bytes = memory.bytes(upTo: count) { start in
        address = UInt(bitPattern: start)
        memset(start, Int32(byte), count)
        return count
      }
      return (try #require(bytes), address)
    }

    @Test func releasedMemoryIsUsedAgain() throws {
      let first = try bytes(SpareMemory.least, of: 1).address
      // Memory that was freed would be allocated again here.
      let others = (0..<8).map { _ in malloc(Self.size) }
      defer { for other in others { free(other) } }
      #expect(try bytes(Self.size, of: 1).address == first)
    }

    @Test func memoryInUseIsNot() throws {
      let first = try bytes(Self.size, of: 1)
      let second = try bytes(Self.size, of: 2)
      #expect(first.address != second.address)
      #expect(first.bytes == Data(repeating: 1, count: Self.size))
      #expect(second.bytes == Data(repeating: 2, count: Self.size))
    }

    /// Bytes that are not released keep their memory while other bytes are allocated and released.
    @Test func bytesThatAreKeptAreNotOverwritten() throws {
      let kept = try bytes(SpareMemory.least, of: 1).bytes
      for byte in UInt8(2)..<5 { _ = try bytes(SpareMemory.least, of: byte) }
      #expect(kept == Data(repeating: 1, count: SpareMemory.least))
    }

    @Test(arguments: [0, 1, SpareMemory.least - 1, SpareMemory.least, size, size + 1])
    func anyNumberOfBytes(_ count: Int) throws {
      for _ in 0..<2 {
        let found = try bytes(count, of: 3).bytes
        #expect(found == Data(repeating: 3, count: count))
      }
      #expect(memory.bytes(upTo: count) { _ in 0 } == Data())
    }

    @Test func threadsAtOnce() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for byte in UInt8(0)..<8 {
          group.addTask {
            for _ in 0..<50 {
              let count = SpareMemory.least + Int(byte)
              let found = try bytes(count, of: byte).bytes
              #expect(found == Data(repeating: byte, count: count))
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
