package import LocalDataComparison
package import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// The part of a catalog that makes findings disappear when it is added to today's.
package struct Scaffold: Sendable {
  /// A declaration with the fields to write into it.
  package struct Change: Sendable {
    package var name: String
    package var fields: [FieldValue.Entry]
    /// A Boolean value that indicates whether the declaration is new.
    package var isNew = false
    package var reasons: [String]
  }

  /// The entries for one catalog.
  package struct Part: Sendable {
    package var types: [Change] = []
    package var databases: [Change] = []
    package var records: [Change] = []
    package var keys: [Change] = []
    package var reserved: [(entry: FieldValue, reasons: [String])] = []
  }

  /// By the name of the catalog.
  package private(set) var parts: [String: Part] = [:]
  /// Findings that no YAML can mend.
  package private(set) var others: [String] = []

  private let today: CatalogState

  /// - Parameter baselines: The states that the findings are about.
  package init(_ findings: [Finding], _ today: CatalogState, against baselines: [Baseline]) {
    self.today = today
    let order = SourceOrder(
      today: today, released: ReleasedForms(baselines, today: today),
      newKeys: Dictionary(
        findings.flatMap(\.remedy.newKeys).map { ($0.entry.name, $0.address) }
      ) { first, _ in first })
    let read = addresses(of: findings, order)
    var structs: [String: [Finding]] = [:]
    for finding in findings {
      let remedy = finding.remedy
      if remedy.isEmpty {
        others.append("\(finding.text); \(finding.help)")
      } else if let entry = remedy.reserved, let name = catalog(of: finding.subject) {
        // What another proposal reads is not given up.
        if let address = StoredForm.address(reserved: entry), read.contains(address) { continue }
        reserve(entry, finding.text, in: today.catalogs[name] == nil ? today.catalogs.keys.min() ?? name : name)
      } else if case .type(let name) = finding.subject, let cases = remedy.cases {
        restore(cases, of: name, finding.text)
      } else if case .type(let name) = finding.subject {
        structs[name, default: []].append(finding)
      }
    }
    for (name, findings) in structs.sorted(by: { $0.key < $1.key }) {
      guard let type = today.types[name] else { continue }
      parts[type.catalog, default: Part()].types.append(
        Change(name: name, fields: type.mended(findings.map(\.remedy)), reasons: findings.map(\.text)))
    }
    for (member, findings) in Self.byKey(findings) {
      guard let key = today.keys[member] else { continue }
      change(key, findings, order)
    }
    for edit in RecordEdit.all(findings, today) { change(edit) }
  }

  /// The findings that change a key, by its member.
  private static func byKey(_ findings: [Finding]) -> [(String, [Finding])] {
    var result: [String: [Finding]] = [:]
    for finding in findings {
      var members = Set(finding.remedy.replacements.map(\.key))
      if case .key(let member) = finding.subject, finding.remedy.reserved == nil, !finding.remedy.isEmpty {
        members.insert(member)
      }
      for member in members { result[member, default: []].append(finding) }
    }
    return result.sorted { $0.key < $1.key }
  }

  /// The addresses that keys have or read after the proposals were pasted.
  private func addresses(of findings: [Finding], _ order: SourceOrder) -> Set<StoredPlace?> {
    var result: Set<StoredPlace?> = []
    for (member, findings) in Self.byKey(findings) {
      guard let key = today.keys[member] else { continue }
      for remedy in findings.map(\.remedy) {
        for step in remedy.steps + remedy.replacements.map(\.new) { result.formUnion(order.addresses(of: step, key)) }
        guard let name = remedy.fields.first(where: { $0.name == "name" })?.value.text else { continue }
        var form = key.form
        form.name = name
        result.insert(form.address)
      }
    }
    return result
  }

  // MARK: Parts

  /// The catalog that a reserved name is added to.
  private func catalog(of subject: Finding.Subject) -> String? {
    switch subject {
    case .catalog(let name): name
    case .key(let member): today.keys[member]?.catalog
    case .record(let name): today.records[name]?.catalog
    case .type, .database, .field: nil
    }
  }

  /// Several findings may reserve the same name.
  private mutating func reserve(_ entry: FieldValue, _ reason: String, in catalog: String) {
    var part = parts[catalog] ?? Part()
    if let index = part.reserved.firstIndex(where: { $0.entry == entry }) {
      part.reserved[index].reasons.append(reason)
    } else {
      part.reserved.append((entry, [reason]))
    }
    parts[catalog] = part
  }

  /// Several findings of a type give it back all its cases.
  private mutating func restore(_ cases: FieldValue, of name: String, _ reason: String) {
    let catalog = today.types[name]?.catalog ?? ""
    var part = parts[catalog] ?? Part()
    if let index = part.types.firstIndex(where: { $0.name == name }) {
      let known = part.types[index].fields[0].value.entries
      let more = cases.entries.filter { entry in !known.contains { $0.name == entry.name } }
      part.types[index].fields[0].value = .map(known + more)
      part.types[index].reasons.append(reason)
    } else {
      part.types.append(Change(name: name, fields: [.init("enum", cases)], reasons: [reason]))
    }
    parts[catalog] = part
  }

  private mutating func change(_ key: DeclaredKey, _ findings: [Finding], _ order: SourceOrder) {
    var part = parts[key.catalog] ?? Part()
    for finding in findings {
      for type in finding.remedy.newTypes { Self.add(type, to: &part.types) }
      for new in finding.remedy.newKeys { Self.add(new.entry, to: &part.keys) }
    }
    let fields = KeyChange(key: key, remedies: findings.map(\.remedy), order: order).fields
    part.keys.append(Change(name: key.member, fields: fields, reasons: findings.flatMap(Self.reasons)))
    parts[key.catalog] = part
  }

  private mutating func change(_ edit: RecordEdit) {
    let change = Change(name: edit.name, fields: edit.fields, reasons: edit.findings.flatMap(edit.reasons))
    var part = parts[edit.catalog] ?? Part()
    for type in edit.findings.flatMap(\.remedy.newTypes) { Self.add(type, to: &part.types) }
    if edit.record == nil { part.databases.append(change) } else { part.records.append(change) }
    parts[edit.catalog] = part
  }

  private static func add(_ declaration: FieldValue.Entry, to changes: inout [Change]) {
    guard !changes.contains(where: { $0.name == declaration.name }) else { return }
    changes.append(Change(name: declaration.name, fields: declaration.value.entries, isNew: true, reasons: []))
  }

  /// The reason for a change, and how to accept the finding if the catalog is meant.
  static func reasons(_ finding: Finding) -> [String] {
    guard finding.rule.rule.isAllowable else { return [finding.text] }
    return [finding.text, "or accept it: \(finding.rule.allowance)"]
  }
}

/// The fields that remedies write into a key.
private struct KeyChange {
  let key: DeclaredKey
  let remedies: [Remedy]
  let order: SourceOrder

  var fields: [FieldValue.Entry] {
    var fields: [FieldValue.Entry] = []
    for field in remedies.flatMap(\.fields) {
      if let index = fields.firstIndex(where: { $0.name == field.name }) {
        if Self.isWider(field, fields[index].value) { fields[index] = field }
      } else {
        fields.append(field)
      }
    }
    if let schema = remedies.compactMap(\.schema).max() {
      fields.append(.init("schema", .integer(schema)))
      fields.append(.init("upgrade", CatalogText.upgrades(of: key, to: schema)))
    }
    let steps = steps
    if steps != key[.migration].elements {
      let written = steps.map { key.written($0, after: fields) }
      fields.append(.init("migration", written.count == 1 ? written[0] : .list(written)))
    }
    return fields
  }

  /// Returns true if a value of a field is right for more releases than another one.
  private static func isWider(_ field: FieldValue.Entry, _ other: FieldValue) -> Bool {
    switch field.name {
    case "maxSize": (field.value.integer ?? 0) > (other.integer ?? 0)
    case "retention": KeptTime(other).mayEndBefore(KeptTime(field.value))
    case "availability": field.value != .text(PlatformAvailability.phoneOnly.rawValue)
    default: false
    }
  }

  private var steps: [FieldValue] {
    var steps = key[.migration].elements
    for replacement in remedies.flatMap(\.replacements) where replacement.key == key.member {
      if let index = steps.firstIndex(of: replacement.old) { steps[index] = replacement.new }
    }
    for step in remedies.flatMap(\.steps) where !steps.contains(step) {
      let addresses = order.addresses(of: step, key)
      // Two steps cannot read one address.
      let isRead = !addresses.isEmpty && steps.contains { order.addresses(of: $0, key) == addresses }
      if !isRead { order.insert(step, into: &steps, of: key) }
    }
    return remedies.contains(where: \.sortsSteps) ? order.sorted(steps, key) : steps
  }
}
