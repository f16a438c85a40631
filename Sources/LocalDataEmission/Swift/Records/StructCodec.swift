import LocalDataModel

/// Emits the initializer that reads a struct of `types` from the wire format, and the function that writes it.
struct StructCodec {
  private let name: String
  private let fields: [WireField]
  /// The reserved numbers whose values are not written again.
  private let deleted: [Int]

  /// Returns nil for types that are no structs.
  init?(_ type: ResolvedType, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    guard case .structure(let fields) = type.form else { return nil }
    name = type.name
    deleted = type.reserved.filter(\.deletesValues).flatMap(\.numbers).sorted()
    self.fields = run.wireFields(of: fields, in: catalog)
  }

  func write(to output: inout OutputBuffer) {
    output.write("\n")
    output.writeBlock(0, "nonisolated extension \(name) {") { output, indent in
      output.writeBlock(indent, RecordCode.structInitializer + " {") { output, indent in
        output.writeVariables(of: fields, indent: indent)
        output.writeLine(indent, RecordCode.unknownFields)
        output.writeLoop(over: fields, keepsUnknown: true, besides: deleted, indent: indent)
        output.writeAssignments(of: fields, indent: indent)
        output.writeLine(indent, "self.unknownFields = unknownFields")
      }
      output.write("\n")
      output.writeBlock(indent, RecordCode.structFunction + " {") { output, indent in
        output.writeFields(fields, indent: indent)
        output.writeLine(indent, "writer.unknown(self.unknownFields)")
      }
    }
  }
}
