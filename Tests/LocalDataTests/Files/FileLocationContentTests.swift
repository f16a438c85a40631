import Foundation
import LocalData
import Testing

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
    #expect(throws: StorageFault.valueTooLarge) { try location.read(upTo: 31) }
    try location.replace(Data([3]))
    #expect(try location.read(upTo: 32) == Data([3]))
    let permissions = try fixture.permissions()
    #expect(permissions["data/keystore.key"] == 0o600)
    #expect(permissions["data"] == 0o700)
    #expect(!permissions.keys.contains { $0.hasSuffix(".new") })
  }

  @Test func aChangeSeesWhatIsThere() throws {
    let location = try StoreFixture().locations.keystoreKey()
    try location.change(upTo: 32) { bytes in bytes == nil ? Data([1]) : nil }
    try location.change(upTo: 32) { bytes in (bytes ?? Data()) + [2] }
    try location.change(upTo: 32) { _ in nil }
    #expect(try location.read(upTo: 32) == Data([1, 2]))
    #expect(throws: StorageFault.valueTooLarge) { try location.change(upTo: 1) { _ in Data() } }
    #expect(throws: StorageFault.corrupted) {
      try location.change(upTo: 32) { _ throws(StorageFault) in throw .corrupted }
    }
    #expect(try location.read(upTo: 32) == Data([1, 2]))
  }
}
