import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import Foundation
import TestSupport
import Testing

/// Every payload in every free-text field declares the same symbols as a harmless text, and makes documents of the same
/// structure.
struct InjectionTests {
  /// A catalog with a payload in each field that takes it.
  struct Hostile: Sendable {
    var number: Int
    var payload: String
    var fields: Set<InjectionCatalog.Field>
    var catalog: ResolvedCatalog

    init(_ number: Int, _ payload: String) throws {
      (self.number, self.payload) = (number, payload)
      let catalog = InjectionCatalog(number: number, acceptedOf: payload)
      fields = catalog.hostile
      self.catalog = try #require(catalog.resolve(), "\(payload.debugDescription): \(catalog.refusals)")
    }
  }

  /// All payloads in a full run, because a few fields take only one of them.
  static let all = Result {
    let payloads = Array(InjectionCatalog.payloads.enumerated())
    return try (Sweep.isFull ? payloads : Sweep.sample(payloads, quick: 20)).map { try Hostile($0, $1) }
  }

  /// The same catalog with a harmless text in each field. The group of a keychain begins like the payload, because a
  /// group of apps keeps its items when the team changes, and the documents say so.
  static func harmless(_ number: Int, like payload: String = "") throws -> ResolvedCatalog {
    let isGroupOfApps = payload.hasPrefix("group.")
    let catalog = InjectionCatalog(
      number: number, text: isGroupOfApps ? "group.harmless" : InjectionCatalog.harmless,
      hostile: isGroupOfApps ? [.accessGroup] : [])
    return try #require(catalog.resolve(), "\(catalog.refusals)")
  }

  /// A field that a rule closes for all payloads would not be tested.
  @Test(arguments: InjectionCatalog.Field.allCases)
  func aFieldTakesPayloads(_ field: InjectionCatalog.Field) throws {
    let count = try Self.all.get().count { $0.fields.contains(field) }
    let wanted: Int
    switch field {
    // A group has the characters of a bundle identifier, and an address those of a URL.
    case .group, .fileGroup, .address: wanted = Sweep.isFull ? 1 : 0
    default: wanted = Sweep.isFull ? 40 : 3
    }
    #expect(count >= wanted, "\(field) takes \(count)")
  }

  @Test func symbolsAreTheSame() throws {
    let catalogs = Sweep.sample(try Self.all.get().map(\.catalog), quick: 3)
    // The catalogs differ only in the number at the end of their names.
    let pattern = try Self.symbols(of: [Self.harmless(700)])
    #expect(pattern.count > 40)
    let numbers = catalogs.compactMap { catalog in catalog.name.drop { !$0.isNumber } }
    let harmless = Set(numbers.flatMap { number in pattern.map { $0.replacing("700", with: number) } })
    let hostile = try Self.symbols(of: catalogs)
    Sweep.report("symbols of hostile texts", "\(catalogs.count) catalogs of \(InjectionCatalog.payloads.count)")
    #expect(hostile.subtracting(harmless) == [])
    #expect(harmless.subtracting(hostile) == [])
  }

  @Test(arguments: Sweep.sample(Array(0..<(Sweep.isFull ? InjectionCatalog.payloads.count : 20)), quick: 4))
  func documentsHaveTheSameStructure(_ index: Int) throws {
    let each = try Self.all.get()[index]
    let (payload, hostile) = (each.payload.debugDescription, each.catalog)
    let harmless = try Self.harmless(each.number, like: each.payload)
    #expect(Self.shapes(Self.text(.markdown, hostile)) == Self.shapes(Self.text(.markdown, harmless)), "\(payload)")
    #expect(
      try Self.paths(AuditFormat.json.render([hostile])) == Self.paths(AuditFormat.json.render([harmless])),
      "\(payload)")
    let text = Self.text(.text, hostile)
    #expect(text.split(separator: "\n").count == Self.text(.text, harmless).split(separator: "\n").count, "\(payload)")
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  private static func text(_ format: AuditFormat, _ catalog: ResolvedCatalog) -> String {
    String(decoding: format.render([catalog]), as: UTF8.self)
  }

  // MARK: Symbols

  /// The symbols of the catalogs' Swift, by the compiler's symbol graph: the kind, the path and the declaration of each.
  private static func symbols(of catalogs: [ResolvedCatalog]) throws -> Set<String> {
    let folder = try ScratchFolder()
    var paths: [String] = []
    for (index, catalog) in catalogs.enumerated() {
      let swift = try #require(CatalogEmitter.emit([catalog]).first { $0.path.hasSuffix(".swift") })
      let url = folder.url.appendingPathComponent("Catalog\(index).swift")
      try Data(swift.bytes).write(to: url)
      paths.append(url.path)
    }
    let graphs = folder.url.appendingPathComponent("graphs")
    try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
    let end = try GeneratedCodeCompilesTests.compile(
      GeneratedCodeCompilesTests.Settings(languageMode: "6", isolation: [], features: []),
      [
        "-emit-module", "-parse-as-library", "-module-name", "App",
        "-o", folder.url.appendingPathComponent("App.swiftmodule").path,
        "-emit-symbol-graph", "-emit-symbol-graph-dir", graphs.path, "-symbol-graph-minimum-access-level", "private",
      ] + paths)
    try #require(end == ChildProcess.End(code: 0, output: ""))
    var symbols: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil) {
      let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
      symbols.formUnion(graph.symbols.map(\.text))
    }
    return symbols
  }

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Kind: Decodable { var identifier: String }
      struct Fragment: Decodable { var spelling: String }

      var kind: Kind
      var pathComponents: [String]
      var declarationFragments: [Fragment]
      var accessLevel: String

      /// A default argument is a value of the catalog, not part of the declaration.
      var text: String {
        let declaration = declarationFragments.map(\.spelling).joined()
        let isFunction = kind.identifier.hasSuffix(".init") || kind.identifier.hasSuffix(".method")
        return [kind.identifier, accessLevel, pathComponents.joined(separator: "."), isFunction ? "" : declaration]
          .joined(separator: " ")
      }
    }

    var symbols: [Symbol]
  }

  // MARK: Structure

  /// Returns the kind of each line of a Markdown document: a heading with its text, a row with the number of its cells,
  /// a list item with its label, a blank line, or a paragraph.
  static func shapes(_ document: String) -> [String] {
    document.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.isEmpty { return "" }
      if line.hasPrefix("#") { return String(line) }
      if line.hasPrefix("- ") { return String(line.prefix { $0 != ":" }) }
      guard line.hasPrefix("|") else { return "text" }
      var cells = 0
      var isEscaped = false
      for character in line {
        if character == "|", !isEscaped { cells += 1 }
        isEscaped = character == "\\" && !isEscaped
      }
      return "row \(cells)"
    }
  }

  /// The paths of a JSON document with the kinds of their values.
  private static func paths(_ json: [UInt8]) throws -> Set<String> {
    var paths: Set<String> = []
    func add(_ value: Any, _ path: String) {
      switch value {
      case let object as [String: Any]:
        paths.insert("\(path) object")
        for (name, value) in object { add(value, "\(path).\(name)") }
      case let array as [Any]:
        paths.insert("\(path) array")
        for (index, value) in array.enumerated() { add(value, "\(path)[\(index)]") }
      case is String: paths.insert("\(path) string")
      default: paths.insert("\(path) \(value)")
      }
    }
    add(try JSONSerialization.jsonObject(with: Data(json)), "")
    return paths
  }
}
