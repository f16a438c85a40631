import Foundation
import TestSupport
import Testing

/// A checkout in which Git has changed the line ends of all files.
@Suite struct LineEndTests {
  /// Returns a clone with CR LF line ends of a repository with all that the tool writes, in the folder `clone`.
  private func clone() throws -> Tool {
    let tool = try Tool()
    try tool.write("app/Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "size"]))
    try tool.write("app/Catalogs/Sound.yaml", Tool.catalog("Sound", keys: ["volume"]))
    let lines = [
      "$TOOL fmt", "$TOOL release 1.0", "$TOOL generate", "$TOOL audit -o audit.md",
      "$TOOL audit --format csv -o audit.csv", "$TOOL manifest -o PrivacyInfo.xcprivacy",
      "$TOOL fixtures --module App",
    ]
    let end = try tool.shell("cd app && \(lines.joined(separator: " && "))")
    try #require(end.code == 0, "\(end.output)")
    try tool.git("init", "-q", "-b", "main", "app")
    try tool.git("-C", "app", "add", "-A")
    try tool.git("-C", "app", "commit", "-q", "-m", "One")
    try tool.git("-c", "core.autocrlf=true", "clone", "-q", "app", "clone")
    try #require(tool.read("clone/Generated/Audit/Account.json").contains("\r\n"))
    return tool
  }

  @Test func aCheckoutWithOtherLineEndsIsUpToDate() throws {
    let tool = try clone()
    func state() throws -> [String: String] { try tool.state(of: "clone").filter { !$0.key.hasPrefix(".git/") } }
    let before = try state()
    for (line, printed) in [
      ("generate --check", ""), ("generate", "2 catalogs, 3 keys: up to date\n"),
      ("release 1.0", "'Catalogs/Releases/1.0.json' is up to date\n"), ("diff --against 1.0", "no changes since"),
      ("diff --against HEAD", "no changes since"), ("audit --check -o audit.md", ""),
      ("audit --format csv --check -o audit.csv", ""), ("manifest --check -o PrivacyInfo.xcprivacy", ""),
      ("fixtures --module App --check", ""), ("fixtures --module App", "the tests are up to date\n"),
      ("fmt --check", ""), ("validate", "no findings"),
    ] {
      let result = try tool.run(arguments: line.split(separator: " ").map(String.init), in: "clone")
      #expect(result.code == 0, "\(line): \(result.output)\(result.errors)")
      #expect(
        result.output.hasPrefix(printed) && (!printed.isEmpty || result.output.isEmpty), "\(line): \(result.output)")
    }
    #expect(try state() == before)
  }

  /// An output that has other line ends is still one of the tool: it is replaced, and removed with its catalog.
  @Test func outputsWithOtherLineEndsAreReplaced() throws {
    let tool = try clone()
    try tool.write("clone/Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "size", "font"]))
    for path in ["Catalogs/Sound.yaml", "Catalogs/Releases/1.0.json"] { try tool.remove("clone/\(path)") }
    let difference = try tool.run("generate", "--check", in: "clone")
    #expect(difference.code == 1)
    #expect(difference.output.contains("+  public static var font") || difference.output.contains("+  static var font"))
    #expect(
      !difference.output.contains("-import LocalData\n+import LocalData"), "the lines that stay are no difference")
    let result = try tool.run("generate", in: "clone")
    #expect(result.code == 0, "\(result.errors)")
    #expect(try tool.read("clone/Generated/Account.keys.swift").contains("static var font"))
    #expect(tool.files(in: "clone/Generated").filter { $0.contains("Sound") } == [])
  }
}
