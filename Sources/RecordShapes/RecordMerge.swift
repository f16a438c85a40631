/// The steps that let a database serve one more release, and its shape after them.
package struct RecordMerge: Sendable, Hashable {
  package var shape: RecordShape
  package var steps: [Step]

  package init(shape: RecordShape, steps: [Step] = []) { (self.shape, self.steps) = (shape, steps) }

  package enum Step: Sendable, Hashable {
    case createTable(String)
    case addColumn(String, Int)
    /// Sets the column to NULL in all rows.
    case deleteValues(String, Int)
    case createIndex(String, [Int], isUnique: Bool)
    case dropIndex(String, [Int])
  }

  /// The reason for which a release cannot use a database.
  package struct Refusal: Error, Sendable, Hashable {
    package var record: String
    package var number: Int
    package var reason: Reason

    package init(record: String, number: Int, reason: Reason) {
      (self.record, self.number, self.reason) = (record, number, reason)
    }

    package enum Reason: String, Sendable, Hashable, CaseIterable {
      /// A newer release has retired the number.
      case retired
      /// The number has another type in the database.
      case typeChanged
      /// The field is encrypted in the database and not in the release, or the reverse.
      case encryptionChanged
      /// The encrypted field has an index for queries in the database and not in the release, or the reverse.
      case blindIndexChanged
      case keyChanged
      /// The field has another reference in the database.
      case referenceChanged
      /// The field refers to a record that the database does not have.
      case unknownReference
      /// A table that exists would need another unique index.
      case newUnique
    }
  }
}

extension RecordShape {
  /// Returns the steps that let a database with this shape serve a release that declares another one.
  ///
  /// Numbers and records that the release does not know belong to another release, and are kept.
  ///
  /// - Throws: ``RecordMerge/Refusal`` if the release cannot use the database.
  package func merging(_ declared: RecordShape) throws(RecordMerge.Refusal) -> RecordMerge {
    var merge = RecordMerge(shape: self)
    for (name, record) in declared.records.sorted(by: { $0.key < $1.key }) {
      var merger = RecordMerger(
        name: name, declared: record, merged: records[name] ?? Record(key: record.key, columns: [:]))
      try merger.run(isNew: records[name] == nil)
      merge.shape.records[name] = merger.merged
      merge.steps += merger.steps
    }
    for (name, record) in declared.records.sorted(by: { $0.key < $1.key }) {
      for (number, reference) in record.references.sorted(by: { $0.key < $1.key })
      where merge.shape.records[reference.record] == nil {
        throw .init(record: name, number: number, reason: .unknownReference)
      }
    }
    return merge
  }
}

/// Merges the declaration of one record into its table.
private struct RecordMerger {
  let name: String
  let declared: RecordShape.Record
  /// The shape of the table: the recorded one, to which steps are applied.
  var merged: RecordShape.Record
  var steps: [RecordMerge.Step] = []

  mutating func run(isNew: Bool) throws(RecordMerge.Refusal) {
    guard merged.key == declared.key else { throw refusal(declared.key, .keyChanged) }
    if isNew { steps = [.createTable(name)] }
    // An index of numbers that this release does not know may be in use.
    let isComplete = (Array(merged.columns.keys) + merged.sealed.keys).allSatisfy(isKnown)
    for number in declared.sealed.keys.sorted() { try mergeSealed(number, isNew: isNew) }
    for number in declared.order { try mergeColumn(number, isNew: isNew) }
    merged.required = Set(merged.required).union(declared.required).sorted()
    try reserve()
    try mergeIndexes(isNew: isNew, drops: isComplete)
  }

  private func refusal(_ number: Int, _ reason: RecordMerge.Refusal.Reason) -> RecordMerge.Refusal {
    .init(record: name, number: number, reason: reason)
  }

  private func isKnown(_ number: Int) -> Bool {
    declared.columns[number] != nil || declared.sealed[number] != nil || declared.reserved[number] != nil
      || merged.retired.contains(number) || number == 0
  }

  // MARK: Fields

  private mutating func mergeSealed(_ number: Int, isNew: Bool) throws(RecordMerge.Refusal) {
    if merged.retired.contains(number) { throw refusal(number, .retired) }
    guard let known = merged.sealed[number] else {
      if merged.columns[number] != nil { throw refusal(number, .encryptionChanged) }
      merged.sealed[number] = declared.sealed[number]
      // The column of its index is new too.
      if let column = declared.columns[number] { add(column, number, isNew: isNew) }
      return
    }
    guard known == declared.sealed[number] else { throw refusal(number, .typeChanged) }
    guard (merged.columns[number] == nil) == (declared.columns[number] == nil) else {
      throw refusal(number, .blindIndexChanged)
    }
  }

  private mutating func mergeColumn(_ number: Int, isNew: Bool) throws(RecordMerge.Refusal) {
    guard let column = declared.columns[number] else { return }
    if merged.retired.contains(number) { throw refusal(number, .retired) }
    guard (merged.sealed[number] == nil) == (declared.sealed[number] == nil) else {
      throw refusal(number, .encryptionChanged)
    }
    guard let known = merged.columns[number] else { return add(column, number, isNew: isNew) }
    guard known.type == column.type, merged.wire[number] == declared.wire[number] else {
      throw refusal(number, .typeChanged)
    }
    guard declared.references[number] == merged.references[number] else {
      throw refusal(number, .referenceChanged)
    }
  }

  private mutating func add(_ column: RecordShape.Column, _ number: Int, isNew: Bool) {
    var column = column
    // SQLite does not distinguish the case of names.
    let taken = Set(merged.columns.values.map { $0.name.lowercased() })
    if taken.contains(column.name.lowercased()) { column.name += ".\(number)" }
    merged.columns[number] = column
    merged.wire[number] = declared.wire[number]
    merged.references[number] = declared.references[number]
    if !isNew { steps.append(.addColumn(name, number)) }
  }

  // MARK: Reserved numbers and indexes

  /// Retires the recorded fields whose values are deleted, and those that older releases cannot do without.
  private mutating func reserve() throws(RecordMerge.Refusal) {
    for (number, cleanup) in declared.reserved.sorted(by: { $0.key < $1.key }) {
      if number == merged.key { throw refusal(number, .keyChanged) }
      let isRetired = merged.retired.contains(number)
      let deletes = cleanup == .delete && !(isRetired && merged.reserved[number] == .delete)
      if merged.reserved[number] != .delete { merged.reserved[number] = cleanup }
      guard merged.columns[number] != nil || merged.sealed[number] != nil else { continue }
      if deletes, merged.columns[number] != nil { steps.append(.deleteValues(name, number)) }
      if !isRetired, cleanup == .delete || merged.required.contains(number) {
        merged.retired = (merged.retired + [number]).sorted()
      }
    }
  }

  private mutating func mergeIndexes(isNew: Bool, drops: Bool) throws(RecordMerge.Refusal) {
    if drops {
      merged.indexes = keep(merged.indexes, declared.indexes)
      merged.unique = keep(merged.unique, declared.unique)
    }
    for index in declared.unique where !merged.unique.contains(index) {
      if !isNew { throw refusal(index.first ?? 0, .newUnique) }
      steps.append(.createIndex(name, index, isUnique: true))
      merged.unique.append(index)
    }
    for index in declared.indexes where !(merged.indexes + merged.unique).contains(index) {
      steps.append(.createIndex(name, index, isUnique: false))
      merged.indexes.append(index)
    }
    merged.indexes.sort(by: Self.isBefore)
    merged.unique.sort(by: Self.isBefore)
  }

  /// Drops the recorded indexes that are not declared, and returns the others.
  private mutating func keep(_ recorded: [[Int]], _ declared: [[Int]]) -> [[Int]] {
    steps += recorded.filter { !declared.contains($0) }.map { .dropIndex(name, $0) }
    return recorded.filter(declared.contains)
  }

  private static func isBefore(_ one: [Int], _ other: [Int]) -> Bool { one.lexicographicallyPrecedes(other) }
}
