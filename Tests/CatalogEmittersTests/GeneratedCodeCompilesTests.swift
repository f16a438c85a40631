import Foundation
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
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("local-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for golden in try GoldenCase.all {
      files += try golden.wanted().keys.filter { $0.hasSuffix(".swift") }
        .map { golden.want.appendingPathComponent($0).path }
    }
    try #require(files.count > 8)
    let app = folder.appendingPathComponent("App.swift")
    try Data(Self.app.utf8).write(to: app)

    let output = try run(
      ["swiftc", "-typecheck", "-warnings-as-errors", "-module-name", "App", "-package-name", "app"]
        + ["-swift-version", settings.languageMode] + settings.isolation
        + settings.features.flatMap { ["-enable-upcoming-feature", $0] }
        + ["-I", Self.modules.path, "-Xcc", "-fmodule-map-file=\(Self.sqlite.path)"]
        + ["-module-cache-path", Self.products.appendingPathComponent("ModuleCache").path]
        + [app.path] + files.sorted())
    #expect(output == "")
  }

  /// What an app writes beside generated code: bare imports, an own type, and uses from the main actor.
  private static let app = """
    import Foundation
    import LocalData

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
      }
    }
    """

  /// The folder of the build that runs this test.
  private static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  private static let modules = products.appendingPathComponent("Modules")
  private static let sqlite = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/CLocalDataSQLite/module.modulemap")

  private func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? output : "status \(process.terminationStatus)\n\(output)"
  }
}
