import Foundation
import LocalData
import RuntimeTestSupport
import LocalDataSystem
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalDataImport

/// A store in an app group whose identifier the app gives.
@Suite struct ConfiguredGroupTests {
  @Test func aStoreIsInTheGivenGroup() throws {
    let fixture = try StoreFixture()
    let place = ImportedPlace(
      .container, ofGroup: StorageDomain.configured("old", like: "group.*"), ["Old", "a.sqlite"])
    func path(_ containers: [String: String]) throws -> String? {
      var configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder))
      configuration.containers = containers
      return try place.file(StorageRouter(configuration: configuration))?.path
    }
    #expect(try path(["old": "group.beta"]) == fixture.path("groups/group.beta/Old/a.sqlite"))
    #expect(throws: StorageProblem.unnamedContainer(ConfiguredName("old", like: "group.*"))) { try path([:]) }
  }
}
