import Testing

@testable import LocalDataEmission
@testable import LocalDataDocuments

/// The memory that outputs are written into.
struct OutputBufferTests {
  private static let digits = Array("0123456789".utf8)

  /// In the room that was asked for, at its end, beyond it, and far beyond it.
  @Test(arguments: [0, 1, 9, 10, 11, 20, 8_192])
  func whatIsWrittenIsWhole(capacity: Int) {
    let bytes = OutputBuffer.collect(capacity: capacity) { output in
      output.write("01")
      output.write(UInt8(ascii: "2"))
      output.write(String("345"))
      output.write(67)
      output.write([UInt8](Self.digits)[8...])
    }
    #expect(bytes == Self.digits)
    let long = OutputBuffer.collect(capacity: capacity) { output in
      for _ in 0..<1_000 { output.write("0123456789") }
    }
    #expect(long == Array(repeatElement(Self.digits, count: 1_000).joined()))
  }

  @Test func nothingIsNothing() {
    #expect(OutputBuffer.collect { _ in }.isEmpty)
  }

  @Test func whatIsTakenBackIsGone() {
    let bytes = OutputBuffer.collect(capacity: 4) { output in
      output.write("0123456789")
      output.removeLast(4)
      #expect(output.bytes(from: 4) == Array("45".utf8))
      output.removeAll()
      output.write("x")
    }
    #expect(bytes == Array("x".utf8))
  }

  @Test func aPieceOfAnotherBuffer() {
    let bytes = OutputBuffer.collect { output in
      var other = OutputBuffer()
      other.write("0123456789")
      output.write(3..<5, of: other)
      output.write(5..<5, of: other)
      output.write(9..<10, of: other)
    }
    #expect(bytes == Array("349".utf8))
  }
}

/// Files in pieces.
struct GeneratedFileTests {
  private static let file = GeneratedFile(path: "a", parts: [Array("ab".utf8), [], Array("cd".utf8)])

  @Test func thePiecesStandOneBehindTheOther() {
    #expect(Self.file.bytes == Array("abcd".utf8))
    #expect(GeneratedFile(path: "a", parts: []).bytes.isEmpty)
  }

  @Test(arguments: ["", "a", "ab", "abc", "abcd", "abcde", "abxd", "xbcd", "abcx", "cdab"])
  func whatItHolds(text: String) {
    #expect(Self.file.holds(Array(text.utf8)) == (text == "abcd"))
  }
}
