package import LocalDataFoundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Key bytes that are overwritten when the last reference to them is released, and that no description shows.
///
/// `@unchecked Sendable`: the buffer is written only in `init`, before another thread can have the object, and freed in
/// `deinit`, after the last reference is released. In between it is only read.
package final class SecretBytes: @unchecked Sendable, ContiguousBytes {
  private let buffer: UnsafeMutableRawBufferPointer

  package init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    buffer = .allocate(byteCount: max(count, 1), alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    self.count = count
    fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// Creates a copy. The caller wipes the source.
  package convenience init(_ source: some ContiguousBytes) {
    let count = source.withUnsafeBytes { $0.count }
    self.init(count: count) { target in source.withUnsafeBytes { target.copyMemory(from: $0) } }
  }

  deinit {
    buffer.wipe()
    buffer.deallocate()
  }

  package let count: Int

  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "SecretBytes(redacted)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension UnsafeMutableRawBufferPointer {
  /// Overwrites the buffer with zeros. The optimizer may not remove the call.
  package func wipe() {
    guard let baseAddress, count > 0 else { return }
    #if canImport(Darwin)
      _ = memset_s(baseAddress, count, 0, count)
    #else
      explicit_bzero(baseAddress, count)
    #endif
  }
}

extension Data {
  /// Overwrites these bytes. If another variable shares them, its bytes stay.
  package mutating func wipe() {
    withUnsafeMutableBytes { $0.wipe() }
  }
}
