import LocalDataSyntax
import LocalDataVocabulary

/// Checks that the dates of `retention` and `expires` are ones that queries can compare, and that ended records can be deleted.
struct RecordRetentionRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    if let node = record.draft.expiresNode { check(node, of: "expires", mayBeNil: true, record, &findings) }
    guard let retention = record.draft.retention, let node = record.body.value(of: "retention") else { return }
    if let by = retention.byNode { check(by, of: "retention", mayBeNil: false, record, &findings) }
    checkReferences(to: record, at: node, run, &findings)
    let database = record.database.flatMap(run.records.database)
    if retention.end == .relaunch, let database, database.draft.domain?.kind.isAppGroup == true {
      findings.report(
        .recordRetention,
        "'until: relaunch' has no meaning in an app group, whose members are launched at different times",
        at: node, help: "use {maxAge: 1d, by: …}, or a database that belongs to the app alone",
        notes: [.init("the database", at: database.member.place)])
    }
  }

  private func check(
    _ node: SyntaxNode, of part: String, mayBeNil: Bool, _ record: DecodedRecord, _ findings: inout Findings
  ) {
    guard node.kind == .scalar else {
      return findings.report(
        .wrongKind, "'\(part)' of '\(record.name)' takes the name of a field", at: node,
        help: "write the name alone")
    }
    guard let field = record.field(node.text) else {
      // The finding about a record without fields is another one.
      guard !record.fields.isEmpty else { return }
      let names = record.fields.map(\.name)
      return findings.report(
        .unknownField,
        "'\(node.text)' is not a field of '\(record.name)'\(Spelling.suggestion(for: node.text, among: names))",
        at: node, help: "use one of \(names.listing)")
    }
    if let type = field.type, field.plainType != .scalar(.date) || field.isOptional && !mayBeNil {
      findings.report(
        .recordRetention,
        "'\(part)' of '\(record.name)' goes by '\(field.name)', which is of the type '\(type.swiftText)'",
        at: node, help: mayBeNil ? "use a field of the type Date" : "use a field of the type Date without '?'")
    } else if field.draft.encryption != .none {
      findings.report(
        .encryptedIndex, "'\(field.name)' is encrypted and cannot be the date of '\(part)'", at: node,
        help: "remove `encrypted` from '\(field.name)', or remove '\(part)'")
    }
  }

  private func checkReferences(
    to record: DecodedRecord, at node: SyntaxNode, _ run: CatalogRun, _ findings: inout Findings
  ) {
    guard let (child, field) = reference(keeping: record, run) else { return }
    findings.report(
      .recordRetention,
      "'\(field.name)' of '\(child.name)' keeps an ended '\(record.name)' from being deleted", at: node,
      help: "write `onDelete: cascade` at '\(field.name)', or `setNull` if it is optional",
      notes: [.init("the reference", at: field.node.place)])
  }

  /// Returns a field that keeps a row of a record, or one that is deleted with it, from being deleted.
  private func reference(
    keeping record: DecodedRecord, _ run: CatalogRun
  ) -> (DecodedRecord, DecodedRecordField)? {
    var next = [record.name]
    var seen = Set([record.name])
    while let name = next.popLast() {
      for child in run.records.all {
        for field in child.fields where field.draft.referenceNode?.text == name {
          switch field.draft.onDelete ?? .restrict {
          case .restrict: return (child, field)
          case .cascade: if seen.insert(child.name).inserted { next.append(child.name) }
          case .setNull: continue
          }
        }
      }
    }
    return nil
  }
}

/// Checks that credentials and personal data in records are encrypted. The rules are declared with those of keys.
struct RecordProtectionRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    for field in record.plainFields {
      let isCredential = record.sensitivity(of: field) == .credential
      guard isCredential || field.draft.sensitivity == nil && CredentialNames.contains(field) else { continue }
      findings.report(
        .credentialOutsideKeychain,
        "'\(field.name)' of '\(record.name)' is \(isCredential ? "" : "named like ")a credential, but is not encrypted",
        at: field.node, help: "write `encrypted: true`; if it is no secret, write `sensitivity: internal`",
        severity: isCredential ? nil : .warning)
    }
    let personal = record.plainFields.filter { record.sensitivity(of: $0).isAboutPerson }
    guard let first = personal.first else { return }
    findings.report(
      .personalDataInPlainStore,
      "'\(record.name)' has the sensitivity '\(record.sensitivity(of: first).text)' in fields that are not encrypted: "
        + personal.map(\.name).listing, at: record.node,
      help: "write `encrypted: true` at these fields, or `sensitivity: internal` at those that tell nothing")
  }
}
