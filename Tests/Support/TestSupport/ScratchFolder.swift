package import Foundation

/// A folder of one test, removed with the last reference to it.
package final class ScratchFolder: Sendable {
  package let url: URL

  /// - Parameter isInMemory: A Boolean value that indicates whether the folder may be in memory instead of on a disk. It is
  ///   meant for tests that write and sync thousands of files, and that look at what a killed process leaves. What it
  ///   leaves is the same there.
  package init(isInMemory: Bool = false) throws {
    let parent = (isInMemory ? Self.memory : nil) ?? FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("local-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  /// A folder in memory with enough space, in which programs may run. In a container it can be small.
  private static let memory: URL? = {
    #if os(Linux)
      var system = statvfs()
      let path = "/dev/shm"
      guard access(path, W_OK) == 0, statvfs(path, &system) == 0 else { return nil }
      let isLarge = system.f_bavail * system.f_frsize > 1 << 30
      // ST_NOEXEC, which Swift does not import.
      let runsPrograms = system.f_flag & 8 == 0
      return isLarge && runsPrograms ? URL(fileURLWithPath: path) : nil
    #else
      return nil
    #endif
  }()

  deinit {
    // A test that could not remove its folder has nothing to say about what it tests.
    try? FileManager.default.removeItem(at: url)
  }
}
