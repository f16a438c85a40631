import ArgumentParser
import LocalDataEmission
import LocalDataFiles

/// The command line.
@main
struct LocalDataTool: ParsableCommand {
  /// The version of the package, and the sources that this tool was compiled from. A plugin compares them with its own.
  static let version = "\(PackageVersion.current) (sources \(ToolSources.digest))"

  static let configuration = CommandConfiguration(
    commandName: "local-data",
    abstract: "Generate typed Swift keys and audit documents from catalogs of what an app persists.",
    discussion: """
      Exit codes: 0 success, 1 findings of error severity (or stale output with --check), 2 wrong use, \
      3 cannot read or write.

      Completions: local-data --generate-completion-script zsh (or bash, fish).
      """,
    version: version,
    subcommands: [
      GenerateCommand.self, ValidateCommand.self, AuditCommand.self, DueCommand.self, FixturesCommand.self,
      ReleaseCommand.self,
      DiffCommand.self, RulesCommand.self, ExplainCommand.self, SchemaCommand.self, FormatCommand.self,
      InitCommand.self, ManifestCommand.self, EntitlementsCommand.self, DoctorCommand.self,
    ])

  /// Runs the verb. The exit codes of the argument parser become those of the tool.
  static func main() {
    Terminal.ignoreClosedPipes()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as ToolFailure {
      fail(failure)
    } catch let code as ToolExit {
      Terminal.exit(code)
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error)
      if !message.isEmpty { write(message + "\n", isError: !code.isSuccess) }
      Terminal.exit(code == .validationFailure ? .wrongUse : ToolExit(rawValue: code.rawValue) ?? .wrongUse)
    }
  }

  private static func write(_ message: String, isError: Bool) {
    if isError { return Terminal.writeError(message) }
    do {
      try Terminal.write(message)
    } catch let failure as ToolFailure {
      fail(failure)
    } catch {
      Terminal.exit(.cannotReadOrWrite)
    }
  }

  private static func fail(_ failure: ToolFailure) -> Never {
    Terminal.writeError(failure.text)
    Terminal.exit(failure.code)
  }
}
