import LocalDataModel

/// Emits the initializer that reads a row, and the function that writes one.
struct RowCode {
  private let record: ResolvedRecord
  private let fields: [RowField]
  private let sealed: [WireField]

  init(_ record: ResolvedRecord, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    self.record = record
    let style = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
    let all = record.fieldsInOrder.map { RowField($0, run, style) }
    fields = all.filter { $0.declaration.encryption != .sealed }
    sealed = all.filter { $0.declaration.encryption != .none }.map(\.wire)
  }

  func write(to output: inout OutputBuffer) {
    output.write("\nnonisolated extension ")
    output.write(record.name)
    output.write(" {\n")
    writeReading(to: &output)
    output.write("\n")
    writeWriting(to: &output)
    output.write("}\n")
  }

  private func writeReading(to output: inout OutputBuffer) {
    output.writeGeneratedAccess(record.access)
    output.write("\(RecordCode.rowInitializer) {\n")
    for (position, field) in fields.enumerated() where field.declaration.encryption == .none {
      write(reading: field, at: position, to: &output)
    }
    if !sealed.isEmpty { writeOpening(to: &output) }
    // A later release may allow the value.
    writeChecks(to: &output) { _, _ in "throw .newerValue" }
    output.write("  }\n")
  }

  private func write(reading field: RowField, at position: Int, to output: inout OutputBuffer) {
    guard let value = field.readText(position) else {
      return write(readingCollection: field, at: position, to: &output)
    }
    // The sealed part needs the key.
    guard field.name == record.key, !sealed.isEmpty else {
      return output.writeLine(2, "self.\(field.name) = \(value)")
    }
    output.writeLine(2, "let \(field.wire.local): \(field.wire.type.swiftText) = \(value)")
    output.writeLine(2, "self.\(field.name) = \(field.wire.local)")
  }

  /// Writes the code that reads a collection whose elements are fields of the column.
  private func write(readingCollection field: RowField, at position: Int, to output: inout OutputBuffer) {
    output.writeVariables(of: [field.wire], indent: 2)
    guard field.mayBeNull else {
      output.writeBlock(2, "try row.wire(\(position)) \(RecordCode.reading)") { output, indent in
        output.writeLoop(over: [field.wire], keepsUnknown: false, indent: indent)
      }
      return output.writeLine(2, "self.\(field.name) = \(field.wire.readCollection)")
    }
    output.writeLine(2, "self.\(field.name) =")
    let end = "} ? \(field.wire.readCollection) : \(field.fallback ?? "nil")"
    output.writeBlock(3, "try row.optionalWire(\(position)) \(RecordCode.reading)", end: end) {
      $0.writeLoop(over: [field.wire], keepsUnknown: false, indent: $1)
    }
  }

  /// Writes the code that opens the sealed part and reads its fields.
  private func writeOpening(to output: inout OutputBuffer) {
    output.writeVariables(of: sealed, indent: 2)
    output.writeLine(2, RecordCode.unknownFields)
    let key = WireField.localName(record.key)
    let head = "try row.sealed(\(fields.count), Self.declaration, key: \(key)) \(RecordCode.reading)"
    output.writeBlock(2, head) { $0.writeLoop(over: sealed, keepsUnknown: true, indent: $1) }
    output.writeAssignments(of: sealed, indent: 2)
    output.writeLine(2, "self.unknownFields = unknownFields")
  }

  /// Writes a statement for each field that throws an error if its value is not valid.
  private func writeChecks(to output: inout OutputBuffer, _ failure: (ValidValues, String) -> String) {
    for field in record.fieldsInOrder {
      guard let valid = field.valid else { continue }
      let value = field.isOptional ? "value" : "self.\(field.name)"
      let head = field.isOptional ? "if let value = self.\(field.name), " : "if "
      output.writeLine(2, "\(head)!(\(valid.condition(value))) { \(failure(valid, field.name)) }")
    }
  }

  private func writeWriting(to output: inout OutputBuffer) {
    output.writeGeneratedAccess(record.access)
    output.write("\(RecordCode.rowFunction) {\n")
    writeChecks(to: &output) { "throw row.invalid(\"\($0.text)\", \"\($1)\")" }
    for field in fields { output.writeColumn(of: field, "self.\(field.name)", to: "row", indent: 2) }
    if !sealed.isEmpty {
      let head = "try row.sealed(Self.declaration, key: self.\(record.key), self.unknownFields) { writer in"
      output.writeBlock(2, head) { $0.writeFields(sealed, indent: $1) }
    }
    output.write("  }\n")
  }
}

extension OutputBuffer {
  /// Writes the statement that writes a value to the next column of a row.
  ///
  /// - Parameter row: The variable of the row.
  mutating func writeColumn(of field: RowField, _ value: String, to row: String, indent: Int) {
    if field.declaration.encryption == .blind {
      return writeLine(indent, "\(row).blind(\(value), \(field.wire.number), Self.declaration)")
    }
    let isOptional = field.declaration.isOptional
    let plain = isOptional ? "value" : value
    let call: String
    switch field.kind {
    case .list(.message): call = "\(row).list(\(plain), \(field.wire.number)) { $0.write(to: &$1) }"
    case .list, .set, .map: return writeCollectionColumn(of: field, value, to: row, indent: indent)
    case .single(.message): call = "\(row).message(\(plain)) { $0.write(to: &$1) }"
    case .single(let kind): call = "\(kind.failsToWrite ? "try " : "")\(row).\(kind.writeMethod)(\(plain))"
    }
    writeLine(indent, isOptional ? "if let value = \(value) { \(call) } else { \(row).null() }" : call)
  }

  private mutating func writeCollectionColumn(of field: RowField, _ value: String, to row: String, indent: Int) {
    guard field.declaration.isOptional else {
      return writeBlock(indent, "\(row).wire { writer in") { $0.writeCollection(field.wire, value, indent: $1) }
    }
    writeLine(indent, "if let \(field.wire.local) = \(value) {")
    writeBlock(indent + 1, "\(row).wire { writer in") { $0.writeCollection(field.wire, field.wire.local, indent: $1) }
    writeLine(indent, "} else {")
    writeLine(indent + 1, "\(row).null()")
    writeLine(indent, "}")
  }
}
