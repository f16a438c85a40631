package import Foundation

/// A folder of one test, removed with the last reference to it.
package final class ScratchFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("local-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  deinit {
    // A test that could not remove its folder has nothing to say about what it tests.
    try? FileManager.default.removeItem(at: url)
  }
}
