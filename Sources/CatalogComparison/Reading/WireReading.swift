import CatalogModel

/// Decides whether columns of records can be read as another type. The wire format finds the fields of structs by number.
extension ReadingCheck {
  /// - Parameters:
  ///   - old: The type of a released field, without `?`.
  ///   - new: The type that it has now, without `?`.
  func recordObstacles(_ old: String, _ new: String) -> [Obstacle] {
    guard RecordColumnForm(old, oldTypes) == .wire else { return typeObstacles(old, new) }
    var seen: Set<String> = []
    return wireObstacles(old, new, &seen)
  }

  private func wireObstacles(_ old: String, _ new: String, _ seen: inout Set<String>) -> [Obstacle] {
    guard let before = TypeExpression(known: old), let now = TypeExpression(known: new) else { return [] }
    // The merge has compared the types themselves.
    return Set(before.names).sorted().flatMap { name -> [Obstacle] in
      guard now.names.contains(name), seen.insert(name).inserted else { return [] }
      guard case .structure(let fields)? = oldTypes[name]?.form, case .structure(let newFields)? = newTypes[name]?.form
      else { return typeObstacles(name, name) }
      return structObstacles(fields, newFields, name, &seen)
    }
  }

  private func structObstacles(
    _ old: [DeclaredType.Field], _ new: [DeclaredType.Field], _ name: String, _ seen: inout Set<String>
  ) -> [Obstacle] {
    let before = Dictionary(old.compactMap { field in field.number.map { ($0, field) } }) { first, _ in first }
    return new.flatMap { field -> [Obstacle] in
      guard let earlier = field.number.flatMap({ before[$0] }) else { return missing(field, old, name) }
      let plain = (earlier.plainType, field.plainType)
      if earlier.isOptional, !field.isOptional, field.defaultValue == .absent { return missing(field, [], name) }
      if plain.0 != plain.1 {
        // A Float and a Double have different sizes in the wire format.
        let isFloat = plain.0 == "Float"
        guard isFloat || !typeObstacles(plain.0, plain.1).isEmpty else { return [] }
        return [
          Obstacle(
            kind: .type, reason: "with '\(name).\(earlier.name)' as '\(plain.0)', and it is read as '\(plain.1)'")
        ]
      }
      return wireObstacles(plain.0, plain.1, &seen)
    }
  }

  /// A field that stored bytes do not have. The wire format leaves zero values out, so those need no default.
  private func missing(_ field: DeclaredType.Field, _ old: [DeclaredType.Field], _ name: String) -> [Obstacle] {
    if let earlier = old.first(where: { $0.name == field.name }), let number = earlier.number {
      return [
        Obstacle(
          kind: .type, reason: "with the number \(number) of '\(name).\(field.name)', which is \(field.number ?? 0) now"
        )
      ]
    }
    guard !field.isOptional, field.defaultValue == .absent, !hasZero(field.type) else { return [] }
    return [Obstacle(kind: .type, reason: "without '\(name).\(field.name)', which has neither a default nor a '?'")]
  }

  private func hasZero(_ type: String) -> Bool {
    if case .name(let name)? = TypeExpression(known: type) {
      return newTypes[name] == nil && !["Date", "UUID", "URL", "Decimal"].contains(name)
    }
    return true
  }
}

extension DeclaredType.Field {
  fileprivate var isOptional: Bool { type.hasSuffix("?") }
  fileprivate var plainType: String { isOptional ? String(type.dropLast()) : type }
}
