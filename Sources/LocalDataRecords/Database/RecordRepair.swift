import LocalData
import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary

/// The repair of a database of records that is damaged, or whose record keys are lost.
///
/// The rows are copied to a new database with the recorded tables. An encrypted field whose record key is lost cannot be read:
/// the rows that need such a field are removed, and the others stay without a sealed part. Rows that refer to a removed row are
/// treated as if the app had deleted it.
final class RecordRepair {
  private let file: RecordFile
  private let cause: StorageCatalogPart.RepairCause
  private let domain: StorageDomain.Kind
  /// The fields that the keychain lists, as far as the release declares them.
  private let listed: Set<SealedNumber>
  /// The records of the new database. Before it is made, nothing can be read.
  private(set) var records: [String: StorageCatalogPart.RepairedHistory]

  init(
    _ file: RecordFile, _ cause: StorageCatalogPart.RepairCause, _ domain: StorageDomain.Kind,
    _ listed: Set<SealedNumber>
  ) {
    self.file = file
    self.cause = cause
    self.domain = domain
    self.listed = listed.intersection(SealedNumber.all(of: file.declared))
    records = file.declared.records.reduce(into: [:]) { $0[$1.key] = .init(record: .init(key: $1.key, domain: domain)) }
  }

  /// Returns the damage that SQLite does not find.
  func damage(of connection: SQLiteConnection) throws(StorageProblem) -> SQLiteRepair.Damage? {
    let shape = try RecordShape(json: file.recorded(on: connection))
    _ = try RecordKeys.stored(on: connection)
    let missing = listed.filter { $0.isSealed(in: shape) == false }
    // A copy of the file from before the field was encrypted. The repair of lost keys would drop its rows.
    guard missing.allSatisfy({ !$0.isPlain && shape.records[$0.record]?.sealed[$0.number] != nil }) else {
      throw .databaseDamaged
    }
    // A killed repair may have left it so.
    if !missing.isEmpty { return .rows }
    for (name, record) in shape.records {
      guard let isLost = cause == .lostKeys ? record.isLost() : record.isUnsealed else { continue }
      let sql = "SELECT 1 FROM \(RecordShape.quoted(name)) WHERE \(isLost) LIMIT 1"
      if try connection.first(sql, [], { _ in true }) != nil { return .rows }
    }
    guard cause == .damage else { return nil }
    return try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil ? nil : .rows
  }

  /// Copies the rows. Returns true if nothing is lost, and `nil` if the disk cannot be read.
  func copy(_ damaged: SQLiteConnection, _ new: SQLiteConnection) throws(StorageProblem) -> Bool? {
    records = [:]
    try new.execute("PRAGMA foreign_keys = OFF")
    try copyNotes(damaged, new)
    var shape = try shape(on: new)
    let keys = SQLiteTable(
      name: "local_data_keys", schema: "", columns: [("sealed", .blob), ("uses", .integer)], rowNumber: "number")
    guard let hasKeys = try SQLiteSalvage.copy(keys, from: damaged, to: new) else { return nil }
    try new.run("DELETE FROM local_data_keys WHERE number NOT BETWEEN 0 AND \(UInt32.max)")
    let isLogLost = try damaged.ignoresLog()
    for (name, record) in shape.records {
      try new.run(shape.sql(.createTable(name)))
      for index in record.indexes { try new.run(shape.sql(.createIndex(name, index, isUnique: false))) }
      for index in record.unique { try new.run(shape.sql(.createIndex(name, index, isUnique: true))) }
      guard let isRead = try SQLiteSalvage.copy(record.table(name), from: damaged, to: new) else { return nil }
      records[name] = .init(record: .init(key: name, domain: domain), isRead: isRead && !isLogLost)
    }
    for (name, record) in shape.records {
      if try removeLost(name, record, new) { shape.records[name]?.required.removeAll { $0 == 0 } }
    }
    try new.run("INSERT OR REPLACE INTO local_data VALUES ('shape', ?)", [.text(try shape.json)])
    while try removeOrphans(shape, new) {}
    for (name, record) in shape.records {
      let sql = "SELECT count(*) FROM \(RecordShape.quoted(name))"
      let kept = Int(try new.first(sql, [], { $0.integer(0) }) ?? 0)
      records[name]?.kept = kept
      for field in listed(name) where kept > 0 && record.sealed[field] == nil {
        records[name]?.lostFields[field] = kept
      }
    }
    return hasKeys && records.values.allSatisfy(\.isWhole)
  }

  /// Copies the shape and the other notes of the database about itself.
  private func copyNotes(_ damaged: SQLiteConnection, _ new: SQLiteConnection) throws(StorageProblem) {
    var notes: [[SQLiteValue]] = []
    do throws(StorageProblem) {
      try damaged.rows("SELECT name, value FROM local_data") { row in
        let value = row.value(1, as: .text) ?? row.value(1, as: .blob)
        if let name = row.value(0, as: .text), let value { notes.append([name, value]) }
        return true
      }
    } catch { guard SQLiteSalvage.isDamage(error) else { throw error } }
    for note in notes { try new.run("INSERT OR IGNORE INTO local_data VALUES (?, ?)", note) }
  }

  /// Returns the recorded shape or, if it is lost, the declared one. The columns of a table have to fit then. A plain field that
  /// the keychain lists has no values.
  private func shape(on new: SQLiteConnection) throws(StorageProblem) -> RecordShape {
    var shape: RecordShape
    do throws(StorageProblem) { shape = try RecordShape(json: file.recorded(on: new)) } catch {
      guard error == .databaseDamaged else { throw error }
      do throws(RecordMerge.Refusal) { shape = try RecordShape().merging(file.declared).shape } catch {
        throw .databaseDamaged
      }
    }
    // The merge retires it.
    for field in listed where field.isPlain && field.isSealed(in: shape) == false {
      shape.records[field.record]?.reserved[field.number] = .delete
      shape.records[field.record]?.columns[field.number]?.defaultValue = nil
    }
    return shape
  }

  /// The listed encrypted fields of a record.
  private func listed(_ name: String) -> [Int] { listed.filter { $0.record == name && !$0.isPlain }.map(\.number) }

  /// Removes the encrypted fields whose sealed part or record key is lost, and the rows that need them. Returns true if rows are
  /// left without a sealed part.
  private func removeLost(
    _ name: String, _ record: RecordShape.Record, _ new: SQLiteConnection
  ) throws(StorageProblem) -> Bool {
    let table = RecordShape.quoted(name)
    let listed = listed(name)
    let needed = Set(record.required).union(file.declared.records[name]?.required ?? [])
    // An older copy of the file does not have all fields.
    if listed.contains(where: { record.sealed[$0] == nil && needed.contains($0) }) {
      records[name]?.removed += try new.run("DELETE FROM \(table)")
    }
    guard let isLost = record.isLost(isListed: !listed.isEmpty) else { return false }
    let fields = record.sealed.keys.filter { !record.retired.contains($0) }
    if fields.contains(where: needed.contains) {
      records[name]?.removed += try new.run("DELETE FROM \(table) WHERE \(isLost)")
      return false
    }
    let columns = ([0] + record.sealed.keys).compactMap { record.columns[$0]?.name }
    let values = columns.map { "\(RecordShape.quoted($0)) = NULL" }.joined(separator: ", ")
    let count = try new.run("UPDATE \(table) SET \(values) WHERE \(isLost)")
    for field in fields where count > 0 { records[name]?.lostFields[field] = count }
    return count > 0
  }

  /// Treats rows that refer to nothing as if the row that they referred to was deleted. With `restrict` a row stays if it needs
  /// no reference. Returns true if there were any.
  private func removeOrphans(_ shape: RecordShape, _ new: SQLiteConnection) throws(StorageProblem) -> Bool {
    var shape = shape
    var hasChanged = false
    for (name, record) in shape.records {
      for (number, reference) in record.references {
        let stays =
          reference.onDelete == .setNull || reference.onDelete == .restrict && !record.required.contains(number)
        shape.records[name]?.references[number]?.onDelete = stays ? .setNull : .cascade
        let before = new.changedRows
        try new.execute(shape.sql(.removeOrphans(name, number)))
        let count = new.changedRows - before
        guard count > 0 else { continue }
        hasChanged = true
        if stays { records[name]?.lostFields[number, default: 0] += count } else { records[name]?.removed += count }
      }
    }
    return hasChanged
  }
}

extension RecordFile {
  /// Repairs the file, and those at the addresses of earlier releases. Each has its own list in the keychain.
  func repair(
    _ cause: StorageCatalogPart.RepairCause, _ domain: StorageDomain.Kind, _ keys: RecordKeys?,
    and earlier: [(location: FileLocation, keys: RecordKeys?)], usesLists: Bool
  ) throws(StorageProblem) -> StorageCatalogPart.Repaired {
    var repaired: StorageCatalogPart.Repaired = ([], [])
    guard let creation else { return repaired }
    for (location, keys) in [(creation.location, keys)] + earlier {
      let list = usesLists ? keys : nil
      let listed = try list?.listed() ?? []
      let bare = SQLiteCreation(location: location, schema: Self.schema, format: creation.format)
      var repair = RecordRepair(self, cause, domain, listed)
      do throws(StorageProblem) {
        let result = try SQLiteRepair(bare, patience: CallDeadline.ordinaryPatience)
          .run(cause == .damage ? .allPages : .rowsAlone, repair.damage, copy: repair.copy)
        guard let result else { continue }
        // The shape lacks what is lost.
        if !listed.isEmpty { try list?.relist { $0.filter(\.isPlain) } }
        if result.isWhole == nil { repair = RecordRepair(self, cause, domain, listed) }
        repaired.files.append(result.copy)
        repaired.records += repair.records.keys.inOrder.compactMap { repair.records[$0] }
      } catch {
        // The marker of a move.
        guard error == .unknownFormatVersion, location != creation.location else { throw error }
      }
    }
    return repaired
  }
}

extension RecordShape.Record {
  /// The condition for a row that must have a sealed part and has none; `nil` if the rows need none.
  fileprivate var isUnsealed: String? {
    required.contains(0) ? columns[0].map { "\(RecordShape.quoted($0.name)) IS NULL" } : nil
  }

  /// Returns the condition for a row whose sealed part is lost, or has none of the stored record keys; `nil` if the rows have none.
  fileprivate func isLost(isListed: Bool = false) -> String? {
    guard let part = columns[0].map({ RecordShape.quoted($0.name) }) else { return nil }
    let isMissing = isListed || required.contains(0) ? "\(part) IS NULL OR" : "\(part) IS NOT NULL AND"
    // Without a key, also a part of no known form is lost.
    return "\(isMissing) (NOT EXISTS (SELECT 1 FROM local_data_keys) OR substr(\(part), 1, 1) = x'01' "
      + "AND hex(substr(\(part), 3, 4)) NOT IN (SELECT printf('%08X', number) FROM local_data_keys))"
  }

  fileprivate func table(_ name: String) -> SQLiteTable {
    SQLiteTable(
      name: RecordShape.quoted(name), schema: "",
      columns: order.filter { reserved[$0] != .delete }.compactMap { columns[$0] }
        .map { (RecordShape.quoted($0.name), $0.form) },
      isNullable: true, rowNumber: rowNumber)
  }
}

extension RecordShape.Column {
  /// The form of the values.
  var form: SQLiteTable.ColumnType {
    switch type {
    case "INTEGER": .integer
    case "REAL": .real
    case "BLOB": .blob
    default: .text
    }
  }
}
