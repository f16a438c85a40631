/// The steps that let a database serve one more release, and its shape after them.
package struct RecordMerge: Sendable, Equatable {
  package var shape: RecordShape
  package var steps: [Step]

  package init(shape: RecordShape, steps: [Step] = []) {
    self.shape = shape
    self.steps = steps
  }

  package enum Step: Sendable, Equatable {
    case createTable(String)
    case addColumn(String, Int)
    case dropIndex(String, [Int])
    /// Makes the values of a new field from those of earlier ones, in all rows.
    case transform(String, Int, from: [Int])
    /// Sets the column to NULL in all rows.
    case deleteValues(String, Int)
    /// Seals an empty part into each row that has none.
    case sealRows(String)
    /// Removes an encrypted field from the sealed part of all rows.
    case deleteSealed(String, Int)
    /// Exchanges the column for one that has the reference. Rows that refer to nothing are treated as if their parent was deleted.
    case addReference(String, Int)
    /// Treats the rows whose new field refers to nothing as if their parent was deleted.
    case removeOrphans(String, Int)
    /// Deletes all rows but one of those that have equal values. The steps of this kind run until none changes a row.
    case removeDuplicates(String, [Int], RecordShape.Existing)
    case createIndex(String, [Int], isUnique: Bool)

    /// The position among the steps of all records: all tables are complete before values change, and values before indexes
    /// are created.
    fileprivate var phase: Int {
      switch self {
      case .createTable, .addColumn, .dropIndex: 0
      case .transform, .sealRows, .deleteValues, .deleteSealed, .addReference, .removeOrphans: 1
      case .removeDuplicates: 2
      case .createIndex: 3
      }
    }
  }

  /// The reason for which a release cannot use a database.
  package struct Refusal: Error, Sendable, Equatable {
    package var record: String
    package var number: Int
    package var reason: Reason

    package init(record: String, number: Int, reason: Reason) {
      self.record = record
      self.number = number
      self.reason = reason
    }

    package enum Reason: String, Sendable, CaseIterable {
      /// A newer release has retired the number.
      case retired
      /// The number has another type in the database.
      case typeChanged
      /// The field is encrypted in the database and not in the release, or the reverse.
      case encryptionChanged
      /// The encrypted field has an index for queries in the database and not in the release, or the reverse.
      case blindIndexChanged
      /// Each row has a sealed part, and the release would write rows without one.
      case unsealed
      case keyChanged
      /// The field has another reference in the database, or is new there and has a default besides the reference.
      case referenceChanged
      /// The field refers to a record that the database does not have.
      case unknownReference
      /// A table that exists would need another unique index, and the release does not say which rows stay.
      case newUnique
      /// A field that the new one is made from has another type in the database, or another encryption.
      case sourceChanged
      /// The new field was in the database before the release that makes it from earlier ones, or needs one that the database
      /// does not have. Their values would be lost.
      case sourceUnread
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
    let names = declared.records.keys.inOrder
    for name in names {
      guard let record = declared.records[name] else { continue }
      var merger = RecordMerger(
        name: name, declared: record, merged: records[name] ?? Record(key: record.key, columns: [:]))
      try merger.run(isNew: records[name] == nil)
      merge.shape.records[name] = merger.merged
      merge.steps += merger.steps
    }
    merge.steps = (0...3).flatMap { phase in merge.steps.filter { $0.phase == phase } }
    for name in names {
      let references = declared.records[name]?.references ?? [:]
      for number in references.keys.inOrder {
        guard let parent = references[number]?.record, merge.shape.records[parent] == nil else { continue }
        throw .init(record: name, number: number, reason: .unknownReference)
      }
    }
    return merge
  }

  /// Returns indexes in the order of their numbers.
  package static func inOrder(_ indexes: [[Int]]) -> [[Int]] { indexes.sorted { $0.lexicographicallyPrecedes($1) } }
}

extension Sequence where Element: Comparable {
  /// The elements in ascending order.
  ///
  /// The function of the standard library would be compiled for each type of sequence. It is large, and this one is only
  /// compiled for each type of element.
  package var inOrder: [Element] { Array(self).sorted() }
}

extension RecordShape.Record {
  /// Returns the first of the groups of sources that the table has values of, or nil.
  package func stored(of groups: [[RecordShape.Source]]) -> [RecordShape.Source]? {
    groups.first { group in
      group.contains { hasValues($0.number) }
        && group.allSatisfy { hasValues($0.number) || $0.isOptional && !isRecorded($0.number) }
    }
  }

  func isRecorded(_ number: Int) -> Bool { columns[number] != nil || sealed[number] != nil }

  /// Returns true if rows can have values of a field, although newer releases may no longer write them.
  package func hasValues(_ number: Int) -> Bool { isRecorded(number) && reserved[number] != .delete }
}
