import LocalDataModel

/// Decides whether values of a type can be decoded as another one. Types are compared by their structure, so that a type
/// of `types:` may be renamed.
extension ReadingCheck {
  func typeObstacles(_ old: String, _ new: String) -> [Obstacle] {
    guard let before = TypeExpression(known: old), let now = TypeExpression(known: new) else {
      return old == new ? [] : [Self.changed(old, new)]
    }
    var seen: Set<[String]> = []
    return obstacles(before, now, &seen)
  }

  /// The names in a type that mean another type today.
  package func changedNames(in text: String) -> [String] {
    guard let type = TypeExpression(known: text) else { return [] }
    return Set(type.names).sorted().filter { !typeObstacles($0, $0).isEmpty }
  }

  /// A type with other names for some of the names in it.
  func type(_ text: String, renaming names: [String], _ rename: (String) -> String) -> String {
    TypeExpression(known: text)?.renamed { names.contains($0) ? rename($0) : $0 }.text ?? text
  }

  private static func changed(_ old: String, _ new: String) -> Obstacle {
    Obstacle(kind: .type, reason: "as '\(old)', and it is read as '\(new)'")
  }

  private func obstacles(_ old: TypeExpression, _ new: TypeExpression, _ seen: inout Set<[String]>) -> [Obstacle] {
    switch (old, new) {
    case (.name(let before), .name(let now)): return obstacles(before, now, &seen)
    // All of these are lists of their elements.
    case (.list(let before), .list(let now)), (.set(let before), .set(let now)), (.list(let before), .set(let now)),
      (.set(let before), .list(let now)), (.optional(let before), .optional(let now)):
      return obstacles(before, now, &seen)
    case (.map(let key, let value), .map(let newKey, let newValue)):
      return obstacles(key, newKey, &seen) + obstacles(value, newValue, &seen)
    case (let before, .optional(let now)): return obstacles(before, now, &seen)
    case (.name, _), (.list, _), (.set, _), (.map, _), (.optional, _):
      return [Self.changed(old.text, new.text)]
    }
  }

  private func obstacles(_ old: String, _ new: String, _ seen: inout Set<[String]>) -> [Obstacle] {
    guard seen.insert([old, new]).inserted else { return [] }
    switch (oldTypes[old]?.form, newTypes[new]?.form) {
    case (.enumeration(let before), .enumeration(let now)) where before.rawType != now.rawType:
      return [
        Obstacle(
          kind: .type,
          reason: "as '\(old)' with raw values of \(before.rawType), and '\(new)' has those of \(now.rawType)")
      ]
    case (.enumeration(let before), .enumeration(let now)): return rawObstacles(before, now, old, new)
    case (.structure(let before), .structure(let now)): return fieldObstacles(before, now, new, &seen)
    case (.enumeration(let cases), nil) where new == cases.rawType: return []
    case (nil, nil): return old == new || Self.widens(old, new) ? [] : [Self.changed(old, new)]
    case (.swift(let before), .swift(let now)): return before == now ? [] : [Self.changed(before, now)]
    case (let before, let now):
      // The names alone may be equal.
      let words = "as \(Self.words(before, old)), and it is read as \(Self.words(now, new))"
      return [Obstacle(kind: .type, reason: words)]
    }
  }

  /// A type in words, with the kind of its declaration.
  private static func words(_ form: DeclaredType.Form?, _ name: String) -> String {
    switch form {
    case .enumeration: "the enum '\(name)' of the catalog"
    case .structure: "the struct '\(name)' of the catalog"
    case .swift(let type): "the Swift type '\(type)'"
    case nil: "'\(name)'"
    }
  }

  /// A raw value must stay, and must not be given to another case.
  func rawObstacles(
    _ old: [DeclaredType.Case], _ new: [DeclaredType.Case], _ name: String, _ newName: String
  ) -> [Obstacle] {
    let now = Dictionary(new.map { ($0.raw, $0.name) }) { first, _ in first }
    let names = Set(new.map(\.name))
    return old.compactMap { item in
      guard let owner = now[item.raw] else {
        return Obstacle(
          kind: .rawValue(enumeration: newName, old: name),
          reason: "with the raw value '\(item.raw)' of '\(item.name)', which '\(newName)' does not have")
      }
      guard owner != item.name, names.contains(item.name) else { return nil }
      return Obstacle(
        kind: .rawValue(enumeration: newName, old: name),
        reason: "with the raw value '\(item.raw)' for '\(item.name)', and '\(newName)' reads it as '\(owner)'")
    }
  }

  private func fieldObstacles(
    _ old: [DeclaredType.Field], _ new: [DeclaredType.Field], _ name: String, _ seen: inout Set<[String]>
  ) -> [Obstacle] {
    var result: [Obstacle] = []
    let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    for field in new {
      let isOptional = field.type.hasSuffix("?")
      guard let earlier = before[field.name] else {
        if isOptional || field.defaultValue != .absent { continue }
        result.append(
          Obstacle(
            kind: .type, reason: "without '\(name).\(field.name)', which has neither a default nor a '?'"))
        continue
      }
      result += obstacles(earlier, field, isOptional: isOptional, &seen).map { obstacle in
        var obstacle = obstacle
        if obstacle.kind == .type { obstacle.reason = "with '\(name).\(field.name)' \(obstacle.reason)" }
        return obstacle
      }
    }
    return result
  }

  /// Returns what prevents a field from being decoded with the type that it has now.
  private func obstacles(
    _ old: DeclaredType.Field, _ new: DeclaredType.Field, isOptional: Bool, _ seen: inout Set<[String]>
  ) -> [Obstacle] {
    guard let before = TypeExpression(known: old.type), let now = TypeExpression(known: new.type) else {
      return old.type == new.type ? [] : [Self.changed(old.type, new.type)]
    }
    // A nil is stored by leaving the field out. On reading, the default takes its place.
    if case .optional(let wrapped) = before, !isOptional, new.defaultValue != .absent {
      return obstacles(wrapped, now, &seen)
    }
    return obstacles(before, now, &seen)
  }

  /// Scalars that are written alike, and whose every value the other has. An Int has 32 bits on some watches.
  private static func widens(_ old: String, _ new: String) -> Bool {
    wider[old]?.contains(new) ?? false
  }

  private static let wider: [String: Set<String>] = [
    "Int8": ["Int16", "Int32", "Int64", "Int"], "Int16": ["Int32", "Int64", "Int"], "Int32": ["Int64", "Int"],
    "Int": ["Int64"], "UInt8": ["UInt16", "UInt32", "UInt64", "UInt", "Int16", "Int32", "Int64", "Int"],
    "UInt16": ["UInt32", "UInt64", "UInt", "Int32", "Int64", "Int"], "UInt32": ["UInt64", "UInt", "Int64"],
    "UInt": ["UInt64"], "Float": ["Double"],
  ]
}

extension [DeclaredType.Case] {
  /// The type of the raw values.
  var rawType: String { first?.raw.integer == nil ? "String" : "Int" }
}

extension TypeExpression {
  /// Parses a type of a snapshot. Returns nil for a type of a later version of the language, which can only be compared
  /// as text.
  package init?(known text: String) {
    do {
      self = try TypeExpression.parse(text)
    } catch {
      return nil
    }
  }

  /// The type in Swift.
  var text: String {
    switch self {
    case .name(let name): name
    case .list(let element): "[\(element.text)]"
    case .map(let key, let value): "[\(key.text): \(value.text)]"
    case .set(let element): "Set<\(element.text)>"
    case .optional(let wrapped): "\(wrapped.text)?"
    }
  }

  /// The type with other names in it.
  func renamed(_ rename: (String) -> String) -> TypeExpression {
    switch self {
    case .name(let name): .name(rename(name))
    case .list(let element): .list(element.renamed(rename))
    case .map(let key, let value): .map(key: key.renamed(rename), value: value.renamed(rename))
    case .set(let element): .set(element.renamed(rename))
    case .optional(let wrapped): .optional(wrapped.renamed(rename))
    }
  }

  /// Every name in it.
  package var names: [String] {
    switch self {
    case .name(let name): [name]
    case .list(let inner), .set(let inner), .optional(let inner): inner.names
    case .map(let key, let value): key.names + value.names
    }
  }
}
