import LocalDataComparison
import LocalDataModel
import LocalDataVocabulary

/// The fields that remedies write into a database or a record.
struct RecordEdit {
  /// The member of the database, or the Swift type of the record.
  let name: String
  let catalog: String
  /// The record; nil if the fields are those of a database.
  let record: DeclaredRecord?
  private(set) var findings: [Finding] = []

  /// Returns the edits of all findings, by name.
  static func all(_ findings: [Finding], _ today: CatalogState) -> [RecordEdit] {
    var edits: [String: RecordEdit] = [:]
    for finding in findings where finding.remedy.editsFields {
      guard let edit = RecordEdit(finding.subject, today) else { continue }
      // A database and a record can have one name.
      edits["\(edit.record == nil) \(edit.name)", default: edit].findings.append(finding)
    }
    return edits.sorted { $0.key < $1.key }.map(\.value)
  }

  private init?(_ subject: Finding.Subject, _ today: CatalogState) {
    switch subject {
    case .database(let member):
      guard let database = today.databases[member] else { return nil }
      name = member
      catalog = database.catalog
      record = nil
    case .record(let type), .field(record: let type, _):
      guard let record = today.records[type] else { return nil }
      name = type
      catalog = record.catalog
      self.record = record
    case .key, .type, .catalog: return nil
    }
  }

  var fields: [FieldValue.Entry] {
    var result: [FieldValue.Entry] = []
    var properties: [(name: String, entries: [FieldValue.Entry])] = []
    for finding in findings {
      guard case .field(_, let number) = finding.subject, let field = record?.field(number) else {
        Self.add(finding.remedy.fields, to: &result)
        continue
      }
      let index = properties.firstIndex { $0.name == field.name } ?? properties.endIndex
      if index == properties.endIndex { properties.append((field.name, [])) }
      // Several findings give a field one number.
      let isNumbered = properties[index].entries.contains { $0.name == "number" }
      if let new = finding.remedy.newNumber, !isNumbered {
        properties[index].entries.append(.init("number", .integer(new.number)))
      }
      Self.add(finding.remedy.fields, to: &properties[index].entries)
    }
    for index in properties.indices { properties[index].entries += from(properties[index].name) }
    properties.removeAll(where: \.entries.isEmpty)
    if !properties.isEmpty {
      result.append(.init("fields", .map(properties.map { .init($0.name, .map($0.entries)) })))
    }
    let reserved = findings.flatMap(\.remedy.reservedFields)
    if let record, !reserved.isEmpty { result.append(.init("reserved", record.reserving(reserved))) }
    return result
  }

  /// `from` of a field with the released fields that findings add to it, in full.
  private func from(_ name: String) -> [FieldValue.Entry] {
    guard let record, let field = record.fields.first(where: { $0.name == name }) else { return [] }
    let own = findings.filter { $0.subject == .field(record: record.name, field.number) }
    let added = own.flatMap(\.remedy.earlierFields)
    guard !added.isEmpty else { return [] }
    var entries = record.transforms(of: field.number)
    for earlier in added {
      entries.read(earlier, isNewest: earlier.fields.contains { $0.name == String(field.number) })
    }
    let values = entries.map { FieldValue(earlier: $0.fields, transform: $0.transform) }
    return [.init("from", values.count == 1 ? values[0] : .list(values))]
  }

  private static func add(_ entries: [FieldValue.Entry], to fields: inout [FieldValue.Entry]) {
    for entry in entries {
      if let index = fields.firstIndex(where: { $0.name == entry.name }) {
        if isWider(entry, fields[index].value) { fields[index] = entry }
      } else {
        fields.append(entry)
      }
    }
  }

  /// Returns true if a value of a field is right for more releases than another one.
  private static func isWider(_ field: FieldValue.Entry, _ other: FieldValue) -> Bool {
    // The strongest protection is declared first.
    let order = ResolvedDatabase.Protection.allCases.map { FieldValue.text($0.rawValue) }
    return switch field.name {
    case "maxSize": (field.value.integer ?? 0) > (other.integer ?? 0)
    case "protection": (order.firstIndex(of: field.value) ?? 0) < (order.firstIndex(of: other) ?? 0)
    default: false
    }
  }

  /// The reasons for the change of a finding. A database has no `allow`.
  func reasons(_ finding: Finding) -> [String] { record == nil ? [finding.text] : Scaffold.reasons(finding) }
}

extension Remedy {
  fileprivate var editsFields: Bool {
    !fields.isEmpty || newNumber != nil || !earlierFields.isEmpty || !reservedFields.isEmpty
  }
}

/// An entry of `from`: the earlier fields by their numbers, and the function.
private struct EarlierFields {
  var fields: [FieldValue.Entry]
  var transform: FieldValue
}

extension [EarlierFields] {
  /// Makes an entry read released fields as they were declared.
  ///
  /// - Parameter isNewest: True if the field had the number of one of the released ones until now.
  fileprivate mutating func read(_ earlier: Remedy.EarlierField, isNewest: Bool) {
    var isKnown = false
    for field in earlier.fields {
      // A later release may have stored a wider type.
      guard let index = firstIndex(where: { $0.fields.contains { $0.name == field.name } }),
        let position = self[index].fields.firstIndex(where: { $0.name == field.name })
      else { continue }
      self[index].fields[position] = field
      isKnown = true
    }
    if isKnown { return }
    let entry = EarlierFields(fields: earlier.fields, transform: earlier.transform)
    insert(entry, at: isNewest ? startIndex : endIndex)
  }
}

extension DeclaredRecord {
  /// The entries of `from` of a field.
  fileprivate func transforms(of number: Int) -> [EarlierFields] {
    transformFacts(of: number).map { EarlierFields(fields: $0["fields"].entries, transform: $0["transform"]) }
  }
}
