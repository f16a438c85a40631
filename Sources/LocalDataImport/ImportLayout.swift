import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// The tables of a store, as statements name them.
///
/// Core Data writes the names in upper case after a `Z`. The rows of an entity and of those that inherit from it are in the table
/// of the topmost entity, by the number `Z_ENT` that the store gives each entity.
struct ImportLayout {
  let store: ImportedStore

  init(_ store: ImportedStore) { self.store = store }

  private var isCoreData: Bool { if case .coreData = store.form { true } else { false } }

  /// Returns the statement that reads the rows of a table.
  ///
  /// - Throws: ``ImportProblem`` if the store has no such table or column.
  func statement(_ table: ImportedTable) throws -> ImportedStatement {
    let (name, condition) = try found(table.name)
    let (columns, number) = try columns(of: name, table.name)
    let outer = name.quoted
    let list = try table.columns.map { column in
      switch column.content {
      case .value(let name), .external(let name): return try found(name, in: columns)
      case .rowNumber: return number
      case .parent(let reference, let parent, let name):
        // The parent may be a row of the same table, or of one with a column of the same name.
        return try value(name, of: parent, "\(outer).\(found(reference, in: columns))")
      case .children: return "0"
      }
    }
    return ImportedStatement(
      table: name, condition: condition, columns: list.joined(separator: ", "), number: number, names: columns)
  }

  /// Returns the names of the columns of a table, and the name of the number of its rows.
  private func columns(of table: String, _ name: String) throws -> (columns: [String], number: String) {
    let columns = try store.names("SELECT name FROM pragma_table_xinfo(?)", table)
    guard !columns.isEmpty else { throw ImportProblem.missingTable(name) }
    if isCoreData { return (columns, "Z_PK") }
    // A column can hide the number.
    let number = ["_rowid_", "rowid", "oid"].first { name in !columns.contains { $0.lowercased() == name } }
    let tables = try store.names("SELECT name FROM pragma_table_list(?) WHERE type = 'table' AND NOT wr", table)
    guard let number, !tables.isEmpty else { throw ImportProblem.missingColumn("rowid") }
    return (columns, number)
  }

  /// Returns the column of the row whose number is in `reference`.
  private func value(_ column: String?, of parent: String, _ reference: String) throws -> String {
    let table = try found(parent).table
    let (columns, number) = try columns(of: table, parent)
    let value = try column.map { try found($0, in: columns) } ?? number
    return "(SELECT p.\(value) FROM \(table.quoted) p WHERE p.\(number) = \(reference))"
  }

  private func found(_ name: String, in columns: [String]) throws -> String {
    guard columns.contains(where: { $0.lowercased() == name.lowercased() }) else {
      throw ImportProblem.missingColumn(name)
    }
    return name.quoted
  }

  /// Returns a table, and the condition for its rows.
  private func found(_ name: String) throws -> (table: String, condition: String) {
    guard isCoreData else { return (name, "1") }
    let columns = try store.names("SELECT name FROM pragma_table_xinfo('Z_PRIMARYKEY')")
    guard Set(columns).isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER"]) else {
      throw ImportProblem.missingTable("Z_PRIMARYKEY")
    }
    let root = try store.names(
      """
      WITH RECURSIVE line (id, parent) AS (SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME = ? UNION
      SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY JOIN line ON Z_ENT = parent) SELECT Z_NAME FROM Z_PRIMARYKEY JOIN line
      ON Z_ENT = id WHERE parent NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)
      """, name)
    guard let top = root.first else { throw ImportProblem.missingTable(name) }
    let entities = """
      WITH RECURSIVE line (id) AS (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = \(name.quoted("'")) UNION
      SELECT Z_ENT FROM Z_PRIMARYKEY JOIN line ON Z_SUPER = id) SELECT id FROM line
      """
    return ("Z" + top.uppercased(), "Z_ENT IN (\(entities))")
  }

  // MARK: Relationships

  /// Returns the statement that reads the rows which belong to a row, whose number is its parameter.
  func children(_ relationship: ImportedTable.Relationship, _ child: ImportedStatement) throws -> String {
    let name = relationship.name.uppercased()
    if let inverse = relationship.inverse {
      let column = isCoreData ? "Z" + inverse.uppercased() : inverse
      _ = try found(column, in: child.names)
      return rows(child, column)
    }
    // Core Data puts the number of an entity before the name of a relationship without an inverse.
    let hidden = try store.names(
      """
      SELECT name FROM pragma_table_xinfo(?) WHERE name GLOB 'Z[0-9]*' AND ltrim(substr(name, 2), '0123456789') = ?
      """, child.table, name)
    if hidden.count > 1 { throw ImportProblem.ambiguousRelationship(relationship.name) }
    return try hidden.first.map { rows(child, $0) } ?? joined(relationship, name, child)
  }

  private func rows(_ child: ImportedStatement, _ column: String) -> String {
    // Core Data has a column for the order of an ordered relationship.
    let order = "Z_FOK_" + column.dropFirst()
    let prefix = child.names.contains(order) ? order.quoted + ", " : ""
    return "\(child.all) AND \(column.quoted) = ? ORDER BY \(prefix)\(child.number)"
  }

  /// Returns the statement for a table that joins the rows of two others.
  private func joined(
    _ relationship: ImportedTable.Relationship, _ name: String, _ child: ImportedStatement
  ) throws -> String {
    let join = """
      FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*'
      AND c.name GLOB 'Z_[0-9]*' AND ltrim(substr(c.name, 3), '0123456789') = ?
      """
    let tables = try store.names("SELECT m.name \(join)", name)
    let columns = try store.names("SELECT c.name \(join)", name)
    guard let table = tables.first, let column = columns.first else {
      throw ImportProblem.missingColumn(relationship.name)
    }
    let others = try store.names(
      "SELECT name FROM pragma_table_xinfo(?) WHERE name GLOB 'Z_[0-9]*' AND name <> ?", table, column)
    guard tables.count == 1, others.count == 1 else { throw ImportProblem.ambiguousRelationship(relationship.name) }
    let order = try store.names(
      "SELECT name FROM pragma_table_xinfo(?) WHERE name = ?", table, "Z_FOK_" + column.dropFirst(2))
    let prefix = order.map { "j.\($0.quoted), " }.joined()
    return "SELECT \(child.number), \(child.columns) FROM \(table.quoted) j JOIN \(child.table.quoted) "
      + "ON \(child.number) = j.\(column.quoted) WHERE \(child.condition) "
      + "AND j.\(others[0].quoted) = ? ORDER BY \(prefix)\(child.number)"
  }
}

/// The statement that reads the rows of a table.
struct ImportedStatement {
  let table: String
  let condition: String
  let columns: String
  /// The name of the row's number.
  let number: String
  /// The names of all columns of the table.
  let names: [String]

  var all: String { "SELECT \(number), \(columns) FROM \(table.quoted) WHERE \(condition)" }
  var one: String { "\(all) AND \(number) = ?" }
  var count: String { "SELECT count(*) FROM \(table.quoted) WHERE \(condition)" }
}

extension String {
  fileprivate var quoted: String { quoted("\"") }

  fileprivate func quoted(_ mark: Character) -> String {
    "\(mark)" + split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\(mark)\(mark)") + "\(mark)"
  }
}
