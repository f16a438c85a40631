import LocalDataModel

/// Decides whether columns of records can be read as another type. The wire format finds the fields of structs by number.
extension ReadingCheck {
  /// - Parameters:
  ///   - old: The type of a released field, without `?`.
  ///   - new: The type that it has now, without `?`.
  func recordObstacles(_ old: String, _ new: String) -> [Obstacle] {
    guard RecordColumnForm(old, oldTypes) == .wire else { return typeObstacles(old, new) }
    var seen: Set<[String]> = []
    return wireObstacles(old, new, &seen)
  }

  private func wireObstacles(_ old: String, _ new: String, _ seen: inout Set<[String]>) -> [Obstacle] {
    guard let before = TypeExpression(known: old), let now = TypeExpression(known: new) else {
      return typeObstacles(old, new)
    }
    return wireObstacles(before, now, &seen)
  }

  private func wireObstacles(
    _ old: TypeExpression, _ new: TypeExpression, _ seen: inout Set<[String]>
  ) -> [Obstacle] {
    switch (old, new) {
    case (.list(let before), .list(let now)), (.set(let before), .set(let now)), (.list(let before), .set(let now)),
      (.set(let before), .list(let now)), (.optional(let before), .optional(let now)):
      return wireObstacles(before, now, &seen)
    case (.map(let key, let value), .map(let newKey, let newValue)):
      return wireObstacles(key, newKey, &seen) + wireObstacles(value, newValue, &seen)
    case (.name(let before), .name(let now)):
      if case .structure(let fields)? = oldTypes[before]?.form, case .structure(let newFields)? = newTypes[now]?.form {
        guard seen.insert([before, now]).inserted else { return [] }
        return structObstacles(fields, newFields, now, &seen)
      }
      // A Float and a Double have different sizes in the wire format.
      if before == "Float", now == "Double" {
        return [Obstacle(kind: .type, reason: "as 'Float', and it is read as 'Double'")]
      }
      return typeObstacles(before, now)
    case (.name, _), (.list, _), (.set, _), (.map, _), (.optional, _): return typeObstacles(old.text, new.text)
    }
  }

  private func structObstacles(
    _ old: [DeclaredType.Field], _ new: [DeclaredType.Field], _ name: String, _ seen: inout Set<[String]>
  ) -> [Obstacle] {
    let before = Dictionary(old.compactMap { field in field.number.map { ($0, field) } }) { first, _ in first }
    let reserved = Set((newTypes[name]?.reservedNumbers ?? [:]).keys)
    return new.flatMap { field -> [Obstacle] in
      guard let earlier = field.number.flatMap({ before[$0] }) else { return missing(field, old, reserved, name) }
      let plain = (earlier.plainType, field.plainType)
      if earlier.isOptional, !field.isOptional, field.defaultValue == .absent {
        return [
          Obstacle(
            kind: .type,
            reason:
              "with '\(name).\(earlier.name)' as '\(earlier.type)', and a missing value cannot be read as '\(field.type)'",
            isMissing: true
          )
        ]
      }
      let obstacles = wireObstacles(plain.0, plain.1, &seen)
      if plain.0 != plain.1, !obstacles.isEmpty {
        return [
          Obstacle(
            kind: .type, reason: "with '\(name).\(earlier.name)' as '\(plain.0)', and it is read as '\(plain.1)'")
        ]
      }
      let absence = changedAbsence(
        (earlier.type, earlier.defaultValue), (field.type, field.defaultValue))
      return obstacles + (absence.map { [Obstacle(kind: .type, reason: "with '\(name).\(earlier.name)' \($0)")] } ?? [])
    }
  }

  /// A field that stored bytes do not have.
  private func missing(
    _ field: DeclaredType.Field, _ old: [DeclaredType.Field], _ reserved: Set<Int>, _ name: String
  ) -> [Obstacle] {
    if let earlier = old.first(where: { $0.name == field.name }), let number = earlier.number,
      !reserved.contains(number)
    {
      return [
        Obstacle(
          kind: .type, reason: "with the number \(number) of '\(name).\(field.name)', which is \(field.number ?? 0) now"
        )
      ]
    }
    guard !field.isOptional, field.defaultValue == .absent else { return [] }
    return [
      Obstacle(
        kind: .type, reason: "without '\(name).\(field.name)', which has neither a default nor a '?'", isMissing: true)
    ]
  }

  // MARK: Absent values

  /// Returns the difference if an encrypted field that is left out means another value today.
  func changedAbsence(_ before: DeclaredRecord.Field, _ now: DeclaredRecord.Field) -> String? {
    changedAbsence(
      (before.type, before.defaultValue), (now.type, now.defaultValue), isInSeconds: before.isInSeconds)
  }

  /// The wire format leaves a zero value out of a field that is not optional, unless the default is another value. The reader
  /// takes nil for it if the field is optional, or else the default.
  private func changedAbsence(
    _ old: (type: String, default: FieldValue), _ new: (type: String, default: FieldValue),
    isInSeconds: Bool = false
  ) -> String? {
    func leavesOutZero(_ field: (type: String, default: FieldValue)) -> Bool {
      Self.zeroTypes.contains(field.type) && (field.default == .absent || field.default.isZero(field.type))
        || field.type == "Date" && isInSeconds && field.default == .absent
    }
    guard leavesOutZero(old), !leavesOutZero(new), new.type.hasSuffix("?") || new.default != .absent else { return nil }
    let reading = new.type.hasSuffix("?") ? "nil" : "the default '\(new.default)'"
    return "left out where it is empty or zero, and what is missing is read as \(reading) now"
  }

  /// The types whose zero value the wire format leaves out.
  private static let zeroTypes: Set<String> = [
    "String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
    "Float", "Data",
  ]
}

extension FieldValue {
  /// Returns true if a default is the zero value of its type.
  fileprivate func isZero(_ type: String) -> Bool {
    switch self {
    case .flag(let flag): !flag
    case .integer(let number): number == 0
    case .text(let text): text.isEmpty || type != "String" && type != "Data" && Double(text) == 0
    case .absent, .list, .map: false
    }
  }
}

extension DeclaredType.Field {
  fileprivate var isOptional: Bool { type.hasSuffix("?") }
  fileprivate var plainType: String { isOptional ? String(type.dropLast()) : type }
}
