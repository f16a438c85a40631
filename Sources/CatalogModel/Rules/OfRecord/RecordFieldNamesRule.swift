import CatalogSyntax
import StorageVocabulary

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
