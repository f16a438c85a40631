import Foundation
package import LocalData

extension StorageRouter {
  /// Creates a router over the files of the probe. A router that is used again could hide what is on the disk.
  package static func probe(in folder: String) -> StorageRouter {
    StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Probe", applicationVersion: "2.0", roots: StorageRoots(below: URL(fileURLWithPath: folder))))
  }

  /// A router over the folder that the probe is given.
  package static func probe(on fixture: StoreFixture) -> StorageRouter {
    StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Probe", roots: StorageRoots(below: fixture.folder)))
  }
}
