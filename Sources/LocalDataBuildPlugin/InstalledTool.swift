import Foundation

/// The tool that generates, if it is not built with the package: the file that the variable `LOCALDATA_TOOL` names.
///
/// With the variable, `Package.swift` declares no dependency of the plugins on the tool, and a build does not compile it. No
/// folder is searched for a tool: a program that happens to be there would be run.
enum InstalledTool {
  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  /// The folders of LocalData whose sources become the tool.
  private static let parts = [
    "StorageVocabulary", "CatalogSyntax", "CatalogModel", "CatalogEmitters", "CatalogComparison", "local-data",
  ]

  /// Returns the installed tool, or nil if the variable is not set.
  ///
  /// - Parameter plugin: The path of this file, which is in the checkout of LocalData that the package depends on.
  /// - Throws: A problem if there is no such file, or if it is older than the sources of that checkout: its output could
  ///   differ from what the runtime expects.
  static func url(plugin: String = #filePath) throws -> URL? {
    guard let path = ProcessInfo.processInfo.environment["LOCALDATA_TOOL"] else { return nil }
    guard path.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: path) else {
      throw Problem(description: "LOCALDATA_TOOL is not the absolute path of a program: '\(path)'")
    }
    let package = URL(fileURLWithPath: plugin).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let tool = URL(fileURLWithPath: path)
    guard let installed = try modificationDate(of: tool) else { return tool }
    for part in parts {
      let folder = package.appending(path: "Sources/\(part)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift", let changed = try modificationDate(of: file), changed > installed else {
          continue
        }
        let cure = "build local-data in '\(package.path)' and install it again"
        throw Problem(description: "'\(path)' is older than '\(file.path)': \(cure)")
      }
    }
    return tool
  }

  private static func modificationDate(of file: URL) throws -> Date? {
    try file.resolvingSymlinksInPath().resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
  }
}
