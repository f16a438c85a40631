import Foundation
import Testing

/// Links that lead out of the folder of a run: a pull request could read files of the machine through them.
@Suite struct InputLinkTests {
  private static let secret = "SECRET: of the machine"

  private func tool() throws -> Tool {
    let tool = try Tool()
    try tool.write("outside/Env.yaml", Self.secret)
    try tool.write("outside/Env.catalog.yaml", Self.secret)
    try tool.write("outside/1.0.json", Self.secret)
    try tool.write("app/Catalogs/A.yaml", Tool.catalog("A"))
    return tool
  }

  private func link(_ path: String, to destination: String, in tool: Tool) throws {
    let url = tool.folder.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
  }

  /// The link, its destination, and the arguments of the run.
  @Test(arguments: [
    ("Catalogs/Env.yaml", "../../outside/Env.yaml", ["validate"]),
    ("Catalogs/Env.yaml", "/proc/self/environ", ["validate"]),
    ("Catalogs/Env.yaml", "../../outside/Env.yaml", ["generate", "Catalogs"]),
    ("Catalogs/Env.yaml", "../../outside/Env.yaml", ["validate", "Catalogs/Env.yaml"]),
    ("Catalogs/Env.yaml", "../../outside/Env.yaml", ["fmt"]),
    ("Sub/Env.catalog.yaml", "../../outside/Env.catalog.yaml", ["audit", "."]),
    ("Sub", "../outside", ["validate", "Sub"]),
    ("Sub", "..", ["validate", "Sub/outside/Env.yaml"]),
    ("Catalogs/Releases/1.0.json", "../../../outside/1.0.json", ["validate"]),
    ("Catalogs/Releases", "../../outside", ["generate"]),
    ("local-data.yaml", "../outside/Env.yaml", ["validate"]),
  ])
  func isRefused(path: String, destination: String, arguments: [String]) throws {
    let tool = try tool()
    try link("app/\(path)", to: destination, in: tool)
    let result = try tool.start(arguments, in: "app").finish()
    #expect(result.code == 3)
    #expect(result.errors.contains("through a link, and is not read"), "\(result.errors)")
    #expect(!(result.output + result.errors).contains("SECRET"))
    #expect(tool.files(in: "outside") == ["1.0.json", "Env.catalog.yaml", "Env.yaml"])
    #expect(try tool.read("outside/Env.yaml") == Self.secret)
  }

  /// A plugin names the folder by its whole path, and need not run in the package.
  @Test func isRefusedInAFolderByItsWholePath() throws {
    let tool = try tool()
    try link("app/Catalogs/Env.yaml", to: "../../outside/Env.yaml", in: tool)
    let folder = tool.folder.appending(path: "app/Catalogs").path
    let result = try tool.run("generate", folder, "--output", "out", "--swift-only", in: "outside")
    #expect(result.code == 3)
    #expect(result.errors.contains("through a link, and is not read"), "\(result.errors)")
  }

  @Test func linksInTheFolderAreRead() throws {
    let tool = try tool()
    try tool.write("app/Shared/B.yaml", Tool.catalog("B", keys: ["other"]))
    try link("app/Catalogs/B.yaml", to: "Sub/B.yaml", in: tool)
    try tool.write("app/Catalogs/Sub/B.yaml", Tool.catalog("B", keys: ["other"]))
    #expect(try tool.run("validate", in: "app").output == "no findings in 2 catalogs\n")
    // The user names the folder that is elsewhere.
    #expect(try tool.run("validate", "../app/Catalogs", in: "outside").code == 0)
    try link("here", to: "app", in: tool)
    #expect(try tool.run("validate", "here/Catalogs").code == 0)
  }
}
