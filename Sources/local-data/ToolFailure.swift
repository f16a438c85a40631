import ArgumentParser
import CatalogSyntax

/// How the tool ends.
enum ToolExit: Int32 {
  case fine = 0
  /// Findings of error severity, or stale output with `--check`.
  case findings = 1
  case wrongUse = 2
  case cannotReadOrWrite = 3
}

/// What stops the tool that is not a finding in a catalog.
struct ToolFailure: Error {
  var code: ToolExit
  var message: String
  var help: String?

  init(_ code: ToolExit, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }

  var text: String {
    "local-data: error: \(SafeText.escaped(message))\n" + (help.map { "  help: \(SafeText.escaped($0))\n" } ?? "")
  }
}

extension ExitCode {
  init(_ exit: ToolExit) { self.init(exit.rawValue) }
}
