import CatalogSyntax
import StorageVocabulary

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
    for database in run.records.databases where database.draft.protection == .untilFirstUnlock {
      let member = database.member.text
      guard let record = personal[member] else { continue }
      findings.report(
        .databaseProtection,
        "'\(member)' contains personal data in plain fields, and can be read while the device is locked",
        at: database.body.value(of: "protection") ?? database.member,
        help: "write `protection: complete`, or `completeUnlessOpen` if the app works in the background",
        notes: [.init("a record with personal data", at: record.node.place)])
    }
  }
}
