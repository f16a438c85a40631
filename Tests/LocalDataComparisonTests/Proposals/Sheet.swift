@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import TestSupport

/// A catalog as lines that a test can change: each declaration with its fields in the order in which they are written.
struct Sheet {
  /// A declaration below `types` or `keys`.
  struct Declaration {
    var name: String
    var fields: [(name: String, value: String)]
    /// The number of the value that the key stores, whatever its name is; nil for a key that a proposal has added.
    var lineage: Int?

    subscript(field: String) -> String? {
      get { fields.first { $0.name == field }?.value }
      set {
        let index = fields.firstIndex { $0.name == field }
        switch (index, newValue) {
        case (let index?, let value?): fields[index].value = value
        case (let index?, nil): fields.remove(at: index)
        case (nil, let value?): fields.insert((field, value), at: 0)
        case (nil, nil): break
        }
      }
    }

    /// The stored name.
    var storedName: String {
      if let name = self["name"] { return name.filter { $0 != "\"" } }
      return self["parameters"] == nil ? name : "\(name)_{id}"
    }
  }

  static let catalog = "Test"

  var types: [Declaration] = []
  var keys: [Declaration] = []
  var reserved: [String] = []
  /// The number of the next key.
  var nextLineage = 0

  /// The text of the catalog.
  var text: String {
    var lines = ["localdata: 1", "catalog: \(Self.catalog)"]
    lines += ["defaults: {domain: userDefaults, security: none, owner: Team}"]
    func add(_ section: String, _ declarations: [Declaration]) {
      guard !declarations.isEmpty else { return }
      lines.append("\(section):")
      for declaration in declarations {
        lines.append("  \(declaration.name):")
        lines += declaration.fields.map { "    \($0.name): \($0.value)" }
      }
    }
    add("types", types)
    if !reserved.isEmpty { lines += ["reserved:"] + reserved.map { "  - \($0)" } }
    add("keys", keys)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The keys that an app reads and writes, by the numbers of their values.
  var byLineage: [Int: Declaration] {
    Dictionary(keys.compactMap { key in key.lineage.map { ($0, key) } }) { first, _ in first }
  }

  /// The sheet with the proposals of a scaffold written into it.
  func pasting(_ scaffold: Scaffold) -> Sheet {
    var sheet = self
    for (_, part) in scaffold.parts {
      for change in part.types { Self.apply(change, to: &sheet.types) }
      for change in part.keys { Self.apply(change, to: &sheet.keys) }
      sheet.reserved += part.reserved.map { "\($0.entry)" }
    }
    return sheet
  }

  private static func apply(_ change: Scaffold.Change, to declarations: inout [Declaration]) {
    var index = declarations.firstIndex { $0.name == change.name }
    // A new declaration whose name is taken would be an error of the catalog.
    if index == nil || change.isNew {
      declarations.append(Declaration(name: change.name, fields: []))
      index = declarations.indices.last
    }
    guard let index else { return }
    for field in change.fields { declarations[index][field.name] = "\(field.value)" }
  }
}

extension Sheet {
  /// A random catalog.
  static func random(_ random: inout SeededRandom) -> Sheet {
    var sheet = Sheet()
    sheet.types = [
      Declaration(name: "Theme", fields: [("enum", "{light: l, dark: d, system: s}")]),
      Declaration(name: "Level", fields: [("raw", "Int"), ("enum", "{low: 1, high: 2}")]),
      Declaration(name: "Point", fields: [("fields", "{x: Int, y: {type: Int, default: 0}, theme: Theme}")]),
    ]
    for member in ["alpha", "beta", "gamma", "delta"].prefix(Int.random(in: 2...4, using: &random)) {
      sheet.addKey(member, &random)
    }
    return sheet
  }

  static let valueTypes = [
    "Int", "String", "Int8", "Double", "\"[Int]\"", "\"Set<String>\"", "Theme", "Level", "Point", "\"[Theme]\"",
    "\"[String: Point]\"", "Bool",
  ]

  static let places: [[(name: String, value: String)]] = [
    [], [], [], [("domain", "{userDefaults: {suite: other}}")], [("security", "recommended")],
    [("domain", "keychain"), ("security", "keychain")],
    [("domain", "keychain"), ("security", "{keychain: {accessibility: afterFirstUnlock}}")],
    [("domain", "{fileSystem: {directory: documents}}")],
    [("domain", "{fileSystem: {directory: caches}}"), ("security", "recommended")],
    [("domain", "{encryptedFileSystem: {directory: documents}}"), ("security", "recommended")],
  ]

  static let options: [(name: String, values: [String])] = [
    ("retention", ["{maxAge: 30d}", "{maxAge: 1d}", "{maxAge: 7d}"]), ("syncPolicy", ["manual"]),
    ("availability", ["all", "phoneOnly", "phoneWithWatchSync"]), ("maxSize", ["100", "2000"]),
  ]

  mutating func addKey(_ member: String, _ random: inout SeededRandom) {
    var fields: [(name: String, value: String)] = [
      ("type", Self.valueTypes.randomElement(using: &random) ?? "Int"), ("description", "Says what \(member) is."),
    ]
    fields += Self.places.randomElement(using: &random) ?? []
    var key = Declaration(name: member, fields: fields, lineage: nextLineage)
    nextLineage += 1
    if Int.random(in: 0..<4, using: &random) == 0 { key["name"] = "\(member)_stored" }
    if Int.random(in: 0..<6, using: &random) == 0 {
      key["parameters"] = "{id: \(["Int", "String", "Theme"].randomElement(using: &random) ?? "Int")}"
      key["name"] = "\"\(member)_{id}\""
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      let name = key["parameters"] == nil ? "years_ago_\(member)" : "\"years_ago_\(member)_{id}\""
      key["migration"] = "{from: {name: \(name)}}"
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      // What earlier releases stored is not in the simulation: this migration has moved it.
      let custom = "{custom: \(member.prefix(1).uppercased() + member.dropFirst())Migration}"
      key["migration"] = key["migration"].map { "[\($0), \(custom)]" } ?? custom
    }
    if Int.random(in: 0..<6, using: &random) == 0 {
      key["schema"] = "2"
      key["upgrade"] = "[{from: 1, transform: Old.up}]"
    }
    for option in Self.options where Int.random(in: 0..<6, using: &random) == 0 {
      key[option.name] = option.values.randomElement(using: &random)
    }
    if key["type"] == "Int", Bool.random(using: &random) { key["default"] = "\(Int.random(in: 0..<3, using: &random))" }
    keys.append(key)
  }
}
