import LocalDataShapes
import LocalDataVocabulary
import Testing

/// The merge of a release that makes new fields from those of earlier releases.
struct RecordSourcesTests {
  private typealias Reason = RecordMerge.Refusal.Reason

  /// The release that has the old fields: two plain ones and an encrypted one with a blind index.
  private static func old(_ change: (inout RecordShape.Record) -> Void = { _ in }) -> RecordShape {
    var record = RecordShape.Record(
      key: 1,
      columns: [
        1: .init("id", "TEXT"), 2: .init("length", "TEXT"), 5: .init("claims", "BLOB"),
        6: .init("iss.blind", "INTEGER"), 0: .init("sealed", "BLOB"),
      ])
    (record.wire, record.sealed, record.required) = ([5: "[String]"], [6: "String"], [2, 6])
    record.indexes = [[2], [6]]
    change(&record)
    return RecordShape(records: ["Visit": record])
  }

  /// A release that has only a new field with the number 13, which is made from others.
  private static func new(
    _ sources: [[RecordShape.Source]], _ change: (inout RecordShape.Record) -> Void = { _ in }
  ) -> RecordShape {
    var record = RecordShape.Record(key: 1, columns: [1: .init("id", "TEXT"), 13: .init("seconds", "INTEGER")])
    (record.sources, record.required) = ([13: sources], [13])
    record.reserved = [2: .keep, 5: .keep, 6: .keep]
    change(&record)
    return RecordShape(records: ["Visit": record])
  }

  private static let length = RecordShape.Source(2, column: "TEXT")
  private static let claims = RecordShape.Source(5, column: "BLOB", type: "[String]")
  private static let issuer = RecordShape.Source(6, column: nil, type: "String")

  private func reason(_ declared: RecordShape, into recorded: RecordShape) -> Reason? {
    do throws(RecordMerge.Refusal) { _ = try recorded.merging(declared) } catch { return error.reason }
    return nil
  }

  @Test func theOldValuesAreReadThenDeletedAndTheirNumbersRetired() throws {
    let merge = try Self.old().merging(Self.new([[Self.length, Self.claims]]))
    #expect(
      merge.steps == [
        .addColumn("Visit", 13), .dropIndex("Visit", [2]), .dropIndex("Visit", [6]),
        .transform("Visit", 13, from: [2, 5]), .deleteValues("Visit", 2), .deleteValues("Visit", 5),
      ])
    #expect(merge.shape.records["Visit"]?.retired == [2, 5, 6])
    #expect(merge.shape.records["Visit"]?.reserved == [2: .delete, 5: .delete, 6: .keep])
    #expect(try merge.shape.merging(Self.new([[Self.length, Self.claims]])) == RecordMerge(shape: merge.shape))
    #expect(reason(Self.old(), into: merge.shape) == .retired)
  }

  @Test func anEncryptedSourceIsRemovedFromTheSealedPart() throws {
    let merge = try Self.old().merging(Self.new([[Self.issuer]]))
    #expect(
      merge.steps.suffix(3) == [
        .transform("Visit", 13, from: [6]), .deleteValues("Visit", 6), .deleteSealed("Visit", 6),
      ])
  }

  /// A user may skip releases: the first of the groups that the table has values of is read.
  @Test func theNewestSourceOfTheTableIsRead() throws {
    let chain = [[RecordShape.Source(9, column: "REAL")], [Self.length], [Self.claims]]
    func read(_ recorded: RecordShape) throws -> [Int]? {
      for case .transform(_, 13, from: let numbers) in try recorded.merging(Self.new(chain)).steps { return numbers }
      return nil
    }
    #expect(try read(Self.old()) == [2])
    #expect(try read(Self.old { $0.columns[9] = .init("ninth", "REAL") }) == [9])
    #expect(try read(Self.old { $0.reserved = [2: .delete] }) == [5])
    // Values that a release only stopped writing are still there.
    #expect(try read(Self.old { ($0.reserved, $0.retired) = ([2: .keep], [2]) }) == [2])
    #expect(try read(RecordShape()) == nil)
  }

  /// An older release would store values that nothing reads.
  @Test func aNewTableHasTheOldNumbersRetired() throws {
    let merge = try RecordShape().merging(Self.new([[Self.length]]))
    #expect(merge.steps == [.createTable("Visit")])
    #expect(merge.shape.records["Visit"]?.retired == [2])
    #expect(reason(Self.old(), into: merge.shape) == .retired)
  }

  @Test func anOptionalSourceMayBeMissing() throws {
    func sources(isOptional: Bool) -> [[RecordShape.Source]] {
      [[Self.length, .init(3, column: "TEXT", isOptional: isOptional)]]
    }
    let steps = try Self.old().merging(Self.new(sources(isOptional: true))).steps
    #expect(steps.contains(.transform("Visit", 13, from: [2, 3])))
    #expect(reason(Self.new(sources(isOptional: false)), into: Self.old()) == .sourceUnread)
  }

  @Test(arguments: [
    (RecordShape.Source(2, column: "INTEGER"), RecordMerge.Refusal.Reason.sourceChanged),
    (.init(2, column: nil, type: "String"), .sourceChanged), (.init(5, column: "BLOB", type: "[Int]"), .sourceChanged),
    (.init(5, column: "BLOB"), .sourceChanged), (.init(6, column: nil, type: "Date"), .sourceChanged),
    (.init(6, column: "INTEGER"), .sourceChanged), (.init(1, column: "TEXT"), .keyChanged),
  ])
  func aSourceHasItsFormInTheTable(source: RecordShape.Source, expected: RecordMerge.Refusal.Reason) {
    #expect(reason(Self.new([[source]]), into: Self.old()) == expected)
  }

  /// The rows have both values then, and one of them would be lost.
  @Test func aFieldThatTheTableHasIsNotMadeAgain() throws {
    let declared = Self.new([[Self.length]])
    #expect(reason(declared, into: Self.old { $0.columns[13] = .init("seconds", "INTEGER") }) == .sourceUnread)
  }

  @Test func severalFieldsAreMadeFromOne() throws {
    let declared = Self.new([[Self.length]]) {
      $0.columns[14] = .init("minutes", "INTEGER")
      $0.sources[14] = [[Self.length]]
    }
    let steps = try Self.old().merging(declared).steps
    #expect(steps.contains(.transform("Visit", 13, from: [2])) && steps.contains(.transform("Visit", 14, from: [2])))
    #expect(steps.filter { $0 == .deleteValues("Visit", 2) }.count == 1)
  }

  // MARK: References and uniqueness

  @Test func aReferenceIsAddedToAColumn() throws {
    let declared = Self.old { $0.references[2] = .init("Other", .cascade) }
    var recorded = Self.old()
    let other = RecordShape.Record(key: 1, columns: [1: .init("id", "TEXT")])
    recorded.records["Other"] = other
    let merge = try recorded.merging(declared)
    #expect(
      merge.steps == [.dropIndex("Visit", [2]), .addReference("Visit", 2), .createIndex("Visit", [2], isUnique: false)])
    #expect(merge.shape.records["Visit"] == declared.records["Visit"])
    // The release before goes on to use the table.
    #expect(try merge.shape.merging(Self.old()) == RecordMerge(shape: merge.shape))
    #expect(reason(Self.old { $0.references[2] = .init("Other", .restrict) }, into: merge.shape) == .referenceChanged)
  }

  @Test func newUniquenessNeedsToKnowWhichRowsStay() throws {
    #expect(reason(Self.old { ($0.indexes, $0.unique) = ([[6]], [[2]]) }, into: Self.old()) == .newUnique)
    let declared = Self.old { ($0.indexes, $0.unique, $0.existing) = ([[6]], [[2]], [[2]: .keepLast]) }
    let merge = try Self.old().merging(declared)
    #expect(
      merge.steps == [
        .dropIndex("Visit", [2]), .removeDuplicates("Visit", [2], .keepLast),
        .createIndex("Visit", [2], isUnique: true),
      ])
    #expect(try merge.shape.merging(declared) == RecordMerge(shape: merge.shape))
  }

  /// An index of a newer release may have the columns that a release wants to be unique.
  @Test func anIndexOfAnotherReleaseGivesWayToAUniqueOne() throws {
    let recorded = Self.old { $0.columns[7] = .init("newer", "TEXT") }
    let declared = Self.old { ($0.indexes, $0.unique, $0.existing) = ([[6]], [[2]], [[2]: .keepFirst]) }
    let merge = try recorded.merging(declared)
    #expect(merge.steps.first == .dropIndex("Visit", [2]))
    #expect(merge.shape.records["Visit"]?.unique == [[2]])
  }
}
