import CatalogSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// Catalogs as a revision of the repository has them. Git is started without a shell.
struct GitRevision {
  /// The revision as the user wrote it.
  let name: String

  /// The catalogs in the folders, or the files, that the arguments name.
  func catalogs(_ arguments: [String]) throws -> [SourceFile] {
    guard !name.isEmpty, !name.hasPrefix("-"), !name.contains("\0") else {
      throw ToolFailure(.wrongUse, "'\(name)' is not a revision", help: "name a branch, a tag or a commit")
    }
    var sources: [SourceFile] = []
    for argument in arguments.isEmpty ? [CatalogFinder.defaultFolder] : arguments {
      let isFolder = DiskFile.kind(argument) == .folder
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      let parent = parts.dropLast().joined(separator: "/")
      let folder = isFolder ? argument : parent.isEmpty ? (argument.hasPrefix("/") ? "/" : ".") : parent
      let commit = try commit(in: folder)
      for entry in try files(of: commit, in: folder) {
        guard isFolder ? CatalogFinder.isCatalog(entry.path, in: folder) : entry.path == parts.last.map(String.init)
        else { continue }
        let path = "\(name):\(folder == "." ? "" : "\(folder)/")\(entry.path)"
        sources.append(SourceFile(path: path, bytes: try git(in: folder, ["cat-file", "blob", entry.id]).output))
      }
    }
    guard !sources.isEmpty else {
      throw ToolFailure(
        .wrongUse, "the revision '\(name)' has no catalogs where they are searched for",
        help: "name the folder in which that revision has its catalogs")
    }
    return sources.sorted { ($0.baseName, $0.path) < ($1.baseName, $1.path) }
  }

  private func commit(in folder: String) throws -> String {
    let result = try git(
      in: folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"], mayFail: true)
    if result.code == 0 { return String(decoding: result.output, as: UTF8.self).filter { !$0.isWhitespace } }
    let shallow = try git(in: folder, ["rev-parse", "--is-shallow-repository"], mayFail: true)
    guard shallow.code == 0 else {
      throw ToolFailure(
        .wrongUse, "'\(name)' is no release, file or folder, and '\(folder)' is in no Git repository",
        help: "name a release of the folder Releases, a snapshot, a catalog or a folder of catalogs")
    }
    let isShallow = String(decoding: shallow.output, as: UTF8.self).hasPrefix("true")
    throw ToolFailure(
      .wrongUse, "there is no release, file, folder or revision '\(name)'",
      help: isShallow
        ? "the clone is shallow: run `git fetch --unshallow`, or check out with the full history"
        : "name a branch, a tag or a commit that was fetched")
  }

  /// The files below a folder, without links and submodules.
  private func files(of commit: String, in folder: String) throws -> [(path: String, id: String)] {
    let output = try git(in: folder, ["ls-tree", "-r", "-z", commit]).output
    return output.split(separator: 0).compactMap { line in
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let head = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      guard head.count == 3, head[0].hasPrefix("100"), head[1] == "blob" else { return nil }
      return (String(decoding: line[line.index(after: tab)...], as: UTF8.self), String(head[2]))
    }
  }

  // MARK: The process

  private func git(
    in folder: String, _ arguments: [String], mayFail: Bool = false
  ) throws -> (code: Int32, output: [UInt8]) {
    let result: (code: Int32, output: [UInt8], errors: [UInt8])
    do {
      result = try ChildCommand.run("git", ["--no-optional-locks", "-C", folder] + arguments)
    } catch let failure as DiskFile.Failure {
      throw ToolFailure(.cannotReadOrWrite, "cannot start git: \(failure.text)", help: "install git")
    }
    guard result.code == 0 || mayFail else {
      let reason = String(decoding: result.errors.prefix(400), as: UTF8.self).split(separator: "\n").first ?? ""
      throw ToolFailure(.cannotReadOrWrite, "git cannot read the revision '\(name)': \(reason)")
    }
    return (result.code, result.output)
  }
}

/// A program that is run for what it prints.
enum ChildCommand {
  static func run(_ program: String, _ arguments: [String]) throws -> (code: Int32, output: [UInt8], errors: [UInt8]) {
    // Files and not pipes: a program that fills the one would wait while the other is read.
    let (output, errors) = (try temporaryFile(), try temporaryFile())
    defer {
      close(output)
      close(errors)
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      let environment = _NSGetEnviron().pointee
    #else
      var actions = posix_spawn_file_actions_t()
      let environment = environ
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer {
      for word in words { free(word) }
    }
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, &actions, nil, &words, environment)
    guard code == 0 else { throw DiskFile.Failure(code: code) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw DiskFile.Failure(code: errno) }
    }
    // WIFEXITED and WEXITSTATUS, macros that Swift does not import.
    let end = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    return (end, try contents(output), try contents(errors))
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
