import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary

/// The rows that a merge deletes or changes because of new references and unique indexes: whether that is possible for every
/// content of the tables.
struct DeletedRows {
  /// The records of the earlier state, which have rows.
  private let stored: [DeclaredRecord]
  /// The records of today, by their stored names.
  private let today: [String: DeclaredRecord]

  /// - Parameters:
  ///   - member: The database in the earlier state.
  ///   - database: The database today.
  init(_ old: CatalogState, _ today: CatalogState, member: String, in database: DeclaredDatabase) {
    stored = old.records.values.filter { $0.database == member }.sorted { $0.storedName < $1.storedName }
    let records = today.records.values.filter { $0.database == database.member }
    self.today = Dictionary(records.map { ($0.storedName, $0) }) { first, _ in first }
  }

  func findings(_ change: RecordChange) -> [Finding] {
    change.new.unique.filter { !change.old.unique.contains($0) }.compactMap { unique($0, change) }
      + change.new.fields.compactMap { reference($0, change) }
  }

  // MARK: Unique indexes

  private func unique(_ index: [Int], _ change: RecordChange) -> Finding? {
    let fields = index.compactMap(change.new.field)
    let names = fields.map { "'\($0.name)'" }.joined(separator: " and ")
    let place = fields.count == 1 ? fields.first : nil
    if fields.allSatisfy({ isEqualInAllRows($0, change) }) {
      return change.finding(
        .uniqueDefault, place,
        "stored rows of '\(change.old.storedName)' without \(names), which get the default and are unique now: the update "
          + "would delete all rows but one",
        "remove the `unique` of \(names), or \(change.withoutDefault(fields)), so that stored rows have no value")
    }
    guard let existing = change.new.existing[index] else { return nil }
    let children = referring(to: change.new.storedName)
    let restricting = blocked(by: children)
    let unique = children.first(where: isUnique)
    let removal = "may have stored equal rows of '\(change.old.storedName)', and rows of"
    let kept = existing.keepsLast ? "keepLast" : "keepFirst"
    let without = "remove the `unique` of \(names)"
    if existing.cascades, let (child, field) = restricting {
      return change.finding(
        .uniqueAdded, place,
        "\(removal) '\(child.storedName)' whose '\(field.name)' (restrict) keeps what refers to them from being deleted",
        unique == nil
          ? "write `existing: \(kept)`, after which these refer to the row that stays; or \(without)" : without)
    }
    // Of the record's own rows, those that stay refer to others that stay.
    let changed = existing.cascades ? children.filter { $0.record.storedName == change.new.storedName } : children
    if let (child, field) = changed.first(where: isUnique) {
      return change.finding(
        .uniqueAdded, place,
        "\(removal) '\(child.storedName)' that refer to each of them, of which only one can refer to the row that stays, because "
          + "'\(field.name)' is unique there, alone or with others",
        restricting == nil && !existing.cascades
          ? "\(without); or write `existing: {\(kept): cascade}`, which deletes the rows of '\(child.storedName)' that refer to a "
            + "deleted row" : without)
    }
    return nil
  }

  /// Returns true if a field is new, and has one value in all stored rows.
  private func isEqualInAllRows(_ field: DeclaredRecord.Field, _ change: RecordChange) -> Bool {
    change.old.field(field.number) == nil && field.defaultValue != .absent && field.defaultValue != .text("new")
      && !isMade(field, change)
  }

  private func isMade(_ field: DeclaredRecord.Field, _ change: RecordChange) -> Bool {
    field.sources.joined().contains { change.old.field($0.number) != nil }
  }

  /// The fields with stored values that refer to a record.
  private func referring(to name: String) -> [(record: DeclaredRecord, field: DeclaredRecord.Field)] {
    stored.flatMap { record in
      record.fields.compactMap { field in
        let reference = field.reference ?? today[record.storedName]?.field(field.number)?.reference
        guard reference?.record == name else { return nil }
        var field = field
        field.reference = reference
        return (record, field)
      }
    }
  }

  /// Returns true if no two rows may have equal values of a field, alone or with others.
  private func isUnique(_ record: DeclaredRecord, _ field: DeclaredRecord.Field) -> Bool {
    let now = today[record.storedName]
    return record.key == field.number
      || record.unique.contains { $0.contains(field.number) && now?.unique.contains($0) != false }
  }

  /// Returns the first field that keeps rows from being deleted.
  ///
  /// - Parameter fields: The fields that refer to rows, which are deleted with them.
  private func blocked(
    by fields: [(record: DeclaredRecord, field: DeclaredRecord.Field)]
  ) -> (record: DeclaredRecord, field: DeclaredRecord.Field)? {
    var open = fields.map(\.record.storedName)
    var seen = Set<String>()
    while let name = open.popLast() {
      guard seen.insert(name).inserted else { continue }
      let referring = referring(to: name)
      if let restricting = referring.first(where: { $0.field.reference?.onDelete == .restrict }) { return restricting }
      open += referring.filter { $0.field.reference?.onDelete == .cascade }.map(\.record.storedName)
    }
    return nil
  }

  // MARK: References

  private func reference(_ now: DeclaredRecord.Field, _ change: RecordChange) -> Finding? {
    guard let reference = now.reference else { return nil }
    let before = change.old.field(now.number)
    let sources = now.sources.joined().compactMap { change.old.field($0.number) }
    // Values that no reference has checked.
    guard before.map({ $0.reference == nil }) ?? !sources.isEmpty else { return nil }
    let parent = "'\(reference.record)'"
    let again = "or remove `references`"
    if !stored.contains(where: { $0.storedName == reference.record }) {
      return change.finding(
        .referenceAdded, now,
        "stored no rows of \(parent), to which '\(now.name)' refers now: "
          + (reference.onDelete == .setNull
            ? "all its values would be lost" : "all rows with a value would be deleted"),
        "remove `references`, or add a new field that refers to \(parent)")
    }
    switch reference.onDelete {
    case .setNull: return nil
    case .restrict:
      let isChecked = sources.contains { $0.reference?.record == reference.record }
      if before != nil || isChecked { return nil }
      return change.finding(
        .referenceAdded, now,
        "stored values without a reference from which '\(now.name)' is made, and it refers to \(parent) now (restrict)",
        "\(RecordChange.orphans); \(again)")
    case .cascade:
      guard let (child, field) = blocked(by: [(change.old, now)]) else { return nil }
      return change.finding(
        .referenceAdded, now,
        "may have stored rows of '\(change.old.storedName)' whose '\(now.name)' refers to nothing, and rows of "
          + "'\(child.storedName)' whose '\(field.name)' (restrict) keeps them from being deleted",
        "write `type: \(FieldValue.text(now.isOptional ? now.type : "\(now.type)?"))` and `onDelete: setNull`; \(again)"
      )
    }
  }
}

extension RecordChange {
  /// Returns the text of new fields for which stored rows have no value.
  fileprivate func withoutDefault(_ fields: [DeclaredRecord.Field]) -> String {
    let texts = fields.map { field in
      "`type: \(FieldValue.text(field.isOptional ? field.type : "\(field.type)?"))` without `default` at '\(field.name)'"
    }
    return "write \(texts.joined(separator: " and "))"
  }
}
