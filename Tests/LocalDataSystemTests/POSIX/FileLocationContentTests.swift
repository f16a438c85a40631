import Foundation
import RuntimeTestSupport
import LocalDataStores
import Testing

@testable import LocalDataSystem

@Suite struct FileLocationContentTests {
  @Test func aFileIsMadeOnce() throws {
    let fixture = try StoreFixture()
    let location = try fixture.locations.keystoreKey()
    #expect(try location.read(upTo: 32) == nil)
    #expect(try !location.exists())
    #expect(try location.create(Data(repeating: 1, count: 32)))
    #expect(try !location.create(Data(repeating: 2, count: 32)))
    #expect(try location.exists())
    #expect(try location.read(upTo: 32) == Data(repeating: 1, count: 32))
    #expect(throws: StorageProblem.valueTooLarge(limit: 31)) { try location.read(upTo: 31) }
    try location.change { Data([3]) }
    #expect(try location.read(upTo: 32) == Data([3]))
    let permissions = try fixture.permissions()
    #expect(permissions["data/keystore.key"] == 0o600)
    #expect(permissions["data"] == 0o700)
    #expect(!permissions.keys.contains { $0.hasSuffix(".new") })
  }

  /// The system ends a suspended process that holds a lock there.
  @Test(arguments: [
    ("/private/var/mobile/Containers/Shared/AppGroup/0/LocalData", true),
    ("/private/var/mobile/Containers/Data/PluginKitPlugin/0/Library", true),
    ("/private/var/mobile/Containers/Data/Application/0/Library", false),
  ])
  func locksNeedAnActivity(_ path: String, _ isShared: Bool) {
    #expect(StorageRoot(URL(fileURLWithPath: path)).isShared == isShared)
  }

  /// Bytes for which there is no memory are not absent.
  @Test func aReadWithoutMemoryFails() throws {
    let fixture = try StoreFixture()
    let location = try fixture.locations.keystoreKey()
    _ = try location.create(Data([1]))
    guard let folder = try location.folder.open(creating: false), let file = try folder.file(location.name, O_RDONLY)
    else {
      Issue.record("there is no file")
      return
    }
    do throws(StorageProblem) {
      _ = try file.read(upTo: .max, expecting: 1 << 60)
      Issue.record("the bytes were read")
    } catch { #expect(error == .io(errno: ENOMEM)) }
    let bytes = try file.read(upTo: .max, expecting: 1)
    #expect(bytes == Data([1]))
  }

  @Test func aChangeSeesWhatIsThere() throws {
    let location = try StoreFixture().locations.keystoreKey()
    try location.change { () throws(StorageProblem) in try location.read(upTo: 32) == nil ? Data([1]) : nil }
    try location.change { () throws(StorageProblem) in (try location.read(upTo: 32) ?? Data()) + [2] }
    try location.change { nil }
    #expect(try location.read(upTo: 32) == Data([1, 2]))
    #expect(throws: StorageProblem.corrupted) { try location.change { () throws(StorageProblem) in throw .corrupted } }
    #expect(try location.read(upTo: 32) == Data([1, 2]))
  }
}
