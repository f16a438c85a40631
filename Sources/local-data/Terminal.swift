#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output and standard error, unbuffered and without Foundation, whose start costs more than a small catalog.
enum Terminal {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  static func write(_ text: String, to stream: Stream) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0), to: stream) }
  }

  static func write(_ bytes: [UInt8], to stream: Stream) {
    bytes.withUnsafeBytes { write($0, to: stream) }
  }

  static func exit(_ code: ToolExit) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code.rawValue)
    #elseif canImport(Musl)
      Musl.exit(code.rawValue)
    #else
      Glibc.exit(code.rawValue)
    #endif
  }

  /// A reader that has gone away is no failure of ours: what is left is dropped.
  private static func write(_ bytes: UnsafeRawBufferPointer, to stream: Stream) {
    try? DiskFile.writeAll(bytes, to: stream.rawValue)
  }
}
