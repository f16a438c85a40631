// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  import Foundation

  /// Programs in Python, which know a format from its document alone.
  package struct Python: Sendable {
    /// How a script ended that should have ended well.
    struct Failure: Error {
      var output: String
    }

    private let path: String

    /// Finds an interpreter that has a module, or returns nil if there is none.
    package init?(with module: String) {
      let candidates = [
        ["/usr/bin/python3"],
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" },
      ].joined()
      let found = candidates.first { path in
        // A missing program, or one without the module, is not the one that is looked for.
        FileManager.default.isExecutableFile(atPath: path)
          && (try? ChildProcess.run(path, ["-c", "import \(module)"]).code) == 0
      }
      guard let found else { return nil }
      path = found
    }

    /// Returns the lines that a script prints. It gets its input as a file.
    package func lines(
      _ script: String, _ arguments: [String] = [], input: String = "", beside file: String = #filePath
    ) throws
      -> [String]
    {
      let folder = try ScratchFolder(isInMemory: true)
      let path = folder.url.appendingPathComponent("input").path
      try Data(input.utf8).write(to: URL(fileURLWithPath: path))
      let script = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(script).path
      let end = try ChildProcess.run(self.path, [script] + arguments + [path])
      guard end.code == 0 else { throw Failure(output: String(end.output.suffix(2_000))) }
      return end.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    package static let protobuf = Python(with: "google.protobuf")
    package static let cryptography = Python(with: "cryptography.hazmat.primitives.ciphers.aead")
  }
#endif
