import Foundation

/// The tool that generates, if it is not built with the package: the file that the variable `LOCALDATA_TOOL` names.
///
/// With the variable, `Package.swift` declares no dependency of the plugins on the tool, and a build does not compile it. No
/// folder is searched for a tool: a program that happens to be there would be run.
enum InstalledTool {
  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  /// Returns the installed tool, or nil if the variable is not set.
  ///
  /// - Parameter plugin: The path of this file, which is in the checkout of LocalData that the package depends on.
  /// - Throws: A problem if there is no such file, or if it was compiled from other sources than those of that checkout: its
  ///   output could differ from what the runtime expects.
  static func url(plugin: String = #filePath) throws -> URL? {
    guard let path = ProcessInfo.processInfo.environment["LOCALDATA_TOOL"] else { return nil }
    guard path.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: path) else {
      throw Problem(description: "LOCALDATA_TOOL is not the absolute path of a program: '\(path)'")
    }
    let tool = URL(fileURLWithPath: path)
    let version = try version(of: tool)
    guard version.contains("(sources \(ToolSources.digest))") else {
      let package = URL(fileURLWithPath: plugin).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let cure = "build local-data in '\(package.path)' and install it again"
      throw Problem(
        description: "'\(path)' is of other sources than '\(package.path)' (sources \(ToolSources.digest)), for it is "
          + "'\(version)': \(cure)")
    }
    return tool
  }

  /// Returns what the tool prints for `--version`.
  private static func version(of tool: URL) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = tool
    process.arguments = ["--version"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
