package import CatalogModel

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
    package var keys: [Change] = []
    package var reserved: [(entry: FieldValue, reason: String)] = []
  }

  /// By the name of the catalog.
  package private(set) var parts: [String: Part] = [:]
  /// Findings that no YAML can mend.
  package private(set) var others: [String] = []

  package init(_ findings: [Finding], _ today: CatalogState) {
    var byKey: [String: [Finding]] = [:]
    for finding in findings {
      if finding.remedy == Remedy() {
        others.append("\(finding.text); \(finding.help)")
      } else if let entry = finding.remedy.reserved, let name = Self.catalog(of: finding.subject, today) {
        let catalog = today.catalogs[name] == nil ? today.catalogs.keys.min() ?? name : name
        parts[catalog, default: Part()].reserved.append((entry, finding.text))
      } else if case .type(let name) = finding.subject, let cases = finding.remedy.cases {
        add(cases, of: name, finding.text, today)
      } else if case .key(let member) = finding.subject {
        byKey[member, default: []].append(finding)
      }
    }
    for (member, findings) in byKey.sorted(by: { $0.key < $1.key }) {
      guard let key = today.keys[member] else { continue }
      for new in findings.compactMap(\.remedy.newKey) {
        parts[key.catalog, default: Part()].keys.append(
          Change(name: new.name, fields: new.value.entries.filter { $0.value != .absent }, isNew: true, reasons: []))
      }
      parts[key.catalog, default: Part()].keys.append(
        Change(name: member, fields: Self.fields(of: key, findings), reasons: findings.map(\.text)))
    }
  }

  /// The catalog that a reserved name is added to.
  private static func catalog(of subject: Finding.Subject, _ today: CatalogState) -> String? {
    switch subject {
    case .catalog(let name): name
    case .key(let member): today.keys[member]?.catalog
    case .type: nil
    }
  }

  /// Several findings of a type give it back all its cases.
  private mutating func add(_ cases: FieldValue, of name: String, _ reason: String, _ today: CatalogState) {
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

  private static func fields(of key: DeclaredKey, _ findings: [Finding]) -> [FieldValue.Entry] {
    var fields: [FieldValue.Entry] = []
    for field in findings.flatMap(\.remedy.fields) where !fields.contains(where: { $0.name == field.name }) {
      fields.append(field)
    }
    var steps = fields.first { $0.name == "migration" }?.value.elements ?? key[.migration].elements
    let new = findings.map(\.remedy).filter { !$0.steps.isEmpty }
    for remedy in new {
      let added = remedy.steps.filter { !steps.contains($0) }
      let position = steps.firstIndex(where: remedy.earlierSteps.contains) ?? steps.endIndex
      steps.insert(contentsOf: added, at: position)
    }
    if !new.isEmpty {
      fields.removeAll { $0.name == "migration" }
      fields.append(.init("migration", steps.count == 1 ? steps[0] : .list(steps)))
    }
    if let schema = findings.compactMap(\.remedy.schema).max() {
      fields.append(.init("schema", .integer(schema)))
      fields.append(.init("upgrade", RemedyBuilder.upgrades(of: key, to: schema)))
    }
    return fields
  }

  /// The YAML, with the reason of each part above it. It is complete enough to be read as part of a catalog.
  ///
  /// - Parameter path: The file of a catalog.
  package func text(path: (String) -> String?) -> String {
    var output = ""
    for (catalog, part) in parts.sorted(by: { $0.key < $1.key }) {
      output += "# \(path(catalog) ?? catalog)\n"
      output += Self.text("types", part.types) + Self.text("keys", part.keys)
      if !part.reserved.isEmpty {
        output += "reserved:\n"
        for (entry, reason) in part.reserved { output += "  # \(reason)\n  - \(entry)\n" }
      }
    }
    for other in others { output += "# \(other)\n" }
    return output
  }

  private static func text(_ section: String, _ changes: [Change]) -> String {
    guard !changes.isEmpty else { return "" }
    return "\(section):\n"
      + changes.map { change in
        "  \(change.name):\n" + change.reasons.map { "    # \($0)\n" }.joined()
          + change.fields.map { "    \($0.name): \($0.value)\n" }.joined()
      }.joined()
  }
}
