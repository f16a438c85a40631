import LocalDataModel

/// Emits the backups of a catalog as members of the runtime's type.
struct SwiftBackupEmitter {
  let catalog: ResolvedCatalog
  let run: RunEntries

  func write(to output: inout OutputBuffer) {
    guard !catalog.backupFiles.isEmpty else { return }
    output.write("\nnonisolated extension \(RuntimeName.backup) {\n")
    for (index, backup) in catalog.backupFiles.enumerated() {
      if index > 0 { output.write("\n") }
      write(backup, to: &output)
    }
    output.write("}\n")
  }

  private func write(_ backup: ResolvedBackupFile, to output: inout OutputBuffer) {
    output.writeSourceLine(catalog.sourceName, backup.line, indent: 1)
    output.writeDocComment(backup.description, indent: 1)
    output.write("  ")
    output.writeAccess(catalog.access)
    output.write("static var \(backup.member.swiftIdentifier): Self {\n    Self(\n      ")
    output.writeLiteral(backup.member)
    output.write(", catalog: ")
    output.writeLiteral(catalog.name)
    if !backup.isEncrypted { output.write(", isEncrypted: false") }
    if backup.isPrivate { output.write(", isPrivate: true") }
    let backedUp = backup.personalData?.records ?? backup.records
    if !backedUp.isEmpty {
      output.write(",\n      schema:\n      #\"\"\"\n")
      let start = output.count
      output.write("      ")
      writeSchema(of: backedUp, isPersonal: backup.personalData != nil, to: &output)
      output.breakRow(from: start)
      output.write("\n      \"\"\"#")
      let records = backedUp.map { "\($0).self" }.joined(separator: ", ")
      output.write(",\n      records: { [\(records)] }")
    }
    write(
      backup.personalData?.keys ?? backup.keys + backup.privateKeys, named: backup.personalData?.names ?? [:],
      to: &output)
    if let data = backup.personalData {
      write(titles: run.titles(of: data), to: &output)
      write(data.leftOut, "leftOut", to: &output)
    } else {
      write(ended(backup), "ended", to: &output)
      write(run.reservedNames, "endedKeys", to: &output)
    }
    output.write(")\n  }\n")
  }

  private func write(_ keys: [String], named names: [String: String], to output: inout OutputBuffer) {
    if keys.isEmpty { return }
    output.write(",\n      keys: { [")
    for (index, key) in keys.enumerated() {
      if index > 0 { output.write(", ") }
      write(key, to: &output)
      guard let name = names[key] else { continue }
      output.write(".named(")
      output.writeLiteral(name)
      output.write(")")
    }
    output.write("] }")
  }

  private func write(titles: [(name: String, title: String)], to output: inout OutputBuffer) {
    output.write(",\n      titles: [")
    if titles.isEmpty { output.write(":") }
    for (index, (name, title)) in titles.enumerated() {
      if index > 0 { output.write(", ") }
      output.writeLiteral(name)
      output.write(": ")
      output.writeLiteral(title)
    }
    output.write("]")
  }

  private func write(_ member: String, to output: inout OutputBuffer) {
    guard let pair = run.pairs[member] else {
      output.write(run.isFamily(member) ? ".family(.\(member))" : ".key(.\(member))")
      return
    }
    if pair.isFamily {
      writeFamily(pair, to: &output)
    } else {
      output.write(".pair(.signingKey(.\(member))")
    }
    if pair.hasPrivateParts {
      output.write(", privateParts: ")
      SwiftSigningEmitter.writePrivateParts(of: pair, to: &output)
    }
    output.write(")")
  }

  /// Writes the family of the items of pairs. Its members have the types of the parameters.
  private func writeFamily(_ pair: ResolvedKey, to output: inout OutputBuffer) {
    let parameters = SwiftParameters(pair)
    let member = pair.descriptor.member
    output.write(".pairs(\(RuntimeName.typedFamily)(.\(member)) {\n")
    parameters.writeConstants(indent: 4, to: &output)
    output.write("        return (.init(.\(member), ")
    parameters.writeName(pair.nameParts, to: &output)
    output.write(", .data), ())\n      }")
  }

  /// Returns the stored names of records that only earlier releases had in the backup's database. A backup without records may have
  /// had some of any database.
  private func ended(_ backup: ResolvedBackupFile) -> [String] {
    if backup.isPrivate { return [] }
    guard let first = backup.records.first else { return Set(run.reservedRecords.map(\.record)).sorted() }
    let database = run.record(first)?.database
    return run.reservedRecords.filter { $0.database == database }.map(\.record).sorted()
  }

  private func write(_ names: [String], _ label: String, to output: inout OutputBuffer) {
    if names.isEmpty { return }
    output.write(",\n      \(label): [")
    for (index, name) in names.enumerated() {
      if index > 0 { output.write(", ") }
      output.writeLiteral(name)
    }
    output.write("]")
  }

  /// Writes the names and types of the fields as JSON.
  ///
  /// - Parameter isPersonal: A Boolean value that indicates whether the fields that are secrets are left out.
  private func writeSchema(of names: [String], isPersonal: Bool, to output: inout OutputBuffer) {
    let records = names.compactMap { run.record($0) }.sorted { $0.storedName < $1.storedName }
    output.write("{\"records\":{")
    for (index, record) in records.enumerated() {
      if index > 0 { output.write(",") }
      output.writeJSON(record.storedName)
      output.write(":")
      let fields = record.fieldsInOrder.filter { !isPersonal || $0.sensitivity != .credential }
      output.writeArray(fields) { output, field in
        let type = field.isInSeconds ? "Seconds\(field.isOptional ? "?" : "")" : field.type.swiftText
        output.writeField(field.number, field.storedName, type)
      }
    }
    output.write("},\"types\":{")
    for (index, type) in types(of: records).enumerated() {
      if index > 0 { output.write(",") }
      output.writeJSON(type.name)
      output.write(":")
      switch type.form {
      case .stringEnum: output.write("\"String\"")
      case .intEnum: output.write("\"Int\"")
      case .structure(let fields):
        output.writeArray(fields) { $0.writeField($1.number ?? 0, $1.name, $1.type.swiftText) }
      case .swift: break
      }
    }
    output.write("}}")
  }

  /// Returns the declared types of the fields, and of those in structs, in the order of their names.
  private func types(of records: [ResolvedRecord]) -> [ResolvedType] {
    var found: [String: ResolvedType] = [:]
    func add(_ name: String) {
      guard found[name] == nil, let type = run.types[name] else { return }
      if case .swift = type.form { return }
      found[name] = type
      guard case .structure(let fields) = type.form else { return }
      for field in fields { field.type.forEachDeclared(add) }
    }
    for field in records.flatMap(\.fields) { field.type.forEachDeclared(add) }
    return found.values.sorted { $0.name < $1.name }
  }
}

extension OutputBuffer {
  fileprivate mutating func writeField(_ number: Int, _ name: String, _ type: String) {
    write("[\(number),")
    writeJSON(name)
    write(",")
    writeJSON(type)
    write("]")
  }
}
