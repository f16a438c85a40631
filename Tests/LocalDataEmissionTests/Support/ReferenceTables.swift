import LocalDataModel

/// The tables of fields in Language.md.
enum ReferenceTables {
  /// Returns the document with each table between `<!-- fields: TITLE -->` and `<!-- end -->` written anew.
  static func update(_ document: String) -> String {
    var result: [String] = []
    var isReplaced = false
    for line in document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line == "<!-- end -->" { isReplaced = false }
      if !isReplaced { result.append(line) }
      guard line.hasPrefix("<!-- fields: "), line.hasSuffix(" -->") else { continue }
      let title = line.dropFirst("<!-- fields: ".count).dropLast(" -->".count)
      guard let concept = Language.concepts.first(where: { $0.title == title }) else { continue }
      result += ["", table(concept), ""]
      isReplaced = true
    }
    return result.joined(separator: "\n")
  }

  /// Returns the table of the fields of a concept.
  static func table(_ concept: Language.Concept) -> String {
    var lines = ["| field | takes | default | |", "|---|---|---|---|"]
    for entry in concept.entries {
      let absence: String
      switch entry.presence {
      case .required: absence = "required"
      case .optional(let text): absence = isWord(text, of: entry.shape) ? "`\(text)`" : text
      }
      let takes = text(entry.shape) + (entry.canBeUnset ? ", `\(Language.unset)`" : "")
      lines.append(
        "| `\(entry.name)` | \(takes) | \(absence) | \(entry.summary) `\(entry.written)` |".replacingNewlines())
    }
    return lines.joined(separator: "\n")
  }

  private static func isWord(_ text: String, of shape: Shape) -> Bool {
    switch shape {
    case .word(let words): words.contains(text)
    case .flag: text == "true" || text == "false"
    case .integer: Int(text) != nil
    case .choice(let alternatives): alternatives.contains { $0.name == text }
    default: false
    }
  }

  private static func text(_ shape: Shape) -> String {
    switch shape {
    case .text: "text"
    case .flag: "`true`, `false`"
    case .integer(let bounds):
      bounds.upperBound == .max
        ? "a whole number, \(bounds.lowerBound) or more"
        : "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .bounds: "a range: `1...10`, `1...` or `...10`"
    case .duration: "a whole number and `s`, `m`, `h`, `d` or `w`"
    case .date: "a date: `2027-01-31`"
    case .versionCondition: "`<`, `<=`, `=`, `>=` or `>` and a version"
    case .word(let words): words.count > 8 ? "one of the names below" : words.map { "`\($0)`" }.joined(separator: ", ")
    case .storedName: "a stored name"
    case .identifier: "a name in Swift"
    case .swiftName: "a [Swift name](#names-in-swift)"
    case .type: "a [type](#types)"
    case .literal: "a [value](#defaults-of-values) of the type"
    case .configured(let shape): "\(text(shape)), or `null`"
    case .list(let element): "a list of: \(text(element))"
    case .map(let value): "names with: \(text(value))"
    case .record(let entries): record(entries)
    case .choice(let alternatives): choice(alternatives)
    case .either(let shapes): shapes.map(text).joined(separator: "; or ")
    }
  }

  private static func record(_ entries: [FieldEntry]) -> String {
    guard let concept = Language.concepts.first(where: { $0.entries.map(\.name) == entries.map(\.name) }) else {
      return "a map of fields"
    }
    if concept.entries.count <= 3 { return "a map of `\(entries.map(\.name).joined(separator: "`, `"))`" }
    let anchor = concept.heading.lowercased().split(separator: " ").joined(separator: "-")
    return "a map, see [\(concept.heading)](#\(anchor))"
  }

  private static func choice(_ alternatives: [Shape.Alternative]) -> String {
    alternatives.map { alternative in
      switch alternative.payload {
      case .none: "`\(alternative.name)`"
      case .fields(_, let isRequired): isRequired ? "`{\(alternative.name): {…}}`" : "`\(alternative.name)`"
      case .value: "`{\(alternative.name): …}`"
      }
    }.joined(separator: ", ")
  }
}

extension String {
  fileprivate func replacingNewlines() -> String { split(separator: "\n").joined(separator: " ") }
}
