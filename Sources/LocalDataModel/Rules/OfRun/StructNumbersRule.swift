import LocalDataSyntax
import LocalDataVocabulary

/// Checks the structs that records use, directly or in other structs: their fields have numbers and types of the wire
/// format. The rules are declared with those of records.
struct StructNumbersRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var users: [String: DecodedRecord] = [:]
    var open: [String] = []
    for record in run.records.all {
      let types = record.fields.flatMap { field in
        [field.type] + field.draft.transforms.flatMap { $0.sources.map(\.type) }
      }
      for type in types {
        type?.forEachDeclared { name in
          if users[name] == nil { open.append(name) }
          users[name] = users[name] ?? record
        }
      }
    }
    while let name = open.popLast() {
      guard let declared = run.context.types[name], case .structure(let fields) = declared.form, let user = users[name]
      else { continue }
      check(declared, fields, usedBy: user, &findings)
      for field in fields {
        field.type.forEachDeclared { inner in
          if users[inner] == nil { open.append(inner) }
          users[inner] = users[inner] ?? user
        }
      }
    }
  }

  private func check(
    _ declared: TypeTable.Declared, _ fields: [ResolvedType.Field], usedBy record: DecodedRecord,
    _ findings: inout Findings
  ) {
    guard let node = declared.body.value(of: "fields"), node.kind == .mapping else { return }
    let note = Diagnostic.Note("the record that uses '\(declared.name)'", at: record.node.place)
    let nodes = Array(node.fields)
    guard nodes.count == fields.count else { return }
    var numbered = NumberedFields(
      owner: declared.name,
      fields: zip(nodes, fields).map { node, field in
        .init(node: node.key, body: node.value, number: field.number, needsNumber: field.number == nil)
      })
    numbered.reserved = Set(declared.reserved.flatMap(\.numbers))
    numbered.note = note
    numbered.check(&findings)
    let reservedNames = Set(declared.reserved.flatMap(\.names))
    for (node, field) in zip(nodes, fields) {
      if reservedNames.contains(field.name) {
        findings.report(
          .reservedFieldName, "the name '\(field.name)' is reserved in '\(declared.name)'", at: node.key,
          help: "choose a name that no release has used", notes: [note])
      }
      if field.name == "unknownFields" {
        findings.report(
          .reservedIdentifier,
          "'unknownFields' cannot be a field of '\(declared.name)': the emitted struct uses the name",
          at: node.key, help: "choose another name", notes: [note])
      }
      if let problem = RecordType.problem(field.type, isInWireFormat: true) {
        findings.report(
          .recordFieldType, "a field of a struct that a record uses cannot be \(problem.what)",
          at: node.value.value(of: "type") ?? node.value, help: problem.help, notes: [note])
      }
    }
  }
}
