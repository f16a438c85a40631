package import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let signOutField = Rule(
    "sign-out-field", .records,
    "`signOut` of a record names a plain field of the type String, Int or UUID, and what a kept row refers to is kept too.",
    why:
      "Rows are found by the field without a key. A kept row is deleted with what it refers to, or keeps that from being "
      + "deleted.",
    bad: .catalog(notes("signOut: {by: account}")), good: .catalog(notes("signOut: {by: userID}")))

  package static let keptAfterSignOut = Rule(
    "kept-after-sign-out", .protection, .warning,
    "A credential, and data about a person, does not stay on the device after a sign-out.",
    why: "The next user of the device may read it.",
    bad: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, signOut: keep, "
        + "description: Where receipts are sent to.}"),
    good: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, description: Where receipts are sent to.}"))

  private static func notes(_ signOut: String) -> String {
    "\(Example.database)records:\n  Note:\n    description: What the user wrote.\n    \(signOut)\n"
      + "    fields:\n      id: {type: UUID, number: 1}\n      userID: {type: UUID, number: 2}"
  }
}

/// Checks that no value of a key that harms a person stays after a sign-out.
struct KeptAfterSignOutRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.isKeptAtSignOut, !descriptor.isLegacy, descriptor.sensitivity.endsWithAccount,
      key.isSound(KeyFieldSet(.signOut, .sensitivity, .legacy))
    else { return }
    findings.reportKept(descriptor.member, descriptor.sensitivity, at: key.node(of: .signOut, defaults: defaults))
  }
}

/// Checks `signOut` of records.
struct RecordSignOutRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    guard let signOut = record.draft.signOut else { return }
    let node = record.body.value(of: "signOut") ?? record.node
    if let by = signOut.byNode { return check(by, of: record, &findings) }
    let sensitivities = record.fields.map { record.sensitivity(of: $0) }
    if let sensitivity = sensitivities.first(where: \.endsWithAccount) {
      findings.reportKept(record.name, sensitivity, at: node)
    }
    for field in record.fields where field.draft.onDelete != .setNull {
      guard let target = field.draft.referenceNode.flatMap({ run.records[$0.text] }), target.name != record.name,
        target.draft.signOut?.kind != .keep
      else { continue }
      let isDeleted = field.draft.onDelete == .cascade
      findings.report(
        .signOutField,
        isDeleted
          ? "a sign-out removes '\(target.name)', and with it the rows of '\(record.name)' by the cascade of '\(field.name)'"
          : "a sign-out removes '\(target.name)', to which kept rows of '\(record.name)' refer by '\(field.name)'",
        at: node, help: "write `signOut: keep` at '\(target.name)' too, or `onDelete: setNull` at '\(field.name)'",
        notes: [.init("the reference", at: field.node.place)])
    }
  }

  private func check(_ node: SyntaxNode, of record: DecodedRecord, _ findings: inout Findings) {
    guard let field = record.field(node.text) else {
      // The finding about a record without fields is another one.
      guard !record.fields.isEmpty else { return }
      let names = record.fields.map(\.name)
      return findings.report(
        .signOutField,
        "'\(node.text)' is not a field of '\(record.name)'\(Spelling.suggestion(for: node.text, among: names))",
        at: node, help: "use one of \(names.listing)")
    }
    let types: [ValueType] = [.scalar(.string), .scalar(.int), .scalar(.uuid)]
    if let type = field.plainType, !types.contains(type) {
      findings.report(
        .signOutField, "'\(field.name)' is of the type '\(type.swiftText)'", at: node,
        help: "use a field of the type String, Int or UUID")
    } else if field.draft.encryption != .none {
      findings.report(
        .signOutField, "'\(field.name)' is encrypted, and rows are found without a key", at: node,
        help: "remove `encrypted` from '\(field.name)', or remove `signOut`")
    }
  }
}

extension Sensitivity {
  /// A Boolean value that indicates whether values are those of one account.
  fileprivate var endsWithAccount: Bool { isAboutPerson || self == .credential }
}

extension Findings {
  fileprivate mutating func reportKept(_ name: String, _ sensitivity: Sensitivity, at node: SyntaxNode) {
    report(
      .keptAfterSignOut, "'\(name)' has the sensitivity '\(sensitivity.text)', and stays after a sign-out", at: node,
      help: "remove `signOut: keep`; or allow the finding with a reason, for example that the next sign-in proposes it")
  }
}
