import LocalDataModel

/// Types of releases whose names mean something else today, with names under which a catalog can declare them.
struct FormerTypes {
  private let releases: [[String: DeclaredType]]
  private let today: [String: DeclaredType]

  /// - Parameter releases: The types of each release, the newest last.
  init(_ releases: [[String: DeclaredType]], today: [String: DeclaredType]) {
    self.releases = releases
    self.today = today
  }

  /// A type with names that mean today what the type meant in a release.
  struct Renamed {
    var type: String
    /// The declarations that `types` needs for it, each with its fields.
    var declarations: [FieldValue.Entry] = []
    /// The names that were replaced, with the new ones.
    var names: [(old: String, new: String)] = []
  }

  /// Returns the type of a release, with new names for what means something else today.
  func renamed(_ type: String, in release: Int) -> Renamed {
    var result = Renamed(type: type)
    var pending = changedNames(in: type, release)
    var names: [String: String] = [:]
    while let name = pending.popLast() {
      guard names[name] == nil, let declared = releases[release][name] else { continue }
      let former = formerName(of: name, in: release)
      names[name] = former
      pending += declared.typeNames.filter { isChanged($0, release) }
    }
    for (old, new) in names.sorted(by: { $0.key < $1.key }) {
      result.names.append((old, new))
      guard today[new] == nil, let declared = releases[release][old] else { continue }
      result.declarations.append(.init(new, declared.fields { Self.rename($0, names) }))
    }
    result.type = Self.rename(type, names)
    return result
  }

  private static func rename(_ type: String, _ names: [String: String]) -> String {
    TypeExpression(known: type)?.renamed { names[$0] ?? $0 }.text ?? type
  }

  private func changedNames(in type: String, _ release: Int) -> [String] {
    TypeExpression(known: type)?.names.filter { isChanged($0, release) } ?? []
  }

  private func isChanged(_ name: String, _ release: Int) -> Bool {
    releases[release][name] != nil && signature(name, releases[release]) != signature(name, today)
      && !ReadingCheck(oldTypes: releases[release], newTypes: today).typeObstacles(name, name).isEmpty
  }

  /// The name for a type of a release: that of a type of today with the same content, or the first that is free. Other
  /// meanings of the name in other releases get the names after it.
  private func formerName(of name: String, in release: Int) -> String {
    let wanted = signature(name, releases[release])
    var meanings: [String] = []
    for number in releases.indices where isChanged(name, number) {
      let meaning = signature(name, releases[number])
      if !meanings.contains(meaning) { meanings.append(meaning) }
    }
    var position = meanings.firstIndex(of: wanted) ?? 0
    var number = 1
    while true {
      let candidate = "\(name)V\(number)"
      number += 1
      if today[candidate] == nil {
        if position == 0 { return candidate }
        position -= 1
      } else if signature(candidate, today) == wanted {
        return candidate
      }
    }
  }

  /// The content of a type as text, without the names of types of the catalog in it.
  private func signature(_ name: String, _ types: [String: DeclaredType], _ outer: [String] = []) -> String {
    guard let type = types[name] else { return name }
    if let depth = outer.firstIndex(of: name) { return "^\(outer.count - depth)" }
    func signature(of field: String) -> String {
      TypeExpression(known: field)?.renamed { self.signature($0, types, outer + [name]) }.text ?? field
    }
    switch type.form {
    case .enumeration(let cases): return "enum(\(cases.map { "\($0.name)=\($0.raw)" }.joined(separator: ";")))"
    case .structure(let fields):
      return
        "struct(\(fields.map { "\($0.name):\(signature(of: $0.type))=\($0.defaultValue)" }.joined(separator: ";")))"
    case .swift(let path): return "swift(\(path))"
    }
  }
}

extension DeclaredType {
  /// The names of types in the fields of a struct.
  var typeNames: [String] {
    guard case .structure(let fields) = form else { return [] }
    return fields.flatMap { TypeExpression(known: $0.type)?.names ?? [] }
  }

  /// The fields of the declaration as a catalog writes them.
  func fields(_ rename: (String) -> String = { $0 }) -> FieldValue {
    switch form {
    case .enumeration(let cases):
      .map(present: [
        .init("raw", cases.rawType == "Int" ? .text("Int") : .absent),
        .init("enum", .map(cases.map { .init($0.name, $0.raw) })),
      ])
    case .structure(let fields):
      .map([
        .init(
          "fields",
          .map(
            fields.map { field in
              var field = field
              field.type = rename(field.type)
              let facts = field.facts
              return .init(field.name, facts.entries.count == 1 ? facts["type"] : facts)
            }))
      ])
    case .swift(let path): .map([.init("swift", .text(path))])
    }
  }
}
