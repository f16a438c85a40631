import Foundation
import Testing

/// Tests of Package.swift.
struct ManifestTests {
  /// SwiftPM runs pkg-config for every system library of a manifest, and warns if a Mac does not have it.
  @Test func onlyLinuxHasALibraryForTheKeyring() throws {
    let manifest = try String(contentsOf: SwiftFile.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let elsewhere = manifest.replacing(/#if os\(Linux\)\n[\s\S]*?#(else|endif)/, with: "")
    #expect(manifest.contains("\"libsecret-1\""))
    #expect(!elsewhere.contains("\"libsecret-1\""))
  }

  /// SwiftPM compiles these targets in every app whose build generates its keys. A further one costs each of them time.
  @Test func theToolOfThePluginDependsOnFewTargets() throws {
    let manifest = try String(contentsOf: SwiftFile.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let text = manifest.replacing(/[ ]*\/\/.*/, with: "").filter { !$0.isWhitespace }
    let parts = text.matches(
      of: /name:"([^"]+)"(?:,capability:[^"]*)?,dependencies:(?:isToolCompiled\?)?\[(.*?)\](?=[,):])/)
    let dependencies = Dictionary(parts.map { (String($0.1), String($0.2)) }) { first, _ in first }
    try #require(dependencies["local-data"]?.contains(".product(name:\"ArgumentParser\"") == true)
    var found: Set<String> = []
    var open = ["LocalDataBuildPlugin"]
    while let target = open.popLast() {
      guard let list = dependencies[target] else { continue }
      #expect(!list.contains(".product("), "\(target)")
      for match in list.matches(of: /"(\w[\w-]*)"/) where found.insert(String(match.1)).inserted {
        open.append(String(match.1))
      }
    }
    #expect(
      found == [
        "CLocalDataMemory", "CLocalDataYAML", "CatalogComparison", "CatalogModel", "CatalogSyntax", "LocalDataEmission",
        "LocalDataFiles", "RecordShapes", "StorageAudit", "StorageVocabulary", "local-data-generate",
      ])
  }
}
