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
    let dependencies = Self.dependencies(in: manifest)
    try #require(dependencies["local-data"]?.contains("product ArgumentParser") == true)
    var found: Set<String> = []
    var open = ["LocalDataBuildPlugin"]
    while let target = open.popLast() {
      for name in try #require(dependencies[target], "\(target)") where found.insert(name).inserted {
        open.append(name)
      }
    }
    #expect(
      found == [
        "CLocalDataYAML", "LocalDataComparison", "LocalDataModel", "LocalDataSyntax",
        "LocalDataEmission",
        "LocalDataFiles", "LocalDataShapes", "LocalDataAudit", "LocalDataVocabulary", "local-data-generate",
      ])
  }

  @Test func allDependenciesOfATargetAreFound() {
    let manifest = """
      .systemLibrary(name: "Library", providers: [.apt(["dependencies"])]),
      .target(name: "Alone"),
      .target(
        name: "Several",
        dependencies: [
          // "Comment",
          "A", .target(name: "B", condition: .when(platforms: [.linux])), "C", .product(name: "D", package: "d"),
        ] + more),
      .plugin(
        name: "Plugin", capability: .buildTool(), dependencies: isOn ? ["A"] : [], path: "Plugin"),
      """
    let found = Self.dependencies(in: manifest)
    #expect(found["Library"] == [])
    #expect(found["Alone"] == [])
    #expect(found["Several"] == ["A", "B", "C", "product D", "more"])
    #expect(found["Plugin"] == ["A"])
  }

  /// Returns what the targets of a manifest depend on: the names of targets, products and variables.
  private static func dependencies(in manifest: String) -> [String: [String]] {
    let text = manifest.replacing(/\/\/.*/, with: "").filter { !$0.isWhitespace }
    var result: [String: [String]] = [:]
    for target in text.matches(of: /\.(?:executableTarget|target|systemLibrary|plugin)\(name:"([^"]+)"/) {
      let arguments = arguments(from: target.range.upperBound, of: text)
      let list = arguments.first { $0.hasPrefix("dependencies:") }?.dropFirst("dependencies:".count) ?? ""
      let names = list.replacing(/,(?:condition:\.when\(.*?\)|package:"[^"]*")|\w+\?/, with: "")
        .matches(of: /(\.product\(name:)?"([^"]+)"|\b[a-z]\w*\b(?![:(])/)
      // A dependency can have the form of a target without arguments.
      guard result[String(target.1)] == nil || !list.isEmpty else { continue }
      result[String(target.1)] = names.map { name in
        name.2.map { name.1 == nil ? String($0) : "product \($0)" } ?? String(name.0)
      }
    }
    return result
  }

  /// Returns the arguments that follow in a call, up to its last bracket.
  private static func arguments(from start: String.Index, of text: String) -> [Substring] {
    var depth = 0
    func isInside(_ character: Character) -> Bool {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      return depth > 0
    }
    let call = text[start...].prefix { isInside($0) || depth == 0 }
    depth = 0
    return call.split { !isInside($0) && $0 == "," }
  }
}
