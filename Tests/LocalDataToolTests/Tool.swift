import Foundation
import Testing

/// The built tool, run as a process in a folder of its own that is removed at the end.
final class Tool {
  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "local-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // What is left behind in a temporary folder fails no test.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The executable lies beside the test bundle.
  private static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
    let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return folder.appending(path: "local-data")
  }()

  /// Starts the tool; its output goes to files, so that no pipe can fill up.
  func start(_ arguments: [String], in subfolder: String = "") throws -> (process: Process, finish: () throws -> Result)
  {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder.appending(path: subfolder)
    let logs = FileManager.default.temporaryDirectory.appending(path: "local-data-logs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
    let paths = (output: logs.appending(path: "output"), errors: logs.appending(path: "errors"))
    for url in [paths.output, paths.errors] { try Data().write(to: url) }
    process.standardOutput = try FileHandle(forWritingTo: paths.output)
    process.standardError = try FileHandle(forWritingTo: paths.errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (
      process,
      {
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(at: logs) }
        return Result(
          code: process.terminationStatus, output: String(decoding: try Data(contentsOf: paths.output), as: UTF8.self),
          errors: String(decoding: try Data(contentsOf: paths.errors), as: UTF8.self))
      }
    )
  }

  @discardableResult
  func run(_ arguments: String..., in subfolder: String = "") throws -> Result {
    try start(arguments, in: subfolder).finish()
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
