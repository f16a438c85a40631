import Foundation
import TestSupport
import Testing

/// Edits of a catalog with records after a release: what the tool reports, and what is accepted if its help is followed.
@Suite struct RecordReleaseTests {
  struct Edit: Sendable, CustomTestStringConvertible {
    /// The text of the catalog that is replaced, and the new text.
    var old, new: String
    /// The line of the finding, and its rule.
    var line: Int
    var rule: String
    /// The text that the help gives, and its replacement in the catalog.
    var help: (text: String, old: String, new: String)

    var testDescription: String { rule }
  }

  static let edits = [
    Edit(
      old: "      title: {type: String?, number: 3}\n", new: "", line: 9, rule: "released-field-removed",
      help: (
        "`reserved: {numbers: [3], names: [title]}`", "    description: Text with a title.\n",
        "    reserved: {numbers: [3], names: [title]}\n    description: Text with a title.\n"
      )),
    Edit(
      old: "text: {type: String, number: 2}", new: "text: {type: Int, number: 2}", line: 12,
      rule: "released-field-type-changed",
      help: ("write `type: String` again", "text: {type: Int, number: 2}", "text: {type: String, number: 2}")),
    Edit(
      old: "    description: Text with a title.\n",
      new: "      size: {type: Int, number: 4}\n    description: Text with a title.\n",
      line: 14,
      rule: "released-field-required",
      help: ("`type: Int?`", "size: {type: Int, number: 4}", "size: {type: Int?, number: 4}")),
    Edit(
      old: "  Note:\n", new: "  Memo:\n", line: 9, rule: "released-record-removed",
      help: ("`name: Note`", "  Memo:\n", "  Memo:\n    name: Note\n")),
    Edit(
      old: "directory: documents", new: "directory: caches", line: 6, rule: "released-database-moved",
      help: (
        "`{domain: {fileSystem: {directory: documents}}, name: notes}` to `movedFrom`", "directory: caches}},",
        "directory: caches}}, movedFrom: [{domain: {fileSystem: {directory: documents}}, name: notes}],"
      )),
    Edit(
      old: "directory: documents", new: "directory: caches", line: 6, rule: "released-database-moved",
      help: ("`domain: {fileSystem: {directory: documents}}`", "directory: caches", "directory: documents")),
    Edit(
      old: "text: {type: String, number: 2}", new: "text: {type: String, number: 2, unique: true}", line: 12,
      rule: "released-unique-added", help: ("remove the `unique` of 'text'", ", unique: true", "")),
  ]

  static let catalog = """
    localdata: 1
    catalog: Notes
    defaults: {owner: Team}

    databases:
      notes: {domain: {fileSystem: {directory: documents}}, description: What the user wrote.}

    records:
      Note:
        fields:
          id: {type: UUID, number: 1, default: new}
          text: {type: String, number: 2}
          title: {type: String?, number: 3}
        description: Text with a title.

    """

  @Test(arguments: edits) func aChangeThatLosesRowsIsReported(_ edit: Edit) throws {
    let tool = try Tool()
    try tool.write("Catalogs/Notes.yaml", Self.catalog)
    #expect(try tool.run("release", "1.0").code == 0)
    #expect(try tool.run("validate").code == 0)
    let changed = Self.catalog.replacingOccurrences(of: edit.old, with: edit.new)
    try #require(changed != Self.catalog)
    try tool.write("Catalogs/Notes.yaml", changed)
    let finding = try tool.run("validate")
    #expect(finding.code == 1)
    let text = finding.output + finding.errors
    #expect(text.contains("Catalogs/Notes.yaml:\(edit.line):"), "\(text)")
    #expect(text.contains("error: release 1.0 ") && text.contains("[\(edit.rule)]"), "\(text)")
    #expect(text.contains(edit.help.text), "\(text)")
    #expect(try tool.run("generate").code == 1)

    let mended = changed.replacingOccurrences(of: edit.help.old, with: edit.help.new)
    try #require(mended != changed)
    try tool.write("Catalogs/Notes.yaml", mended)
    let result = try tool.run("validate")
    #expect(result.code == 0, "\(result.output)")
    #expect(try tool.run("generate").code == 0)
  }

  /// `diff --scaffold` prints what the catalog needs, and pasted as it is printed, it mends the findings.
  @Test func theScaffoldIsPastedAsItIsPrinted() throws {
    let tool = try Tool()
    let visit = "  Visit:\n    fields: {id: {type: UUID, number: 1}}\n    description: One visit of the user.\n"
    try tool.write("Catalogs/Notes.yaml", Self.catalog + visit)
    #expect(try tool.run("release", "1.0").code == 0)
    let changed = Self.catalog.replacing("      title: {type: String?, number: 3}\n", with: "")
    try tool.write("Catalogs/Notes.yaml", changed)
    let output = try tool.run("diff", "--against", "1.0", "--scaffold").output
    let edit = "    reserved: {numbers: [3], names: [title]}\n"
    let reserved = "reserved:\n"
    let entry = "  - {record: Visit, database: notes}\n"
    #expect(
      output == """
        # Catalogs/Notes.yaml
        records:
          Note:
            # release 1.0 stored 'title' (3) of 'Note', and nothing declares or reserves the number now
        \(edit)\(reserved)\
          # release 1.0 stored rows of 'Visit' in 'notes', and nothing declares the record there now
          # no record has these rows any more
        \(entry)
        """)
    try tool.write("Catalogs/Notes.yaml", changed.replacing("  Note:\n", with: "  Note:\n\(edit)") + reserved + entry)
    let mended = try tool.run("validate")
    #expect(mended.code == 0, "\(mended.output)")
    #expect(try tool.run("release", "1.1").code == 0)
    // A later record does not take the table.
    try tool.write("Catalogs/Notes.yaml", changed.replacing("  Note:\n", with: "  Note:\n\(edit)") + visit)
    let reused = try tool.run("validate")
    #expect(reused.output.contains("release 1.1 reserved the record 'Visit' of 'notes'"), "\(reused.output)")
  }

  /// A field with another type, encryption or wire form gets a new number, and is made from the released one.
  @Test(arguments: [
    (
      "text: {type: String, number: 2", "text: {type: Int, number: 2", "as 'String', and it is read as 'Int' now",
      "text", "type: String", #""text.4" INTEGER"#
    ),
    (
      "title: {type: String?, number: 3", "title: {type: String?, encrypted: true, number: 3",
      "without encryption, and it is read encrypted now", "title", "type: String?", #""sealed" BLOB"#
    ),
  ])
  func aChangedFieldIsMadeFromTheReleasedOne(
    _ old: String, _ new: String, _ difference: String, _ name: String, _ type: String, _ column: String
  ) throws {
    let tool = try Tool()
    try tool.write("Catalogs/Notes.yaml", Self.catalog)
    #expect(try tool.run("release", "1.0").code == 0)
    let changed = Self.catalog.replacing(old, with: new)
    try tool.write("Catalogs/Notes.yaml", changed)
    let number = old.suffix(1)
    let field = "number: 4, from: {number: \(number), \(type), transform: \(name.capitalized)Migration.apply}"
    let reserved = "    reserved: {numbers: [\(number)]}\n"
    #expect(
      try tool.run("diff", "--against", "1.0", "--scaffold").output == """
        # Catalogs/Notes.yaml
        records:
          Note:
            # release 1.0 stored '\(name)' (\(number)) of 'Note' \(difference)
            fields:
              \(name): {\(field)}
        \(reserved)
        """)
    let pasted = changed.replacing(new, with: new.replacing("number: \(number)", with: field))
    try tool.write("Catalogs/Notes.yaml", pasted.replacing("  Note:\n", with: "  Note:\n\(reserved)"))
    let mended = try tool.run("validate")
    #expect(mended.code == 0, "\(mended.output)")
    #expect(try tool.run("generate").code == 0)
    let difference = try tool.run("diff", "--against", "1.0").output
    let sealing =
      #"  -- in each row of "Note": seal an empty part; a release that has no encrypted fields in it cannot open the "#
      + "database from then on\n"
    #expect(
      difference.contains(
        """
        database 'notes': the first use of a file of release 1.0 runs
          ALTER TABLE "Note" ADD COLUMN \(column);
        \(column.contains("sealed") ? sealing : "")\
          -- in each row of "Note": \(name) (4) from \(number) by \(name.capitalized)Migration.apply
          UPDATE "Note" SET "\(name)" = NULL WHERE "\(name)" IS NOT NULL;

        """), "\(difference)")
  }

  @Test func aRenamedFieldKeepsItsValues() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Notes.yaml", Self.catalog)
    #expect(try tool.run("release", "1.0").code == 0)
    try tool.write("Catalogs/Notes.yaml", Self.catalog.replacingOccurrences(of: "      text:", with: "      body:"))
    #expect(try tool.run("validate").code == 0)
  }

  /// An older tool reads the snapshots of catalogs without records.
  @Test func onlyCatalogsWithRecordsNeedTheNewFormat() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Notes.yaml", Self.catalog)
    #expect(try tool.run("release", "1.0").code == 0)
    #expect(try tool.read("Catalogs/Releases/1.0.json").hasPrefix("{\n  \"format\": 2,\n"))
  }
}
