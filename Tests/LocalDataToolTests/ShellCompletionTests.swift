import Foundation
import TestSupport
import Testing

/// The words that a shell offers come from files that anybody may have written, and bash expands them.
@Suite struct ShellCompletionTests {
  /// Names that run a program when bash expands them.
  private static let hostile = [
    "$(touch${IFS}pwned)", "`touch${IFS}pwned`", "theme$(touch${IFS}pwned)", "${x:=$(touch${IFS}pwned)}", "a;b", "-x",
    "é",
  ]

  private func tool() throws -> Tool {
    let tool = try Tool()
    func entries(_ fields: String) -> String {
      Self.hostile.map { "  \"\($0)\": {\(fields)}\n" }.joined()
    }
    try tool.write(
      "Catalogs/A.yaml",
      Tool.catalog("A") + entries("type: String, description: A text.") + "databases:\n"
        + entries("description: Rows.") + "records:\n" + entries("database: main, description: A row."))
    let policies = Self.hostile + ["no-theme"]
    try tool.write(
      "local-data.yaml",
      "localdata: 1\npolicies:\n"
        + policies.map { "  - {id: \"\($0)\", forbid: 'owner = Nobody', message: Ask somebody.}\n" }.joined())
    return tool
  }

  /// Every command and option whose words the shell asks for, completed by bash itself.
  @Test func tabRunsNoCommand() throws {
    let tool = try tool()
    let end = try tool.shell(
      #"""
      "$TOOL" --generate-completion-script bash >script; source ./script
      tab() {
        COMP_WORDS=("$TOOL" "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
        _local-data "$TOOL" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        echo "$1 ${2:-}: ${COMPREPLY[*]}"
      }
      grep -o -e '---completion [a-z]* -- [^ ]*' script | sort -u >asked
      while read -r _ command _ option; do
        case $option in --*) tab "$command" "$option" '' ;; *) tab "$command" '' ;; esac
      done <asked
      """#)
    #expect(end.code == 0, "\(end.output)")
    #expect(tool.files() == ["Catalogs/A.yaml", "asked", "local-data.yaml", "script"])
    let lines = end.output.split(separator: "\n")
    let options = lines.filter { $0.contains(" --") }
    #expect(options.count >= 30)
    for line in options { #expect(line.contains("unused-type") && line.contains("no-theme"), "\(line)") }
    let explain = try #require(lines.first { $0.hasPrefix("explain :") })
    #expect(explain.contains(" theme") && explain.contains("unused-type"), "\(explain)")
  }

  @Test(arguments: [
    ["explain", "--", "positional@0"], ["validate", "--", "--deny"], ["validate", "--", "--warn"],
    ["audit", "--", "--allow"],
  ])
  func offeredWordsAreNames(_ asked: [String]) throws {
    let result = try tool().start(["---completion"] + asked + ["1", "0", "local-data", ""]).finish()
    let words = result.output.split(separator: "\n")
    #expect(result.code == 0 && words.count > 20, "\(result.errors)")
    for word in words { #expect(word.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil, "\(word)") }
  }
}
