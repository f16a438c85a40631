import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary
import TestSupport

@_spi(Generated) @testable import LocalDataRecords

/// A release of an app whose records refer to each other, decided at random. Every field is a text.
struct PairRelease {
  struct Field {
    var number: Int
    var isOptional = true
    var defaultValue: String?
    var reference: (record: String, onDelete: DeletionPolicy)?
    /// The number of the field that it is made from.
    var source: Int?
    var isSourceOptional = false

    var name: String { "f\(number)" }
  }

  struct Table {
    var fields: [Field] = []
    var reserved: [Int: Bool] = [:]
    var unique: [[Int]: ResolvedRecord.Existing?] = [:]

    func field(_ number: Int) -> Field? { fields.first { $0.number == number } }
  }

  /// The records by their names. A record refers to those before it and to itself, if it is deleted with them.
  var tables: [String: Table] = [:]
  /// The records that a later release gives up.
  var ended: Set<String> = []
  private var last = 1

  init(_ random: inout SeededRandom) {
    for name in ["A", "B", "C", "D"].prefix(Int.random(in: 2...4, using: &random)) {
      tables[name] = Table()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        var field = newField(&random)
        if Bool.random(using: &random) { refer(&field, of: name, &random) }
        tables[name]?.fields.append(field)
      }
    }
  }

  private mutating func newField(_ random: inout SeededRandom) -> Field {
    last += 1
    let hasDefault = Int.random(in: 0..<4, using: &random) == 0
    return Field(number: last, isOptional: Bool.random(using: &random), defaultValue: hasDefault ? "x" : nil)
  }

  private func refer(_ field: inout Field, of name: String, _ random: inout SeededRandom) {
    guard let parent = tables.keys.sorted().randomElement(using: &random),
      var onDelete = DeletionPolicy.allCases.randomElement(using: &random)
    else { return }
    if onDelete == .setNull, !field.isOptional || field.defaultValue != nil { onDelete = .restrict }
    // The generator refuses cycles of them.
    if onDelete == .cascade, parent > name { onDelete = .restrict }
    field.reference = (parent, onDelete)
  }

  // MARK: Changes

  /// Changes the release into a later one.
  mutating func change(_ random: inout SeededRandom) {
    guard let name = tables.keys.sorted().randomElement(using: &random), var table = tables[name] else { return }
    let index = table.fields.indices.randomElement(using: &random)
    switch (Int.random(in: 0..<14, using: &random), index) {
    case (0, _), (1, _):
      var field = newField(&random)
      if Bool.random(using: &random) { refer(&field, of: name, &random) }
      table.fields.append(field)
    case (2, let index?):
      let number = table.fields.remove(at: index).number
      table.reserved[number] = Bool.random(using: &random)
      table.unique = table.unique.filter { !$0.key.contains(number) }
    case (3, let index?): table.fields[index].isOptional.toggle()
    case (4, let index?), (5, let index?), (6, let index?): refer(&table.fields[index], of: name, &random)
    case (7, let index?): table.fields[index].reference = nil
    case (8, let index?), (9, let index?): replace(index, in: &table, &random)
    case (10, _):
      let new = "E\(last)"
      tables[new] = Table()
      let field = newField(&random)
      tables[new]?.fields.append(field)
    case (11, _) where tables.count > 2:
      tables[name] = nil
      ended.insert(name)
      for other in tables.keys {
        for index in tables[other]?.fields.indices ?? (0..<0) {
          if tables[other]?.fields[index].reference?.record == name { tables[other]?.fields[index].reference = nil }
        }
      }
      return
    case (_, _?):
      let numbers = table.fields.map(\.number).shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
      let kept = ResolvedRecord.Existing.Kept.allCases.randomElement(using: &random)
      let cascades = Int.random(in: 0..<3, using: &random) == 0
      table.unique[Array(numbers)] = .some(kept.map { .init(kept: $0, cascades: cascades) })
    default: break
    }
    tables[name] = table
  }

  /// Gives a field another number, and makes it from the former one.
  private mutating func replace(_ index: Int, in table: inout Table, _ random: inout SeededRandom) {
    last += 1
    let old = table.fields[index]
    guard old.source == nil else { return }
    table.fields[index].number = last
    table.fields[index].source = old.number
    table.fields[index].isSourceOptional = old.isOptional
    table.fields[index].isOptional = old.isOptional || Bool.random(using: &random)
    table.reserved[old.number] = true
    let unique = table.unique.map { ($0.key.map { [last] in $0 == old.number ? last : $0 }, $0.value) }
    table.unique = Dictionary(unique) { first, _ in first }
  }

  // MARK: Declarations

  /// Returns the records as a catalog resolves them.
  var catalog: RecordCatalog {
    var catalog = RecordCatalog()
    catalog.types = []
    catalog.reserved = ended.sorted().map { .init(record: $0, database: "wallet") }
    catalog.records = tables.sorted { $0.key < $1.key }.map { name, table in
      var record = RecordCatalog.record(
        name, line: 1,
        [RecordCatalog.field("id", 1, .scalar(.string))]
          + table.fields.map { field in
            let type = ValueType.scalar(.string)
            var resolved = RecordCatalog.field(field.name, field.number, field.isOptional ? .optional(type) : type)
            resolved.defaultValue = field.defaultValue.map { .value(.string($0)) }
            resolved.reference = field.reference.map {
              .init(record: $0.record, storedName: $0.record, onDelete: $0.onDelete)
            }
            if let source = field.source {
              let from = field.isSourceOptional ? ValueType.optional(type) : type
              resolved.transforms = [
                .init(
                  sources: [.init(number: source, type: from, isEncrypted: false, isInSeconds: false)],
                  function: SwiftName("Pair.made"))
              ]
            }
            return resolved
          })
      record.unique = table.unique.keys.sorted { $0.lexicographicallyPrecedes($1) }
      record.existing = table.unique.compactMapValues(\.self)
      record.reserved = table.reserved.sorted { $0.key < $1.key }.map {
        .init(numbers: [$0.key], names: [], deletesValues: $0.value)
      }
      return record
    }
    return catalog
  }

  /// Returns the declarations that the generator would emit.
  var declarations: [RecordDeclaration] {
    tables.sorted { $0.key < $1.key }.map { name, table in
      let indexes = table.unique.keys.sorted { $0.lexicographicallyPrecedes($1) }
      func existing(_ isIncluded: (ResolvedRecord.Existing) -> Bool) -> [[Int]] {
        indexes.filter { index in (table.unique[index] ?? nil).map(isIncluded) ?? false }
      }
      return RecordDeclaration(
        name, key: 1,
        [.init(1, "id", .text)]
          + table.fields.map { field in
            .init(
              field.number, field.name, .text, isOptional: field.isOptional,
              default: field.defaultValue.map { "'\($0)'" }, references: field.reference?.record,
              onDelete: field.reference?.onDelete ?? .restrict)
          }, unique: indexes, keepFirst: existing { $0.kept == .keepFirst },
        keepLast: existing { $0.kept == .keepLast },
        cascading: existing(\.cascades),
        reserved: table.reserved.map { .init($0.key, deletesValues: $0.value) },
        transforms: table.fields.compactMap { field in
          field.source.map { source in
            RecordTransform(field.number, from: [.init(source, .text, isOptional: field.isSourceOptional)]) {
              row, _, column in
              if row.isNull(0), field.isSourceOptional { column.null() } else { column.text(try row.text(0)) }
            }
          }
        })
    }
  }
}
