import CatalogModel

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
      (name, catalog, record) = (member, database.catalog, nil)
    case .record(let type), .field(record: let type, _):
      guard let record = today.records[type] else { return nil }
      (name, catalog, self.record) = (type, record.catalog, record)
    case .key, .type, .catalog: return nil
    }
  }

  var fields: [FieldValue.Entry] {
    var result: [FieldValue.Entry] = []
    var properties: [(name: String, entries: [FieldValue.Entry])] = []
    var numbers: Set<Int> = []
    for finding in findings {
      guard case .field(_, let number) = finding.subject, let field = record?.field(number) else {
        Self.add(finding.remedy.fields, to: &result)
        continue
      }
      var entries = finding.remedy.fields
      if let used = finding.remedy.usedNumbers {
        let number = FieldNumbers.free(besides: used.union(numbers))
        numbers.insert(number)
        entries.append(.init("number", .integer(number)))
      }
      guard !entries.isEmpty else { continue }
      if let index = properties.firstIndex(where: { $0.name == field.name }) {
        Self.add(entries, to: &properties[index].entries)
      } else {
        properties.append((field.name, entries))
      }
    }
    if !properties.isEmpty {
      result.append(.init("fields", .map(properties.map { .init($0.name, .map($0.entries)) })))
    }
    let reserved = findings.flatMap(\.remedy.reservedFields)
    if let record, !reserved.isEmpty { result.append(.init("reserved", record.reserving(reserved))) }
    return result
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
  fileprivate var editsFields: Bool { !fields.isEmpty || usedNumbers != nil || !reservedFields.isEmpty }
}

extension DeclaredRecord {
  /// Returns `reserved` with further fields, in full.
  func reserving(_ fields: [Remedy.ReservedField]) -> FieldValue {
    var (numbers, names): ([Int], [String]) = ([], [])
    for field in fields {
      if reservedNumbers[field.number] == nil, !numbers.contains(field.number) { numbers.append(field.number) }
      if let name = field.name, !names.contains(name) { names.append(name) }
    }
    let entry: FieldValue = .map(present: [
      .init("numbers", numbers.isEmpty ? .absent : .list(numbers.map { .integer($0) })),
      .init("names", names.isEmpty ? .absent : .list(names.map { .text($0) })),
    ])
    if entry.entries.isEmpty { return reserved.count == 1 ? reserved[0] : .list(reserved) }
    return reserved.isEmpty ? entry : .list(reserved + [entry])
  }

  /// Returns the reservation of a number and of the name that it had, unless a field of the record has the name.
  func reservation(_ number: Int, _ name: String?) -> Remedy.ReservedField {
    let isFree =
      fields.allSatisfy { $0.name != name }
      && !reserved.contains { entry in entry["names"].elements.contains { $0.text == name } }
    return .init(number: number, name: isFree ? name : nil)
  }
}
