/// The rules of the strict subset of YAML: what the reader checks before the language has a say.
extension Rule {
  /// The rules of the reader, in the order in which they are listed.
  package static let ofReader: [Rule] = [
    .fileTooLarge, .notUTF8, .lineEnd, .controlCharacter, .bidirectionalControl, .directive, .anchor, .alias, .tag,
    .mergeKey, .secondDocument, .indentation, .tab, .textAfterEnd, .unterminated, .tooDeep, .notYAML, .duplicateField,
    .emptyKey, .keyNotText, .missingColon, .missingValue, .unquotedText, .unknownEscape, .lookAlike, .blockText,
    .textTooLong, .tooManyFindings, .outOfMemory,
  ]

  private static let plainCatalog = Example.catalog("keys: {}")

  // MARK: Bytes and lines

  static let fileTooLarge = Rule(
    "file-too-large", .file, "A file has at most 16 MiB.",
    why: "The reader keeps a whole file in memory, and a catalog of 20,000 keys needs less.",
    bad: .described("a file of 16 MiB and one byte") {
      [UInt8](repeating: UInt8(ascii: "#"), count: CatalogReader.maximumSize + 1)
    }, good: plainCatalog)

  static let notUTF8 = Rule(
    "not-utf8", .file, "A file is UTF-8.",
    why: "In another encoding the same bytes are other text, and stored names would differ between two machines.",
    bad: .described("a file saved as Latin-1, with the byte 0xE9 for 'é'") {
      Array("# caf".utf8) + [0xE9] + Array("\nlocaldata: 1\n".utf8)
    }, good: .catalog("# café\nkeys: {}"))

  static let lineEnd = Rule(
    "line-end", .file, "Lines end with LF or CR LF, and with nothing else.",
    why: "Editors and YAML disagree on other line ends: a comment could end where no reader sees it.",
    bad: .described("# a comment<U+2028>keys: {}") { Array("\(Example.header)# a comment\u{2028}keys: {}\n".utf8) },
    good: .catalog("# a comment\nkeys: {}"))

  static let controlCharacter = Rule(
    "control-character", .file, "A file has no control characters. Escapes in double quotes may produce them.",
    why: "They are invisible, and a terminal may obey them.",
    bad: .described("# a bell: <U+0007>") { Array("\(Example.header)# a bell: \u{7}\n".utf8) },
    good: .catalog("# a bell: U+0007\nkeys: {}"))

  static let bidirectionalControl = Rule(
    "bidirectional-control", .file,
    "A file has no characters that change the direction of text. Escapes in double quotes may produce them.",
    why: "They let a reviewer see other text than the tool reads (\"Trojan Source\", CVE-2021-42574).",
    bad: .described("# security: <U+202E>enon") { Array("\(Example.header)# security: \u{202E}enon\n".utf8) },
    good: .keys(#"theme: {type: String, description: "A text in two directions, as in \u2067this\u2069."}"#))

  // MARK: Features of YAML that a catalog does without

  static let directive = Rule(
    "directive", .file, "A file has no % directives.",
    why: "A directive changes how YAML reads the file; a catalog means the same for every reader.",
    bad: .file("%YAML 1.2\n---\nlocaldata: 1\ncatalog: Example"), good: .file("localdata: 1\ncatalog: Example"))

  static let anchor = Rule(
    "anchor", .file, "A file has no & anchors.",
    why: "A value is written where it is used, so that a reviewer sees it there. Use `defaults` to share fields.",
    bad: .keys("theme: {type: String, description: &text The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let alias = Rule(
    "alias", .file, "A file has no * aliases.",
    why: "A value is written where it is used, so that a reviewer sees it there. Use `defaults` to share fields.",
    bad: .keys("theme: {type: String, description: *text}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let tag = Rule(
    "tag", .file, "A file has no ! tags.",
    why: "A field decides what its value means, and nothing else does.",
    bad: .keys("theme: {type: !swift String, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let mergeKey = Rule(
    "merge-key", .file, "A file has no << merge keys.",
    why: "A merged field is not visible where it applies. Use `defaults` to share fields.",
    bad: .catalog("keys:\n  theme:\n    <<: common"), good: .catalog("defaults: {owner: ExampleTeam}\nkeys: {}"))

  static let secondDocument = Rule(
    "second-document", .file, "A file has one document.",
    why: "Outputs are named after the file, so it can hold one catalog only.",
    bad: .file("localdata: 1\ncatalog: Example\n---\nlocaldata: 1\ncatalog: Other"),
    good: .file("localdata: 1\ncatalog: Example"))

  // MARK: The shape of a file

  static let indentation = Rule(
    "indentation", .file, "A line has the indentation of its neighbours.",
    why: "The indentation decides to which map a field belongs.",
    bad: .catalog("defaults:\n   owner: ExampleTeam\n  security: none"),
    good: .catalog("defaults:\n  owner: ExampleTeam\n  security: none"))

  static let tab = Rule(
    "tab", .file, "No tab indents a line.",
    why: "Editors show a tab in different widths, so YAML refuses it.",
    bad: .described("defaults:\n<tab>owner: ExampleTeam") {
      Array("\(Example.header)defaults:\n\towner: ExampleTeam\n".utf8)
    }, good: .catalog("defaults:\n  owner: ExampleTeam"))

  static let textAfterEnd = Rule(
    "text-after-end", .file, "Nothing follows the end of the catalog.",
    why: "What follows would be ignored.",
    bad: .file("{localdata: 1, catalog: Example}\n}"), good: .file("{localdata: 1, catalog: Example}"))

  static let unterminated = Rule(
    "unterminated", .file, "Each quote, { and [ is closed.",
    why: "Without its end, the rest of the file is part of the value.",
    bad: .keys("theme: {type: String, description: The colour scheme the user chose."),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let tooDeep = Rule(
    "too-deep", .file, "Maps and lists are nested at most 64 deep.",
    why: "No field needs more than a few levels, and the parser's time grows with the square of the depth.",
    bad: .described("a list in 64 others") {
      let depth = TreeBuilder.maximumDepth + 1
      return Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }, good: plainCatalog)

  static let notYAML = Rule(
    "not-yaml", .file, "A file can be read as YAML.",
    why: "The parser refuses the text for a reason that no other rule names.",
    bad: nil, good: plainCatalog)

  // MARK: Fields and their values

  static let duplicateField = Rule(
    "duplicate-field", .file, "A map has each field once.",
    why: "Parsers disagree on whether the first or the last one counts.",
    bad: .keys("theme: {type: String, type: Int, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let emptyKey = Rule(
    "empty-key", .file, "A field has a name.",
    why: "A value without a name has no meaning in a catalog.",
    bad: .file(": ExampleTeam"), good: .catalog("defaults: {owner: ExampleTeam}"))

  static let keyNotText = Rule(
    "key-not-text", .file, "The name of a field is text.",
    why: "Fields and keys are named by text, never by a list or a map.",
    bad: .catalog("[keys]: none"), good: plainCatalog)

  static let missingColon = Rule(
    "missing-colon", .file, "The name of a field is followed by a colon and a space.",
    why: "Without them YAML reads the name as text.",
    bad: .catalog("defaults\nkeys: {}"), good: .catalog("defaults: {owner: ExampleTeam}\nkeys: {}"))

  static let missingValue = Rule(
    "missing-value", .file, "There is a value wherever one must be.",
    why: "A comma without a value before it is usually a value that was lost.",
    bad: .catalog("imports: [,]"), good: .catalog("imports: [AccountModels]"))

  static let unquotedText = Rule(
    "unquoted-text", .file, "Text that YAML would read as something else is in quotes.",
    why: "A colon, or a first character such as @ or `, has a meaning in YAML.",
    bad: .keys("theme: {type: String, description: Note: the colour scheme the user chose.}"),
    good: .keys(#"theme: {type: String, description: "Note: the colour scheme the user chose."}"#))

  static let unknownEscape = Rule(
    "unknown-escape", .file, "A backslash in double quotes starts an escape of YAML.",
    why: "An unknown escape is a typing error, or text that belongs in single quotes.",
    bad: .keys(#"theme: {type: String, description: "The path C:\queue of the queue."}"#),
    good: .keys(#"theme: {type: String, description: 'The path C:\queue of the queue.'}"#))

  package static let lookAlike = Rule(
    "look-alike", .file,
    "Quotes, signs and spaces are those of the keyboard, wherever YAML needs them, and in names. Escapes in double quotes "
      + "may produce others.",
    why: "Typographic quotes, full-width signs and special spaces look the same and are part of the text for YAML.",
    bad: .keys("theme: {type: String, description: “The colour scheme the user chose.”}"),
    good: .keys(#"theme: {type: String, description: "The colour scheme the user chose."}"#))

  static let blockText = Rule(
    "block-text", .file, "Only -, +, a digit and a comment follow | or >.",
    why: "A block of text starts on the next line.",
    bad: .catalog("defaults: |owner\n  ExampleTeam"), good: .catalog("defaults:\n  owner: |\n    ExampleTeam"))

  static let textTooLong = Rule(
    "text-too-long", .file, "A text has at most 64 KiB.",
    why: "No field needs more, and what is longer is usually data in the wrong place.",
    bad: .described("a text of 64 KiB and one byte") {
      Array("# text\nlocaldata: \(String(repeating: "1", count: TreeBuilder.maximumText + 1))\n".utf8)
    }, good: plainCatalog)

  // MARK: The reader itself

  static let tooManyFindings = Rule(
    "too-many-findings", .file, "After 1,000 findings the rest of a file is not reported.",
    why: "A file of nothing but errors would fill the memory with them.",
    bad: .described("a list of 1,001 aliases") { Array("[\(String(repeating: "*a, ", count: 1_002))*a]".utf8) },
    good: plainCatalog)

  static let outOfMemory = Rule(
    "out-of-memory", .file, "There is memory to read the file.",
    why: "The system gave the parser no more memory.",
    bad: nil, good: plainCatalog)
}
