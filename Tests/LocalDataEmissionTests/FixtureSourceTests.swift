import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import Foundation
import LocalDataVocabulary
import TestSupport
import Testing

/// The fixture tests of all golden cases compile beside what was generated, in the loosest way and in the strictest.
struct FixtureSourceTests {
  @Test(
    arguments: Sweep.sample(
      [GeneratedCodeCompilesTests.Settings.all.first, GeneratedCodeCompilesTests.Settings.all.last].compactMap(\.self),
      quick: 1))
  func compiles(_ settings: GeneratedCodeCompilesTests.Settings) throws {
    let folder = try ScratchFolder()
    let app = try GeneratedCodeCompilesTests.files(in: folder)
    let module = folder.url.appendingPathComponent("App.swiftmodule").path
    let building = try GeneratedCodeCompilesTests.compile(
      settings, ["-emit-module", "-enable-testing", "-module-name", "App", "-o", module] + app)
    #expect(building == ChildProcess.End(code: 0, output: ""))
    let cases = try Sweep.sample(GoldenCase.all, quick: 10)
    Sweep.report("fixture tests", "\(cases.count) golden cases of \(try GoldenCase.all.count)")
    let sources = try cases.flatMap { FixtureSource.emit(try $0.resolve(), module: "App") }
    let tests = try Self.write(sources, to: folder)
    try #require(tests.count > Sweep.count(quick: 3, full: 30))
    let checking = try GeneratedCodeCompilesTests.compile(
      settings, ["-typecheck", "-module-name", "AppTests", "-I", folder.url.path] + tests)
    #expect(checking == ChildProcess.End(code: 0, output: ""))
  }

  /// The paths of the written fixture tests. What only the app can give is left to stop the program.
  static func write(_ sources: [FixtureSource], to folder: ScratchFolder) throws -> [String] {
    var paths: [String] = []
    for source in sources {
      for file in source.tests + [source.values] {
        let text = String(decoding: file.bytes, as: UTF8.self)
          .replacing(/\/\/ The app's own type: (.+) \{ … \}/) { "\($0.1) { fatalError() }" }
        let url = folder.url.appendingPathComponent(file.path)
        try Data(text.utf8).write(to: url)
        paths.append(url.path)
      }
    }
    return paths.sorted()
  }

  @Test func aCatalogOfLegacyKeysHasNothingToRead() {
    let key = Samples.key("old") { $0.isLegacy = true }
    #expect(FixtureSource.emit([Samples.catalog(keys: [key])], module: "App").isEmpty)
  }

  /// An empty list would test nothing of the elements' form.
  @Test func aSampleOfAListIsNotEmpty() throws {
    let (own, any) = (ValueType.swift(SwiftName("Models.Own")), ValueType.swift(SwiftName("AnyCodable")))
    let keys = [
      Samples.key("texts", .list(.scalar(.string)), default: .list([])),
      Samples.key("owns", .list(own), default: .list([])),
      Samples.key("byName", .map(key: .scalar(.string), value: own), default: .map([])),
      Samples.key("anything", .list(any), default: .list([])),
      Samples.key("standing", .list(own), default: .list([.swift(SwiftName("Models.Own.first"))])),
    ]
    let source = try #require(FixtureSource.emit([Samples.catalog(keys: keys)], module: "App").first)
    #expect(
      source.declarations.map(\.text) == [
        "var texts: [String] { [\"a\"] }", "// The app's own type: var owns: [Models.Own] { … }",
        "// The app's own type: var byName: [String: Models.Own] { … }",
        "var anything: [AnyCodable] { [AnyCodable.string(\"a\")] }",
        "var standing: [Models.Own] { [Models.Own.first] }",
      ])
  }

  @Test func aSampleCanBeSet() throws {
    let golden = try #require(try GoldenCase.all.first { $0.testDescription == "ValidValues" })
    let source = try #require(FixtureSource.emit(try golden.resolve(), module: "App").first)
    let texts = source.declarations.map(\.text)
    for text in [
      "var limitedSpeed: Double { 0.5 }", "var limitedVolume: Int8 { -5 }", "var limitedNote: String { \"a\" }",
      "var limitedPair: [String] { [\"a\", \"a\"] }", "var limitedCode: String { \"aaaa\" }",
      "var limitedNone: [String: Int] { [:] }", "// The app's own type: var limitedSet: Set<Int> { … }",
    ] { #expect(texts.contains(text), "\(texts)") }
    #expect(texts.contains { $0.contains("word: \"a\", order: 0, secret: \"a\"") }, "\(texts)")
  }

  @Test func aTypeOfTheAppsOwnIsLeftToTheDeveloper() throws {
    let own = ValueType.swift(SwiftName("Models.Own"))
    let keys = [
      Samples.key("own", own), Samples.key("owns", .list(own)),
      Samples.key("byName", .map(key: .scalar(.string), value: own)),
      Samples.key("standing", own, default: .swift(SwiftName("Models.Own.first"))),
      Samples.key("holder", .declared("Holder")), Samples.key("loop", .declared("Loop")),
    ]
    let types = [
      ResolvedType(
        name: "Holder", description: "", line: 1,
        form: .structure([
          .init(name: "own", type: .optional(own), defaultValue: nil, description: nil),
          .init(name: "owns", type: .set(own), defaultValue: nil, description: nil),
          .init(name: "more", type: .map(key: .scalar(.int), value: own), defaultValue: nil, description: nil),
        ])),
      ResolvedType(
        name: "Loop", description: "", line: 1,
        form: .structure([.init(name: "next", type: .list(.declared("Loop")), defaultValue: nil, description: nil)])),
    ]
    let source = try #require(
      FixtureSource.emit([Samples.catalog(types: types, keys: keys)], module: "App").first)
    #expect(
      source.declarations.map(\.text) == [
        "// The app's own type: var own: Models.Own { … }", "// The app's own type: var owns: [Models.Own] { … }",
        "// The app's own type: var byName: [String: Models.Own] { … }",
        "var standing: Models.Own { Models.Own.first }",
        "var holder: Holder { Holder(own: nil, owns: [], more: [:]) }", "var loop: Loop { Loop(next: []) }",
      ])
  }

  @Test func manyKeysAreAddedInShortFunctions() throws {
    let keys = (0..<1_000).map { Samples.key("key\($0)") }
    let source = try #require(FixtureSource.emit([Samples.catalog(keys: keys)], module: "App").first)
    let lines = String(decoding: source.tests[0].bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.contains("keys.add(") }.count == 1_000)
    #expect(lines.split { !$0.contains("keys.add(") }.map(\.count).max() == 30)
  }

  // MARK: Records

  /// Each record is added after those to which it refers, and a release with rows is required.
  @Test func recordsAreAddedInTheOrderOfTheirReferences() throws {
    let record = { (name: String, references: [String]) -> ResolvedRecord in
      let fields = references.enumerated().map { index, other in
        RecordSamples.field("\(other.lowercased())ID", index + 2, .optional(.scalar(.string))) {
          $0.reference = .init(record: other, storedName: other, onDelete: .setNull)
        }
      }
      let key = RecordSamples.field("id", 1, .scalar(.string))
      return RecordSamples.record(name, member: "\(name)s", access: .public, database: "main", [key] + fields)
    }
    var catalog = Samples.catalog(keys: [Samples.key("b")])
    catalog.databases = [RecordSamples.database("main", access: .public)]
    catalog.records = [record("A", ["B", "A"]), record("B", []), record("C", ["D"]), record("D", ["C"])]
    let source = try #require(
      FixtureSource.emit([catalog], module: "App", releases: ["main": ["1.0", "1\".1"], "other": ["1.0"]]).first)
    #expect(
      source.declarations.map(\.text) == [
        "var b: String { \"a\" }", "var bRecord: B { B(id: \"a\") }",
        "var a: A { A(id: \"a\", bID: \"a\", aID: \"a\") }", "var c: C { C(id: \"a\", dID: nil) }",
        "var d: D { D(id: \"a\", cID: \"a\") }",
      ])
    let text = String(decoding: source.tests[0].bytes, as: UTF8.self)
    #expect(
      text.contains(
        """
            keys.add { $0.bRecord }
            keys.add { $0.a }
            keys.add { $0.c }
            keys.add { $0.d }
            keys.require(MainDatabase.self, in: ["1.0", "1\\".1"])

        """), "\(text)")
  }

  /// A field of the app's own type has its default, and an encrypted date in seconds has no fraction.
  @Test func aSampleOfARecordIsStoredAsItIs() throws {
    let own = ValueType.swift(SwiftName("Models.Own"))
    var catalog = Samples.catalog()
    catalog.databases = [RecordSamples.database("main", access: .public)]
    let fields = [
      RecordSamples.field("own", 1, own) { $0.defaultValue = .value(.swift(SwiftName("Models.Own.first"))) },
      RecordSamples.field("id", 2, .scalar(.int)), RecordSamples.field("maybe", 3, .optional(own)),
      RecordSamples.field("date", 4, .optional(.scalar(.date))) { ($0.isInSeconds, $0.encryption) = (true, .sealed) },
    ]
    let needed = [RecordSamples.field("id", 1, .scalar(.int)), RecordSamples.field("own", 2, own)]
    catalog.records = [
      RecordSamples.record("One", member: "ones", access: .public, database: "main", fields),
      RecordSamples.record("Two", member: "twos", access: .public, database: "main", needed),
    ]
    let source = try #require(FixtureSource.emit([catalog], module: "App").first)
    #expect(
      source.declarations.map(\.text) == [
        "var one: One { One(id: -5, maybe: nil, date: Date(timeIntervalSince1970: 1_000_000_000)) }",
        "// The app's own type: var two: Two { … }",
      ])
  }
}
