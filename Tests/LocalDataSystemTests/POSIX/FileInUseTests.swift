import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import Testing

@testable import LocalDataSystem

@Suite struct FileInUseTests {
  private let fixture: StoreFixture
  private let location: FileLocation

  init() throws {
    fixture = try StoreFixture()
    location = FileLocation(folder: FolderLocation(root: StorageRoot(fixture.folder), parts: ["new"]), name: "used")
  }

  private func isRemovedAsAbandoned() throws -> Bool {
    guard let folder = try location.folder.open(creating: false) else { return false }
    return try FileInUse.removeAbandoned(location.name, in: folder)
  }

  @Test func usedFileStays() throws {
    let use = try FileInUse(creating: location)
    #expect(try !isRemovedAsAbandoned())
    #expect(try use.location.exists())
    use.remove()
    #expect(try isRemovedAsAbandoned())
  }

  @Test func fileOfAKilledProcessIsRemoved() throws {
    withExtendedLifetime(try FileInUse(creating: location)) {}
    #expect(try location.exists())
    #expect(try isRemovedAsAbandoned())
    #expect(try !location.exists())
  }

  /// In the container of an app group, where no lock may be held.
  @Test func fileIsOldAfterADay() throws {
    withExtendedLifetime(try FileInUse(creating: location)) {}
    let status = try #require(try location.folder.open(creating: false)?.status(of: location.name))
    #expect(!FileInUse.isOld(status, at: Date() + 86_000))
    #expect(FileInUse.isOld(status, at: Date() + 87_000))
  }
}
