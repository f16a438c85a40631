import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let recordMember = Rule(
    "record-member", .records, "The member of a record is not a member that StorageRouter has.",
    why: "The emitted member would hide the router's, or would not compile.",
    bad: .records(
      "Note:\n  member: changes\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"),
    good: .records(
      "Note:\n  member: noteChanges\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}"))
}

/// Checks that the router has no other member of the name.
struct RecordMemberRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    guard let member = record.member, RouterMember.isOfRouter(member) else { return }
    let inherited = record.draft.memberNode == nil ? ", which '\(record.name)' gets without a `member`" : ""
    findings.report(
      .recordMember, "'\(member)' is a member of StorageRouter\(inherited)", at: record.draft.memberNode ?? record.node,
      help: "write `member: \(member)Records`")
  }
}
