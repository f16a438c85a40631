import ArgumentParser
import CatalogSyntax

/// The exit codes of the tool.
enum ToolExit: Int32 {
  case success = 0
  /// Findings of error severity, or stale output with `--check`.
  case findings = 1
  case wrongUse = 2
  case cannotReadOrWrite = 3
}

/// A failure that ends the run and is not a finding in a catalog.
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

extension ParsableArguments {
  /// Refuses an empty path: with a file name after it, it would name the root of the disk.
  func checkPath(_ path: String?, of option: String) throws {
    guard path?.isEmpty == true else { return }
    throw ValidationError("'\(option)' needs a path, for example: \(option) Generated")
  }
}
