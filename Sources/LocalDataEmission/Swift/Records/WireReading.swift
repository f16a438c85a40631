import LocalDataModel

/// The code that reads fields of the wire format.
extension OutputBuffer {
  /// Writes the local variables of fields, with the values of fields that a message does not contain.
  mutating func writeVariables(of fields: [WireField], indent: Int) {
    for field in fields {
      let type = field.kind.isPackedSet ? "[\(field.plainType.elementType.swiftText)]" : field.plainType.swiftText
      if let value = field.absentValue {
        writeLine(indent, "var \(field.local): \(type) = \(value)")
      } else {
        writeLine(indent, "var \(field.local): \(type)?")
      }
    }
  }

  /// Writes the loop over the fields of a message. Other fields are kept, or skipped.
  ///
  /// - Parameter deleted: The numbers of earlier fields that are skipped although others are kept.
  mutating func writeLoop(over fields: [WireField], keepsUnknown: Bool, besides deleted: [Int] = [], indent: Int) {
    writeBlock(indent, "while let field = try reader.next() {") { output, indent in
      output.writeLine(indent, "switch field.tag {")
      for field in fields { output.writeCases(of: field, indent: indent) }
      for number in deleted {
        let tags = RecordElementKind.tags(number).map(String.init).joined(separator: ", ")
        output.writeLine(indent, "case \(tags): try reader.skip(field)  // \(number)")
      }
      let rest = keepsUnknown ? "unknownFields.keep(field, &reader)" : "reader.skip(field)"
      output.writeLine(indent, "default: try \(rest)")
      output.writeLine(indent, "}")
    }
  }

  /// Writes the assignments of the local variables to the properties.
  mutating func writeAssignments(of fields: [WireField], indent: Int) {
    for field in fields {
      if field.isNeeded {
        writeLine(
          indent, "if let \(field.local) { self.\(field.name) = \(field.local) } else { throw .corrupted }")
      } else {
        writeLine(indent, "self.\(field.name) = \(field.readCollection)")
      }
    }
  }

  private mutating func writeCases(of field: WireField, indent: Int) {
    let number = field.number
    switch field.kind {
    case .list(let element), .set(let element):
      if let method = element.packedMethod {
        let tag = RecordElementKind.lengthTag(number)
        writeLine(indent, "case \(tag): try reader.\(method)(into: &\(field.local))  // \(number)")
      }
      let method = field.kind.isInserted ? "insert" : "append"
      let value = element.readText(field.plainType.elementType)
      writeLine(indent, "case \(element.tag(number)): \(field.local).\(method)(\(value))  // \(number)")
    case .map(let key, let value):
      writeLine(indent, "case \(RecordElementKind.lengthTag(number)):  // \(number)")
      writeEntry(key, value, of: field, indent: indent + 1)
    case .single(let kind):
      let value = kind.readText(field.plainType)
      writeLine(indent, "case \(kind.tag(number)): \(field.local) = \(value)  // \(number)")
    }
  }

  /// Writes the code that reads an entry of a map: a message of a key and a value.
  private mutating func writeEntry(
    _ key: RecordElementKind, _ value: RecordElementKind, of field: WireField, indent: Int
  ) {
    let types = field.plainType.entryTypes
    let parts = [
      WireField(entry: "key", 1, types.key, .single(key)), WireField(entry: "value", 2, types.value, .single(value)),
    ]
    writeBlock(indent, "try reader.message \(RecordCode.reading)") { output, indent in
      output.writeVariables(of: parts, indent: indent)
      output.writeLoop(over: parts, keepsUnknown: false, indent: indent)
      let needed = parts.filter(\.isNeeded).map { "let \($0.name)" }.joined(separator: ", ")
      let assignment = "\(field.local)[key] = value"
      output.writeLine(
        indent, needed.isEmpty ? assignment : "if \(needed) { \(assignment) } else { throw .corrupted }")
    }
  }
}

extension WireField {
  /// The local variable as the type of the property.
  var readCollection: String { kind.isPackedSet ? "Set(\(local))" : local }
}

extension RecordValueKind {
  /// A Boolean value that indicates whether the values are inserted into a set one by one.
  fileprivate var isInserted: Bool { if case .set = self { !isPackedSet } else { false } }
}

extension RecordElementKind {
  /// The expression that reads a value of a type.
  fileprivate func readText(_ type: ValueType) -> String {
    switch self {
    case .message: "try reader.message \(RecordCode.readingStruct(type))"
    // Without the type, a variable of type `Note?` would be read as an optional, which JSON has as well.
    case .json: "try reader.json() as \(type.swiftText)"
    default: "try reader.\(rawValue)()"
    }
  }
}
