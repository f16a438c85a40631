import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// The merge of the declared shape into the tables of a file, in one transaction.
extension RecordFile {
  /// Merges the declared shape into the tables.
  func merge(_ sealer: RecordSealer?) throws(StorageProblem) -> RecordObstacle? {
    var failure: RecordObstacle?
    do throws(StorageProblem) {
      return try transaction { (connection) throws(StorageProblem) in
        failure = nil
        return try merge(on: connection, sealer, &failure)
      }
    } catch {
      guard let failure else { throw error }
      return failure
    }
  }

  /// Returns what keeps the tables as they are.
  ///
  /// - Parameter failure: Set to the failed transform, whose problem is thrown, so that the changes are undone.
  private func merge(
    on connection: SQLiteConnection, _ sealer: RecordSealer?, _ failure: inout RecordObstacle?
  ) throws(StorageProblem) -> RecordObstacle? {
    // SQLite changes no column that a view names. The steps name the tables alone.
    try connection.show([])
    let recorded = try self.recorded(on: connection)
    let shape = try RecordShape(json: recorded)
    var obstacle: RecordObstacle?
    guard let merge = merging(shape, &obstacle) else { return obstacle }
    let transformers = declarations.compactMap { RecordTransformer($0, merge, of: shape, sealer, connection) }
    for transformer in transformers where try transformer.needsKeys {
      if let sealer, sealer.maySeal {
        let isCompared = sealer.shape == nil || sealer.shape == recorded
        if try sealer.stored != RecordKeys.stored(on: connection) || !isCompared { obstacle = .otherKeys }
      } else {
        obstacle = .needsKeys
      }
    }
    if let obstacle { return obstacle }
    // Other writers of this transaction look the tables up again.
    connection.attachment = nil
    try connection.changeSchema { () throws(StorageProblem) in
      try change(merge, transformers, connection, &failure)
    }
    return nil
  }

  /// Changes the tables, and records their shape.
  private func change(
    _ merge: RecordMerge, _ transformers: [RecordTransformer], _ connection: SQLiteConnection,
    _ failure: inout RecordObstacle?
  ) throws(StorageProblem) {
    // A transform may make a value that refers to nothing, until the step after it.
    if merge.steps.contains(where: \.removesOrphans) { try connection.execute("PRAGMA defer_foreign_keys = ON") }
    try self.merge(merge, transformers, connection, &failure)
    // A reference that is not checked until the commit has no damage as its cause.
    let isDeferred = try connection.first("PRAGMA defer_foreign_keys") { $0.integer(0) } == 1
    guard try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else {
      throw isDeferred ? .missingReference : .databaseDamaged
    }
    try connection.writeRow("UPDATE local_data SET value = ? WHERE name = 'shape'", [.text(try merge.shape.json)])
    if merge.steps.contains(where: \.deletesValues) { try connection.run(Self.noteLog) }
  }

  /// Makes the steps of a merge.
  private func merge(
    _ merge: RecordMerge, _ transformers: [RecordTransformer], _ connection: SQLiteConnection,
    _ failure: inout RecordObstacle?
  ) throws(StorageProblem) {
    var waiting = transformers
    let removals = merge.steps.filter(\.removesDuplicates)
    for step in merge.steps {
      switch step {
      case .transform(let name, _, from: _), .sealRows(let name), .deleteSealed(let name, _):
        // The first step of a record runs those of the others too.
        guard let index = waiting.firstIndex(where: { $0.name == name }) else { continue }
        let transformer = waiting.remove(at: index)
        do throws(StorageProblem) { try transformer.run() } catch {
          failure = .untransformed(name, transformer.number, error, transformer.cause)
          throw error
        }
      case .removeDuplicates:
        guard step == removals.first else { continue }
        // A row that refers to another one than before may have become equal to a third.
        var changes: Int
        repeat {
          changes = connection.changedRows
          for removal in removals { try connection.run(removal, of: merge) }
        } while connection.changedRows > changes
      default: try connection.run(step, of: merge)
      }
    }
  }
}

extension RecordMerge.Step {
  /// A Boolean value that indicates whether values are deleted, which the log may still contain.
  fileprivate var deletesValues: Bool {
    switch self {
    case .deleteValues, .deleteSealed, .removeDuplicates, .addReference, .removeOrphans: true
    case .createTable, .addColumn, .dropIndex, .transform, .sealRows, .createIndex: false
    }
  }

  fileprivate var removesDuplicates: Bool { if case .removeDuplicates = self { true } else { false } }

  fileprivate var removesOrphans: Bool { if case .removeOrphans = self { true } else { false } }
}
