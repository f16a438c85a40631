import Foundation
import TestSupport
import Testing

/// Runs the built tool in a new folder, which is removed at the end of the test.
struct Tool {
  struct Result {
    /// -1 where a signal ended it.
    var code: Int32
    var signal: Int32?
    var output: String
    var errors: String
  }

  private let scratch: ScratchFolder

  var folder: URL { scratch.url }

  init() throws { scratch = try ScratchFolder() }

  /// A running process of the tool. Its output is written to files, because a pipe that is not read would fill up.
  struct Running {
    let process: ChildProcess
    /// Kept, because the process enters it after its start.
    fileprivate let folder: ScratchFolder
    fileprivate let logs: ScratchFolder

    /// The text that it has printed so far.
    var output: String { get throws { try text("output") } }
    var errors: String { get throws { try text("errors") } }

    /// Waits until the process ends.
    func finish() throws -> Result {
      let end = process.wait()
      return Result(code: end.code ?? -1, signal: end.signal, output: try output, errors: try errors)
    }

    private func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: logs.url.appending(path: name)), as: UTF8.self)
    }
  }

  func start(
    _ arguments: [String], in subfolder: String = "", input: String? = nil, program: String = "local-data"
  ) throws -> Running {
    let logs = try ScratchFolder()
    for (name, text) in [("input", input ?? ""), ("output", ""), ("errors", "")] {
      try Data(text.utf8).write(to: logs.url.appending(path: name))
    }
    let files = ["input", "output", "errors"].map { logs.url.appending(path: $0).path }
    let process = try ChildProcess(
      "/bin/sh",
      [
        "-c", #"cd "$1" && exec <"$2" >"$3" 2>"$4" && shift 4 && exec "$@""#, "sh",
        folder.appending(path: subfolder).path,
      ]
        + files + [BuiltProducts.executable(program).path] + arguments)
    return Running(process: process, folder: scratch, logs: logs)
  }

  @discardableResult
  func run(_ arguments: String..., in subfolder: String = "") throws -> Result {
    try run(arguments: arguments, in: subfolder)
  }

  func run(arguments: [String], in subfolder: String) throws -> Result {
    try start(arguments, in: subfolder).finish()
  }

  /// Runs a line of the shell in the folder, in which `$TOOL` is the tool. Gives its output and its errors in one.
  func shell(_ line: String) throws -> ChildProcess.End {
    try ChildProcess.run(
      "/bin/bash", ["-c", "cd \"$FOLDER\" && { \(line)\n}"],
      environment: ["TOOL": BuiltProducts.executable("local-data").path, "FOLDER": folder.path])
  }

  func write(_ path: String, _ text: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: folder.appending(path: path))
  }

  /// Every file below a folder, hidden ones too, sorted.
  func files(in path: String = "") -> [String] {
    let start = folder.appending(path: path).path
    let names = FileManager.default.enumerator(atPath: start)?.compactMap { $0 as? String } ?? []
    var isFolder: ObjCBool = false
    return names.filter {
      FileManager.default.fileExists(atPath: "\(start)/\($0)", isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }

  /// Returns every file below a folder with its bytes, and with what distinguishes an untouched file from a new one of
  /// the same bytes.
  func state(of path: String) throws -> [String: String] {
    try Dictionary(
      uniqueKeysWithValues: files(in: path).map { name in
        let file = folder.appending(path: path).appending(path: name)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let number = attributes[.systemFileNumber] as? Int ?? 0
        let date = attributes[.modificationDate] as? Date ?? .distantPast
        return (name, "\(number) \(date.timeIntervalSince1970) \(try Data(contentsOf: file).base64EncodedString())")
      })
  }

  /// A catalog in which nothing is wrong.
  static func catalog(_ name: String, keys: [String] = ["theme"]) -> String {
    let fields = keys.map { key in
      "  \(key):\n    type: String\n    domain: userDefaults\n    security: none\n    owner: Team\n"
        + "    name: \(name)_\(key)\n    description: The \(key) of the app.\n"
    }
    return "localdata: 1\ncatalog: \(name)\nkeys:\n" + fields.joined()
  }
}

extension Tool {
  /// Runs git in the folder.
  func git(_ arguments: String...) throws {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
    let end = try ChildProcess.run("/usr/bin/env", ["git", "-C", folder.path] + identity + arguments)
    try #require(end.code == 0, "git \(arguments): \(end.output)")
  }
}
