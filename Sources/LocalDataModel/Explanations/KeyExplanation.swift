package import LocalDataSyntax
import LocalDataVocabulary

/// The fields of a key with their values, and where each value was written.
package struct KeyExplanation: Sendable {
  package struct Line: Sendable {
    package var field: ResolvedField
    package var value: FieldValue
    package var origin: Origin
  }

  package var key: ResolvedKey
  /// The name of the key in the catalog.
  package var place: SourcePlace
  package var lines: [Line]

  /// Returns the explanation of the key with this member, or the nearest member if there is none.
  package static func explain(
    _ member: String, in trees: [SyntaxTree], project: Project
  ) -> (explanation: KeyExplanation?, nearest: String?) {
    let run = CatalogResolver.check(trees, project).run
    for document in run.documents {
      for key in document.keys where key.resolved.descriptor.member == member {
        return (KeyExplanation(key, document.defaults), nil)
      }
    }
    return (nil, Spelling.nearest(to: member, among: members(of: run)))
  }

  /// Returns the names of the keys that can be explained.
  package static func members(in trees: [SyntaxTree]) -> [String] { members(of: CatalogResolver.link(trees)) }

  private static func members(of run: CatalogRun) -> [String] {
    run.documents.flatMap { $0.keys.map(\.resolved.descriptor.member) }
  }

  private init(_ key: DecodedKey, _ defaults: SyntaxNode?) {
    self.key = key.resolved
    place = key.member.place
    lines = ResolvedField.allCases.compactMap { field in
      let value = key.resolved[field]
      guard value != .absent, field != .catalog, field != .member else { return nil }
      let path = field.path.split(separator: ".").map(String.init)
      return Line(field: field, value: value, origin: key.origin(of: path, defaults: defaults))
    }
  }

  /// The explanation as text: each field, its value, and where it was written.
  package var text: String {
    var output = "\(key.descriptor.member), a key of \(key.catalog) (\(Self.text(place)))\n\n"
    let rows = lines.map { line in
      var origin = line.origin.text
      if case .language = line.origin, line.field == .access { origin = "the catalog" }
      return (line.field.path, SafeText.escaped(line.value.description), origin)
    }
    let nameWidth = rows.map { $0.0.unicodeScalars.count }.max() ?? 0
    let valueWidth = min(48, rows.map { $0.1.unicodeScalars.count }.max() ?? 0)
    for (name, value, origin) in rows {
      output += "  \(Self.padded(name, nameWidth))  \(Self.padded(value, valueWidth))  \(origin)\n"
    }
    return output + "\n" + StoredAddress(key).explanation("")
  }

  private static func text(_ place: SourcePlace) -> String {
    "\(SafeText.escaped(place.file.path)):\(place.range.start.line)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }
}

extension Origin {
  /// The origin in words, for example `line 9`.
  var text: String {
    switch self {
    case .key(let place): "line \(place.range.start.line)"
    case .defaults(let place): "defaults, line \(place.range.start.line)"
    case .language: "the language"
    }
  }
}
