import LocalDataFiles
import LocalDataSyntax

/// The objects of the Git repository that a folder is in.
///
/// The folder and the repository may contain what somebody else wrote, for example a pull request or an archive. Git runs
/// programs that a repository's configuration names, and takes a folder with the files of a bare repository for one. So
/// that nothing in them starts a program:
///
/// - Only `rev-parse`, `ls-tree` and `cat-file` are run. They apply no filters, text conversions or external diffs, check
///   no signatures, and have the names of no aliases.
/// - A folder with the files of a bare repository is not used: `safe.bareRepository`, which Git knows since 2.38.
/// - Git contacts no remote, also not to fetch an object that is missing: no protocol is allowed, and lazy fetches are
///   off. Versions of Git that ignore the variable for lazy fetches obey the one for protocols.
/// - The settings that could run a program while an index is read are overridden.
/// - Variables that name another repository, another index or other programs are not passed on.
struct GitObjects {
  /// The folder in which Git looks for the repository.
  let folder: String

  /// Runs one of the commands that read objects.
  ///
  /// - Returns: The result, whatever the exit code is.
  /// - Throws: A failure if Git cannot be started.
  func attempt(_ arguments: [String]) throws -> ChildCommand.Result {
    do {
      return try ChildCommand.run(
        "git", ["--no-pager", "--no-optional-locks"] + Self.overrides + ["-C", folder] + arguments,
        environment: Self.environment(of: ChildCommand.environment))
    } catch let failure as DiskFile.Failure {
      throw ToolFailure(.cannotReadOrWrite, "cannot start git: \(failure.text)", help: "install git")
    }
  }

  /// Runs one of the commands that read objects.
  ///
  /// - Returns: What it prints.
  /// - Throws: A failure if Git cannot be started, or if it fails.
  func read(_ arguments: [String]) throws -> [UInt8] {
    let result = try attempt(arguments)
    guard result.code == 0 else {
      try checkOwner(of: result)
      throw ToolFailure(.cannotReadOrWrite, "git cannot read the repository: \(result.reason)")
    }
    return result.output
  }

  /// Throws if Git has refused the repository because it belongs to another user.
  func checkOwner(of result: ChildCommand.Result) throws {
    let errors = String(decoding: result.errors, as: UTF8.self)
    guard result.code != 0, errors.contains("dubious ownership") || errors.contains("safe.directory") else { return }
    // Git names the folder of the repository between quotes.
    let parts = errors.split(separator: "'", omittingEmptySubsequences: false)
    let repository = parts.count > 2 ? String(parts[1]) : folder
    throw ToolFailure(
      .cannotReadOrWrite, "git does not read '\(repository)', because the repository belongs to another user",
      help:
        "if you trust what is in it, run `git config --global --add safe.directory '\(repository)'`, or let its owner "
        + "run this command")
  }

  private static let overrides = [
    "safe.bareRepository=explicit", "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.sshCommand=false",
    "core.askPass=false", "core.alternateRefsCommand=false", "credential.helper=", "diff.external=",
  ].flatMap { ["-c", $0] }

  /// The variables of Git that the user's installation and configuration need, for example `safe.directory`.
  private static let kept = ["GIT_EXEC_PATH=", "GIT_CONFIG_"]

  /// Returns the variables that Git gets.
  ///
  /// - Parameter variables: The variables of this process, as `name=value`.
  static func environment(of variables: [String]) -> [String] {
    variables.filter { variable in
      !variable.hasPrefix("GIT_") || kept.contains { variable.hasPrefix($0) }
    } + [
      "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_TERMINAL_PROMPT=0",
    ]
  }
}

extension ChildCommand.Result {
  /// The first line of what a program printed about its failure.
  var reason: String {
    let lines = String(decoding: errors.prefix(400), as: UTF8.self).split(separator: "\n")
    return lines.first.map(String.init) ?? "exit code \(code)"
  }
}
