package import Foundation
package import LocalData
import TestSupport

/// A folder of a test's own with the locations in it; removed with the last reference.
package final class StoreFixture: Sendable {
  private let scratch: ScratchFolder
  package let locations: StorageLocations

  /// The names of the files of a keystore on Linux, with its key and its marker.
  package static let keystoreFiles = [
    "keystore.db", "keystore.db-wal", "keystore.db-shm", "keystore.key", ".keystore-created.location",
  ]

  package var folder: URL { scratch.url }

  /// - Parameter isInMemory: A Boolean value that indicates whether the folder may be in memory. A run that takes all cases of
  ///   the sweeps also syncs to the disk.
  package init(subDirectory: String? = nil, isInMemory: Bool = !Sweep.isFull) throws {
    scratch = try ScratchFolder(isInMemory: isInMemory)
    let configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: scratch.url))
    locations = StorageLocations(configuration, FileStorageConfiguration(subDirectory: subDirectory))
  }

  package func path(_ relative: String) -> String { folder.appendingPathComponent(relative).path }

  /// Everything below the folder, by relative path, with its permissions.
  package func permissions() throws -> [String: Int] {
    var found: [String: Int] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      do {
        found[name] = try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
      } catch {
        // A database of a router that is gone was closed just now, which removes files.
        if FileManager.default.fileExists(atPath: path(name)) { throw error }
      }
    }
    return found
  }
}

extension StorageAddress {
  package static func file(_ name: String, in directory: FileDirectory = .documents) -> StorageAddress {
    StorageAddress(container: .directory(directory), name: name)
  }

  package static func preference(_ name: String, suite: String? = nil) -> StorageAddress {
    StorageAddress(container: .preferences(suite: suite), name: name)
  }

  package static func item(_ account: String, service: String = "service", group: String? = nil) -> StorageAddress {
    StorageAddress(
      container: .keychain(service: service, accessGroup: group, synchronizable: false), name: account)
  }
}
