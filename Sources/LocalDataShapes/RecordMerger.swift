import LocalDataVocabulary

/// Merges the declaration of one record into its table.
struct RecordMerger {
  let name: String
  let declared: RecordShape.Record
  /// The shape of the table: the recorded one, to which steps are applied.
  var merged: RecordShape.Record
  var steps: [RecordMerge.Step] = []
  /// The numbers that the table does not have yet.
  private var added: Set<Int> = []
  /// The indexes that were dropped, and not created again.
  private var dropped: Set<[Int]> = []

  init(name: String, declared: RecordShape.Record, merged: RecordShape.Record) {
    self.name = name
    self.declared = declared
    self.merged = merged
  }

  mutating func run(isNew: Bool) throws(RecordMerge.Refusal) {
    guard merged.key == declared.key else { throw refusal(declared.key, .keyChanged) }
    if isNew { steps = [.createTable(name)] }
    // An index of numbers that this release does not know may be in use.
    let isComplete = (Array(merged.columns.keys) + merged.sealed.keys).allSatisfy(isKnown)
    for number in declared.sealed.keys.inOrder { try mergeSealed(number, isNew: isNew) }
    for number in declared.order { try mergeColumn(number, isNew: isNew) }
    // Rows of earlier releases may have no sealed part.
    if !isNew, declared.required.contains(0), !merged.required.contains(0) { steps.append(.sealRows(name)) }
    merged.required = Set(merged.required).union(declared.required).inOrder
    try readSources()
    try reserve()
    try endSealing()
    try mergeIndexes(isNew: isNew, drops: isComplete)
  }

  private func refusal(_ number: Int, _ reason: RecordMerge.Refusal.Reason) -> RecordMerge.Refusal {
    .init(record: name, number: number, reason: reason)
  }

  private func isKnown(_ number: Int) -> Bool {
    declared.columns[number] != nil || declared.sealed[number] != nil || declared.reserved[number] != nil
      || merged.retired.contains(number) || sources.contains(number) || number == 0
  }

  // MARK: Fields

  private mutating func mergeSealed(_ number: Int, isNew: Bool) throws(RecordMerge.Refusal) {
    if merged.retired.contains(number) { throw refusal(number, .retired) }
    guard let known = merged.sealed[number] else {
      try requireUnreserved(number)
      if merged.columns[number] != nil { throw refusal(number, .encryptionChanged) }
      merged.sealed[number] = declared.sealed[number]
      added.insert(number)
      // The column of its index is new too.
      if let column = declared.columns[number] { try add(column, number, isNew: isNew) }
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
    guard let known = merged.columns[number] else {
      try requireUnreserved(number)
      return try add(column, number, isNew: isNew)
    }
    guard known.type == column.type, merged.wire[number] == declared.wire[number] else {
      throw refusal(number, .typeChanged)
    }
    try mergeReference(number)
  }

  /// Refuses a field that the table never had, because a newer release created it, and that the release cannot do without or
  /// whose values the newer release deletes.
  private func requireUnreserved(_ number: Int) throws(RecordMerge.Refusal) {
    guard let cleanup = merged.reserved[number] else { return }
    if cleanup == .delete || declared.required.contains(number) { throw refusal(number, .retired) }
  }

  private mutating func add(
    _ column: RecordShape.Column, _ number: Int, isNew: Bool
  ) throws(RecordMerge.Refusal) {
    // SQLite adds no column that has both a reference and a default.
    if !isNew, column.defaultValue != nil, declared.references[number] != nil {
      throw refusal(number, .referenceChanged)
    }
    var column = column
    // SQLite does not distinguish the case of names.
    let taken = Set(merged.columns.values.map { $0.name.lowercased() })
    if taken.contains(column.name.lowercased()) { column.name += ".\(number)" }
    merged.columns[number] = column
    merged.wire[number] = declared.wire[number]
    merged.references[number] = declared.references[number]
    added.insert(number)
    if !isNew { steps.append(.addColumn(name, number)) }
  }

  /// Adds a reference to a column without one. The reference of a newer release stays.
  private mutating func mergeReference(_ number: Int) throws(RecordMerge.Refusal) {
    guard let reference = declared.references[number], reference != merged.references[number] else { return }
    guard merged.references[number] == nil, number != merged.key, merged.columns[number]?.defaultValue == nil else {
      throw refusal(number, .referenceChanged)
    }
    merged.references[number] = reference
    for index in merged.indexes + merged.unique where index.contains(number) { drop(index) }
    steps.append(.addReference(name, number))
  }

  // MARK: Earlier fields

  /// The numbers that new fields are made from.
  private var sources: Set<Int> {
    var numbers: Set<Int> = []
    for groups in declared.sources.values {
      for group in groups { numbers.formUnion(group.map(\.number)) }
    }
    return numbers
  }

  /// Makes the values of new fields, and retires the fields that they are made from. Older releases would read and write
  /// those, also in a table that never had them.
  private mutating func readSources() throws(RecordMerge.Refusal) {
    for number in declared.sources.keys.inOrder {
      guard let groups = declared.sources[number],
        groups.contains(where: { $0.contains { merged.hasValues($0.number) } })
      else { continue }
      guard added.contains(number), let group = merged.stored(of: groups) else { throw refusal(number, .sourceUnread) }
      guard group.allSatisfy(hasForm) else { throw refusal(number, .sourceChanged) }
      steps.append(.transform(name, number, from: group.map(\.number)))
      // A restriction refuses the value.
      if let reference = declared.references[number], reference.onDelete != .restrict {
        steps.append(.removeOrphans(name, number))
      }
    }
    for number in sources.inOrder {
      if number == merged.key { throw refusal(number, .keyChanged) }
      if merged.hasValues(number) {
        if merged.columns[number] != nil { steps.append(.deleteValues(name, number)) }
        if merged.sealed[number] != nil { steps.append(.deleteSealed(name, number)) }
      }
      if merged.isRecorded(number) { merged.reserved[number] = .delete }
      merged.retired = Set(merged.retired + [number]).inOrder
    }
  }

  /// Returns true if the table has a source in the form that the transform reads.
  private func hasForm(_ source: RecordShape.Source) -> Bool {
    guard merged.isRecorded(source.number) else { return true }
    if let type = merged.sealed[source.number] { return source.column == nil && source.type == type }
    return merged.columns[source.number]?.type == source.column && merged.wire[source.number] == source.type
  }

  // MARK: Reserved numbers and indexes

  /// Retires the recorded fields whose values are deleted, and those that older releases cannot do without.
  private mutating func reserve() throws(RecordMerge.Refusal) {
    for number in declared.reserved.keys.inOrder {
      let cleanup = declared.reserved[number]
      if number == merged.key { throw refusal(number, .keyChanged) }
      let isRetired = merged.retired.contains(number)
      let deletes = cleanup == .delete && !(isRetired && merged.reserved[number] == .delete)
      if merged.reserved[number] != .delete { merged.reserved[number] = cleanup }
      guard merged.isRecorded(number) else { continue }
      if deletes, merged.columns[number] != nil { steps.append(.deleteValues(name, number)) }
      if !isRetired, cleanup == .delete || merged.required.contains(number) {
        merged.retired = (merged.retired + [number]).inOrder
      }
    }
  }

  /// Ends the sealed parts if all encrypted fields are given up: the rows of this release have none. Otherwise a release that
  /// writes none cannot use the table.
  private mutating func endSealing() throws(RecordMerge.Refusal) {
    guard merged.required.contains(0), !declared.required.contains(0) else { return }
    guard merged.sealed.keys.allSatisfy({ merged.reserved[$0] != nil }) else { throw refusal(0, .unsealed) }
    merged.required.removeAll { $0 == 0 }
    merged.retired = Set(merged.retired).union(merged.sealed.keys).inOrder
  }

  private mutating func mergeIndexes(isNew: Bool, drops: Bool) throws(RecordMerge.Refusal) {
    if drops {
      merged.indexes = keep(merged.indexes, declared.indexes)
      merged.unique = keep(merged.unique, declared.unique)
    }
    for index in declared.unique where !merged.unique.contains(index) {
      if !isNew {
        guard let existing = declared.existing[index] else { throw refusal(index.first ?? 0, .newUnique) }
        // Both would have the same name.
        if merged.indexes.contains(index) { drop(index) }
        merged.indexes.removeAll { $0 == index }
        steps.append(.removeDuplicates(name, index, existing))
      }
      create(index, isUnique: true)
      merged.unique.append(index)
    }
    for index in declared.indexes where !(merged.indexes + merged.unique).contains(index) {
      create(index, isUnique: false)
      merged.indexes.append(index)
    }
    for index in RecordShape.inOrder(Array(dropped)) where (merged.indexes + merged.unique).contains(index) {
      create(index, isUnique: merged.unique.contains(index))
    }
    merged.indexes = RecordShape.inOrder(merged.indexes)
    merged.unique = RecordShape.inOrder(merged.unique)
  }

  /// Drops the recorded indexes that are not declared, and returns the others.
  private mutating func keep(_ recorded: [[Int]], _ declared: [[Int]]) -> [[Int]] {
    for index in recorded where !declared.contains(index) { drop(index) }
    return recorded.filter(declared.contains)
  }

  private mutating func drop(_ index: [Int]) {
    if dropped.insert(index).inserted { steps.append(.dropIndex(name, index)) }
  }

  private mutating func create(_ index: [Int], isUnique: Bool) {
    dropped.remove(index)
    steps.append(.createIndex(name, index, isUnique: isUnique))
  }
}
