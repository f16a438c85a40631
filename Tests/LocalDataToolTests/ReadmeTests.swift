import Foundation
import TestSupport
import Testing

/// Tests that the tool and the runtime do what the README and the page of the tool show.
@Suite struct ReadmeTests {
  /// Further keys of the app, which the README uses and does not declare.
  private static let catalog = """
    localdata: 1
    catalog: More
    defaults: {owner: AccountTeam, domain: userDefaults, security: none}
    keys:
      isCompact: {type: Bool, default: false, description: Rows have small pictures.}
      installationID: {type: UUID, description: Identifies this installation.}
      balance: {type: Int, default: 100, description: The money that is left.}
      lastPurchase: {type: String, description: What was bought last.}
      draft:
        type: String
        parameters: {documentID: UUID}
        domain: {fileSystem: {directory: documents}}
        description: The unsaved text of one document.

    """

  /// A folder with the README's catalog, and what is generated from it.
  private func account(and catalogs: [String: String] = [:]) throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", try DocumentedPage.readme.block("yaml", beginning: "localdata: 1"))
    for (name, text) in catalogs { try tool.write("Catalogs/\(name).yaml", text) }
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    #expect(result.errors == "")
    return tool
  }

  @Test func theCatalogIsOne() throws {
    let tool = try account()
    #expect(tool.files(in: "Generated").filter { $0.hasSuffix(".swift") } == ["Account.keys.swift"])
  }

  @Test func theFindingIsWhatTheToolSays() throws {
    let catalog = try DocumentedPage.readme.block("yaml", beginning: "localdata: 1")
      .replacingOccurrences(of: "domain: keychain,", with: "domain: keychian,")
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", catalog)
    let result = try tool.run("validate", "--format", "xcode")
    #expect(result.code == 1)
    #expect(result.output.hasPrefix(try DocumentedPage.readme.block("", beginning: "Catalogs/Account.yaml:")))
  }

  /// A reader finds the rest on other pages.
  @Test func theReadmeIsShort() throws {
    #expect(try DocumentedPage.readme.text.split(whereSeparator: \.isWhitespace).count < 1_200)
  }

  #if os(Linux)
    @Test func theFirstLinesPrintWhatTheySay() throws {
      let code = try DocumentedPage.readme.block("swift", beginning: "try StorageRouter.shared.registerCatalog")
      let printed = DocumentedPage.printed(by: code)
      #expect(printed == ["token123", "dark"])
      #expect(try DocumentedPage.run(code, in: account()) == printed)
    }
  #endif

  @Test func theOtherCallsCompile() throws {
    let page = try DocumentedPage.readme
    #expect(page.blocks("swift").count == 5)
    let calls = try page.block("swift", beginning: "for try await theme")
    let end = try DocumentedPage.typecheck(
      [calls], end: ["_ = id"], declarations: "func apply(_ theme: Theme) {}", in: account(and: ["More": Self.catalog]))
    #expect(end == ChildProcess.End(code: 0, output: ""))
  }

  // Where there is SwiftUI, the view would be one of SwiftUI's.
  #if !canImport(SwiftUI)
    @Test func thePropertiesCompile() throws {
      // Without SwiftUI, the property has no binding.
      let properties = try DocumentedPage.readme.block("swift", beginning: "struct SettingsView")
        .replacingOccurrences(of: "$isCompact", with: "Binding(isCompact)")
      // The parts of SwiftUI that the view uses.
      let declarations = """
        import Observation

        protocol View { associatedtype Body; var body: Body { get } }
        struct Binding<Value> { init(_ value: Value) {} }
        struct Toggle: View {
          init(_ title: String, isOn: Binding<Bool>) {}
          var body: Never { fatalError() }
        }

        \(properties)
        """
      let end = try DocumentedPage.typecheck([], declarations: declarations, in: account(and: ["More": Self.catalog]))
      #expect(end == ChildProcess.End(code: 0, output: ""))
    }
  #endif

  /// The parts of `Package.swift`, those of the tool's page too, are parts of one.
  @Test func thePartsOfTheManifestCompile() throws {
    let readme = try DocumentedPage.readme
    let tool = try Tool()
    try tool.write(
      "Package.swift",
      """
      import PackageDescription

      let package = Package(
        name: "App",
      \(try readme.block("swift", beginning: "platforms:")))
      package.dependencies.append(
        \(try readme.block("swift", beginning: ".package(")))
      package.targets.append(
        \(try DocumentedPage(article: "Tool").block("swift", beginning: ".target(")))
      """)
    let end = try tool.shell(
      """
      resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\\(.*\\)".*/\\1/p')
      swiftc -typecheck -swift-version 6 -package-description-version 6.2 -I "$resources/pm/ManifestAPI" Package.swift
      """)
    #expect(end == ChildProcess.End(code: 0, output: ""))
  }

  /// Every line of the tool's page that calls the tool, in one folder, one after the other.
  @Test func theToolsPageShowsCommandsThatWork() throws {
    let lines = try DocumentedPage(article: "Tool").blocks("sh")
      .flatMap { $0.split(separator: "\n").map(String.init) }
      .filter { !$0.contains("--watch") }
    #expect(lines.count == 28)
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", try DocumentedPage.readme.block("yaml", beginning: "localdata: 1"))
    // What the folder of an app has.
    try tool.write("README.md", "# Account\n\n<!-- local-data:begin -->\n<!-- local-data:end -->\n")
    let entitlements = try tool.run("entitlements").output
    try tool.write("App/App.entitlements", "<plist version=\"1.0\">\n<dict>\n\(entitlements)</dict>\n</plist>\n")
    try tool.write("fastlane/Fastfile", "")
    for line in lines {
      #expect(line.hasPrefix("local-data "))
      let end = try tool.shell("local-data() { \"$TOOL\" \"$@\"; }; \(line)")
      #expect(end.code == 0, "\(line): \(end.output)")
    }
    #expect(tool.files(in: "Sources/App/Generated").contains("Account.keys.swift"))
  }
}
