import LocalDataModel
import Foundation
import Testing

/// A page of the documentation that describes a part of the language.
struct LanguagePage: CustomTestStringConvertible, Sendable {
  /// The path in the package, without `.md`.
  let path: String

  /// The pages with tables of words.
  static let all = [
    "LocalData/LocalData.docc/Language", "LocalData/LocalData.docc/Keys", "LocalData/LocalData.docc/Types",
    "LocalData/LocalData.docc/Families", "LocalData/LocalData.docc/Protection", "LocalData/LocalData.docc/Migrations",
    "LocalData/LocalData.docc/Records", "LocalData/LocalData.docc/ProjectFile", "LocalData/LocalData.docc/Sync",
    "LocalData/LocalData.docc/KeyPairs", "LocalDataBackup/LocalDataBackup.docc/Backups",
    "LocalDataImport/LocalDataImport.docc/Imports",
  ].map { LanguagePage(path: "Sources/\($0)") }

  static func named(_ name: String) -> LanguagePage {
    LanguagePage(path: "Sources/LocalData/LocalData.docc/\(name)")
  }

  var testDescription: String { url.lastPathComponent }

  var url: URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("\(path).md")
  }

  var text: String { get throws { String(decoding: try Data(contentsOf: url), as: UTF8.self) } }

  /// The code blocks of YAML, in their order.
  var catalogs: [String] {
    get throws {
      try text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
  }
}

/// The tables of words in the pages. The first cell of a table's head is the title of the map that has the words.
///
/// The words, their order, their values and their defaults are those of the language. The meaning is written by hand.
struct WordTables {
  /// The title of the table of the words that most maps have. Tables of these maps do not list them again.
  static let shared = "any declaration"

  /// The words of the shared table, in their order.
  static let sharedWords = [
    "owner", "access", "sensitivity", "privacy", "title", "tags", "deprecated", "review", "allow", "description",
  ]

  /// Returns the titles of the tables of a page.
  static func titles(in page: String) -> [String] { page.components(separatedBy: "\n").compactMap { title($0) } }

  /// Returns the page with the tables that the language gives. The meaning of a word that the page does not have is its
  /// summary in the language.
  static func update(_ page: String) -> String {
    var result: [String] = []
    var table: (title: String, meanings: [String: String])?
    for line in page.components(separatedBy: "\n") {
      if let open = table, line.isEmpty {
        result += ["---|---|---"] + rows(of: open.title, open.meanings) + [line]
        table = nil
      } else if table != nil {
        let cells = line.components(separatedBy: " | ")
        guard cells.count > 2, cells[0].hasPrefix("`") else { continue }
        table?.meanings[String(cells[0].dropFirst().dropLast())] = cells[2...].joined(separator: " | ")
      } else {
        table = title(line).map { ($0, [:]) }
        result.append(line)
      }
    }
    return result.joined(separator: "\n")
  }

  private static func title(_ line: String) -> String? {
    line.hasSuffix(head) ? String(line.dropLast(head.count)) : nil
  }

  /// The head of a table after its title.
  private static let head = " | values | meaning"

  /// Returns the words that the table of a map has.
  static func entries(of title: String) -> [FieldEntry] {
    guard let concept = Language.concepts.first(where: { $0.title == title }) else {
      return title == shared ? sharedWords.compactMap { word in keyEntries.first { $0.name == word } } : []
    }
    let common = Dictionary(uniqueKeysWithValues: entries(of: shared).map { ($0.name, text($0.shape)) })
    return concept.entries.filter { common[$0.name] != text($0.shape) }
  }

  private static func rows(of title: String, _ meanings: [String: String]) -> [String] {
    entries(of: title).map { entry in
      let summary = entry.summary.split(separator: "\n").joined(separator: " ")
      return "`\(entry.name)` | \(values(of: entry, in: title)) | \(meanings[entry.name] ?? summary)"
    }
  }

  /// Returns the values of a word. The default is bold, or follows a semicolon. A long list of words that a key has too is only
  /// in the table of keys, unless one of them is the default.
  private static func values(of entry: FieldEntry, in title: String) -> String {
    var values = text(entry.shape)
    let unset = entry.canBeUnset ? ", `\(Language.unset)`" : ""
    if case .optional(let absence) = entry.presence, hasWords(entry.shape), values.contains("`\(absence)`") {
      return values.replacingOccurrences(of: "`\(absence)`", with: "**`\(absence)`**") + unset
    }
    let isOfKeys = !["key", shared].contains(title) && keys[entry.name] == values
    if isOfKeys, words(of: entry.shape).count > 3 { values = "as of keys" }
    switch entry.presence {
    case .required: return "\(values)\(unset), required"
    case .optional("none"): return values + unset
    case .optional(let absence): return "\(values)\(unset); \(absence)"
    }
  }

  private static let keyEntries = Language.concepts.first { $0.title == "key" }?.entries ?? []
  private static let keys = Dictionary(uniqueKeysWithValues: keyEntries.map { ($0.name, text($0.shape)) })

  private static func hasWords(_ shape: Shape) -> Bool {
    switch shape {
    case .word, .flag, .choice, .either: true
    default: false
    }
  }

  /// Returns a shape in few words.
  private static func text(_ shape: Shape) -> String {
    switch shape {
    case .text: "text"
    case .flag: "`true`, `false`"
    case .integer(let bounds): "\(bounds.lowerBound) to \(bounds.upperBound)"
    case .bounds: "range"
    case .duration: "duration"
    case .date: "date"
    case .versionCondition: "comparison"
    case .word(let words): words.count > 8 ? "see below" : words.map { "`\($0)`" }.joined(separator: ", ")
    case .storedName, .identifier: "name"
    case .swiftName: "path in Swift"
    case .type: "type"
    case .literal: "value"
    case .configured(let shape): "\(text(shape)) or `null`"
    case .list(let element): "list: \(text(element))"
    case .map(let value): "map: \(text(value))"
    case .record(let entries): entries.count > 3 && isConcept(entries) ? "words" : names(entries)
    case .choice(let alternatives): choice(alternatives)
    case .either(let shapes): shapes.map(text).joined(separator: " or ")
    }
  }

  private static func names(_ entries: [FieldEntry]) -> String {
    "{\(entries.map { "`\($0.name)`" }.joined(separator: ", "))}"
  }

  private static func isConcept(_ entries: [FieldEntry]) -> Bool {
    Language.concepts.contains { $0.entries.map(\.name) == entries.map(\.name) }
  }

  private static func choice(_ alternatives: [Shape.Alternative]) -> String {
    alternatives.map { alternative in
      if case .value = alternative.payload { "`{\(alternative.name): …}`" } else { "`\(alternative.name)`" }
    }.joined(separator: ", ")
  }

  /// Returns every word of a shape that a catalog can contain: names of fields, and values of a closed set.
  static func words(of shape: Shape) -> [String] {
    switch shape {
    case .word(let words): words
    case .configured(let shape), .list(let shape), .map(let shape): words(of: shape)
    case .record(let entries): entries.flatMap { [$0.name] + words(of: $0.shape) }
    case .either(let shapes): shapes.flatMap(words(of:))
    case .choice(let alternatives):
      alternatives.flatMap { alternative in
        switch alternative.payload {
        case .none: [alternative.name]
        case .fields(let entries, _): [alternative.name] + words(of: .record(entries))
        case .value(let shape, _): [alternative.name] + words(of: shape)
        }
      }
    default: []
    }
  }
}
