import Foundation
import TestSupport
import Testing

/// Standard input, standard output and named documents.
@Suite struct StreamTests {
  private func tool() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    return tool
  }

  #if os(Linux)
    @Test(arguments: [
      "audit", "audit --format json", "validate", "generate --check", "generate", "--help", "--version",
      "audit -o /dev/full",
    ])
    func aFullDiskIsAFailure(arguments: String) throws {
      let end = try tool().shell("\"$TOOL\" \(arguments) 2>&1 >/dev/full")
      #expect(end.code == 3)
      #expect(end.output.hasPrefix("local-data: error: cannot write"))
      #expect(end.output.contains("No space left on device"))
    }
  #endif

  /// The reader has what it wanted. The exit code is the verb's own.
  @Test(arguments: [("audit", 0), ("validate", 0), ("generate --check", 1), ("--help", 0)] as [(String, Int)])
  func aReaderThatGoesAwayIsNoFailure(arguments: String, code: Int) throws {
    let end = try tool().shell(
      "{ sleep 0.2; \"$TOOL\" \(arguments); echo \"code $?\" >&2; } 2>errors | true; cat errors")
    #expect(end.output == "code \(code)\n")
  }

  // MARK: Documents

  @Test func anAuditInAFile() throws {
    let tool = try tool()
    let want = try tool.run("audit").output
    try tool.write("audit.md", "old")
    try FileManager.default.linkItem(
      at: tool.folder.appending(path: "audit.md"), to: tool.folder.appending(path: "second"))
    let result = try tool.run("audit", "-o", "audit.md")
    #expect(result.code == 0 && result.output.isEmpty && result.errors.isEmpty)
    #expect(try tool.read("audit.md") == want)
    // The output is a new file that replaced the old one in one step.
    #expect(try tool.read("second") == "old")
    #expect(tool.files() == ["Catalogs/A.yaml", "audit.md", "second"])
    #expect(try tool.shell("\"$TOOL\" audit -o /dev/stdout").output == want)
    #expect(try tool.shell("ln -s audit.md link && \"$TOOL\" audit -o link --format text && test -L link").code == 0)
    #expect(try tool.read("audit.md") == (try tool.run("audit", "--format", "text").output))
  }

  @Test(arguments: ["missing/audit.md", "Catalogs", "Catalogs/A.yaml/audit.md"])
  func anAuditThatCannotBeWritten(path: String) throws {
    let tool = try tool()
    let result = try tool.run("audit", "-o", path)
    #expect(result.code == 3)
    #expect(result.errors.hasPrefix("local-data: error: cannot write '\(path)': "))
    #expect(tool.files() == ["Catalogs/A.yaml"])
  }

  // MARK: Standard input

  @Test func aCatalogFromStandardInput() throws {
    let tool = try tool()
    let wrong = "localdata: 1\ncatalog: B\na: *c\n"
    let result = try tool.start(
      ["validate", "-", "--path", "Catalogs/B.yaml", "--format", "xcode"], input: wrong
    ).finish()
    #expect(result.code == 1)
    #expect(result.output.hasPrefix("Catalogs/B.yaml:3:4: error: "))
    let audit = try tool.start(["audit", "-", "--path", "C.yaml"], input: Tool.catalog("C")).finish()
    #expect(audit.code == 0)
    #expect(audit.output.contains("# C") && audit.output.contains("C.yaml"))
    #expect(tool.files() == ["Catalogs/A.yaml"])
  }

  /// An editor checks a buffer that is not saved yet, together with the other catalogs.
  @Test func standardInputTakesThePlaceOfTheFile() throws {
    let tool = try tool()
    try tool.write("Catalogs/B.yaml", "broken: [")
    let arguments = ["validate", "-", "Catalogs", "--path", "Catalogs/B.yaml", "--format", "xcode"]
    let fine = try tool.start(arguments, input: Tool.catalog("B", keys: ["other"])).finish()
    #expect(fine.code == 0)
    #expect(fine.output == "")
    let duplicate = try tool.start(arguments, input: Tool.catalog("B", keys: ["theme"])).finish()
    #expect(duplicate.code == 1)
    #expect(duplicate.output.contains("[duplicate-member]"))
  }

  @Test func outputsOfStandardInput() throws {
    let tool = try tool()
    try tool.run("generate")
    let text = Tool.catalog("A", keys: ["changed"])
    #expect(try tool.start(["generate", "-", "--path", "Catalogs/A.yaml"], input: text).finish().code == 0)
    #expect(try tool.read("Generated/A.keys.swift").contains("changed"))
  }

  // MARK: Completions

  @Test(arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let result = try tool().run("--generate-completion-script", shell)
    #expect(result.code == 0)
    for word in ["generate", "validate", "audit", "fixtures", "init", "markdown", "xcode", "yaml"] {
      #expect(result.output.contains(word), "\(word)")
    }
    // The shell runs the tool for the words of --deny, --warn, --allow and explain.
    #expect(result.output.contains("---completion"))
  }

  /// Returns what bash offers for the last word of a command line.
  private func offers(_ tool: Tool, _ words: String...) throws -> [String] {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let end = try tool.shell(
      """
      PATH="$(dirname "$TOOL"):$PATH"
      . <("$TOOL" --generate-completion-script bash)
      COMP_WORDS=(local-data \(line)) COMP_CWORD=\(words.count)
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _local-data local-data "${COMP_WORDS[@]: -1}" "${COMP_WORDS[@]: -2:1}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(end.code == 0)
    return end.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["--deny", "--warn", "--allow"])
  func idsOfRulesAreCompleted(option: String) throws {
    let tool = try tool()
    for verb in ["validate", "generate"] {
      let ids = try offers(tool, verb, option, "")
      #expect(ids.contains("terse-description") && ids.contains("credential-outside-keychain"), "\(ids)")
      #expect(ids.contains("warnings") == (option == "--deny"))
      // Every id that is offered is accepted, and those of a common beginning are offered for it.
      #expect(try tool.start(["validate"] + ids.flatMap { [option, $0] }).finish().code == 0)
      #expect(try offers(tool, verb, option, "released-p") == ["released-protection-weaker"])
    }
  }

  /// If the files cannot be read or parsed, their words are left out, and no error is printed.
  @Test func wordsOfTheProjectAreCompleted() throws {
    let tool = try Tool()
    #expect(try offers(tool, "explain", "the") == [])
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["theme", "token"]))
    try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["there"]))
    try tool.write(
      "local-data.yaml",
      """
      localdata: 1
      policies:
        - id: no-tokens
          forbid: name = token
          message: tokens belong to the system
          good: {name: theme}
          bad: {name: token}
      """)
    #expect(try offers(tool, "explain", "the") == ["theme", "there"])
    for option in ["--deny", "--warn", "--allow"] {
      #expect(try offers(tool, "validate", option, "no-t") == ["no-tokens"])
    }
    try tool.write("Catalogs/B.yaml", "a: *b")
    try tool.write("local-data.yaml", "a: *b")
    #expect(try offers(tool, "explain", "the") == ["theme"])
    #expect(try offers(tool, "validate", "--deny", "no-t") == [])
  }

  @Test func idsOfRulesAreExplained() throws {
    let tool = try tool()
    let document = try JSONSerialization.jsonObject(with: Data(tool.run("rules", "--format", "json").output.utf8))
    let rules = try #require((document as? [String: Any])?["rules"] as? [[String: Any]])
    #expect(try Set(offers(tool, "explain", "")).isSuperset(of: rules.compactMap { $0["id"] as? String }))
    #expect(try offers(tool, "explain", "wrong-d") == ["wrong-default"])
  }
}
