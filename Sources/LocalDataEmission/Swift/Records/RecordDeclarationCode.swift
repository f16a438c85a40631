import LocalDataModel
import LocalDataVocabulary

/// Emits the declaration of a record's table.
struct RecordDeclarationCode {
  private let record: ResolvedRecord
  private let types: [String: ResolvedType]
  private let transforms: RecordTransformCode

  init(_ record: ResolvedRecord, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    self.record = record
    types = run.types
    transforms = RecordTransformCode(record, catalog, run)
  }

  func write(to output: inout OutputBuffer) {
    output.write("\n")
    output.writeGeneratedAccess(record.access)
    output.write("static let declaration = \(RuntimeName.recordDeclaration)(\n    ")
    output.writeLiteral(record.storedName)
    let key = record.fields.first { $0.name == record.key }?.number ?? 0
    output.write(", key: \(key),\n    [\n")
    for field in record.columns { output.writeLine(3, column(of: field) + ",") }
    if !record.sealedFields.isEmpty { output.writeLine(3, ".init(0, \"sealed\", .sealed),") }
    output.write("    ]")
    writeSealed(to: &output)
    writeIndexes("indexes", record.indexes, to: &output)
    writeIndexes("unique", record.unique, to: &output)
    writeIndexes("keepFirst", record.unique.filter { record.existing[$0]?.kept == .keepFirst }, to: &output)
    writeIndexes("keepLast", record.unique.filter { record.existing[$0]?.kept == .keepLast }, to: &output)
    writeIndexes("cascading", record.unique.filter { record.existing[$0]?.cascades == true }, to: &output)
    writeReserved(to: &output)
    transforms.write(to: &output)
    if let maxSize = record.maxSize {
      output.write(",\n    maxSize: ")
      output.writeGrouped(String(maxSize))
    }
    if let retention = record.retention { write(retention, to: &output) }
    if record.skipsDamaged { output.write(",\n    skipsDamaged: true") }
    switch record.signOut {
    case .keep: output.write(",\n    signOut: .keep")
    case .by(let name):
      output.write(",\n    signOut: .by(\(literal(name)), \(record.fields.first { $0.name == name }?.number ?? 0))")
    case nil: break
    }
    output.write(")\n")
  }

  /// Returns the column of a field, for example `.init(2, "accountIndex", .integer, default: "0")`.
  private func column(of field: ResolvedRecord.Field) -> String {
    if field.encryption == .blind {
      let name = literal(field.storedName + ".blind")
      return arguments([name, ".blindIndex", field.isOptional ? "isOptional: true" : nil], of: field)
    }
    let kind = RecordValueKind(field.type, types, isInSeconds: field.isInSeconds)
    let sqlDefault = field.sqlDefault(types)
    // The column of older rows is NULL if SQL has no literal for the default.
    let mayBeNull = field.isOptional || field.defaultValue?.isValue == true && sqlDefault == nil
    var list: [String?] = [literal(field.storedName), "." + kind.storage, mayBeNull ? "isOptional: true" : nil]
    list.append(sqlDefault.map { "default: " + literal($0) })
    if kind.isWire { list.append("wire: " + literal(field.plainType.swiftText)) }
    if let reference = field.reference {
      list.append("references: " + literal(reference.storedName))
      if reference.onDelete != .restrict { list.append("onDelete: .\(reference.onDelete.rawValue)") }
    }
    return arguments(list, of: field)
  }

  private func arguments(_ list: [String?], of field: ResolvedRecord.Field) -> String {
    ".init(" + ([String(field.number)] + list.compactMap(\.self)).joined(separator: ", ") + ")"
  }

  private func literal(_ text: String) -> String { OutputBuffer.text { $0.writeLiteral(text) } }

  private func writeSealed(to output: inout OutputBuffer) {
    let fields = record.sealedFields
    guard !fields.isEmpty else { return }
    output.write(",\n    sealed: [\n")
    for field in fields {
      let isRequired = !field.isOptional && field.defaultValue == nil
      let list = [literal(field.plainType.swiftText), isRequired ? "isRequired: true" : nil]
      output.writeLine(3, arguments(list, of: field) + ",")
    }
    output.write("    ]")
  }

  /// Writes, for example, `indexes: [[1, 3], [4]]`.
  private func writeIndexes(_ label: String, _ indexes: [[Int]], to output: inout OutputBuffer) {
    guard !indexes.isEmpty else { return }
    output.write(",\n    \(label): \(indexes)")
  }

  /// Writes, for example, `retention: .dated(by: 3, maxAge: 15_552_000, maxCount: 5_000)`.
  private func write(_ retention: ResolvedRecord.Retention, to output: inout OutputBuffer) {
    output.write(",\n    retention: ")
    switch retention {
    case .untilRelaunch: output.write(".untilRelaunch")
    case .dated(let by, let maxAge, let maxCount):
      output.write(".dated(by: \(record.fields.first { $0.name == by }?.number ?? 0)")
      for (label, limit) in [(Retention.Kind.maxAge.rawValue, maxAge), ("maxCount", maxCount)] {
        guard let limit else { continue }
        output.write(", \(label): ")
        output.writeGrouped(String(limit))
      }
      output.write(")")
    }
  }

  private func writeReserved(to output: inout OutputBuffer) {
    let numbers = record.reserved.flatMap { reserved in
      reserved.numbers.map { ".init(\($0)\(reserved.deletesValues ? ", deletesValues: true" : ""))" }
    }
    guard !numbers.isEmpty else { return }
    output.write(",\n    reserved: [\(numbers.joined(separator: ", "))]")
  }
}

extension ResolvedRecord.Default {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }
}
