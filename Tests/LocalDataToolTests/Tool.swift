import Foundation
import TestSupport
import Testing

/// The built tool, run as a process in a folder of its own that is removed at the end.
struct Tool {
  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  private let scratch: ScratchFolder

  var folder: URL { scratch.url }

  init() throws { scratch = try ScratchFolder() }

  /// Starts the tool; its output goes to files, so that no pipe can fill up.
  func start(
    _ arguments: [String], in subfolder: String = "", input: String? = nil
  ) throws -> (process: Process, finish: () throws -> Result) {
    let process = Process()
    process.executableURL = BuiltProducts.executable("local-data")
    process.arguments = arguments
    process.currentDirectoryURL = folder.appending(path: subfolder)
    let logs = try ScratchFolder()
    let paths = (output: logs.url.appending(path: "output"), errors: logs.url.appending(path: "errors"))
    for url in [paths.output, paths.errors] { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: paths.output)
    process.standardError = try FileHandle(forWritingTo: paths.errors)
    process.standardInput = FileHandle.nullDevice
    if let input {
      let file = logs.url.appending(path: "input")
      try Data(input.utf8).write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
    }
    try process.run()
    return (
      process,
      {
        process.waitUntilExit()
        return try withExtendedLifetime(logs) {
          Result(
            code: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: paths.output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: paths.errors), as: UTF8.self))
        }
      }
    )
  }

  @discardableResult
  func run(_ arguments: String..., in subfolder: String = "") throws -> Result {
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

  /// Every file below a folder with its bytes, and what tells an untouched file from a new one of the same bytes.
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
