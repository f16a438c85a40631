import LocalDataModel
import LocalDataVocabulary

/// Emits the records of a catalog, its databases, and the members of the router and of transactions.
struct SwiftDatabaseEmitter {
  let catalog: ResolvedCatalog
  let run: RunEntries

  func write(to output: inout OutputBuffer) {
    for type in catalog.types where run.contains(type) { write(codingOf: type, to: &output) }
    let records = SwiftRecordEmitter(catalog, run)
    for record in catalog.records { records.write(record, to: &output) }
    for database in catalog.databases { write(database, to: &output) }
    writeMembers(of: "\(RuntimeName.router)", RuntimeName.records, catalog.records, to: &output)
    for database in databasesOfRecords {
      writeMembers(
        of: "\(RuntimeName.recordTransaction)<\(ResolvedDatabase.typeName(of: database))>",
        RuntimeName.transactionRecords,
        catalog.records.filter { $0.database == database }, to: &output)
    }
  }

  /// The members of the databases of the records, in the order of the text. They may be in other catalogs.
  private var databasesOfRecords: [String] {
    catalog.records.map(\.database).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func write(codingOf type: ResolvedType, to output: inout OutputBuffer) {
    switch type.form {
    case .stringEnum, .intEnum: output.write("\nnonisolated extension \(type.name): \(RuntimeName.recordValue) {}\n")
    case .structure: StructCodec(type, catalog, run)?.write(to: &output)
    case .swift: break
    }
  }

  private func write(_ database: ResolvedDatabase, to output: inout OutputBuffer) {
    output.write("\n")
    output.writeSourceLine(catalog.sourceName, database.line, indent: 0)
    output.writeDocComment(database.description, indent: 0)
    output.writeAccess(database.access)
    output.write("nonisolated enum \(database.typeName): \(RuntimeName.recordDatabase) {\n")
    output.writeGeneratedAccess(database.access)
    output.write("static let declaration = \(RuntimeName.recordDatabaseDeclaration)(\n    ")
    output.writeLiteral(database.name)
    output.write(", ")
    output.writeDomain(database.domain)
    if database.protection != .untilFirstUnlock { output.write(", protection: .\(database.protection.rawValue)") }
    if database.sealing != .recommended {
      output.write(", sealing: ")
      output.writeSecurity(database.sealing)
    }
    if !database.isInBackup { output.write(", isInBackup: false") }
    if !database.movedFrom.isEmpty {
      output.write(",\n    movedFrom: [")
      for (index, earlier) in database.movedFrom.enumerated() {
        output.write(index == 0 ? ".init(" : ", .init(")
        output.writeLiteral(earlier.name)
        output.write(", ")
        output.writeDomain(earlier.domain)
        output.write(")")
      }
      output.write("]")
    }
    SwiftImportSources(run: run, database: database).write(to: &output)
    let records = run.records(of: database).map { "\($0.name).self" }
    output.write(",\n    records: { [\(records.joined(separator: ", "))] })\n}\n")
  }

  private func writeMembers(
    of type: String, _ handle: StaticString, _ records: [ResolvedRecord], to output: inout OutputBuffer
  ) {
    guard !records.isEmpty else { return }
    output.write("\n")
    output.writeBlock(0, "nonisolated extension \(type) {") { output, indent in
      for record in records {
        output.writeDocComment(record.description, indent: indent)
        if let deprecation = record.deprecation { output.writeDeprecation(deprecation, run, indent: indent) }
        output.writeIndent(indent)
        output.writeAccess(record.access)
        output.write("var \(record.member.swiftIdentifier): \(handle)<\(record.name)> { ")
        output.write("records(\(record.name).self) }\n")
      }
    }
  }
}

extension OutputBuffer {
  /// Writes the attribute of a deprecated member. The struct has none: the database still declares it, without a warning.
  fileprivate mutating func writeDeprecation(
    _ deprecation: ResolvedKey.Deprecation, _ run: RunEntries, indent: Int
  ) {
    writeIndent(indent)
    write("@available(*, deprecated, message: ")
    writeLiteral(deprecation.reason)
    if let renamed = deprecation.renamedTo {
      write(", renamed: ")
      writeLiteral(run.member(of: renamed) ?? renamed)
    }
    write(")\n")
  }
}
