import LocalDataSyntax
import LocalDataVocabulary

/// A source of `sources` on its way from nodes.
struct ImportSourceDraft: Sendable {
  var domain: ForeignDomainDraft?
  var memberNode: SyntaxNode?
  var form: ResolvedSource.Form?
  var dates = DateForm.iso8601
  var using: SwiftName?
  var isExclusive = false
  var allowances: [Allowance] = []
  var description = ""
}

/// The place of a file of another library on its way from nodes.
struct ForeignDomainDraft: CaseDraft {
  var kind: StorageDomain.Kind
  var directory: ForeignDirectory?
  var identifier: String?
  var path: String?

  init(_ kind: StorageDomain.Kind) { self.kind = kind }
}

/// `importedFrom` of a record on its way from nodes.
struct ImportDraft: Sendable {
  var node: SyntaxNode
  var sourceNode: SyntaxNode?
  var entity: String?
  var table: String?
  var transform: SwiftName?
  var fields: [ImportedFieldDraft] = []
}

/// A field of `importedFrom` on its way from nodes.
struct ImportedFieldDraft: Sendable {
  var node: SyntaxNode
  var body: SyntaxNode
  var isRowID = false
  var attribute: String?
  var column: String?
  var type: ValueType?
  var transform: SwiftName?
  var isExternal = false
  var relationship: String?
  var entity: String?
  var table: String?
  var inverse: String?
  var fields: [ImportedFieldDraft] = []

  init(_ node: SyntaxNode, _ body: SyntaxNode) {
    self.node = node
    self.body = body
  }

  var name: String { node.text }
}

extension ResolvedSource.Form: CaseName {
  static let names = NameTable<Self>()
}

extension DateForm: CaseName {
  static let names = NameTable<Self>()
}

extension ForeignDirectory: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of a source, in the order in which `fmt` writes them.
  static let importSource = FieldTable<ImportSourceDraft>(
    "a source", what: "a map of the fields of a source",
    example: "oldNotes: {domain: {fileSystem: {directory: documents, path: notes.sqlite}}, form: sqlite, …}",
    [
      Field(
        "domain", "the place of a file", foreignDomain.shape, .optional("the key that 'member' names"),
        "The file of the store, by a directory and the path in it.",
        example: "{fileSystem: {directory: applicationSupport, path: DataModel.sqlite}}"
      ) { node, draft, context in
        draft.domain = foreignDomain.decode(node, &context)
        return draft.domain != nil
      },
      Field(
        "member", "the name of a key", .identifier, .optional("the file of 'domain'"),
        "A legacy key with a list, each element of which becomes a record.", example: "notesList"
      ) { $0.memberNode = $1 },
      Field(
        "form", .word("a form of a store"), .optional("that of the key"),
        "The form of the file: `coreData` for a store of Core Data, `sqlite` for tables of any other library.",
        example: "coreData"
      ) { $0.form = $1 },
      Field(
        "dates", .word("a form of dates"), .optional("iso8601"),
        "The form of dates in a store of the form `sqlite`. Text without an offset is in UTC.",
        example: "secondsSince1970"
      ) { $0.dates = $1 },
      Field(
        "using", .swiftName("the name of a type"), .optional("none"),
        "A type of the app that transforms values: `transform` names its methods. Its `init(_ router: StorageRouter) async "
          + "throws` is called once before the import, and may read legacy keys.", example: "OldWallet"
      ) { $0.using = $1 },
      Field(
        "exclusive", .flag, .optional("false"),
        "True if nothing else uses the source. `router.imports.removeSources()` removes it after the import, and "
          + "`removeAll(in:)` removes it too.", example: "true"
      ) { $0.isExclusive = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the source accepts, each with a reason.",
        example: "[{rule: unused-import, reason: The next release needs it.}]"
      ) { $0.allowances = $1 },
      Field(
        "description", .sentence, .required, "A sentence of two words or more that says what the source contains.",
        example: "The store of releases before 2.0."
      ) { $0.description = $1 },
    ])

  /// The place of a file of another library.
  static let foreignDomain = Choice<ForeignDomainDraft>(
    "the place of a file", .unknownDomain,
    example: "domain: {fileSystem: {directory: documents, path: notes.sqlite}}", fields: foreignDomainFields,
    [
      .init(kind: .fileSystem, summary: "A file of the app.", payload: .fields(["directory", "path"])),
      .init(
        kind: .appGroupFileSystem, summary: "A file that an app group shares.",
        payload: .fields(["identifier", "directory", "path"])),
    ])

  static let foreignDomainFields: [Field<ForeignDomainDraft>] = [
    Field(
      "identifier", .container("the identifier of an app group", isFileName: true),
      .optional("the configured app group"), "The identifier of the app group.", example: "group.com.example.account"
    ) { $0.identifier = $1 },
    Field(
      "directory", .word("a directory"), .required,
      "The directory of the file. `container` is the folder of an app group itself.", example: "applicationSupport"
    ) { $0.directory = $1 },
    Field(
      "path", .foreignPath, .required, "The path of the file in its directory, exactly as it is written on the disk.",
      example: "DataModel.sqlite"
    ) { $0.path = $1 },
  ]

  /// The fields of `importedFrom`.
  static let recordImport = FieldTable<ImportDraft>(
    "'importedFrom'", what: "a map with 'source', 'entity' and 'fields'",
    example: "importedFrom: {source: oldNotes, entity: NoteEntity, fields: {id: id}}",
    [
      Field(
        "source", "the name of a source", .identifier, .required, "The source that has the rows.", example: "oldWallet"
      ) { $0.sourceNode = $1 },
      Field(
        "entity", .text("the name of an entity"), .optional("the table"), "The entity of Core Data.",
        example: "CredentialDataEntity"
      ) { $0.entity = $1 },
      Field(
        "table", .text("the name of a table"), .optional("the entity"), "The table of a store of the form `sqlite`.",
        example: "credential"
      ) { $0.table = $1 },
      Field(
        "transform", .swiftName("the name of a function"), .optional("'fields'"),
        "The function from an element of a list to the record, for a source with `member`.", example: "OldNote.record"
      ) { $0.transform = $1 },
      Field(
        "fields", .importedFields(importedField), .optional("'transform'"),
        "The fields of the record, each with the attribute or column that it is read from. A field that is not here needs a "
          + "default or `?`.", example: "{id: id, exp: {attribute: exp, type: String, transform: date}}"
      ) { $0.fields = $1 },
    ])

  /// A field of an imported record.
  static let importedField = FieldTable<ImportedFieldDraft>(
    "an imported field", what: "the name of an attribute, or a map", example: "exp: {attribute: exp}",
    [
      Field(
        "rowID", .flag, .optional("false"),
        "True for a key that is made from the source, the table and the number of the row. It is the same at each import.",
        example: "true"
      ) { $0.isRowID = $1 }
    ] + importedColumn + [
      Field(
        "relationship", .text("the name of a relationship"), .optional("none"),
        "A relationship. For a field with `references` it leads to the imported record; for a list of structs it leads to the "
          + "rows of 'entity' or 'table'. With the form `sqlite` it is the column that refers to the row.",
        example: "claims"
      ) { $0.relationship = $1 },
      Field(
        "entity", .text("the name of an entity"), .optional("the table"), "The entity of the rows of a list.",
        example: "ClaimEntity"
      ) { $0.entity = $1 },
      Field(
        "table", .text("the name of a table"), .optional("the entity"), "The table of the rows of a list.",
        example: "claim"
      ) { $0.table = $1 },
      Field(
        "inverse", .text("the name of a relationship"), .optional("a hidden column or a join table"),
        "The relationship, or the column, by which the rows of a list refer to this one.", example: "history"
      ) { $0.inverse = $1 },
      Field(
        "fields", .importedFields(importedElement), .optional("none"), "The fields of the struct in the list.",
        example: "{claimKey: claimName}"
      ) { $0.fields = $1 },
    ])

  /// A field of a struct in an imported list.
  static let importedElement = FieldTable<ImportedFieldDraft>(
    "an imported field", what: "the name of an attribute, or a map", example: "name: {attribute: claimName}",
    importedColumn)

  private static let importedColumn: [Field<ImportedFieldDraft>] = [
    Field(
      "attribute", .text("the name of an attribute"), .optional("the field"),
      "The attribute of Core Data, or the column of a table.", example: "exp"
    ) { $0.attribute = $1 },
    Field(
      "column", .text("the name of a column"), .optional("that of the attribute"),
      "The name of the column in SQL, if it is not the usual one.", example: "ZEXP1"
    ) { $0.column = $1 },
    Field(
      "type", .importedType, .optional("the type of the field"),
      "The type of the column, which 'transform' takes. With `?` the transform gets nil where no value is stored.",
      example: "String"
    ) { $0.type = $1 },
    Field(
      "transform", .swiftName("the name of a function"), .optional("none"),
      "A function from the type of the column to that of the field: a method of the type in `using`, or a function by its "
        + "path. If it throws an error, the row is left out and reported.", example: "date"
    ) { $0.transform = $1 },
    Field(
      "externalStorage", .flag, .optional("false"),
      "True if Core Data may have stored the value in a separate file.", example: "true"
    ) { $0.isExternal = $1 },
  ]
}

extension ValueShape where Value == ValueType {
  fileprivate static var importedType: Self {
    Self(what: "a type", shape: .type) { node, _, context in context.valueType(node, in: .field) }
  }
}

extension ValueShape where Value == ImportDraft {
  static var recordImport: Self {
    let table = Language.recordImport
    return Self(what: table.what, shape: table.shape) { node, _, context in
      table.record(node, ImportDraft(node: node), &context)
    }
  }
}

extension ValueShape where Value == [ImportedFieldDraft] {
  /// A map from fields to the names of attributes, or to maps.
  fileprivate static func importedFields(_ table: FieldTable<ImportedFieldDraft>) -> Self {
    Self(what: "a map of fields", shape: .map(of: .either([.text, table.shape]))) { node, entry, context in
      guard context.mapping(node, "a map of fields", example: entry.written) else { return nil }
      let nodes = Array(node.fields)
      let fields = nodes.compactMap { key, body -> ImportedFieldDraft? in
        var field = ImportedFieldDraft(key, body)
        if body.kind == .mapping { return table.record(body, field, &context) }
        field.attribute = ValueShape<String>.text("the name of an attribute").decode(body, entry, &context)
        return field.attribute == nil ? nil : field
      }
      return fields.count == nodes.count ? fields : nil
    }
  }
}

extension ValueShape where Value == String {
  /// A path of a file of another library.
  fileprivate static var foreignPath: Self {
    Self(what: "a path", shape: .text) { node, entry, context in
      context.path(node, ofKey: false, example: entry.written)
    }
  }
}

extension DecodingContext {
  /// Returns the path of a file in its directory.
  ///
  /// - Parameter isOfKey: True if the library writes the file.
  mutating func path(_ node: SyntaxNode, ofKey isOfKey: Bool, example: String) -> String? {
    guard let path = scalar(node, "a path", example: example) else { return nil }
    let problem = ForeignPath.problem(path) ?? (isOfKey ? ForeignPath.problem(ofKey: path) : nil)
    guard let problem else { return path }
    findings.report(
      .invalidPath, problem, at: node, help: "write the path in its directory, for example `\(example)`")
    return nil
  }
}

/// The path of a file of another library.
enum ForeignPath {
  static func problem(_ path: String) -> String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if path.isEmpty { return "the path is empty" }
    if path.hasPrefix("/") || path.hasPrefix("~") { return "the path '\(path)' is absolute" }
    if parts.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
      return "the path '\(path)' contains '.' or '..'"
    }
    if parts.contains(where: \.isEmpty) { return "the path '\(path)' has an empty part" }
    if path.hasPrefix("LocalData/") { return "the path '\(path)' is in the folder of the library" }
    if ControlCharacters.occur(in: path) || path.contains("\\") {
      return "the path has a backslash or a control character"
    }
    return path.utf8.count > 512 || parts.contains { $0.count > 200 } ? "the path is too long" : nil
  }

  /// Returns the reason for which the library does not write a file.
  static func problem(ofKey path: String) -> String? {
    if path.hasPrefix(".")
      || path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") })
    {
      return "the path '\(path)' has a part that begins with '.'"
    }
    let lowercased = path.lowercased()
    let first = lowercased.prefix { $0 != "/" }
    let isInFolder = lowercased.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("localdata".utf8) }
    guard isInFolder || first == "preferences" || first.hasPrefix("keystore.") else { return nil }
    return "the path '\(path)' is that of a file of the library on Linux"
  }
}
