import LocalDataSyntax

/// The largest numbers of declarations.
enum CatalogLimits {
  /// The keys of a catalog.
  static let keys = 20_000
  /// The fields of a record.
  static let recordFields = 200
}

/// Rules of the document as a whole, which the decoder checks.
extension Rule {
  static let missingVersion = Rule(
    "missing-version", .document, "A catalog starts with `localdata: 1`.",
    why: "The version decides how the tool reads everything that follows.",
    bad: .file("catalog: Example"), good: .file("localdata: 1\ncatalog: Example"))

  static let unsupportedVersion = Rule(
    "unsupported-version", .document, "The version of the language is one that this tool reads.",
    why: "A field of another version can mean something else.",
    bad: .file("localdata: 2\ncatalog: Example"), good: .file("localdata: 1\ncatalog: Example"))

  static let unknownField = Rule(
    "unknown-field", .document, "A map has only the fields that the language gives it.",
    why: "A misspelt field would be ignored, and the value would be stored in another way than intended.",
    bad: .keys("theme: {typ: String, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let misplacedField = Rule(
    "misplaced-field", .document, "`defaults` has no field that each key must write itself.",
    why: "These fields tell one key from another, or are an exception that a reviewer must see at the key.",
    bad: .catalog("defaults: {description: A setting of the app.}"), good: .catalog("defaults: {owner: ExampleTeam}"))

  static let missingField = Rule(
    "missing-field", .document, "A required field or value is present.",
    why: "The tool does not guess where or how a value is stored.",
    bad: .keys("theme: {description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let notSupportedYet = Rule(
    "not-supported-yet", .document, "No field or value is one that only a later version of the tool supports.",
    why: "A catalog must not rely on something that does not happen yet.",
    bad: .keys("theme: {type: String, serializer: protobuf, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let wrongKind = Rule(
    "wrong-kind", .document, "A value is text, a list or a map, as its field requires.",
    why: "A value of another kind has no meaning in its field.",
    bad: .catalog("keys: [theme]"), good: .catalog("keys: {}"))

  static let unexpectedNull = Rule(
    "unexpected-null", .document,
    "A value is not `null`, `~` or empty, except where that means the configured value.",
    why: "An empty field is usually a value that was forgotten.",
    bad: .keys("theme: {type: String, name: null, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))

  static let commentCutsText = Rule(
    "comment-cuts-text", .document, "No comment follows plain text in a text field.",
    why: "A ` #` inside a sentence starts a comment, and the rest of the sentence is lost.",
    bad: .keys("theme:\n  type: String\n  description: The colour scheme #1 of the user."),
    good: .keys("theme:\n  type: String\n  description: \"The colour scheme #1 of the user.\""))

  static let tooManyKeys = Rule(
    "too-many-keys", .document, "A catalog has at most 20,000 keys.",
    why: "Larger catalogs would exceed the time and memory that the tool promises to need.",
    bad: .described("a catalog of 20,001 keys") {
      let keys = (0...CatalogLimits.keys).map { "  key\($0): {type: Int}\n" }
      return Array("\(Example.header)keys:\n\(keys.joined())".utf8)
    }, good: .catalog("keys: {}"))

  static let invalidAllowance = Rule(
    "invalid-allowance", .document, "An entry of `allow` names a rule that can be allowed, and a day as its end.",
    why: "An allowance that the tool cannot apply would hide nothing, or hide a defect.",
    bad: .keys(
      "theme:\n  type: String\n  description: The colour scheme the user chose.\n"
        + "  allow: [{rule: tersedescription, reason: The name says everything.}]"),
    good: .keys(
      "theme:\n  type: String\n  description: The theme.\n"
        + "  allow: [{rule: terse-description, reason: The name says everything.}]"))
}

/// Rules of names that become Swift, which the decoder checks.
extension Rule {
  static let invalidIdentifier = Rule(
    "invalid-identifier", .names, "Keys, parameters, fields, cases, types and catalogs have names of Swift.",
    why: "The name is emitted as a Swift declaration.",
    bad: .keys("user-theme: {type: String, description: The colour scheme the user chose.}"),
    good: .keys("userTheme: {type: String, name: user-theme, description: The colour scheme the user chose.}"))

  static let reservedIdentifier = Rule(
    "reserved-identifier", .names, "A name is not one that Swift or the emitted code needs.",
    why: "The emitted code would not compile, or would mean something else.",
    bad: .keys("init: {type: String, description: The colour scheme the user chose.}"),
    good: .keys("initialTheme: {type: String, name: init, description: The colour scheme the user chose.}"))

  static let invalidSwiftName = Rule(
    "invalid-swift-name", .names, "A type, function or module of the app is a dotted path of Swift names.",
    why: "The path is emitted as Swift code.",
    bad: .keys("note: {type: String, serializer: {custom: Note Serializer}, description: What the user wrote.}"),
    good: .keys("note: {type: String, serializer: {custom: NoteSerializer}, description: What the user wrote.}"))

  static let duplicateType = Rule(
    "duplicate-type", .names, "A type is declared once in a run.",
    why: "All catalogs of a run share their types, and each is emitted once.",
    bad: .files([
      ("A.yaml", "localdata: 1\ncatalog: A\ntypes:\n  Theme: {enum: [light, dark]}"),
      ("B.yaml", "localdata: 1\ncatalog: B\ntypes:\n  Theme: {enum: [light]}"),
    ]),
    good: .files([
      ("A.yaml", "localdata: 1\ncatalog: A\ntypes:\n  Theme: {enum: [light, dark]}"),
      ("B.yaml", "localdata: 1\ncatalog: B\ntypes:\n  Contrast: {enum: [normal, high]}"),
    ]))

  static let duplicateEntry = Rule(
    "duplicate-entry", .names, "A list of names, cases, upgrades, sources or elements of a set has each of them once.",
    why: "The second entry is a typing error, or would contradict the first.",
    bad: .catalog("imports: [AccountModels, AccountModels]"), good: .catalog("imports: [AccountModels]"))
}

/// Rules of the project file, and of what it asks of keys.
extension Rule {
  private static let anyCatalog = Example.keys("theme: {type: String, description: The colour scheme the user chose.}")

  static let invalidPolicy = Rule(
    "invalid-policy", .project, "A policy is an expression on the fields of a key, and its examples agree with it.",
    why: "A policy that cannot be evaluated would forbid nothing.", bad: nil, good: anyCatalog)

  static let unknownOwner = Rule(
    "unknown-owner", .project, "The owner of a key is one that the project file lists.",
    why: "A key of an owner that does not exist has no responsible team.", bad: nil, good: anyCatalog, isAllowable: true
  )

  static let outsideProject = Rule(
    "outside-project", .project, "The project file names paths in the folder of the project.",
    why: "A change of the project file could otherwise read or overwrite files anywhere on the machine.", bad: nil,
    good: anyCatalog)

  static let unknownRule = Rule(
    "unknown-rule", .project, "The project file gives severities to rules that exist.",
    why: "A misspelt rule would keep its severity.", bad: nil, good: anyCatalog)
}
