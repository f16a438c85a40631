import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let redundantIndex = Rule(
    "redundant-index", .records, .warning, "No index is the beginning of another one.",
    why: "The longer index serves the same queries. Each index takes space and slows down each write.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  indexes: [[title, written], [title]]\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    title: {type: String, number: 2}\n    written: {type: Date, number: 3}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  indexes: [[title, written]]\n  fields:\n"
        + "    id: {type: UUID, number: 1}\n    title: {type: String, number: 2}\n    written: {type: Date, number: 3}")
  )
}

/// Checks that each index serves queries that no other index serves.
struct RedundantIndexRule: RecordRule {
  private struct Index {
    var names: [String]
    var node: SyntaxNode
    var isUnique = false
  }

  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let indexes = Self.indexes(of: record)
    // The longest index that begins so, the unique one of equal ones, and the first of those that are equal in all.
    var best: [[String]: Int] = [:]
    let order = indexes.indices.sorted { left, right in
      let (first, second) = (indexes[left], indexes[right])
      if first.names.count != second.names.count { return first.names.count > second.names.count }
      return first.isUnique != second.isUnique ? first.isUnique : left < right
    }
    for position in order {
      for count in 1...indexes[position].names.count {
        let beginning = Array(indexes[position].names.prefix(count))
        best[beginning] = best[beginning] ?? position
      }
    }
    for (position, index) in indexes.enumerated() {
      // A unique index that begins another one demands more.
      guard let other = best[index.names], other != position, !index.isUnique || indexes[other].names == index.names
      else { continue }
      let (own, longer) = (Self.text(index.names), Self.text(indexes[other].names))
      findings.report(
        .redundantIndex,
        own == longer ? "the index \(own) is declared twice" : "the index \(own) is the beginning of \(longer)",
        at: index.node, help: "remove it", notes: [.init("the other index", at: indexes[other].node.place)])
    }
    if let key = record.key, key.draft.isIndexed || key.draft.isUnique {
      findings.report(
        .redundantIndex, "'\(key.name)' is the key, which always has a unique index",
        at: key.place(of: key.draft.isIndexed ? "index" : "unique"), help: "remove it")
    }
  }

  /// The indexes without those that have findings. A field is in an index once, so there are few in each.
  private static func indexes(of record: DecodedRecord) -> [Index] {
    let lists = record.draft.indexes.map { ($0, false) } + record.draft.unique.map { ($0, true) }
    let declared = lists.compactMap { list, isUnique -> Index? in
      let names = list.names.map(\.text)
      guard Set(names).count == names.count, names.allSatisfy({ record.field($0) != nil }) else { return nil }
      return Index(names: names, node: list.node, isUnique: isUnique)
    }
    let single = record.fields.flatMap { field -> [Index] in
      guard field.name != record.keyName else { return [] }
      let index = Index(names: [field.name], node: field.place(of: "index"))
      let unique = Index(names: [field.name], node: field.place(of: "unique"), isUnique: true)
      return (field.draft.isUnique ? [unique] : []) + (field.draft.isIndexed ? [index] : [])
    }
    return declared + single
  }

  private static func text(_ names: [String]) -> String { "[\(names.joined(separator: ", "))]" }
}
