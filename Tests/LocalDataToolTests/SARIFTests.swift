#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// SARIF documents, checked by a validator that others publish. It is asked only where it is installed
  /// (`pip install sarif-pydantic`); what the specification requires is also checked in `ReportFormatTests`.
  @Suite struct SARIFTests {
    private static let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Support/sarif/check.py")

    private static func python(_ arguments: [String]) throws -> (code: Int32?, output: String) {
      let end = try ChildProcess.run("/usr/bin/env", ["python3"] + arguments)
      return (end.code, end.output)
    }

    private static var hasValidator: Bool {
      get throws { try python(["-c", "import sarif_pydantic"]).code == 0 }
    }

    @Test(.enabled("sarif-pydantic is not installed") { try hasValidator })
    func documentsAreValid() throws {
      let tool = try Tool()
      let theme = "  theme: {type: Strng, description: The theme., allow: [{rule: unused-type, reason: None.}]}\n"
      let catalogs = [
        ("errors", "localdata: 1\ncatalog: A\nkeys:\n\(theme)"), ("reader", "a: b\na: *c\n"),
        ("none", "localdata: 1\ncatalog: B\n"), ("many", "- [" + String(repeating: "*a, ", count: 2_000) + "]\n"),
      ]
      for (name, text) in catalogs {
        try tool.write("\(name) ü.catalog.yaml", text)
        let result = try tool.run("validate", "--format", "sarif", "\(name) ü.catalog.yaml")
        try tool.write("\(name).sarif", result.output)
      }
      let files = catalogs.map { tool.folder.appending(path: "\($0.0).sarif").path }
      let checked = try Self.python([Self.script.path] + files)
      #expect(checked.code == 0, "\(checked.output)")
      // The check itself fails for a property that SARIF does not have.
      try tool.write("wrong.sarif", try tool.read("errors.sarif").replacing("ruleId", with: "ruleName"))
      #expect(try Self.python([Self.script.path, tool.folder.appending(path: "wrong.sarif").path]).code != 0)
    }
  }
#endif
