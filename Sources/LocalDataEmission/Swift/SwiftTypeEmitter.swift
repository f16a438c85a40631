import LocalDataModel

/// Emits the value types of a catalog: enums and structs.
struct SwiftTypeEmitter {
  let access: AccessLevel
  let source: String
  /// A default is written with the type of an enum case, because `??` and optional fields expect optionals.
  private let values: SwiftValueStyle

  init(_ catalog: ResolvedCatalog, source: String) {
    access = catalog.access
    self.source = source
    values = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
  }

  /// Writes a type. A struct in records keeps the fields of later releases.
  func write(_ type: ResolvedType, isInRecords: Bool, to output: inout OutputBuffer) {
    switch type.form {
    case .swift: break
    case .stringEnum(let cases):
      writeHeader(type, "enum ", "String, CaseIterable, Codable, CodingKeyRepresentable, Hashable, Sendable", &output)
      for each in cases {
        writeCase(each.name, each.description, &output)
        if each.raw != each.name {
          output.write(" = ")
          output.writeLiteral(each.raw)
        }
        output.write("\n")
      }
      output.write("}\n")
    case .intEnum(let cases):
      writeHeader(type, "enum ", "Int, CaseIterable, Codable, CodingKeyRepresentable, Hashable, Sendable", &output)
      for each in cases {
        writeCase(each.name, each.description, &output)
        output.write(" = ")
        output.writeGrouped(String(each.raw))
        output.write("\n")
      }
      output.write("}\n")
    case .structure(let fields):
      writeHeader(type, "struct ", "Codable, Hashable, Sendable", &output)
      writeProperties(fields, &output)
      if isInRecords { output.writeLine(1, "private \(RecordCode.unknownFields)") }
      writeMemberwise(fields, &output)
      writeCoding(fields, isInRecords: isInRecords, &output)
      output.write("}\n")
    }
  }

  private func writeHeader(
    _ type: ResolvedType, _ keyword: StaticString, _ conformances: StaticString, _ output: inout OutputBuffer
  ) {
    output.write("\n")
    output.writeSourceLine(source, type.line, indent: 0)
    if !type.description.isEmpty { output.writeDocComment(type.description, indent: 0) }
    output.writeAccess(access)
    output.write("nonisolated ")
    output.write(keyword)
    output.write(type.name)
    output.write(": ")
    output.write(conformances)
    output.write(" {\n")
  }

  private func writeCase(_ name: String, _ description: String?, _ output: inout OutputBuffer) {
    if let description { output.writeDocComment(description, indent: 1) }
    output.write("  case ")
    output.writeIdentifier(name)
  }

  private func writeProperties(_ fields: [ResolvedType.Field], _ output: inout OutputBuffer) {
    for field in fields {
      if let description = field.description { output.writeDocComment(description, indent: 1) }
      output.write("  ")
      output.writeAccess(access)
      output.write("var ")
      writeNameAndType(field, &output)
      output.write("\n")
    }
  }

  private func writeNameAndType(_ field: ResolvedType.Field, _ output: inout OutputBuffer) {
    output.writeIdentifier(field.name)
    output.write(": ")
    output.writeType(field.type)
  }

  private func writeMemberwise(_ fields: [ResolvedType.Field], _ output: inout OutputBuffer) {
    var arguments = ArgumentList()
    for field in fields {
      arguments.add { output in
        writeNameAndType(field, &output)
        if let value = field.defaultValue {
          output.write(" = ")
          output.writeValue(value, of: field.type, values)
        } else if field.isOptional {
          output.write(" = nil")
        }
      }
    }
    output.write("\n")
    output.writeInitializer(arguments, access)
    for field in fields {
      output.write("    self.")
      output.write(field.name)
      output.write(" = ")
      output.writeIdentifier(field.name)
      output.write("\n")
    }
    output.write("  }\n")
  }

  /// Writes the coding of a struct with defaults, which the compiler's synthesized coding ignores.
  ///
  /// Encoding is written only if an optional field has a default: an omitted `nil` would be read as the default, so it
  /// has to be encoded. The fields of later releases are not encoded, because they are in the wire format.
  private func writeCoding(_ fields: [ResolvedType.Field], isInRecords: Bool, _ output: inout OutputBuffer) {
    let writesNil = fields.contains { $0.isOptional && $0.defaultValue != nil }
    if writesNil || isInRecords { writeCodingKeys(fields, &output) }
    guard fields.contains(where: { $0.defaultValue != nil }) else { return }
    writeDecoding(fields, &output)
    if writesNil { writeEncoding(fields, &output) }
  }

  private func writeCodingKeys(_ fields: [ResolvedType.Field], _ output: inout OutputBuffer) {
    output.write("\n  private enum CodingKeys: CodingKey {\n")
    for field in fields {
      output.write("    case ")
      output.writeIdentifier(field.name)
      output.write("\n")
    }
    output.write("  }\n")
  }

  private func writeDecoding(_ fields: [ResolvedType.Field], _ output: inout OutputBuffer) {
    output.write("\n  ")
    output.writeAccess(access)
    output.write("init(from decoder: any Decoder) throws {\n")
    output.write("    let container = try decoder.container(keyedBy: CodingKeys.self)\n")
    for field in fields {
      output.write("    self.")
      output.write(field.name)
      output.write(" = ")
      if field.isOptional, field.defaultValue != nil {
        output.write("container.contains(.")
        output.write(field.name)
        output.write(") ? ")
      }
      output.write("try container.decode")
      let mayBeMissing = field.isOptional || field.defaultValue != nil
      if mayBeMissing { output.write("IfPresent") }
      output.write("(")
      output.writeType(field.unwrappedType)
      output.write(".self, forKey: .")
      output.write(field.name)
      output.write(")")
      if let value = field.defaultValue {
        output.write(field.isOptional ? " : " : " ?? ")
        output.writeValue(value, of: field.type, values)
      }
      output.write("\n")
    }
    output.write("  }\n")
  }

  private func writeEncoding(_ fields: [ResolvedType.Field], _ output: inout OutputBuffer) {
    output.write("\n  ")
    output.writeAccess(access)
    output.write("func encode(to encoder: any Encoder) throws {\n")
    output.write("    var container = encoder.container(keyedBy: CodingKeys.self)\n")
    for field in fields {
      let leavesOutNil = field.isOptional && field.defaultValue == nil
      output.write(leavesOutNil ? "    try container.encodeIfPresent(self." : "    try container.encode(self.")
      output.write(field.name)
      output.write(", forKey: .")
      output.write(field.name)
      output.write(")\n")
    }
    output.write("  }\n")
  }
}

extension ResolvedType.Field {
  fileprivate var isOptional: Bool {
    if case .optional = type { true } else { false }
  }

  fileprivate var unwrappedType: ValueType {
    if case .optional(let wrapped) = type { wrapped } else { type }
  }
}
