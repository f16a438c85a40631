// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  import Foundation

  /// Validators that others publish, with a script for each in `Tests/Support/validators`. `.ci/install` installs them.
  package enum Validators {
    private static let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Python that `.ci/install` has set up, or else that of the machine.
    private static let python: [String] = {
      let installed = project.appendingPathComponent(".build/validators/bin/python3").path
      return FileManager.default.isExecutableFile(atPath: installed) ? [installed] : ["/usr/bin/env", "python3"]
    }()

    /// Returns true if Python finds the modules.
    package static func hasModules(_ names: String...) throws -> Bool {
      try run(["-c", "import \(names.joined(separator: ", "))"]).code == 0
    }

    /// Runs a script of `Tests/Support/validators`, for example `sarif.py`.
    package static func run(_ script: String, _ arguments: [String]) throws -> ChildProcess.End {
      try run([project.appendingPathComponent("Tests/Support/validators/\(script)").path] + arguments)
    }

    private static func run(_ arguments: [String]) throws -> ChildProcess.End {
      try ChildProcess.run(python[0], python.dropFirst() + arguments)
    }
  }
#endif
