import LocalDataEmission

/// The form of a value in the JSON audit. The bytes and the schema follow from it, so neither can have what the other lacks.
struct JSONForm<Value>: Sendable {
  let schema: JSONSchema
  let write: @Sendable (inout OutputBuffer, Value) -> Void

  /// An object with fields in an order.
  static func object(_ fields: [JSONField<Value>]) -> Self {
    let writers = fields.map(\.write)
    return Self(schema: .object(fields.flatMap(\.properties))) { output, owner in
      output.write("{")
      var isFirst = true
      for write in writers where write(&output, owner, isFirst) { isFirst = false }
      output.write("}")
    }
  }

  /// A list on one line.
  static func list<Element>(of element: JSONForm<Element>) -> Self where Value == [Element] {
    Self(schema: .list(element.schema)) { $0.writeArray($1, element.write) }
  }

  /// A list with one element on each line, so that a diff shows which elements changed.
  static func lines<Element>(of element: JSONForm<Element>) -> Self where Value == [Element] {
    Self(schema: .list(element.schema)) { output, elements in
      output.writeLines("[", "]", elements, element.write)
    }
  }

  /// The same form as a definition of the schema.
  func named(_ name: String) -> Self { Self(schema: .reference(name), write: write) }
}

extension JSONForm<String> {
  static let text = Self(schema: .text) { $0.writeJSON($1) }
}

extension JSONForm<[String]> {
  static let texts = Self.list(of: .text)
}

extension JSONForm<Int> {
  static let integer = Self(schema: .integer) { $0.write($1) }
}

extension JSONForm<Bool> {
  static let flag = Self(schema: .flag) { $0.write($1 ? "true" : "false") }
}

extension JSONForm where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// A case by its name.
  static var word: Self { Self(schema: .cases(of: Value.self)) { $0.writeJSON($1.rawValue) } }
}

/// A field of an object, or several that are written together.
struct JSONField<Owner>: Sendable {
  var properties: [JSONSchema.Property]
  /// Writes the field, unless it is absent. Returns true if it is written.
  let write: @Sendable (inout OutputBuffer, Owner, _ isFirst: Bool) -> Bool

  static func required<Value>(
    _ name: StaticString, _ form: JSONForm<Value>, onOwnLine: Bool = false,
    _ value: @escaping @Sendable (Owner) -> Value
  ) -> Self {
    var field = optional(name, form, onOwnLine: onOwnLine) { .some(value($0)) }
    field.properties[0].isRequired = true
    return field
  }

  static func optional<Value>(
    _ name: StaticString, _ form: JSONForm<Value>, onOwnLine: Bool = false,
    _ value: @escaping @Sendable (Owner) -> Value?
  ) -> Self {
    Self(properties: [JSONSchema.optional(name.description, form.schema)]) { output, owner, isFirst in
      guard let value = value(owner) else { return false }
      if onOwnLine { output.write(isFirst ? "\n" : ",\n") }
      output.writeFieldName(name, isFirst: isFirst || onOwnLine)
      form.write(&output, value)
      return true
    }
  }
}

extension OutputBuffer {
  /// Writes elements on a line each, between two brackets.
  mutating func writeLines<Elements: Sequence>(
    _ start: StaticString, _ end: StaticString, _ elements: Elements,
    _ body: (inout OutputBuffer, Elements.Element) -> Void
  ) {
    write(start)
    var isFirst = true
    for element in elements {
      write(isFirst ? "\n" : ",\n")
      isFirst = false
      body(&self, element)
    }
    write("\n")
    write(end)
  }
}

extension OutputBuffer {
  /// Writes an object whose names are not known before.
  mutating func writeMap<Key, Value>(
    _ pairs: some Sequence<(Key, Value)>, _ name: (Key) -> String, _ body: (inout OutputBuffer, Value) -> Void
  ) {
    write("{")
    for (index, (key, value)) in pairs.enumerated() {
      if index > 0 { write(",") }
      writeJSON(name(key))
      write(":")
      body(&self, value)
    }
    write("}")
  }
}

extension Array {
  /// Nil if there are no elements.
  var nonEmpty: Self? { isEmpty ? nil : self }
}
