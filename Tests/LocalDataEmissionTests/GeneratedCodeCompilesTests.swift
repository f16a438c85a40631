import Foundation
import TestSupport
import Testing

/// The golden Swift of all cases, as one module, in every way that an app may compile it. Warnings are errors.
///
/// It is one module, so that public, package and internal catalogs are compiled together with an app's own file.
struct GeneratedCodeCompilesTests {
  struct Settings: CustomTestStringConvertible, Sendable {
    var languageMode: String
    var isolation: [String]
    var features: [String]

    var testDescription: String { (["Swift \(languageMode)"] + isolation + features).joined(separator: " ") }

    static let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]

    /// Each pair of choices occurs in one of them.
    static let all = [
      Settings(languageMode: "5", isolation: [], features: []),
      Settings(languageMode: "5", isolation: ["-default-isolation", "MainActor"], features: features),
      Settings(languageMode: "6", isolation: [], features: features),
      Settings(languageMode: "6", isolation: ["-default-isolation", "MainActor"], features: []),
    ]
  }

  /// A quick run compiles them to run them, in `GeneratedCodeRunsTests`.
  @Test(.enabled(if: Sweep.isFull), arguments: Sweep.sample(Settings.all, quick: 1))
  func compiles(_ settings: Settings) throws {
    let folder = try ScratchFolder()
    let end = try Self.compile(settings, ["-typecheck", "-module-name", "App"] + Self.files(in: folder))
    #expect(end == ChildProcess.End(code: 0, output: ""))
  }

  /// The golden Swift of all cases, and the app's own file, which is put into `folder`.
  static func files(in folder: ScratchFolder) throws -> [String] {
    var files: [String] = []
    for golden in try GoldenCase.all {
      files += try golden.wanted().keys.filter { $0.hasSuffix(".swift") }
        .map { golden.want.appendingPathComponent($0).path }
    }
    try #require(files.count > 8)
    let app = folder.url.appendingPathComponent("App.swift")
    try Data(Self.app.utf8).write(to: app)
    return [app.path] + files.sorted()
  }

  /// Runs the compiler with the package's modules. A warning is an error.
  static func compile(_ settings: Settings, _ arguments: [String]) throws -> ChildProcess.End {
    try ChildProcess.run(
      "/usr/bin/env",
      ["swiftc", "-warnings-as-errors", "-package-name", "app"]
        + ["-swift-version", settings.languageMode] + settings.isolation
        + settings.features.flatMap { ["-enable-upcoming-feature", $0] }
        + BuiltProducts.moduleArguments
        + ["-module-cache-path", BuiltProducts.folder.appendingPathComponent("ModuleCache").path] + arguments)
  }

  /// A function of the app's own that fits neither its sources nor its key, and the line of it.
  @Test(arguments: [
    ("theme(_ number: Int)", "theme(_ number: Double)", "by: MigrationSteps.theme"),
    ("theme(_ number: Int) -> MigratedTheme", "theme(_ number: Int) -> MigratedTheme?", "by: MigrationSteps.theme"),
    ("join(_ token: String?, _ code: Int?,", "join(_ token: String?, _ code: String?,", "by: MigrationSteps.join as"),
    ("init(_ code: Int?, _ date: Date?)", "init(_ code: Int?, date: Date)", "by: MigratedTheme.init as"),
    ("text(_ number: Int) throws", "texts(_ number: Int) throws", "by: MigrationSteps.text"),
    (
      "StorageKey<String?>.migratedCustom", "StorageKey<Double?>.migratedSince",
      "AnyStorageMigration(MigratedCustom(), for: key)"
    ),
    (
      "MigratedAny<Value: Sendable>: StorageFamilyMigration", "MigratedAny<Value: Sendable>: StorageMigration",
      ".migrating(by: MigratedAny.self, for: StorageKey<String?>.self)"
    ),
  ])
  func aFunctionThatDoesNotFitIsAnErrorWhereItIsNamed(_ old: String, _ new: String, _ line: String) throws {
    let golden = try #require(try GoldenCase.all.first { $0.name == "Migrations" })
    let folder = try ScratchFolder()
    let app = folder.url.appendingPathComponent("App.swift")
    let changed = Self.migrations.replacingOccurrences(of: old, with: new)
    try #require(changed != Self.migrations)
    try Data(("import Dispatch\nimport Foundation\nimport LocalData\n" + changed).utf8).write(to: app)
    let migrations = golden.want.appendingPathComponent("Migrations.keys.swift")
    let end = try Self.compile(
      Settings(languageMode: "6", isolation: [], features: []),
      ["-typecheck", "-module-name", "App", app.path, migrations.path]
        + [golden.want.appendingPathComponent("Sources.keys.swift").path])
    let lines = try String(contentsOf: migrations, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let errors = end.output.split(separator: "\n").filter { $0.contains(".swift:") && $0.contains(": error: ") }
    try #require(!errors.isEmpty)
    for error in errors {
      let place = error.split(separator: ":")
      #expect(place[0].hasSuffix("Migrations.keys.swift"), "\(error)")
      let number = try #require(Int(place[1]))
      #expect(lines[number - 1].contains(line), "\(error)")
    }
  }

  /// A property whose key cannot be read without waiting.
  @Test(arguments: [
    ("smallTheme", nil), ("smallToken", "smallToken"), ("smallNotes", "smallNotes"), ("smallThme", "smallThme"),
  ])
  func aPropertyIsOfAPlainPreference(_ key: String, _ missing: String?) throws {
    let folder = try ScratchFolder()
    let app = folder.url.appendingPathComponent("App.swift")
    let text = "import LocalData\n\nstruct Screen {\n  @Stored(.\(key)) var value\n}\n"
    try Data(text.utf8).write(to: app)
    let golden = try #require(try GoldenCase.all.first { $0.name == "SmallCatalog" })
    let end = try Self.compile(
      Settings(languageMode: "6", isolation: [], features: []),
      ["-typecheck", "-module-name", "App", app.path, golden.want.appendingPathComponent("Small.keys.swift").path])
    guard let missing else {
      #expect(end == ChildProcess.End(code: 0, output: ""))
      return
    }
    #expect(end.code != 0)
    #expect(end.output.contains("App.swift:4:"))
    #expect(end.output.contains("has no member '\(missing)'"), "\(end.output)")
  }

  /// A target without the product for sync has no module to import. The names of the feature are in no other module.
  @Test func aSyncedCatalogNeedsTheProduct() throws {
    let folder = try ScratchFolder()
    let golden = try #require(try GoldenCase.all.first { $0.name == "Sync" })
    let keys = golden.want.appendingPathComponent("Sync.keys.swift")
    let text = try String(contentsOf: keys, encoding: .utf8)
    let app = folder.url.appendingPathComponent("App.swift")
    let functions = """
      extension SyncGlance {
        nonisolated init(_ profile: SyncProfile) { self.init(name: profile.name) }
      }
      nonisolated func countNames(_ names: [String]) -> Int { names.count }

      """
    try Data(functions.utf8).write(to: app)
    let settings = Settings(languageMode: "6", isolation: [], features: [])
    let whole = try Self.compile(settings, ["-typecheck", "-module-name", "App", app.path, keys.path])
    #expect(whole == ChildProcess.End(code: 0, output: ""))

    let without = text.replacingOccurrences(of: "\nimport LocalDataSync\n", with: "\n")
    try #require(without != text)
    let changed = folder.url.appendingPathComponent("Sync.keys.swift")
    try Data(without.utf8).write(to: changed)
    let end = try Self.compile(settings, ["-typecheck", "-module-name", "App", app.path, changed.path])
    #expect(end.code != 0)
    #expect(end.output.contains("type 'StorageFeature' has no member 'sync'"), "\(end.output)")
  }

  /// The code that an app has beside generated code: bare imports, its own type, and uses from the main actor.
  private static let app = """
    import Dispatch
    import Foundation
    import LocalData
    import LocalDataSync

    // What the catalogs name: a smaller form for the watch.
    extension SyncGlance {
      nonisolated init(_ profile: SyncProfile) { self.init(name: profile.name) }
    }

    nonisolated func countNames(_ names: [String]) -> Int { names.count }

    nonisolated enum Flag {
      static func parse(_ text: String) -> Bool? { ["yes": true, "no": false][text.lowercased()] }
    }

    nonisolated enum Visits {
      static func upgraded(_ last: Date) -> [Date] { [last] }
    }

    struct Screen {
      let router: StorageRouter
      @Stored(.smallTheme) var stored

      func show() async throws {
        let theme = try await router.get(.smallTheme)
        let token: String? = try await router.get(.smallToken)
        try await router.set(.dark, for: .smallTheme)
        try await router.set(nil, for: .smallToken)
        let draft = try await router.get(.familyDraft(documentID: UUID()))
        let notes: [String] = try await router.get(.smallNotes)
        _ = (theme == .light, token ?? "", draft ?? "", notes, Everything(in: "x", nested: []).country)
        try router.registerCatalog(SmallCatalog.self)
        try await router.sync.send(.syncSecret)
        for draft in try await router.members(of: .familyDraft) {
          let (id, text): (UUID, String?) = (draft.parameters, try await router.get(draft.key))
          try await router.set(text, for: .familyDraft(documentID: id))
        }
        for page in try await router.members(of: .familyPage) {
          let number: Int = page.parameters.number
          let lines: [String] = try await router.get(page.key)
          if page.parameters.shelf == .inbox, number > lines.count { try await router.remove(page.key) }
        }
        try await router.removeAll(of: .familyPage)
        let plain: SmallTheme = try router.value(.smallTheme)
        try router.setValue(plain, for: .smallTheme)
      }
    }

    """ + migrations + "\n\n" + upgrades + "\n\n" + clashes

  /// The declarations that the case `Migrations` names: functions that throw or do not throw, initializers, and custom
  /// migrations of the app.
  static let migrations = """
    nonisolated enum MigrationSteps {
      static func theme(_ number: Int) -> MigratedTheme { number == 0 ? .light : .dark }
      static func text(_ number: Int) throws -> String { String(number) }
      static func same(_ text: String) -> String? { text }
      static func join(_ token: String?, _ code: Int?, _ dates: [Date]?) throws -> String { token ?? "" }
      static func both(_ first: String?, _ last: String?) throws -> String { (first ?? "") + (last ?? "") }
      static func either(_ date: Date?, _ code: Int?) -> String? { code.map { String($0) } }
    }

    nonisolated extension MigratedTheme {
      init(_ legacyName: String) throws { self = legacyName == "night" ? .dark : .light }
      init(_ code: Int?, _ date: Date?) { self = code == nil ? .light : .dark }
    }

    nonisolated enum LegacyParts {
      static func text(_ level: Int) -> String { String(level) }
      static func first(_ name: String) throws -> String { String(name.prefix { $0 != " " }) }
      static func last(_ name: String) -> String? { name.split(separator: " ").last.map { String($0) } }
    }

    nonisolated func joinedMigration(_ start: DispatchTime) -> Double { Double(start.uptimeNanoseconds) }

    nonisolated struct MigratedCustom: StorageMigration {
      let destinationKey = StorageKey<String?>.migratedCustom

      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { false }

      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        MigrationResult(success: true)
      }
    }

    nonisolated struct MigratedAny<Value: Sendable>: StorageFamilyMigration {
      let destinationKey: StorageKey<Value>

      static func members(using router: StorageRouter, context: MigrationContext) async throws -> [StorageKey<Value>] { [] }

      static func removeMembers(using router: StorageRouter, context: MigrationContext) async throws {}

      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { false }

      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        MigrationResult(success: true)
      }
    }

    nonisolated extension MigratedAny where Value == [Int] {
      init() { self.init(destinationKey: .migratedGeneric) }
    }

    nonisolated enum MigratedNotes: CustomSerializer {
      static let name = "MigratedNotes"
      static func encode(_ value: String) throws -> Data { Data(value.utf8) }
      static func decode(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
    }

    nonisolated enum MigratedClocks: CustomSerializer {
      static let name = "MigratedClocks"
      static func encode(_ value: DispatchTime) throws -> Data { Data(String(value.uptimeNanoseconds).utf8) }
      static func decode(_ data: Data) throws -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64(String(decoding: data, as: UTF8.self)) ?? 0)
      }
    }
    """

  /// The declarations that the case `Schemas` names: types of earlier schemas, and functions from each to the next.
  private static let upgrades = """
    public nonisolated struct SchemaProfileV1: Codable, Sendable {
      var name: String

      static func upgraded(_ old: SchemaProfileV1) throws -> SchemaProfileV2 { SchemaProfileV2(name: old.name, age: "") }
    }

    public nonisolated struct SchemaProfileV2: Codable, Sendable {
      var name: String
      var age: String

      static func upgraded(_ old: SchemaProfileV2) throws -> SchemaProfile {
        SchemaProfile(name: old.name, age: Int(old.age) ?? 0)
      }
    }

    nonisolated extension SchemaProfile {
      init(_ old: SchemaProfileV1) { self.init(name: old.name, age: 0) }
    }

    nonisolated enum SchemaVolume {
      static func fromPercent(_ percent: Int) -> Double { Double(percent) / 100 }
    }

    nonisolated enum SchemaText {
      static func fromBytes(_ bytes: Data) throws -> String { String(decoding: bytes, as: UTF8.self) }
    }

    nonisolated enum SchemaNoteSerializer: CustomSerializer {
      static let name = "SchemaNoteSerializer"
      static func encode(_ value: String) throws -> Data { Data(value.utf8) }
      static func decode(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
    }
    """

  /// The declarations that the case `NameClashes` names.
  static let clashes = """
    nonisolated enum ClashSteps {
      static func text(_ number: Int) -> String { String(number) }
    }

    nonisolated struct ClashMigration<Value: Sendable>: StorageFamilyMigration {
      let destinationKey: StorageKey<Value>

      static func members(using router: StorageRouter, context: MigrationContext) async throws -> [StorageKey<Value>] { [] }

      static func removeMembers(using router: StorageRouter, context: MigrationContext) async throws {}

      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { false }

      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        MigrationResult(success: true)
      }
    }

    public nonisolated enum clashModels {
      public struct Item: Codable, Hashable, Sendable {
        public static let first = Item()
      }
    }
    """

}
