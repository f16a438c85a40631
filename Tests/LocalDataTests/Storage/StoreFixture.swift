import Foundation
import LocalData

/// A folder of a test's own with the locations in it; removed with the last reference.
final class StoreFixture: Sendable {
  let folder: URL
  let locations: StorageLocations

  init(subDirectory: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("local-data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: folder))
    locations = StorageLocations(configuration, FileStorageConfiguration(subDirectory: subDirectory))
  }

  deinit {
    // A test that could not remove its folder has nothing to say about what it tests.
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ relative: String) -> String { folder.appendingPathComponent(relative).path }

  /// Everything below the folder, by relative path, with its permissions.
  func permissions() throws -> [String: Int] {
    var found: [String: Int] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
      found[name] = attributes[.posixPermissions] as? Int
    }
    return found
  }
}

extension StoragePlace {
  static func file(_ name: String, in directory: FileDirectory = .documents) -> StoragePlace {
    StoragePlace(container: .directory(directory), name: name)
  }

  static func preference(_ name: String, suite: String? = nil) -> StoragePlace {
    StoragePlace(container: .preferences(suite: suite), name: name)
  }
}
