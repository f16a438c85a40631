import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let databaseProtection = Rule(
    "database-protection", .records, .warning,
    "A database with personal data in plain fields can be read only while the device is unlocked.",
    why:
      "With `untilFirstUnlock`, the file can be read while the device is locked, also by who has found or stolen it.",
    bad: .catalog(databaseOfNotes("")), good: .catalog(databaseOfNotes("    protection: complete\n")))

  private static func databaseOfNotes(_ protection: String) -> String {
    "\(Example.database)\(protection)records:\n  Note:\n    description: What the user wrote.\n    sensitivity: personal\n"
      + "    allow: [{rule: personal-data-in-plain-store, reason: The search needs the text.}]\n"
      + "    fields:\n      id: {type: UUID, number: 1}\n      text: {type: String, number: 2}"
  }
}

/// Checks that the files of personal data are protected while the device is locked.
struct DatabaseProtectionRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var personal: [String: DecodedRecord] = [:]
    for record in run.records.all {
      guard let database = record.database, personal[database] == nil,
        record.plainFields.contains(where: { record.sensitivity(of: $0).isAboutPerson })
      else { continue }
      personal[database] = record
    }
    for database in run.records.databases
    where [.untilFirstUnlock, .none].contains(database.draft.protection) {
      let member = database.member.text
      guard let record = personal[member] else { continue }
      findings.about(database) {
        $0.report(
          .databaseProtection,
          "'\(member)' contains personal data in plain fields, and can be read while the device is locked",
          at: database.body.value(of: "protection") ?? database.member,
          help: "write `protection: complete`, or `completeUnlessOpen` if the app works in the background",
          notes: [.init("a record with personal data", at: record.node.place)])
      }
    }
  }
}

extension Rule {
  static let reviewEnded = Rule(
    "review-ended", .protection, .warning, "The review of a key or a record has not ended.",
    why: "What was safe when it was reviewed may not be safe any more.",
    bad: .keys(
      "draft: {type: String, review: {by: security, until: 2020-01-01}, description: What the user has not sent yet.}"),
    good: .keys(
      "draft: {type: String, review: {by: security, until: 2099-12-31}, description: What the user has not sent yet.}"))
}

/// Checks that no review has ended. The day is known only where findings are judged, so this is no ``RunRule``.
struct ReviewEndedRule {
  let today: CalendarDate

  func findings(in run: CatalogRun) -> [Diagnostic] {
    var result: [Diagnostic] = []
    for key in run.documents.lazy.flatMap(\.keys) {
      guard let review = key.resolved.review, review.isOver(on: today) else { continue }
      result.append(finding(review, of: key.resolved.descriptor.member, in: key.body))
    }
    for record in run.records.all {
      guard let review = record.draft.review, review.isOver(on: today) else { continue }
      result.append(finding(review, of: record.name, in: record.body))
    }
    return result
  }

  private func finding(_ review: ResolvedReview, of name: String, in body: SyntaxNode) -> Diagnostic {
    Diagnostic(
      rule: Rule.reviewEnded.id, severity: Rule.reviewEnded.severity,
      "the review of '\(name)' by \(review.by) ended on \(review.until.text)",
      at: (body.value(of: "review") ?? body).place,
      help: "review how the value is protected, and write a later date in `until`", key: name)
  }
}
