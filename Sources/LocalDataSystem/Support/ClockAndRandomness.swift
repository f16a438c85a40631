package import LocalDataFoundation

/// The source of salts, nonces and keys: the system, or fixed bytes in tests of the format.
package struct Randomness: Sendable {
  private let fill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  package init(_ fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) { self.fill = fill }

  /// The system's cryptographic generator (`getentropy`, `arc4random_buf`), which is called once for all bytes.
  package static let system = Randomness { buffer in
    guard let start = buffer.baseAddress else { return }
    #if canImport(Darwin)
      arc4random_buf(start, buffer.count)
    #else
      // One call gives at most 256 bytes.
      for offset in stride(from: 0, to: buffer.count, by: 256) {
        guard getentropy(start + offset, min(256, buffer.count - offset)) == 0 else {
          // The process ends, as with Swift's own generator: a key or nonce that is not random protects nothing.
          fatalError("the system gives no random bytes")
        }
      }
    #endif
  }

  package func bytes(_ count: Int) -> Data {
    var data = Data(count: count)
    data.withUnsafeMutableBytes { fill($0) }
    return data
  }

  package func secret(_ count: Int) -> SecretBytes {
    SecretBytes(count: count) { fill($0) }
  }
}

/// The source of the time at which values are written, so that tests can set it.
package protocol StorageClock: Sendable {
  var now: Date { get }
}

/// The system's clock.
package struct SystemClock: StorageClock {
  package init() {}

  package var now: Date { Date() }
}
