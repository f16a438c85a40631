package import Foundation

/// Golden cases: folders beside the tests, each named for what it shows.
package enum GoldenFolder {
  /// A Boolean value that indicates whether the expected files are written again. Such a run fails.
  package static let isRecording = ProcessInfo.processInfo.environment["LOCALDATA_RECORD"] == "1"

  /// The folders in `Cases` beside the folder of `file`, by name.
  package static func cases(beside file: String) throws -> [URL] {
    let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Cases")
    return try contents(of: root).filter { !$0.lastPathComponent.hasPrefix(".") }
  }

  /// The catalogs of a case with their bytes, by name; hidden ones too.
  package static func catalogs(in folder: URL) throws -> [(name: String, bytes: [UInt8])] {
    try contents(of: folder).filter { $0.pathExtension == "yaml" }
      .map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
  }

  private static func contents(of folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
