import LocalDataModel

/// The code that writes fields of the wire format.
extension OutputBuffer {
  /// Writes the statements that write the properties to `writer`.
  mutating func writeFields(_ fields: [WireField], indent: Int) {
    for field in fields { writeField(field, "self.\(field.name)", indent: indent) }
  }

  /// Writes the statement that writes a value to `writer`.
  package mutating func writeField(_ field: WireField, _ value: String, indent: Int) {
    if case .single(let kind) = field.kind {
      let isPlain = field.isOptional || !field.isAlwaysWritten
      writeLine(indent, kind.writeText(isPlain ? value : kind.asWritten(value), field.number))
    } else {
      writeCollection(field, value, indent: indent)
    }
  }

  /// Writes the statements that write a collection. An element is written even if it is the zero value.
  mutating func writeCollection(_ field: WireField, _ value: String, indent: Int) {
    switch field.kind {
    case .list(let element), .set(let element):
      if let method = element.packedMethod {
        let array = field.kind.isPackedSet ? "Array(\(value))" : value
        return writeLine(indent, "writer.\(method)(\(array), \(field.number))")
      }
      writeBlock(indent, "for element in \(value) {") { output, indent in
        output.writeLine(indent, element.writeText(element.asWritten("element"), field.number))
      }
    case .map(let key, let entryValue):
      writeBlock(indent, "for entry in \(value) {") { output, indent in
        output.writeBlock(indent, "writer.message(entry, \(field.number)) { entry, writer in") { output, indent in
          output.writeLine(indent, key.writeText(key.asWritten("entry.key"), 1))
          output.writeLine(indent, entryValue.writeText(entryValue.asWritten("entry.value"), 2))
        }
      }
    case .single: break
    }
  }
}

extension RecordElementKind {
  /// The statement that writes a value.
  fileprivate func writeText(_ value: String, _ number: Int) -> String {
    let call = "writer.\(rawValue)(\(value), \(number))"
    return self == .message ? call + " { $0.write(to: &$1) }" : call
  }

  /// The argument for a value that is written even if it is the zero value. A message is always written.
  fileprivate func asWritten(_ value: String) -> String { self == .message ? value : "Optional(\(value))" }
}
