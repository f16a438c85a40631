import LocalDataModel

/// JSON text that can also be part of a raw string literal in Swift.
extension OutputBuffer {
  /// Writes a JSON string. A backslash is written as its number, so that `#` never follows one: that would be an escape of
  /// the raw literal. Three quotes in a row do not occur, because quotes in the text are escaped.
  package mutating func writeJSON(_ text: String) {
    write("\"")
    write(text, special: Self.specialInJSON) { output, scalar in
      if scalar == "\\" { output.write("\\u005c") } else { output.write(JSONText.escape(scalar)) }
    }
    write("\"")
  }

  /// Writes a list, each of whose elements the function writes.
  package mutating func writeArray<Element>(_ elements: [Element], _ body: (inout OutputBuffer, Element) -> Void) {
    write("[")
    for index in elements.indices {
      if index > 0 { write(",") }
      body(&self, elements[index])
    }
    write("]")
  }

  private static let specialInJSON = ASCIISet("\"\\")
}
