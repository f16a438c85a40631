import LocalDataShapes
import TestSupport
import Testing

/// Random histories of releases that open one database in any order: updates, skipped releases, rollbacks, and extensions that
/// are older than the app.
struct RecordHistoryTests {
  @Test(arguments: 0..<400) func everyReleaseFindsItsFields(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let releases = Releases(&random).all
    var (file, shape) = (ModelFile(), RecordShape())
    for step in 0..<20 {
      let number = Int.random(in: releases.indices, using: &random)
      let merge: RecordMerge
      do throws(RecordMerge.Refusal) { merge = try shape.merging(releases[number]) } catch {
        // Only a field that the release declares, and that a newer release has retired, keeps it out.
        #expect(number < releases.count - 1, "seed \(seed), step \(step): the newest release is refused: \(error)")
        let record = shape.records[error.record]
        let isGone = record?.retired.contains(error.number) == true || record?.reserved[error.number] != nil
        #expect(error.reason == .retired && isGone, "seed \(seed): \(error)")
        #expect(releases[number].records[error.record]?.columns[error.number] != nil)
        continue
      }
      let fits = file.apply(merge)
      try #require(fits, "seed \(seed), step \(step): a step fits no table: \(merge.steps)")
      #expect(file == ModelFile(merge.shape), "seed \(seed), step \(step)")
      for (name, record) in shape.records {
        for (number, column) in record.columns {
          #expect(merge.shape.records[name]?.columns[number] == column, "seed \(seed), step \(step): \(name).\(number)")
        }
      }
      for (name, record) in releases[number].records {
        #expect(Set(record.columns.keys).isSubset(of: merge.shape.records[name]?.columns.keys.map(\.self) ?? []))
      }
      #expect(
        try merge.shape.merging(releases[number]) == RecordMerge(shape: merge.shape), "seed \(seed), step \(step)")
      shape = merge.shape
    }
  }
}

/// The tables of a database, to which the steps are applied one by one.
private struct ModelFile: Equatable {
  private struct Table: Equatable {
    var names: [Int: String] = [:]
    var indexes: Set<[Int]> = []
  }

  private var tables: [String: Table] = [:]

  init() {}

  init(_ shape: RecordShape) {
    tables = shape.records.mapValues { Table(names: $0.columns.mapValues(\.name), indexes: Set($0.indexes)) }
  }

  /// Returns false if a step creates something that exists, or needs something that does not.
  mutating func apply(_ merge: RecordMerge) -> Bool {
    merge.steps.allSatisfy { step in
      switch step {
      case .createTable(let name):
        return tables.updateValue(Table(names: names(name, merge)), forKey: name) == nil
      case .addColumn(let name, let number):
        guard let added = merge.shape.records[name]?.columns[number]?.name,
          tables[name]?.names.values.contains(where: { $0.lowercased() == added.lowercased() }) == false
        else { return false }
        return tables[name]?.names.updateValue(added, forKey: number) == nil
      case .transform(let name, let number, from: let sources):
        return ([number] + sources).allSatisfy { tables[name]?.names[$0] != nil }
      case .sealRows(let name): return tables[name]?.names[0] != nil
      case .deleteSealed, .removeDuplicates: return true
      case .addReference(let name, let number), .removeOrphans(let name, let number),
        .deleteValues(let name, let number):
        return tables[name]?.names[number] != nil
      case .createIndex(let name, let index, _):
        return index.allSatisfy { tables[name]?.names[$0] != nil }
          && tables[name]?.indexes.insert(index).inserted == true
      case .dropIndex(let name, let index): return tables[name]?.indexes.remove(index) != nil
      }
    }
  }

  private func names(_ name: String, _ merge: RecordMerge) -> [Int: String] {
    merge.shape.records[name]?.columns.mapValues(\.name) ?? [:]
  }
}

/// Releases of an app, each of which changes the one before.
private struct Releases {
  private(set) var all: [RecordShape] = []
  private var last = 1

  init(_ random: inout SeededRandom) {
    var release = RecordShape(records: ["A": .init(key: 1, columns: [1: .init("id", "TEXT")])])
    for _ in 0..<Int.random(in: 3...7, using: &random) {
      for _ in 0..<Int.random(in: 1...4, using: &random) { change(&release, &random) }
      all.append(release)
    }
  }

  private mutating func change(_ release: inout RecordShape, _ random: inout SeededRandom) {
    guard let name = release.records.keys.sorted().randomElement(using: &random), var record = release.records[name]
    else {
      return
    }
    let field = record.columns.keys.filter { $0 != record.key }.sorted().randomElement(using: &random)
    last += 1
    switch (Int.random(in: 0..<11, using: &random), field) {
    case (0, _): return release.records["B\(last)"] = .init(key: 1, columns: [1: .init("id", "BLOB")])
    case (1, let field?): record.columns[field]?.name = "a\(Int.random(in: 0..<6, using: &random))"
    case (2, let field?):
      record.columns[field] = nil
      record.sources[field] = nil
      record.required.removeAll { $0 == field }
      record.indexes.removeAll { $0.contains(field) }
      record.reserved[field] = RecordShape.Cleanup.allCases.randomElement(using: &random)
    case (3, let field?) where !record.indexes.contains([field]): record.indexes.append([field])
    case (4, let field?): record.indexes.removeAll { $0 == [field] }
    case (5, let field?), (6, let field?): replace(field, in: &record)
    default:
      record.columns[last] = .init("a\(Int.random(in: 0..<6, using: &random))", "TEXT")
      if Bool.random(using: &random) { record.required.append(last) }
    }
    release.records[name] = record
  }

  /// Gives a field another number, and makes its values from those of the field, or of the fields that it was made from.
  private func replace(_ field: Int, in record: inout RecordShape.Record) {
    guard let column = record.columns.removeValue(forKey: field) else { return }
    record.columns[last] = column
    record.sources[last] = [[.init(field, column: column.type)]] + (record.sources.removeValue(forKey: field) ?? [])
    record.reserved[field] = .keep
    record.required = record.required.map { $0 == field ? last : $0 }
    record.indexes = record.indexes.map { $0.map { $0 == field ? last : $0 } }
  }
}
