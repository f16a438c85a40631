import LocalDataSyntax

/// Rules of the imports of records from other libraries' stores.
extension Rule {
  static let unknownImport = Rule(
    "unknown-import", .records,
    "`importedFrom` names a source of the run, and a source has either a file with its form, or a legacy key with a list.",
    why: "The source says where the rows are, and in which form.",
    bad: .records(importedNote("source: oldNote, table: note, fields: {id: id}"), sources: noteSource),
    good: .records(importedNote("source: oldNotes, table: note, fields: {id: id}"), sources: noteSource))

  static let importField = Rule(
    "import-field", .records,
    "Each field of an imported record is in `fields`, or has a default or `?`. Each name in `fields` is a field.",
    why: "A record that lacks a value cannot be stored.",
    bad: .records(
      importedNote("source: oldNotes, table: note, fields: {id: id}", "text: {type: String, number: 2}"),
      sources: noteSource),
    good: .records(
      importedNote("source: oldNotes, table: note, fields: {id: id, text: body}", "text: {type: String, number: 2}"),
      sources: noteSource))

  static let importKey = Rule(
    "import-key", .records,
    "The key of an imported record is read from a column, or made with `{rowID: true}`, which only a key can be.",
    why: "A new key for each row would double the records if the rows were imported again.",
    bad: .records(
      importedNote("source: oldNotes, table: note, fields: {text: body}", "text: {type: String, number: 2}"),
      sources: noteSource),
    good: .records(
      importedNote(
        "source: oldNotes, table: note, fields: {id: {rowID: true}, text: body}", "text: {type: String, number: 2}"),
      sources: noteSource))

  static let importType = Rule(
    "import-type", .records,
    "A field that is read from a column has a type that a column contains, or a transform and the type that it takes.",
    why: "A column contains text, a number, a date or bytes. Only the app knows how it has stored anything else.",
    bad: .records(
      importedNote(
        "source: oldNotes, table: note, fields: {id: id, tags: tags}", "tags: {type: \"[String]\", number: 2}"),
      sources: noteSource),
    good: .records(
      importedNote(
        "source: oldNotes, table: note, fields: {id: id, tags: {attribute: tags, type: String, transform: Tags.list}}",
        "tags: {type: \"[String]\", number: 2}"), sources: noteSource))

  static let invalidPath = Rule(
    "invalid-path", .records,
    "The path of a file is relative to its directory, leads to no other folder, and not into the folder of the library.",
    why:
      "The files of another app, and those of the library itself, are no store of another library and no value of a key.",
    bad: .records(
      importedNote("source: oldNotes, table: note, fields: {id: id}"),
      sources: noteSource.replacingPath("../notes.sqlite")),
    good: .records(importedNote("source: oldNotes, table: note, fields: {id: id}"), sources: noteSource))

  static let unusedImport = Rule(
    "unused-import", .clarity, .warning, "A record is imported from each source.",
    why: "Nothing reads a source that no record names, so its rows are lost to the app.",
    bad: .records(
      "Note:\n  description: What the user wrote.\n  fields: {id: {type: UUID, number: 1}}", sources: noteSource),
    good: .records(importedNote("source: oldNotes, table: note, fields: {id: id}"), sources: noteSource))

  private static let noteSource =
    "sources:\n  oldNotes:\n    domain: {fileSystem: {directory: documents, path: notes.sqlite}}\n    form: sqlite\n"
    + "    description: The notes of releases before 2.0.\n"

  private static func importedNote(_ source: String, _ field: String? = nil) -> String {
    "Note:\n  description: What the user wrote.\n  importedFrom: {\(source)}\n"
      + "  fields:\n    id: {type: UUID, number: 1}" + (field.map { "\n    \($0)" } ?? "")
  }
}

extension String {
  fileprivate func replacingPath(_ path: String) -> String {
    split(separator: "notes.sqlite", omittingEmptySubsequences: false).joined(separator: path)
  }
}
