import ArgumentParser

/// The command line.
@main
struct LocalDataTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "local-data",
    abstract: "From catalogs of what an app persists to typed Swift keys and their audit.",
    discussion: """
      Exit codes: 0 fine, 1 findings of error severity (or stale output with --check), 2 wrong use, \
      3 cannot read or write.
      """,
    subcommands: [GenerateCommand.self, ValidateCommand.self, AuditCommand.self, FixturesCommand.self])

  /// Runs the verb; the parser's own exit codes are mapped to ours.
  static func main() {
    ProcessMemory.keepForReuse()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as ToolFailure {
      Terminal.write(failure.text, to: .error)
      Terminal.exit(failure.code)
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error)
      if !message.isEmpty { Terminal.write(message + "\n", to: code.isSuccess ? .output : .error) }
      Terminal.exit(code == .validationFailure ? .wrongUse : ToolExit(rawValue: code.rawValue) ?? .wrongUse)
    }
  }
}
