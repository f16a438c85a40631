package import SmallFoundation

/// The source of salts, nonces and keys: the system, or fixed bytes in tests of the format.
package struct Randomness: Sendable {
  private let fill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  package init(_ fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) { self.fill = fill }

  /// The system's cryptographic generator (`getrandom`, `arc4random_buf`).
  package static let system = Randomness { buffer in
    var generator = SystemRandomNumberGenerator()
    var filled = 0
    while filled < buffer.count {
      withUnsafeBytes(of: generator.next()) { word in
        let count = min(word.count, buffer.count - filled)
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: word[..<count]))
        filled += count
      }
    }
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
