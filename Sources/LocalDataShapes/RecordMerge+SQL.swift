import LocalDataVocabulary

extension RecordShape {
  /// Returns the text of the statements of a step.
  package func sql(_ step: RecordMerge.Step) -> String { statements(step).joined(separator: "; ") }

  /// Returns the statements of a step to this shape; none for a step that runs Swift on each row. Each one that deletes rows
  /// begins with `DELETE FROM` and the name of a table.
  package func statements(_ step: RecordMerge.Step) -> [String] {
    switch step {
    case .createTable(let name):
      guard let record = records[name] else { return [] }
      let columns = record.order.map { column(record, $0) }
      return ["CREATE TABLE \(Self.quoted(name)) (\(columns.joined(separator: ", "))) STRICT"]
    case .addColumn(let name, let number):
      guard let record = records[name] else { return [] }
      return ["ALTER TABLE \(Self.quoted(name)) ADD COLUMN \(column(record, number))"]
    case .deleteValues(let name, let number):
      let column = Self.quoted(records[name]?.columns[number]?.name ?? "")
      return ["UPDATE \(Self.quoted(name)) SET \(column) = NULL WHERE \(column) IS NOT NULL"]
    case .createIndex(let name, let numbers, let isUnique):
      let columns = numbers.map { Self.quoted(records[name]?.columns[$0]?.name ?? "") }.joined(separator: ", ")
      return [
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(index(name, numbers)) ON \(Self.quoted(name)) (\(columns))"
      ]
    case .dropIndex(let name, let numbers): return ["DROP INDEX \(index(name, numbers))"]
    case .addReference(let name, let number): return addReference(name, number)
    case .removeOrphans(let name, let number): return removeOrphans(name, number)
    case .removeDuplicates(let name, let numbers, let existing): return removeDuplicates(name, numbers, existing)
    case .transform, .sealRows, .deleteSealed: return []
    }
  }

  /// Returns true if statements create the tables and indexes of this shape, and nothing else. The columns of a table are in the
  /// order in which releases have added them.
  package func isShape(of statements: [String]) -> Bool {
    var indexes: Set<String> = []
    for (name, record) in records {
      for index in record.indexes { indexes.insert(sql(.createIndex(name, index, isUnique: false))) }
      for index in record.unique { indexes.insert(sql(.createIndex(name, index, isUnique: true))) }
    }
    let tables = statements.filter { indexes.remove($0) == nil }
    return indexes.isEmpty && tables.count == records.count
      && records.allSatisfy { name, record in tables.contains { isTable(name, record, $0) } }
  }

  private func isTable(_ name: String, _ record: Record, _ statement: String) -> Bool {
    var rest = statement.utf8[...]
    func skip(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }
    guard skip("CREATE TABLE \(Self.quoted(name)) (") else { return false }
    var columns = record.columns.keys.map { column(record, $0) }
    // The definition of a column begins with its name.
    while let next = columns.firstIndex(where: skip) {
      columns.remove(at: next)
      if !columns.isEmpty, !skip(", ") { return false }
    }
    return columns.isEmpty && rest.elementsEqual(") STRICT".utf8)
  }

  /// SQLite cannot add a reference to a column, so another column gets its values and its name.
  ///
  /// The table is not replaced by another one: while references are checked, that would delete the rows that refer to it, and a
  /// transaction cannot end the checks.
  private func addReference(_ name: String, _ number: Int) -> [String] {
    guard let record = records[name], let column = record.columns[number] else { return [] }
    var added = record
    added.columns[number]?.name = "\(column.name).reference"
    let table = Self.quoted(name)
    let old = Self.quoted(column.name)
    let new = Self.quoted("\(column.name).reference")
    let orphans = removeOrphans(name, number)
    // The deletion of orphans may delete others through another reference, so that what they referred to is missing.
    let deferred = orphans.isEmpty ? [] : ["PRAGMA defer_foreign_keys = ON"]
    var statements = deferred + ["ALTER TABLE \(table) ADD COLUMN \(self.column(added, number))"] + orphans
    statements += [
      "UPDATE \(table) SET \(new) = \(old) WHERE \(old) IS NOT NULL", "ALTER TABLE \(table) DROP COLUMN \(old)",
      "ALTER TABLE \(table) RENAME COLUMN \(new) TO \(old)",
    ]
    return statements + orphans
  }

  /// The statement that treats rows that refer to nothing as if their parent was deleted.
  private func removeOrphans(_ name: String, _ number: Int) -> [String] {
    guard let record = records[name], let reference = record.references[number], let parent = records[reference.record]
    else { return [] }
    let table = Self.quoted(name)
    let column = record.quotedName(number)
    let missing =
      "\(column) IS NOT NULL AND \(column) NOT IN (SELECT \(parent.quotedName(parent.key)) FROM \(Self.quoted(reference.record)))"
    switch reference.onDelete {
    // The copy of an orphan fails.
    case .restrict: return []
    case .setNull: return ["UPDATE \(table) SET \(column) = NULL WHERE \(missing)"]
    case .cascade: return ["DELETE FROM \(table) WHERE \(missing)"]
    }
  }

  /// Rows that refer to a removed one refer to the one that stays before it is removed, or are deleted.
  private func removeDuplicates(_ name: String, _ numbers: [Int], _ existing: Existing) -> [String] {
    guard let record = records[name] else { return [] }
    let table = Self.quoted(name)
    let key = record.quotedName(record.key)
    let columns = numbers.map(record.quotedName)
    let order = "\(record.rowNumber)\(existing.keepsLast ? " DESC" : "")"
    let equal = "\"local_data.equal\""
    // The key of each row that is removed, and of the one that stays in its place.
    let with =
      "WITH \(equal) (old, kept) AS (SELECT * FROM (SELECT \(key) AS old, first_value(\(key)) OVER "
      + "(PARTITION BY \(columns.joined(separator: ", ")) ORDER BY \(order)) AS kept FROM \(table) "
      + "WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))) WHERE old <> kept)"
    var statements = [String]()
    var unreferred = ""
    for child in records.keys.inOrder {
      guard let referring = records[child] else { continue }
      for number in referring.references.keys.inOrder where referring.references[number]?.record == name {
        let column = referring.quotedName(number)
        let isSame = child == name
        let child = Self.quoted(child)
        // A field that was given up deletes no rows.
        let cascades = existing.cascades && referring.reserved[number] == nil
        if cascades {
          let other = isSame ? " AND \(key) NOT IN (\(with) SELECT kept FROM \(equal))" : ""
          statements.append("DELETE FROM \(child) WHERE \(column) IN (\(with) SELECT old FROM \(equal))\(other)")
        }
        if isSame || !cascades {
          statements.append(
            "\(with) UPDATE \(child) SET \(column) = \(equal).kept FROM \(equal) WHERE \(child).\(column) = \(equal).old"
          )
        }
        // The update may have made further rows equal, and what refers to these is updated the next time.
        if isSame { unreferred += " AND \(key) NOT IN (SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL)" }
      }
    }
    statements.append("DELETE FROM \(table) WHERE \(key) IN (\(with) SELECT old FROM \(equal))\(unreferred)")
    return statements
  }

  /// The definition of a column. Only the key is NOT NULL, so that a field can become optional.
  private func column(_ record: Record, _ number: Int) -> String {
    guard let column = record.columns[number] else { return "" }
    var text = "\(Self.quoted(column.name)) \(column.type)"
    if number == record.key { text += " NOT NULL PRIMARY KEY" }
    if let value = column.defaultValue { text += " DEFAULT \(value)" }
    if let reference = record.references[number], let parent = records[reference.record],
      let key = parent.columns[parent.key]
    {
      text += " REFERENCES \(Self.quoted(reference.record)) (\(Self.quoted(key.name)))"
      text += " ON DELETE \(reference.onDelete.sql)"
    }
    return text
  }

  private func index(_ name: String, _ numbers: [Int]) -> String {
    Self.quoted(([name] + numbers.map { records[name]?.columns[$0]?.name ?? "" }).joined(separator: "."))
  }

  /// Returns a name as SQL writes it.
  package static func quoted(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    // A name in a catalog has no quotation mark. One in a damaged file may, also before a combining character.
    var quoted = "\""
    for scalar in name.unicodeScalars {
      quoted.unicodeScalars.append(contentsOf: scalar == "\"" ? [scalar, scalar] : [scalar])
    }
    return quoted + "\""
  }
}

extension RecordShape.Column {
  /// A Boolean value that indicates whether the type is one of the library, and the default a literal. An expression could take
  /// any time, and any memory.
  package var isSound: Bool {
    var isQuoted = false
    for byte in (defaultValue ?? "").utf8 {
      if byte == UInt8(ascii: "'") {
        isQuoted.toggle()
      } else if !isQuoted, !"0123456789abcdefABCDEFxX.+-".utf8.contains(byte) {
        return false
      }
    }
    return !isQuoted && ["TEXT", "INTEGER", "REAL", "BLOB"].contains(type)
  }
}

extension RecordShape.Record {
  /// Returns the name of a column as SQL writes it.
  package func quotedName(_ number: Int) -> String { RecordShape.quoted(columns[number]?.name ?? "") }

  /// A name for the number that SQLite gives each row. A column may have one of the names.
  package var rowNumber: String {
    let taken = Set(columns.values.map { $0.name.lowercased() })
    let free = ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
    return free ?? RecordShape.quoted(columns[key]?.name ?? "")
  }
}

extension DeletionPolicy {
  fileprivate var sql: String {
    switch self {
    case .restrict: "RESTRICT"
    case .cascade: "CASCADE"
    case .setNull: "SET NULL"
    }
  }
}
