package import Foundation

/// A folder of one test, removed with the last reference to it.
package final class ScratchFolder: Sendable {
  package let url: URL

  /// - Parameter isInMemory: A Boolean value that indicates whether the folder may be in memory instead of on a disk. It is
  ///   meant for tests that write and sync thousands of files, and that look at what a killed process leaves. What it
  ///   leaves is the same there.
  package init(isInMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let parent =
      isInMemory && access(memory, W_OK) == 0 ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("local-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  deinit {
    // A test that could not remove its folder has nothing to say about what it tests.
    try? FileManager.default.removeItem(at: url)
  }
}
