import LocalDataFoundation
import LocalDataSystem
import Testing

/// The bytes of salts, nonces and keys.
struct RandomnessTests {
  /// One call of the system gives 256 bytes. A byte that is 0 in each of 16 samples was not filled.
  @Test(arguments: [0, 1, 12, 255, 256, 257, 1_000])
  func everyByteIsRandom(count: Int) {
    var seen = Data(count: count)
    for _ in 0..<16 {
      let bytes = Randomness.system.bytes(count)
      #expect(bytes.count == count)
      for (index, byte) in bytes.enumerated() { seen[index] |= byte }
    }
    #expect(!seen.contains(0))
  }
}
