#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output and standard error, unbuffered and without Foundation, whose start costs more than a small catalog.
package enum Terminal {
  /// Makes a write to a closed pipe an error instead of a signal that kills the process.
  package static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes to standard output.
  ///
  /// If the reader has closed the pipe, the rest is dropped and the run continues: the reader has what it wanted, and
  /// the exit code still says what the run found.
  ///
  /// - Throws: The failure to write, for example because the disk is full.
  package static func write(_ text: String) throws {
    var text = text
    try check(text.withUTF8 { buffer in write(UnsafeRawBufferPointer(buffer), to: 1) })
  }

  /// Writes bytes to standard output, as `write(_:)` does for text.
  package static func write(_ bytes: [UInt8]) throws {
    try check(bytes.withUnsafeBytes { write($0, to: 1) })
  }

  /// Writes to standard error. A failure has no other place to be reported, and is ignored.
  package static func writeError(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: 2) }
  }

  package static func exit(_ code: ToolExit) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code.rawValue)
    #elseif canImport(Musl)
      Musl.exit(code.rawValue)
    #else
      Glibc.exit(code.rawValue)
    #endif
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) -> Result<Void, DiskFile.Failure> {
    Result { () throws(DiskFile.Failure) in try DiskFile.writeAll(bytes, to: descriptor) }
  }

  private static func check(_ result: Result<Void, DiskFile.Failure>) throws {
    guard case .failure(let failure) = result, !failure.isClosedPipe else { return }
    throw ToolFailure(.cannotReadOrWrite, "cannot write to standard output: \(failure.text)")
  }
}
