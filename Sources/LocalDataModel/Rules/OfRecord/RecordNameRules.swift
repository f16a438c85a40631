import LocalDataSyntax
import LocalDataVocabulary

/// Checks that the names of a record's fields are not those of emitted members, and that no two have one column. The
/// rules themselves are declared with those of the decoder.
struct RecordFieldNamesRule: RecordRule {
  /// Members of the emitted struct.
  private static let members: Set<String> = ["unknownFields", "columns", "declaration"]
  /// Members of the emitted struct that keep encrypted values out of descriptions.
  private static let redactedMembers: Set<String> = ["description", "debugDescription", "customMirror"]
  /// The column of all encrypted fields of a row.
  private static let sealedColumn = "sealed"

  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let members = record.hasEncryptedFields ? Self.members.union(Self.redactedMembers) : Self.members
    let names = Set(record.fields.map(\.name))
    var columns: [String: SyntaxNode] = [:]
    for field in record.fields {
      let place = field.draft.name == nil ? field.node : field.place(of: "name")
      if members.contains(field.name) {
        findings.report(
          .reservedIdentifier,
          "'\(field.name)' cannot be a field of '\(record.name)': the emitted struct uses the name",
          at: field.node, help: "choose another name; the stored name can stay with `name: \(field.storedName)`")
      }
      if case .value(.swift(let path))? = field.defaultValue, names.contains(String(path.text.prefix { $0 != "." })) {
        findings.report(
          .reservedIdentifier, "'\(path.text)' begins with the name of a field of '\(record.name)'",
          at: field.place(of: "default"), help: "declare it in another type, as in `Profile.empty`")
      }
      let column = field.storedName.lowercased()
      if record.hasEncryptedFields, field.draft.encryption == .none, column == Self.sealedColumn {
        findings.report(
          .reservedIdentifier, "'\(field.storedName)' is the column of the encrypted fields of '\(record.name)'",
          at: place, help: "write another stored name, for example `name: \(field.storedName)_2`")
      }
      guard field.draft.encryption == .none else { continue }
      if let earlier = columns[column] {
        findings.report(
          .duplicateEntry,
          "'\(earlier.text)' and '\(field.name)' have the same stored name, because case does not count",
          at: place, help: "write another `name` at one of the two",
          notes: [.init("the first one", at: earlier.place)])
      } else {
        columns[column] = field.node
      }
    }
  }
}

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

/// Checks that the descriptions of a record and of its fields say something. The rules are declared with those of keys.
struct RecordDescriptionRule: RecordRule {
  func check(_ record: DecodedRecord, _ run: CatalogRun, _ findings: inout Findings) {
    let node = record.body.value(of: "description") ?? record.node
    TerseDescriptionRule.check(record.draft.description, of: record.name, at: node, &findings)
    TodoInDescriptionRule.check(record.draft.description, at: node, &findings)
    for field in record.fields {
      guard let description = field.draft.description else { continue }
      TodoInDescriptionRule.check(description, at: field.place(of: "description"), &findings)
    }
  }
}
