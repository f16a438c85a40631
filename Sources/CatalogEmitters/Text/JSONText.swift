/// Text in JSON that may also stand in a raw string literal of Swift.
extension OutputBuffer {
  /// A JSON string. A backslash is written by number, so that what follows it is never `#`, which would be an escape of
  /// the raw literal; three quotes in a row never come of JSON.
  mutating func writeJSON(_ text: String) {
    write("\"")
    write(text, special: Self.specialInJSON) { output, scalar in
      switch scalar {
      case "\"": output.write("\\\"")
      case "\n": output.write("\\n")
      case "\r": output.write("\\r")
      case "\t": output.write("\\t")
      default:
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          output.write("\\u")
          for _ in hex.utf8.count..<4 { output.write("0") }
          output.write(hex)
        }
      }
    }
    write("\"")
  }

  private static let specialInJSON = ASCIISet("\"\\")
}
