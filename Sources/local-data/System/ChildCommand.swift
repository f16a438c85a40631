import LocalDataFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// A program that is run for what it prints.
enum ChildCommand {
  /// The result of a program that has ended.
  struct Result {
    /// The exit code, or -1 if a signal ended the program.
    var code: Int32
    var output: [UInt8]
    var errors: [UInt8]
  }

  /// Runs a program without a shell, and without input.
  ///
  /// - Parameter environment: All variables that the program gets, as `name=value`.
  static func run(_ program: String, _ arguments: [String], environment: [String]) throws -> Result {
    // Files and not pipes: a program that fills the one would wait while the other is read.
    let output = try temporaryFile()
    let errors = try temporaryFile()
    defer {
      close(output)
      close(errors)
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer {
      for word in words + variables { free(word) }
    }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, &actions, nil, &words, &variables)
    guard code == 0 else { throw DiskFile.Failure(code: code) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw DiskFile.Failure(code: errno) }
    }
    // WIFEXITED and WEXITSTATUS, macros that Swift does not import.
    let end = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    return Result(code: end, output: try contents(output), errors: try contents(errors))
  }

  /// The variables of this process, as `name=value`.
  static var environment: [String] {
    #if canImport(Darwin)
      let first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
    #else
      let first: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    #endif
    var variables: [String] = []
    var next = first
    while let variable = next?.pointee {
      variables.append(String(cString: variable))
      next = next?.advanced(by: 1)
    }
    return variables
  }

  /// A file without a name.
  private static func temporaryFile() throws -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/local-data-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw DiskFile.Failure(code: errno) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func contents(_ descriptor: Int32) throws -> [UInt8] {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw DiskFile.Failure(code: errno) }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DiskFile.Failure(code: errno) }
      offset += count
    }
    return bytes
  }
}
