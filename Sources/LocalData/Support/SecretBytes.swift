package import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Key bytes that are overwritten when the last user lets go of them, and that no description shows.
///
/// `@unchecked Sendable`: the buffer is written in `init` only, before anybody else has the object, and freed in
/// `deinit`, after everybody let go; in between it is only read.
package final class SecretBytes: @unchecked Sendable, ContiguousBytes {
  private let buffer: UnsafeMutableRawBufferPointer

  package init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    buffer = .allocate(byteCount: max(count, 1), alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    self.count = count
    fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// A copy. The source stays the caller's to wipe.
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
  /// Overwrites with zeros, in a way that the optimizer may not leave out.
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
  /// Overwrites these bytes. A copy that somebody else still shares is not reached.
  package mutating func wipe() {
    withUnsafeMutableBytes { $0.wipe() }
  }
}
