import LocalDataModel
import LocalDataSyntax

/// A part of a JSON Schema (2020-12).
indirect enum JSONSchema: Sendable {
  case text
  case integer
  case flag
  case words([String])
  case constant(Int)
  /// A definition, by its name.
  case reference(String)
  case list(JSONSchema)
  case object([Property])
  /// An object whose names are those of a list, each with the same kind of value.
  case counts([String])
  /// An object with any names, each with the same kind of value.
  case map(JSONSchema)
  case either([JSONSchema])

  struct Property: Sendable {
    var name: String
    var schema: JSONSchema
    var isRequired = true
  }

  /// The schema as JSON on one line.
  var text: String {
    switch self {
    case .text: Self.object("string")
    case .integer: Self.object("integer")
    case .flag: Self.object("boolean")
    case .words(let words): JSONText.object([("enum", Self.list(words))])
    case .constant(let number): JSONText.object([("const", "\(number)")])
    case .reference(let name): JSONText.object([("$ref", JSONText.quoted("#/$defs/\(name)"))])
    case .list(let element): Self.object("array", [("items", element.text)])
    case .counts(let names): JSONSchema.object(names.map { Property(name: $0, schema: .integer) }).text
    case .object(let properties):
      Self.object(
        "object",
        [
          ("properties", JSONText.object(properties.map { ($0.name, $0.schema.text) })),
          ("required", Self.list(properties.filter(\.isRequired).map(\.name))),
        ])
    case .map(let element): Self.object("object", [("additionalProperties", element.text)])
    case .either(let schemas): JSONText.object([("anyOf", "[\(schemas.map(\.text).joined(separator: ", "))]")])
    }
  }

  private static func object(_ type: String, _ fields: [JSONText.Field] = []) -> String {
    JSONText.object([("type", JSONText.quoted(type))] + fields)
  }

  private static func list(_ texts: [String]) -> String { "[\(texts.map(JSONText.quoted).joined(separator: ", "))]" }
}

extension JSONSchema {
  static func required(_ name: String, _ schema: JSONSchema = .text) -> Property {
    Property(name: name, schema: schema)
  }

  static func optional(_ name: String, _ schema: JSONSchema = .text) -> Property {
    Property(name: name, schema: schema, isRequired: false)
  }

  /// The cases of an enum by their names.
  static func cases<Case: CaseIterable & RawRepresentable<String>>(of type: Case.Type) -> JSONSchema {
    .words(type.allCases.map(\.rawValue))
  }
}
