import RecordShapes
import SmallFoundation
import StorageSQLite
import StorageSystem

/// The merge of the declared shape into the tables of a file, in one transaction.
extension RecordFile {
  /// Merges the declared shape into the tables.
  func merge(_ sealer: RecordSealer?) throws(RecordProblem) {
    var problem: RecordProblem?
    do throws(StorageProblem) {
      try transaction { (connection) throws(StorageProblem) in
        problem = nil
        try merge(on: connection, sealer, &problem)
      }
    } catch { throw problem ?? .fault(error) }
  }

  /// - Parameter problem: Set if there is another problem than a fault. A fault is thrown then, which undoes the changes.
  private func merge(
    on connection: SQLiteConnection, _ sealer: RecordSealer?, _ problem: inout RecordProblem?
  ) throws(StorageProblem) {
    // SQLite changes no column that a view names. The steps name the tables alone.
    try connection.show([])
    let recorded = try self.recorded(on: connection)
    let shape = try RecordShape(json: recorded)
    guard let merge = merging(shape, &problem) else { throw .migrationFailed }
    let transformers = declarations.compactMap { RecordTransformer($0, merge, of: shape, sealer, connection) }
    for transformer in transformers where try transformer.needsKeys {
      if let sealer, sealer.maySeal {
        let isCompared = sealer.shape == nil || sealer.shape == recorded
        if try sealer.stored != RecordKeys.stored(on: connection) || !isCompared { problem = .otherKeys }
      } else {
        problem = .needsKeys
      }
    }
    guard problem == nil else { throw .migrationFailed }
    // Other writers of this transaction look the tables up again.
    connection.attachment = nil
    try connection.changeSchema { () throws(StorageProblem) in
      try change(merge, transformers, connection, &problem)
    }
  }

  /// Changes the tables, and records their shape.
  private func change(
    _ merge: RecordMerge, _ transformers: [RecordTransformer], _ connection: SQLiteConnection,
    _ problem: inout RecordProblem?
  ) throws(StorageProblem) {
    // A transform may make a value that refers to nothing, until the step after it.
    if merge.steps.contains(where: \.removesOrphans) { try connection.execute("PRAGMA defer_foreign_keys = ON") }
    try run(merge, transformers, connection, &problem)
    // A reference that is not checked until the commit has no damage as its cause.
    let isDeferred = try connection.first("PRAGMA defer_foreign_keys") { $0.integer(0) } == 1
    guard try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else {
      throw isDeferred ? .missingReference : .databaseDamaged
    }
    try connection.writeRow("UPDATE local_data SET value = ? WHERE name = 'shape'", [.text(try merge.shape.json)])
    if merge.steps.contains(where: \.deletesValues) { try connection.run(Self.noteLog) }
  }

  /// Runs the steps of a merge.
  private func run(
    _ merge: RecordMerge, _ transformers: [RecordTransformer], _ connection: SQLiteConnection,
    _ problem: inout RecordProblem?
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
          problem = .untransformed(name, transformer.number, error, transformer.cause)
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
