/// JSON text that can also be part of a raw string literal in Swift.
extension OutputBuffer {
  /// Writes a JSON string. A backslash is written as its number, so that `#` never follows one: that would be an escape of
  /// the raw literal. Three quotes in a row do not occur, because quotes in the text are escaped.
  package mutating func writeJSON(_ text: String) {
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

  /// Writes a list, each of whose elements the function writes.
  package mutating func writeArray<Element>(_ elements: [Element], _ body: (inout OutputBuffer, Element) -> Void) {
    write("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { write(",") }
      body(&self, element)
    }
    write("]")
  }

  private static let specialInJSON = ASCIISet("\"\\")
}
