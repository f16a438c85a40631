import Foundation
import TestSupport
import Testing

/// `init`: which files it writes. `.ci/run` builds and tests the package.
@Suite struct InitTests {
  @Test func aPackageInAnEmptyFolder() throws {
    let tool = try Tool()
    try tool.write("LocalData/Package.swift", "")
    let result = try tool.run("init", "my-app", "--package-path", "LocalData")
    #expect(result.code == 0, "\(result.errors)")
    let files = [
      "Package.swift", ".local-data/schema.json", "Sources/MyApp/Catalogs/MyApp.yaml", "Sources/MyApp/Launches.swift",
      "Tests/MyAppTests/LaunchesTests.swift",
    ]
    #expect(tool.files(in: "my-app") == files.sorted())
    #expect(result.output == files.map { "wrote \($0)\n" }.joined() + "next: swift test\n")
    let manifest = try tool.read("my-app/Package.swift")
    #expect(manifest.contains(".package(name: \"LocalData\", path: \"../LocalData\")"))
    #expect(try tool.run("validate", "my-app").output == "no findings in 1 catalog\n")
  }

  @Test func nothingIsOverwritten() throws {
    let tool = try Tool()
    try tool.write("LocalData/Package.swift", "")
    try tool.write("App/Tests/AppTests/LaunchesTests.swift", "mine")
    let result = try tool.run("init", "App", "--package-path", "LocalData")
    #expect(result.code == 2)
    #expect(result.errors.contains("'Tests/AppTests/LaunchesTests.swift' exists already, and nothing was written"))
    #expect(tool.files(in: "App") == ["Tests/AppTests/LaunchesTests.swift"])
  }

  @Test(arguments: [true, false])
  func aCatalogForAPackage(hasTarget: Bool) throws {
    let tool = try Tool()
    try tool.write("LocalData/Package.swift", "")
    try tool.write("Package.swift", "// mine")
    if hasTarget { try tool.write("Sources/Shop/main.swift", "") }
    let result = try tool.run("init", "--name", "Shop", "--package-path", "LocalData")
    let path = hasTarget ? "Sources/Shop/Catalogs/Shop.yaml" : "Catalogs/Shop.yaml"
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("wrote .local-data/schema.json\nwrote \(path)\nnext: add to Package.swift\n"))
    // Without its platforms, the package has older ones than LocalData.
    #expect(result.output.contains("  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],\n  dependencies: ["))
    #expect(result.output.contains("plugins: [.plugin(name: \"LocalDataBuildPlugin\", package: \"LocalData\")]"))
    #expect(try tool.read("Package.swift") == "// mine")
    #expect(
      try tool.read(path).hasPrefix(
        "# yaml-language-server: $schema=\(hasTarget ? "../../../" : "../").local-data/schema.json\n"))
    #expect(try tool.run("validate", path).code == 0)
    #expect(try tool.run("init", "--name", "Shop", "--package-path", "LocalData").code == 2)
  }

  /// There is no address of ours. A package must not depend on one that somebody else may own.
  @Test func aPackageDependsOnACheckoutOnly() throws {
    let tool = try Tool()
    let result = try tool.run("init", "App")
    #expect(result.code == 2)
    #expect(result.errors.contains("--package-path"))
    #expect(result.errors.contains("LocalData has no published address yet"))
    #expect(tool.files() == [])
  }

  @Test func aCheckoutOfLocalData() throws {
    let tool = try Tool()
    try tool.write("deps/Local\"Data/Package.swift", "")
    try tool.run("init", "App", "--package-path", "deps/Local\"Data")
    let manifest = try tool.read("App/Package.swift")
    #expect(manifest.contains(#".package(name: "LocalData", path: "../deps/Local\"Data")"#))
  }
}
