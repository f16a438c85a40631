import LocalDataSyntax

/// The exit codes of the tools. Thrown, one ends the run after everything is printed.
package enum ToolExit: Int32, Error {
  case success = 0
  /// Findings of error severity, or stale output with `--check`.
  case findings = 1
  case wrongUse = 2
  case cannotReadOrWrite = 3
}

/// A failure that ends the run and is not a finding in a catalog.
package struct ToolFailure: Error {
  package var code: ToolExit
  package var message: String
  package var help: String?

  package init(_ code: ToolExit, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }

  package var text: String {
    "local-data: error: \(SafeText.escaped(message))\n" + (help.map { "  help: \(SafeText.escaped($0))\n" } ?? "")
  }
}
