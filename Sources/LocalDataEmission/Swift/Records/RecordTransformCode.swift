import LocalDataModel
import LocalDataVocabulary

/// Emits the closures that make fields from those of earlier releases.
struct RecordTransformCode {
  private let fields: [RowField]
  private let run: RunEntries
  private let style: SwiftValueStyle

  init(_ record: ResolvedRecord, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    style = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
    self.run = run
    fields = record.fields.filter { !$0.transforms.isEmpty }.map { [style] in RowField($0, run, style) }
  }

  /// Writes the argument `transforms`, if the record has any.
  func write(to output: inout OutputBuffer) {
    guard !fields.isEmpty else { return }
    output.write(",\n    transforms: [\n")
    for field in fields {
      for transform in field.declaration.transforms { write(transform, of: field, to: &output) }
    }
    output.write("    ]")
  }

  /// No name in a catalog begins with an underscore. So the variables do not hide the function.
  private func write(_ transform: ResolvedRecord.Transform, of field: RowField, to output: inout OutputBuffer) {
    let isSealed = field.declaration.encryption != .none
    let sources = transform.sources.map(source).joined(separator: ", ")
    let head = ".\(isSealed ? "sealed" : "init")(\(field.wire.number), from: [\(sources)]) { "
    output.writeBlock(3, head + "row, reader, \(isSealed ? "writer" : "column") in", end: "},") { output, indent in
      writeReading(transform.sources, to: &output, indent)
      let parameters = transform.sources.map(\.type.swiftText).joined(separator: ", ")
      let type = field.declaration.type.swiftText
      output.writeLine(indent, "let _transform: (\(parameters)) throws -> \(type) = \(transform.function.text)")
      let arguments = transform.sources.map { "old\($0.number)" }.joined(separator: ", ")
      output.writeLine(indent, "let _new = try _transform(\(arguments))")
      guard isSealed else { return output.writeColumn(of: field, "_new", to: "column", indent: indent) }
      output.writeField(field.wire, "_new", indent: indent)
      output.writeLine(indent, "return \(field.declaration.encryption == .blind ? "_new.recordLiteral" : "nil")")
    }
  }

  /// Returns, for example, `.init(5, .blob, wire: "[String]")`.
  private func source(_ source: ResolvedRecord.Source) -> String {
    var plain = source.type
    if case .optional(let wrapped) = source.type { plain = wrapped }
    let type = OutputBuffer.text { $0.writeLiteral(plain.swiftText) }
    let kind = RecordValueKind(source.type, run.types)
    var list = [String(source.number)]
    list.append(source.isEncrypted ? "sealed: \(type)" : ".\(kind.storage)")
    if plain != source.type { list.append("isOptional: true") }
    if kind.isWire, !source.isEncrypted { list.append("wire: \(type)") }
    return ".init(\(list.joined(separator: ", ")))"
  }

  // MARK: Reading

  /// Writes the code that reads the earlier values into `old5` and so on: the plain ones from the row, in their order, and the
  /// encrypted ones from the message.
  private func writeReading(_ sources: [ResolvedRecord.Source], to output: inout OutputBuffer, _ indent: Int) {
    for (position, source) in sources.filter({ !$0.isEncrypted }).enumerated() {
      write(reading: field(source), at: position, to: &output, indent)
    }
    let sealed = sources.filter(\.isEncrypted).map { field($0).wire }
    guard !sealed.isEmpty else { return }
    output.writeVariables(of: sealed, indent: indent)
    output.writeLoop(over: sealed, keepsUnknown: false, indent: indent)
    for field in sealed {
      let old = "old\(field.number)"
      if field.isNeeded {
        output.writeLine(
          indent, "guard let \(old) = \(field.local) else { throw \(RuntimeName.problem).corrupted }")
      } else {
        output.writeLine(indent, "let \(old) = \(field.readCollection)")
      }
    }
  }

  private func field(_ source: ResolvedRecord.Source) -> RowField {
    var field = ResolvedRecord.Field(
      name: "value\(source.number)", storedName: "", number: source.number, line: 0, type: source.type,
      sensitivity: .internal)
    field.isInSeconds = source.isInSeconds
    return RowField(field, run, style)
  }

  private func write(reading field: RowField, at position: Int, to output: inout OutputBuffer, _ indent: Int) {
    let old = "let old\(field.wire.number): \(field.wire.type.swiftText) ="
    if let value = field.readText(position) { return output.writeLine(indent, "\(old) \(value)") }
    output.writeVariables(of: [field.wire], indent: indent)
    guard field.mayBeNull else {
      output.writeBlock(indent, "try row.wire(\(position)) \(RecordCode.reading)") { output, indent in
        output.writeLoop(over: [field.wire], keepsUnknown: false, indent: indent)
      }
      return output.writeLine(indent, "\(old) \(field.wire.readCollection)")
    }
    output.writeLine(indent, old)
    let end = "} ? \(field.wire.readCollection) : nil"
    output.writeBlock(indent + 1, "try row.optionalWire(\(position)) \(RecordCode.reading)", end: end) {
      $0.writeLoop(over: [field.wire], keepsUnknown: false, indent: $1)
    }
  }
}
