import Foundation
import LocalDataAudit
import LocalDataVocabulary
import Testing

/// Descriptors in the form of the catalog language.
struct StorageKeyDescriptorTests {
  @Test func whatACatalogLeavesOutIsLeftOut() throws {
    let descriptor = StorageKeyDescriptor(
      member: "notes", name: "notes", valueType: "String", domain: .fileSystem(directory: .documents), owner: "Team",
      description: "Notes.")
    let json = """
      {"member":"notes","type":"String","domain":{"fileSystem":{"directory":"documents"}},"owner":"Team",\
      "description":"Notes."}
      """
    #expect(try JSONDecoder().decode(StorageKeyDescriptor.self, from: Data(json.utf8)) == descriptor)
  }

  @Test(arguments: [
    StorageDomain.userDefaults(suite: "s"), .appGroupUserDefaults(identifier: "g"),
    .keychain(service: "s", accessGroup: "g", synchronizable: true), .keychain(service: "", accessGroup: "g"),
    .fileSystem(directory: .custom("a/b")),
    .encryptedFileSystem(directory: .caches), .appGroupFileSystem(directory: .applicationSupport),
  ])
  func comesBack(_ domain: StorageDomain) throws {
    let descriptor = StorageKeyDescriptor(
      member: "key", name: "key_{id}", valueType: "Int", domain: domain,
      security: .encrypted(
        .aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000), keySource: .external(.init(id: "x")))),
      serializer: .custom("A.B"), owner: "Team", description: "A key.", availability: .watchOnly, syncPolicy: .manual,
      sensitivity: .health, retention: .maxAge(seconds: 90), maxSize: 7, backup: false,
      parameters: [.init(name: "id", type: "UUID")], defaultValue: "1", migration: "from old", isLegacy: true,
      deprecation: "Gone.", schema: 3, onCorruption: .quarantine)
    let data = try JSONEncoder().encode(descriptor)
    #expect(try JSONDecoder().decode(StorageKeyDescriptor.self, from: data) == descriptor)
  }

  @Test func aReservedNameComesBack() throws {
    let name = StorageReservedName(name: "old", domain: .userDefaults(), deletesLeftovers: true, note: "Dropped.")
    let json = #"{"name":"old","domain":"userDefaults","cleanup":"delete","note":"Dropped."}"#
    #expect(try JSONDecoder().decode(StorageReservedName.self, from: Data(json.utf8)) == name)
    #expect(try JSONDecoder().decode(StorageReservedName.self, from: try JSONEncoder().encode(name)) == name)
  }
}
