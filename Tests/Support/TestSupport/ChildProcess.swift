// Apps on iOS and watchOS start no processes.
#if os(Linux) || os(macOS)
  import Foundation

  /// A process that a test has started, with what it prints.
  ///
  /// Foundation's `Process` is not for tests on Linux: with over 1,360 open files, as many tests at once have, it reads
  /// beyond the names of the open files, which ends the tests by a segmentation fault.
  package struct ChildProcess {
    /// How a process ended.
    package struct End: Equatable, Sendable {
      /// `nil` where a signal ended it.
      package var code: Int32?
      /// The signal that ended it.
      package var signal: Int32?
      package var output: String

      package init(code: Int32?, signal: Int32? = nil, output: String) {
        self.code = code
        self.signal = signal
        self.output = output
      }

      package var line: String { output.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    struct CannotStart: Error {
      var errno: Int32
    }

    private let id: pid_t
    private let output: Int32
    /// `nil` where its input is the test's own.
    private let input: Int32?

    /// Starts a program, its output and its errors in one.
    ///
    /// - Parameter isAsked: A Boolean value that indicates whether `ask` can be called.
    package init(
      _ path: String, _ arguments: [String], environment: [String: String] = [:], isAsked: Bool = false
    ) throws {
      let ends = try Self.pipe()
      let asked = isAsked ? try Self.pipe() : nil
      defer {
        close(ends.write)
        if let asked { close(asked.read) }
      }
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
      #else
        var actions = posix_spawn_file_actions_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, ends.write, 1)
      posix_spawn_file_actions_adddup2(&actions, ends.write, 2)
      if let asked { posix_spawn_file_actions_adddup2(&actions, asked.read, 0) }

      let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      var words = ([path] + arguments).map { strdup($0) } + [nil]
      var variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer {
        for word in words + variables { free(word) }
      }
      var child: pid_t = 0
      let code = posix_spawn(&child, path, &actions, nil, &words, &variables)
      guard code == 0 else {
        close(ends.read)
        if let asked { close(asked.write) }
        throw CannotStart(errno: code)
      }
      (id, output, input) = (child, ends.read, asked?.write)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
      var ends: [Int32] = [0, 0]
      guard Foundation.pipe(&ends) == 0 else { throw CannotStart(errno: errno) }
      // Other tests start processes at this moment: an end that one of them inherits would keep `wait` waiting.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }

    /// Sends a line. Returns the lines that the process prints until one begins with `mark`, which is the last of them.
    /// Returns no lines if the process ends before that.
    package func ask(_ line: String, until mark: String) -> [String] {
      let bytes = Array((line + "\n").utf8)
      guard let input, write(input, bytes, bytes.count) == bytes.count else { return [] }
      var text = Data()
      while readMore(&text) {
        guard text.last == UInt8(ascii: "\n") else { continue }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        if lines.last?.hasPrefix(mark) == true { return lines }
      }
      return []
    }

    /// Adds what the process has printed since; `false` at its end.
    private func readMore(_ text: inout Data) -> Bool {
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = read(output, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        text.append(contentsOf: chunk[0..<count])
        return true
      }
    }

    package func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for its end.
    package func wait() -> End {
      if let input { close(input) }
      var text = Data()
      while readMore(&text) {}
      close(output)
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      // WTERMSIG and WEXITSTATUS, macros that Swift does not import.
      let signal = status & 0x7f
      return End(
        code: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal,
        output: String(decoding: text, as: UTF8.self))
    }

    package static func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> End {
      try ChildProcess(path, arguments, environment: environment).wait()
    }
  }
#endif
