#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// SARIF documents, checked by a validator that others publish. What the specification requires is also checked in
  /// `ReportFormatTests`.
  @Suite struct SARIFTests {
    @Test(.enabled("sarif-pydantic is not installed; run .ci/install") { try Validators.hasModules("sarif_pydantic") })
    func documentsAreValid() throws {
      let tool = try Tool()
      let theme = "  theme: {type: Strng, description: The theme., allow: [{rule: unused-type, reason: None.}]}\n"
      let catalogs = [
        ("errors", "localdata: 1\ncatalog: A\nkeys:\n\(theme)"), ("reader", "a: b\na: *c\n"),
        (
          "allowed",
          "localdata: 1\ncatalog: C\nkeys:\n  theme: {type: String, domain: userDefaults, security: none, owner: T, "
            + "description: The theme., allow: [{rule: terse-description, reason: None., until: 2999-12-31}]}\n"
        ), ("none", "localdata: 1\ncatalog: B\n"), ("many", "- [" + String(repeating: "*a, ", count: 2_000) + "]\n"),
      ]
      for (name, text) in catalogs {
        try tool.write("\(name) ü.catalog.yaml", text)
        let result = try tool.run("validate", "--format", "sarif", "\(name) ü.catalog.yaml")
        try tool.write("\(name).sarif", result.output)
      }
      let files = catalogs.map { tool.folder.appending(path: "\($0.0).sarif").path }
      let checked = try Validators.run("sarif.py", files)
      #expect(checked.code == 0, "\(checked.output)")
      // The check itself fails for a property that SARIF does not have.
      try tool.write("wrong.sarif", try tool.read("errors.sarif").replacing("ruleId", with: "ruleName"))
      #expect(try Validators.run("sarif.py", [tool.folder.appending(path: "wrong.sarif").path]).code != 0)
    }
  }
#endif
