import LocalDataDocuments

/// The files of a new package that stores its values with LocalData.
struct NewPackage {
  struct File {
    var path: String
    var text: String
  }

  /// The name of the package, of its target and of its catalog.
  let name: String
  /// The path of the checkout of LocalData that the package depends on, absolute or relative to the package.
  let dependency: String
  /// The oldest systems that LocalData supports. A package that supports older ones cannot depend on it.
  private static let platforms = ".iOS(.v17), .watchOS(.v10), .macOS(.v14)"

  /// The files of a whole package.
  var files: [File] {
    [
      File(path: "Package.swift", text: manifest),
      Self.schema,
      catalog(in: "Sources/\(name)/Catalogs"),
      File(path: "Sources/\(name)/Launches.swift", text: source),
      File(path: "Tests/\(name)Tests/LaunchesTests.swift", text: test),
    ]
  }

  /// The files for a package that exists, which may have a target of this name.
  func additions(hasTarget: Bool) -> [File] {
    [Self.schema, catalog(in: (hasTarget ? "Sources/\(name)/" : "") + "Catalogs")]
  }

  /// The JSON Schema that the first line of the catalog names, for editors.
  static var schema: File { File(path: ".local-data/schema.json", text: SchemaEmitter.emit()) }

  /// The next steps in a package that exists.
  var instructions: String {
    """
    next: add to Package.swift
      platforms: [\(Self.platforms)],
      dependencies: [\(dependencyText)],
    and to the target that uses the keys
      dependencies: [.product(name: "LocalData", package: "LocalData")],
      plugins: [.plugin(name: "LocalDataBuildPlugin", package: "LocalData")]
    then: swift build

    """
  }

  /// Returns a Boolean value that indicates whether a text can name a module that imports LocalData.
  static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Z][A-Za-z0-9_]*/) != nil && !takenModules.contains(text)
  }

  /// Modules that the package or its dependencies import, and frameworks that most apps import.
  private static let takenModules: Set<String> = [
    "LocalData", "LocalDataMaintenance", "LocalDataRecords", "LocalDataSync", "LocalDataTesting", "LocalDataFoundation",
    "LocalDataShapes", "LocalDataAudit", "LocalDataSQLite", "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary",
    "Swift",
    "Foundation", "FoundationEssentials", "Testing",
    "XCTest", "Dispatch", "Observation", "Synchronization", "Crypto", "CryptoExtras", "Darwin", "Glibc", "Musl",
    "Security", "Combine", "SwiftUI", "UIKit", "AppKit", "WatchKit", "WatchConnectivity",
  ]

  /// Returns the name of a module that is made from the name of a folder: `my-app` becomes `MyApp`.
  static func name(from folder: String) -> String? {
    let words = folder.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return isName(name) ? name : nil
  }

  private var dependencyText: String { ".package(name: \"LocalData\", path: \(quoted(dependency)))" }

  private func quoted(_ text: String) -> String {
    let escaped = text.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] }
    return "\"\(String(escaped))\""
  }

  private func imports(_ modules: String...) -> String {
    modules.map { "import \($0)" }.joined(separator: "\n")
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    \(imports("PackageDescription"))

    let package = Package(
      name: "\(name)",
      platforms: [\(Self.platforms)],
      products: [.library(name: "\(name)", targets: ["\(name)"])],
      dependencies: [\(dependencyText)],
      targets: [
        .target(
          name: "\(name)",
          dependencies: [.product(name: "LocalData", package: "LocalData")],
          plugins: [.plugin(name: "LocalDataBuildPlugin", package: "LocalData")]),
        .testTarget(
          name: "\(name)Tests",
          dependencies: ["\(name)", .product(name: "LocalData", package: "LocalData")]),
      ]
    )

    """
  }

  private func catalog(in folder: String) -> File {
    let root = folder.split(separator: "/").map { _ in "../" }.joined()
    let text = """
      # yaml-language-server: $schema=\(root)\(Self.schema.path)
      localdata: 1
      catalog: \(name)
      defaults: {domain: userDefaults, security: none, owner: \(name)Team}
      keys:
        launchCount: {type: Int, default: 0, description: The number of launches since the app was installed.}

      """
    return File(path: "\(folder)/\(name).yaml", text: text)
  }

  private var source: String {
    """
    \(imports("LocalData"))

    /// Counts the launches of the app.
    public struct Launches {
      private let router: StorageRouter

      public init(router: StorageRouter) { self.router = router }

      /// Counts one launch and returns the number of launches.
      public func count() async throws -> Int {
        try await router.update(.launchCount) { $0 += 1 }
      }
    }

    """
  }

  private var test: String {
    """
    \(imports("LocalData", "Testing"))

    @testable import \(name)

    @Test func launchesAreCounted() async throws {
      let router = StorageRouter.inMemory()
      try router.registerCatalog(\(name)Catalog.self)
      let launches = Launches(router: router)
      #expect(try await launches.count() == 1)
      #expect(try await launches.count() == 2)
    }

    """
  }
}
