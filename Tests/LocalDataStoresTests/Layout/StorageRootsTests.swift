import Foundation
import LocalDataStores
import RuntimeTestSupport
import Testing

@Suite struct StorageRootsTests {
  @Test(arguments: ["..", ".", "", "a/b", "/etc", "My App"])
  func anApplicationsNameIsOnePartOfThePath(_ name: String) {
    let (roots, plain) = (StorageRoots.standard(applicationName: name), StorageRoots.standard(applicationName: "plain"))
    for (root, other) in [(roots.data, plain.data), (roots.caches, plain.caches)] {
      #expect(
        root.standardizedFileURL.deletingLastPathComponent() == other.standardizedFileURL.deletingLastPathComponent())
    }
    #expect(roots.data != plain.data)
  }

  @Test func twoNamesAreTwoFolders() {
    let names = ["..", "", "a/b", "a%2Fb", "App", "app"]
    #expect(Set(names.map { StorageRoots.standard(applicationName: $0).data.path }).count == names.count)
  }
}
