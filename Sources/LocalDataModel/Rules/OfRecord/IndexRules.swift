import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let encryptedIndex = Rule(
    "encrypted-index", .records,
    "An encrypted field is not indexed, except by a blind index, not unique, no reference, and no date of "
      + "`retention` or `expires`.",
    why: "SQLite sees only sealed bytes, which differ for equal values.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    title: {type: String, number: 2, encrypted: true, index: true}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    title: {type: String, number: 2, encrypted: {index: blind}}"))
}

/// Checks that the fields of indexes exist, and can be indexed.
struct EncryptedIndexRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let types = run.context.types
    for field in record.fields {
      if field.draft.isIndexed { check(field, isUnique: false, at: field.place(of: "index"), types, &findings) }
      if field.draft.isUnique { check(field, isUnique: true, at: field.place(of: "unique"), types, &findings) }
      if let node = field.draft.referenceNode, field.draft.encryption != .none {
        findings.report(
          .encryptedIndex, "'\(field.name)' is encrypted and cannot refer to a record", at: node,
          help: "remove `encrypted`, or keep the key without `references`")
      }
    }
    var suggestions = Suggestions()
    for (lists, isUnique) in [(record.draft.indexes, false), (record.draft.unique, true)] {
      for list in lists { check(list, isUnique: isUnique, record, types, &suggestions, &findings) }
    }
  }

  private func check(
    _ list: FieldList, isUnique: Bool, _ record: DecodedRecord, _ types: TypeTable,
    _ suggestions: inout Suggestions, _ findings: inout Findings
  ) {
    var seen: Set<String> = []
    for node in list.names {
      guard seen.insert(node.text).inserted else {
        findings.report(
          .duplicateEntry, "'\(node.text)' is in the index twice", at: node, help: "remove one of the two")
        continue
      }
      if let field = record.field(node.text) {
        check(field, isUnique: isUnique, at: node, types, &findings)
      } else {
        let names = record.fields.map(\.name)
        findings.report(
          .unknownField,
          "'\(node.text)' is not a field of '\(record.name)'\(suggestions.suggestion(for: node.text, among: names))",
          at: node, help: "use one of \(names.listing)")
      }
    }
  }

  private func check(
    _ field: DecodedRecordField, isUnique: Bool, at node: SyntaxNode, _ types: TypeTable, _ findings: inout Findings
  ) {
    switch field.draft.encryption {
    case .none:
      guard !RecordType.isComparable(field, types), let type = field.type else { return }
      findings.report(
        .recordFieldType, "'\(field.name)' is of the type '\(type.swiftText)' and cannot be indexed", at: node,
        help: "use a field that queries can compare")
    case .sealed, .blind:
      if isUnique {
        findings.report(
          .encryptedIndex, "'\(field.name)' is encrypted and cannot be unique", at: node,
          help: "remove `encrypted`, or do not demand that it is unique")
      } else if field.draft.encryption == .sealed {
        findings.report(
          .encryptedIndex, "'\(field.name)' is encrypted and cannot be indexed", at: node,
          help: "write `encrypted: {index: blind}`, which lets queries compare it with `==`")
      }
    }
  }
}

extension Rule {
  static let blindIndexLeaks = Rule(
    "blind-index-leaks", .records, .warning, "A Bool and an enum have no blind index.",
    why:
      "Rows with equal values have equal fingerprints. If there are few values, a reader of the file can guess which "
      + "fingerprint is which value.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    isPrivate: {type: Bool, number: 2, encrypted: {index: blind}}"),
    good: .records(
      "Note:\n  description: What the user wrote.\n  fields:\n    id: {type: UUID, number: 1}\n"
        + "    isPrivate: {type: Bool, number: 2, encrypted: true}"))
}

/// Checks that no blind index is of a field with few values.
struct BlindIndexLeaksRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.fields where field.draft.encryption == .blind {
      let values: String
      switch field.plainType {
      case .scalar(.bool)?: values = "2 values"
      case .declared(let name)?:
        guard let declared = run.context.types[name], declared.form.isEnum else { continue }
        values = "\(declared.cases.count) cases"
      default: continue
      }
      findings.report(
        .blindIndexLeaks, "the blind index of '\(field.name)' shows which of \(values) a row has",
        at: field.place(of: Language.encryptedField), help: "write `encrypted: true`, and filter in Swift")
    }
  }
}

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
      let first = indexes[left]
      let second = indexes[right]
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
      let own = Self.text(index.names)
      let longer = Self.text(indexes[other].names)
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
