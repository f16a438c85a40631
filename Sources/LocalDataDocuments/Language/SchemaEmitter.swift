import LocalDataEmission
import LocalDataModel

/// The JSON Schema (2020-12) of catalogs, for the completion and the checks of editors.
///
/// Editors read YAML's own types: `name: 1.10` is a number to them, and text to a catalog. Text fields therefore accept
/// every scalar. The schema accepts every catalog that the generator accepts; rules between fields are not part of it.
package struct SchemaEmitter {
  private var output = ""
  private var depth = 0

  /// Returns the schema as a document that ends with a line end.
  package static func emit() -> String {
    var emitter = SchemaEmitter()
    emitter.writeObject([
      ("$schema", { $0.write("https://json-schema.org/draft/2020-12/schema") }),
      ("title", { $0.write("LocalData catalog, version \(Language.version)") }),
      ("$ref", { $0.write("#/$defs/catalog") }),
      (
        "$defs",
        { emitter in
          emitter.writeObject(
            Language.concepts.map { concept in
              (concept.identifier, { $0.writeRecord(concept.entries) })
            })
        }
      ),
    ])
    return emitter.output + "\n"
  }

  private typealias Member = (name: String, write: (inout SchemaEmitter) -> Void)

  // MARK: Shapes

  private mutating func writeRecord(_ entries: [FieldEntry]) {
    let required = entries.filter { $0.presence == .required && !$0.isInheritable }.map(\.name)
    var members: [Member] = [("type", { $0.write("object") })]
    members.append(
      (
        "properties",
        { emitter in emitter.writeObject(entries.map { entry in (entry.name, { $0.writeField(entry) }) }) }
      ))
    if !required.isEmpty { members.append(("required", { $0.write(required) })) }
    members.append(("additionalProperties", { $0.output += "false" }))
    writeObject(members)
  }

  private mutating func writeField(_ entry: FieldEntry) {
    var summary = entry.summary
    if case .optional(let text) = entry.presence { summary += " Default: \(text)." }
    var members: [Member] = [("description", { $0.write(summary) })]
    if entry.canBeUnset {
      members.append(
        (
          "anyOf",
          { emitter in
            emitter.writeArray([
              { $0.writeObject($0.members(of: entry.shape)) },
              { $0.writeObject([("const", { $0.write(Language.unset) })]) },
            ])
          }
        ))
    } else {
      members += self.members(of: entry.shape)
    }
    writeObject(members)
  }

  private mutating func writeShape(_ shape: Shape) { writeObject(members(of: shape)) }

  private func members(of shape: Shape) -> [Member] {
    switch shape {
    case .text, .storedName: return [("type", { $0.write(["string", "number", "boolean"]) })]
    // `true` is the name of a case here, and a Boolean value to an editor.
    case .identifier: return [("type", { $0.write(["string", "boolean"]) })]
    case .versionCondition, .date, .swiftName: return [("type", { $0.write("string") })]
    case .flag: return [("type", { $0.write("boolean") })]
    case .integer(let bounds):
      var members: [Member] = [
        ("type", { $0.write("integer") }), ("minimum", { $0.output += String(bounds.lowerBound) }),
      ]
      if bounds.upperBound < .max { members.append(("maximum", { $0.output += String(bounds.upperBound) })) }
      return members
    case .bounds:
      let number = #"(-?[0-9]+(\.[0-9]+)?)?"#
      return [("type", { $0.write("string") }), ("pattern", { $0.write("^\(number)\\.\\.\\.\(number)$") })]
    case .duration: return [("type", { $0.write("string") }), ("pattern", { $0.write("^[1-9][0-9]*[smhdw]$") })]
    case .word(let words):
      // The version of the language is a number to an editor.
      if words == [Language.version] { return [("const", { $0.output += Language.version })] }
      return [("enum", { $0.write(words) })]
    case .type:
      return [("type", { $0.write(["string", "array"]) })]
    case .literal: return []
    case .configured(let shape): return anyOf([shape], andNull: true)
    case .list(let element):
      return [("type", { $0.write("array") }), ("items", { $0.writeShape(element) })]
    case .map(let value):
      return [("type", { $0.write("object") }), ("additionalProperties", { $0.writeShape(value) })]
    case .record(let entries):
      if let concept = Language.concepts.first(where: { $0.entries.map(\.name) == entries.map(\.name) }) {
        return [("$ref", { $0.write("#/$defs/\(concept.identifier)") })]
      }
      return [
        ("type", { $0.write("object") }),
        (
          "properties",
          { emitter in emitter.writeObject(entries.map { entry in (entry.name, { $0.writeField(entry) }) }) }
        ),
        ("additionalProperties", { $0.output += "false" }),
      ]
    case .choice(let alternatives): return choice(alternatives)
    case .either(let shapes): return shapes.count == 1 ? members(of: shapes[0]) : anyOf(shapes, andNull: false)
    }
  }

  private func anyOf(_ shapes: [Shape], andNull: Bool) -> [Member] {
    [
      (
        "anyOf",
        { emitter in
          var elements: [(inout SchemaEmitter) -> Void] = shapes.map { shape in { $0.writeShape(shape) } }
          if andNull { elements.append { $0.writeObject([("type", { $0.write("null") })]) } }
          emitter.writeArray(elements)
        }
      )
    ]
  }

  private func choice(_ alternatives: [Shape.Alternative]) -> [Member] {
    let cases: [(inout SchemaEmitter) -> Void] = alternatives.flatMap {
      alternative -> [(inout SchemaEmitter) -> Void] in
      let name = alternative.name
      let plain: (inout SchemaEmitter) -> Void = { emitter in
        emitter.writeObject([
          ("const", { $0.write(name) }), ("description", { $0.write(alternative.summary) }),
        ])
      }
      func map(_ write: @escaping (inout SchemaEmitter) -> Void) -> (inout SchemaEmitter) -> Void {
        { emitter in
          emitter.writeObject([
            ("type", { $0.write("object") }), ("description", { $0.write(alternative.summary) }),
            ("properties", { $0.writeObject([(name, write)]) }),
            ("required", { $0.write([name]) }), ("additionalProperties", { $0.output += "false" }),
          ])
        }
      }
      // A field that a case requires can also be inherited, so its name alone is accepted.
      switch alternative.payload {
      case .none: return [plain]
      case .fields(let entries, _): return [plain, map { $0.writeShape(.record(entries)) }]
      case .value(let shape, _): return [plain, map { $0.writeShape(shape) }]
      }
    }
    return [("anyOf", { $0.writeArray(cases) })]
  }

  // MARK: JSON

  private mutating func writeObject(_ members: [Member]) {
    writeItems(
      members.map { member in
        {
          $0.write(member.name); $0.output += ": "; member.write(&$0)
        }
      }, "{", "}")
  }

  private mutating func writeArray(_ elements: [(inout SchemaEmitter) -> Void]) { writeItems(elements, "[", "]") }

  private mutating func writeItems(_ items: [(inout SchemaEmitter) -> Void], _ open: String, _ close: String) {
    output += open
    depth += 1
    for (index, item) in items.enumerated() {
      output += (index > 0 ? ",\n" : "\n") + String(repeating: "  ", count: depth)
      item(&self)
    }
    depth -= 1
    if !items.isEmpty { output += "\n" + String(repeating: "  ", count: depth) }
    output += close
  }

  private mutating func write(_ texts: [String]) {
    output += "["
    for (index, text) in texts.enumerated() {
      if index > 0 { output += ", " }
      write(text)
    }
    output += "]"
  }

  private mutating func write(_ text: String) {
    let bytes = OutputBuffer.collect { $0.writeJSON(text) }
    output += String(decoding: bytes, as: UTF8.self)
  }
}

extension Language.Concept {
  /// The name of the concept in the schema: `structField`.
  fileprivate var identifier: String {
    title.split(separator: " ").enumerated().map { index, word in
      index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }
}
