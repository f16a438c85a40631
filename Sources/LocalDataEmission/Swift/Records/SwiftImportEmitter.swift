import LocalDataModel
import LocalDataVocabulary

/// Emits the columns of other libraries' stores that a record is made from, and the initializer that reads them.
struct SwiftImportEmitter {
  private let record: ResolvedRecord
  private let run: RunEntries
  private let style: SwiftValueStyle

  init(_ record: ResolvedRecord, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    self.record = record
    self.run = run
    style = SwiftValueStyle(checker: catalog.swiftName, namesTypeOfCases: true)
  }

  func write(to output: inout OutputBuffer) {
    guard let imported = record.imported, imported.transform == nil else { return }
    let fields = imported.fields
    output.write("\nnonisolated extension \(record.name) {\n")
    output.write("  static var _importedTable: \(RuntimeName.importedTable) {\n    \(RuntimeName.importedTable)(")
    output.writeLiteral(imported.table)
    output.write(", [\n")
    for field in fields { output.writeLine(3, "\(column(field.origin, of: field.name, isCoreData)),") }
    output.write("    ])\n  }\n\n")
    let source = imported.home?.using?.text ?? "Void"
    output.write(
      "  init(importing row: borrowing \(RuntimeName.importedRow), _ source: \(source)) throws {\n    self.init(\n")
    let positions = record.fields.compactMap { field in
      fields.firstIndex { $0.name == field.name }.map { (field, $0) }
    }
    for (index, (field, position)) in positions.enumerated() {
      let end = index == positions.count - 1 ? ")" : ","
      let value = value(fields[position].origin, at: position, of: field)
      output.writeLine(3, "\(field.name.swiftIdentifier): \(value)\(end)")
    }
    output.write("  }\n}\n")
  }

  private var isCoreData: Bool { record.imported?.home?.isCoreData ?? false }

  // MARK: Columns

  private func column(_ origin: ResolvedImport.Origin, of field: String, _ isCoreData: Bool) -> String {
    let end = "for: \(literal(field)))"
    switch origin {
    case .rowID: return ".rowNumber(\(end)"
    case .column(let column): return self.column(column, end)
    case .parent(let reference, let table, let column):
      let name = column.map { literal($0.name) + ", " } ?? ""
      return ".parent(\(literal(reference)), in: \(literal(table)), \(name)\(end)"
    case .children(let name, let inverse, let table, let fields):
      let by = inverse.map { "inverse: \(literal($0)), " } ?? ""
      let columns = fields.map { self.column($0.column, "for: \(literal("\(field).\($0.name)")))") }
      let child = "\(RuntimeName.importedTable)(\(literal(table)), [\(columns.joined(separator: ", "))])"
      return ".children(\(literal(name)), \(by)\(child), \(end)"
    }
  }

  private func column(_ column: ResolvedImport.Column, _ end: String) -> String {
    "\(column.isExternal ? ".external" : ".value")(\(literal(column.name)), \(end)"
  }

  // MARK: Values

  private func value(_ origin: ResolvedImport.Origin, at position: Int, of field: ResolvedRecord.Field) -> String {
    // A new key at each import would double the record.
    let absent = field.name == record.key ? nil : field.defaultText(style)
    switch origin {
    case .rowID, .parent(_, _, nil): return "try row.value(\(position))"
    case .column(let column): return value(column, "row", position, field.type, absent)
    case .parent(_, _, let column?): return value(column, "row", position, field.type, absent)
    case .children(_, _, _, let children): return list(children, position, field.plainType)
    }
  }

  private func list(_ children: [ResolvedImport.Child], _ position: Int, _ type: ValueType) -> String {
    guard case .list(let element) = type, case .declared(let name) = element,
      case .structure(let members)? = run.types[name]?.form
    else { return "[]" }
    let arguments = members.compactMap { member -> String? in
      guard let index = children.firstIndex(where: { $0.name == member.name }) else { return nil }
      let absent = member.defaultValue.map { value in OutputBuffer.text { $0.writeValue(value, of: member.type, style) }
      }
      let value = value(children[index].column, "child", index, member.type, absent)
      return "\(member.name.swiftIdentifier): \(value)"
    }
    return "try row.children(\(position)) { (child: borrowing \(RuntimeName.importedRow)) throws -> \(name) in "
      + "\(name)(\(arguments.joined(separator: ", "))) }"
  }

  /// Returns the code that reads a value of a column.
  ///
  /// - Parameter absent: The default of the field.
  private func value(
    _ column: ResolvedImport.Column, _ row: String, _ position: Int, _ type: ValueType, _ absent: String?
  ) -> String {
    let isOptional = if case .optional = type { true } else { false }
    let fallback = absent.map { ", or: \($0)" } ?? (isOptional ? ", or: nil" : "")
    if let transform = column.transform, let own = column.type {
      let takesNil = if case .optional = own { true } else { false }
      let function = record.imported?.home?.using != nil && !transform.text.contains(".") ? "source." : ""
      return "try \(row).value(\(position)\(takesNil ? "" : fallback), "
        + "\(function)\(transform.text) as (\(own.swiftText)) throws -> \(type.swiftText))"
    }
    let kind = RecordValueKind(type, run.types)
    if kind == .single(.textEnumeration) || kind == .single(.integerEnumeration) {
      if isOptional, absent == nil { return "try \(row).optionalEnumeration(\(position))" }
      return "try \(row).enumeration(\(position)\(absent == nil ? "" : fallback))"
    }
    return "try \(row).value(\(position)\(absent == nil ? "" : fallback))"
  }

  private func literal(_ text: String) -> String { OutputBuffer.text { $0.writeLiteral(text) } }
}

/// Emits the sources of a database.
struct SwiftImportSources {
  let run: RunEntries
  let database: ResolvedDatabase

  /// Writes the argument `opening`, if the database has imports.
  func write(to output: inout OutputBuffer) {
    let records = run.records(of: database).filter { $0.imported?.home != nil }
    guard !records.isEmpty else { return }
    let sources = records.compactMap { $0.imported?.home }.reduce(into: [ResolvedSource]()) { list, source in
      if !list.contains(where: { $0.member == source.member }) { list.append(source) }
    }
    output.write(",\n    opening: .imports {\n      [\n")
    for source in sources { write(source, records.filter { $0.imported?.source == source.member }, to: &output) }
    output.write("      ]\n    }")
  }

  private func write(_ source: ResolvedSource, _ records: [ResolvedRecord], to output: inout OutputBuffer) {
    let name = literal(source.member)
    let exclusive = source.isExclusive ? ", isExclusive: true" : ""
    switch source.content {
    case .file(let file):
      let using = source.using.map { ", using: { try await \($0.text)($0) }" } ?? ""
      output.writeLine(4, ".store(\(name), \(form(file)), \(place(file))\(exclusive)\(using), [")
    case .key(let member, let element):
      let key = "\(RuntimeName.key)<[\(element.swiftText)]?>.\(member.swiftIdentifier)"
      output.writeLine(4, ".list(\(name), \(key)\(exclusive), [")
    }
    for record in records {
      let clearing = record.fields.filter { $0.reference?.onDelete == .setNull && $0.isOptional }
        .map { "{ $0.\($0.name) = nil }" }
      let clears = clearing.isEmpty ? "" : ", clearing: [\(clearing.joined(separator: ", "))]"
      if let transform = record.imported?.transform {
        output.writeLine(5, "\(RuntimeName.recordImport)(\(record.name).self\(clears), \(transform.text)),")
      } else {
        output.writeLine(
          5,
          "\(RuntimeName.recordImport)(\(record.name).self, \(record.name)._importedTable\(clears)) { "
            + "try \(record.name)(importing: $0, $1) },")
      }
    }
    output.writeLine(4, "]),")
  }

  private func form(_ file: ResolvedSource.File) -> String {
    if file.form == .coreData { return ".coreData" }
    return file.dates == .iso8601 ? ".sqlite()" : ".sqlite(dates: .\(file.dates.rawValue))"
  }

  private func place(_ file: ResolvedSource.File) -> String {
    let path = file.path.split(separator: "/").map { literal(String($0)) }.joined(separator: ", ")
    let group = file.group.map { ", ofGroup: \($0.identifier.map(container) ?? "nil")" } ?? ""
    return "\(RuntimeName.importedPlace)(.\(file.directory.rawValue)\(group), [\(path)])"
  }

  private func container(_ text: String) -> String { OutputBuffer.text { $0.writeContainer(text) } }

  private func literal(_ text: String) -> String { OutputBuffer.text { $0.writeLiteral(text) } }
}
