import Foundation
import TestSupport
import Testing

@testable import LocalDataEmission
@testable import local_data

/// Tests of the version of the package, and of the sources by which plugins recognize an installed tool.
struct ToolVersionTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  // MARK: The version

  @Test func versionsAgree() throws {
    let version = "\(PackageVersion.current)"
    #expect(try Tool().run("--version").output == "\(version) (sources \(ToolSources.digest))\n")
    #expect(
      try Self.text("Generated/Wallet.keys.swift").hasPrefix("// Written by local-data \(version) from Wallet.yaml."))
    let newest = try #require(try Self.text(".github/CHANGELOG.md").firstMatch(of: /\n## (\S+)/))
    #expect(newest.1.prefix { $0 != "," } == version)
    #expect(try DocumentedPage.readme.text.contains("from: \"\(version)\""))
  }

  #if os(Linux)
    /// A tool of a later release writes code that names a later version, which the runtime does not have.
    @Test func codeOfAnotherFormatDoesNotCompile() throws {
      let tool = try Tool()
      try tool.write("Catalogs/Account.yaml", try DocumentedPage.readme.block("yaml", beginning: "localdata: 1"))
      try #require(try tool.run("generate").code == 0)
      let path = "Generated/Account.keys.swift"
      let code = try tool.read(path)
      #expect(code.contains("GeneratedFormat.version1.rows"))
      try tool.write(path, code.replacing("GeneratedFormat.version1", with: "GeneratedFormat.version2"))
      let end = try DocumentedPage.typecheck([], in: tool)
      #expect(end.code != 0)
      #expect(end.output.contains("type 'GeneratedFormat' has no member 'version2'"))
    }
  #endif

  // MARK: The sources

  /// The targets of the package that become the tool.
  private static let targets = Result {
    // A declaration of a target begins a line of the list. A dependency is deeper in it.
    let declarations = try text("Package.swift")
      .split(separator: /\n    \.(?:target|executableTarget|testTarget|systemLibrary|plugin)\(/)
    var contents: [String: Set<String>] = [:]
    for declaration in declarations.dropFirst() {
      let names = declaration.replacing(/\/\/.*/, with: "").matches(of: /"([\w-]+)"/).map { String($0.1) }
      if let name = names.first { contents[name] = Set(names.dropFirst()) }
    }
    var found: Set = ["local-data"]
    var next = found
    while !next.isEmpty {
      next = Set(next.flatMap { contents[$0] ?? [] }).intersection(contents.keys).subtracting(found)
      found.formUnion(next)
    }
    return found.sorted()
  }

  #if os(Linux)
    /// The linker's list has the objects of every target with Swift code.
    @Test func sourcesAreThoseOfTheLinkedTargets() throws {
      let list = BuiltProducts.folder.appending(path: "local-data.product/Objects.LinkFileList")
      let linked = try String(contentsOf: list, encoding: .utf8).matches(of: /\/([\w-]+)\.build\//)
        .map { $0.1 == "local_data" ? "local-data" : String($0.1) }
      let own = Set(linked).filter {
        FileManager.default.fileExists(atPath: Self.package.appending(path: "Sources/\($0)").path)
      }
      let swift = try Self.targets.get().filter { !$0.hasPrefix("CLocalData") }
      #expect(own.sorted() == swift)
    }
  #endif

  /// The digest of all files of the targets: with the FNV-1a of 64 bits, for it need only tell states of one package apart.
  private static func digest() throws -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: [UInt8]) { for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    for target in try targets.get() {
      let folder = package.appending(path: "Sources/\(target)")
      let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
      for path in paths.sorted()
      where !path.hasSuffix("ToolSources.swift") && !path.contains("/.") && !path.hasPrefix(".") {
        let file = folder.appending(path: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
          continue
        }
        let bytes = [UInt8](try Data(contentsOf: file))
        add(Array("\(target)/\(path) \(bytes.count)\n".utf8))
        add(bytes)
      }
    }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  /// After a change of these sources, `LOCALDATA_RECORD=1 swift test --filter digestIsOfTodaysSources` writes the digest.
  @Test func digestIsOfTodaysSources() throws {
    let path = "Sources/local-data/ToolSources.swift"
    let digest = try Self.digest()
    let old = try Self.text(path)
    let new = old.replacing(/digest = "\w+"/, with: "digest = \"\(digest)\"")
    if GoldenFolder.isRecording { try Data(new.utf8).write(to: Self.package.appending(path: path)) }
    #expect(
      old == new,
      "the tool's sources have changed: LOCALDATA_RECORD=1 swift test --filter digestIsOfTodaysSources, and commit \(path)"
    )
  }
}
