import LocalDataSyntax

/// A type of `types` on its way from nodes.
struct TypeDraft: Sendable {
  var description = ""
  var enumNode: SyntaxNode?
  var rawNode: SyntaxNode?
  var fieldsNode: SyntaxNode?
  var swiftNode: SyntaxNode?
  var allowances: [Allowance] = []
  var reserved: [ReservedFields]?
}

/// A case of an enum on its way from nodes.
struct EnumCaseDraft: Sendable {
  var name: String
  var node: SyntaxNode
  var raw: SyntaxNode?
  var description: String?
}

/// A field of a struct on its way from nodes.
struct StructFieldDraft: Sendable {
  var typeNode: SyntaxNode?
  var defaultNode: SyntaxNode?
  var number: Int?
  var description: String?
}

extension Language {
  /// The fields of a type.
  static let type = FieldTable<TypeDraft>(
    "a type", what: "a map that says what the type is", example: "Theme: {enum: [light, dark]}",
    [
      Field(
        "description", .prose("a description"), .optional("none"), "What the type is for.",
        example: "The colour scheme of the app."
      ) { $0.description = $1 },
      Field(
        "raw", "a type of raw values", .word(["String", "Int"]), .optional("String"),
        "The type of an enum's raw values.",
        example: "Int"
      ) { $0.rawNode = $1 },
      Field(
        "enum", "a list or a map of cases",
        .either([.list(of: .identifier), .map(of: .either([.text, enumCase.shape]))]), .optional("none"),
        "The cases of an enum, with their raw values if they are not the names.", example: "[light, dark]"
      ) { $0.enumNode = $1 },
      Field(
        "fields", "a map of fields", .map(of: .either([.type, structField.shape])), .optional("none"),
        "The fields of a struct.", example: "{street: String}"
      ) { $0.fieldsNode = $1 },
      Field(
        "swift", "the name of a type in Swift", .swiftName, .optional("none"), "A type of the app.",
        example: "AccountModels.Profile"
      ) { $0.swiftNode = $1 },
      Field(
        "reserved", .reservedFields, .optional("none"),
        "The numbers and names of fields that a struct had in earlier releases. No field may use them again. With `cleanup: delete` "
          + "a stored value disappears when its record is written the next time.",
        example: "{numbers: [3], names: [purpose]}"
      ) { $0.reserved = $1 },
      Field(
        "allow", .allowances, .optional("none"), "Findings that the type accepts, each with a reason.",
        example: "[{rule: unused-type, reason: Another package stores it.}]"
      ) { $0.allowances = $1 },
    ])

  /// The fields of a case of an enum.
  static let enumCase = FieldTable<EnumCaseDraft>(
    "a case", what: "a map of the fields of a case", example: "light: {raw: light, description: Dark text on white.}",
    [
      Field(
        "raw", "a raw value", .text, .optional("the name"), "The raw value, which is what is stored.", example: "light"
      ) { $0.raw = $1 },
      Field(
        "description", .prose("a description"), .optional("none"), "What the case means.",
        example: "Easy on the eyes at night."
      ) { $0.description = $1 },
    ])

  /// The fields of a field of a struct.
  static let structField = FieldTable<StructFieldDraft>(
    "a struct's field", what: "a type, or a map with 'type'", example: "zip: {type: String, default: \"\"}",
    [
      Field("type", "a type", .type, .required, "The type of the field.", example: "String") { $0.typeNode = $1 },
      Field(
        "number", .fieldNumber, .optional("none"),
        "The number of the field in the wire format. It is required if a record uses the struct. It stays the same when "
          + "the field is renamed, and no other field of the struct ever gets it.", example: "1"
      ) { $0.number = $1 },
      Field(
        "default", "a default", .literal, .optional("none"), "The value of a field that is missing in stored bytes.",
        example: "\"\""
      ) { $0.defaultNode = $1 },
      Field(
        "description", .prose("a description"), .optional("none"), "What the field is.",
        example: "Empty if the country has none."
      ) { $0.description = $1 },
    ])
}
