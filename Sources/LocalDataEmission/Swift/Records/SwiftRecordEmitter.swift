import LocalDataModel

/// Emits a record as a struct: its fields, its columns, its table, and the code that reads and writes a row.
struct SwiftRecordEmitter {
  let catalog: ResolvedCatalog
  let source: String
  private let run: RunEntries
  private let values: SwiftValueStyle

  init(_ catalog: ResolvedCatalog, _ run: RunEntries) {
    self.catalog = catalog
    source = catalog.sourceName
    self.run = run
    values = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
  }

  func write(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("\n")
    output.writeSourceLine(source, record.line, indent: 0)
    output.writeDocComment(record.description, indent: 0)
    output.writeAccess(record.access)
    output.write("nonisolated struct \(record.name): \(RuntimeName.record) {\n  ")
    output.writeAccess(record.access)
    output.write("typealias Database = \(ResolvedDatabase.typeName(of: record.database))\n\n")
    writeProperties(record, to: &output)
    writeMemberwise(record, to: &output)
    writeColumns(record, to: &output)
    RecordDeclarationCode(record, catalog, run).write(to: &output)
    output.write("}\n")
    RowCode(record, catalog, run).write(to: &output)
    SwiftImportEmitter(record, catalog, run).write(to: &output)
    if let field = record.expires { writeExpiry(field, of: record, to: &output) }
    if record.sealedFields.isEmpty { return }
    writeRedaction(of: record, to: &output)
    writePlainFields(of: record, to: &output)
  }

  private func writeExpiry(_ field: String, of record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("\nnonisolated extension \(record.name): \(RuntimeName.expiringRecord) {\n")
    output.writeGeneratedAccess(record.access)
    output.write(
      "static let expiry = \(RuntimeName.recordExpiry)<\(record.name)>(columns.\(field)) { $0.\(field) }\n}\n")
  }

  private func writeProperties(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    for field in record.fields {
      if let description = field.description { output.writeDocComment(description, indent: 1) }
      output.write("  ")
      output.writeAccess(record.access)
      output.write("var \(field.name.swiftIdentifier): \(field.type.swiftText)\n")
    }
    if !record.sealedFields.isEmpty { output.writeLine(1, "private \(RecordCode.unknownFields)") }
    guard record.key != "id", let key = record.fields.first(where: { $0.name == record.key }) else { return }
    output.write("\n  ")
    output.writeAccess(record.access)
    output.write("var id: \(key.type.swiftText) { self.\(key.name) }\n")
  }

  private func writeMemberwise(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    var arguments = ArgumentList()
    for field in record.fields {
      arguments.add { output in
        output.write("\(field.name.swiftIdentifier): \(field.type.swiftText)")
        if let text = field.defaultText(values) {
          output.write(" = \(text)")
        } else if field.isOptional {
          output.write(" = nil")
        }
      }
    }
    output.write("\n")
    output.writeInitializer(arguments, record.access)
    for field in record.fields { output.writeLine(2, "self.\(field.name) = \(field.name.swiftIdentifier)") }
    output.write("  }\n")
  }

  /// Writes the columns that queries can compare and sort by.
  private func writeColumns(_ record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("\n  ")
    output.writeAccess(record.access)
    output.write("struct Columns: Sendable {\n")
    for (position, field) in record.columns.enumerated() {
      guard let column = column(field, at: position, of: record) else { continue }
      if field.encryption == .blind {
        output.writeDocComment("Encrypted. Queries compare it for equality only.", indent: 2)
      }
      output.write("    ")
      output.writeAccess(record.access)
      output.write("let \(field.name.swiftIdentifier) = \(column)\n")
    }
    output.write("  }\n\n  ")
    output.writeAccess(record.access)
    output.write("static var columns: Columns { Columns() }\n")
  }

  private func column(_ field: ResolvedRecord.Field, at position: Int, of record: ResolvedRecord) -> String? {
    let types = "<\(record.name), \(field.type.swiftText)>"
    if field.encryption == .blind { return "\(RuntimeName.blindColumn)\(types)(\(position), \(field.number))" }
    guard RecordValueKind(field.type, run.types).isComparable else { return nil }
    return "\(RuntimeName.recordColumn)\(types)(\(position))"
  }

  /// Writes the fields that may be shown in a debug build.
  private func writePlainFields(of record: ResolvedRecord, to output: inout OutputBuffer) {
    output.write("\n#if DEBUG\nnonisolated extension \(record.name): \(RuntimeName.debugDescribedRecord) {\n")
    output.writeGeneratedAccess(record.access)
    output.write("var _plainFields: KeyValuePairs<String, Any?> {\n    [\n")
    for field in record.fields where field.encryption == .none {
      output.writeLine(3, "\"\(field.name)\": self.\(field.name),")
    }
    output.write("    ]\n  }\n}\n#endif\n")
  }

  /// Writes descriptions that contain no values.
  private func writeRedaction(of record: ResolvedRecord, to output: inout OutputBuffer) {
    let text = "\"\(record.name)(redacted)\""
    output.write("\n/// Descriptions that contain no values, because the record has encrypted fields.\n")
    output.write("nonisolated extension \(record.name): ")
    output.write("CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {\n")
    for member in [
      "description: String { \(text) }", "debugDescription: String { \(text) }",
      "customMirror: Mirror { Mirror(self, children: [:]) }",
    ] {
      output.write("  ")
      output.writeAccess(record.access)
      output.write("var \(member)\n")
    }
    output.write("}\n")
  }
}
