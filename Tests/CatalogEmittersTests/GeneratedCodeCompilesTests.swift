import Foundation
import TestSupport
import Testing

/// The golden Swift of all cases, as one module, in every way that an app may compile it. Warnings are errors.
///
/// One module, so that public, package and internal catalogs and an app's own file stand beside each other.
struct GeneratedCodeCompilesTests {
  struct Settings: CustomTestStringConvertible, Sendable {
    var languageMode: String
    var isolation: [String]
    var features: [String]

    var testDescription: String { (["Swift \(languageMode)"] + isolation + features).joined(separator: " ") }

    static let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]

    static let all: [Settings] = ["5", "6"].flatMap { mode in
      [[], ["-default-isolation", "MainActor"]].flatMap { isolation in
        [[], features].map { Settings(languageMode: mode, isolation: isolation, features: $0) }
      }
    }
  }

  @Test(arguments: Settings.all)
  func compiles(_ settings: Settings) throws {
    let folder = try ScratchFolder()
    var files: [String] = []
    for golden in try GoldenCase.all {
      files += try golden.wanted().keys.filter { $0.hasSuffix(".swift") }
        .map { golden.want.appendingPathComponent($0).path }
    }
    try #require(files.count > 8)
    let app = folder.url.appendingPathComponent("App.swift")
    try Data(Self.app.utf8).write(to: app)

    let end = try ChildProcess.run(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-warnings-as-errors", "-module-name", "App", "-package-name", "app"]
        + ["-swift-version", settings.languageMode] + settings.isolation
        + settings.features.flatMap { ["-enable-upcoming-feature", $0] }
        + ["-I", Self.modules.path, "-Xcc", "-fmodule-map-file=\(Self.sqlite.path)"]
        + ["-module-cache-path", BuiltProducts.folder.appendingPathComponent("ModuleCache").path]
        + [app.path] + files.sorted())
    #expect(end == ChildProcess.End(code: 0, output: ""))
  }

  /// What an app writes beside generated code: bare imports, an own type, and uses from the main actor.
  private static let app = """
    import Foundation
    import LocalData

    // What the catalogs name: a smaller form for the watch.
    extension SyncGlance {
      nonisolated init(_ profile: SyncProfile) { self.init(name: profile.name) }
    }

    nonisolated func countNames(_ names: [String]) -> Int { names.count }

    struct Screen {
      let router: StorageRouter

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
      }
    }
    """

  private static let modules = BuiltProducts.folder.appendingPathComponent("Modules")
  private static let sqlite = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/CLocalDataSQLite/module.modulemap")
}
