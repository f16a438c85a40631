import Foundation
import RuntimeTestSupport
import Testing

@testable import LocalData

/// A log of migrations, in a file and in memory.
@Suite struct MigrationLogTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func log(_ isFile: Bool) throws -> MigrationLog {
    MigrationLog(in: isFile ? try fixture.locations.migrationLog(of: .app) : nil)
  }

  @Test(arguments: [true, false]) func nothingYet(_ isFile: Bool) throws {
    let log = try log(isFile)
    #expect(try log.lastEntries() == [:])
    #expect(try log.events() == [])
    try log.append([])
    #expect(try fixture.permissions().isEmpty)
  }

  @Test(arguments: [true, false]) func theLastEntryOfAPlaceCounts(_ isFile: Bool) throws {
    let log = try log(isFile)
    let (first, other) = (MigrationEntry.sample("a", .committed), MigrationEntry.sample("b", .committed))
    try log.append([first, other])
    #expect(try log.lastEntries() == [first.address: first, other.address: other])
    let completed = MigrationEntry.sample("a", .completed)
    try log.append([completed])
    #expect(try log.lastEntries() == [first.address: completed, other.address: other])
  }

  /// Checks that a committed move is in the history, and is not in it twice once it is completed. A record that differs
  /// is added.
  @Test(arguments: [true, false]) func theHistoryIsInOrderAndRepeatsNothing(_ isFile: Bool) throws {
    let log = try log(isFile)
    for (name, phase) in [("a", MigrationEntry.Phase.committed), ("b", .committed), ("a", .completed)] {
      try log.append([.sample(name, phase)])
    }
    #expect(try log.events().map(\.key) == ["b", "a"])
    try log.append([.sample("b", .completed, .removed)])
    #expect(try log.events().map(\.outcome) == [.moved, .moved, .removed])
  }

  @Test(arguments: [true, false]) func everyFieldComesBack(_ isFile: Bool) throws {
    let log = try log(isFile)
    let entry = MigrationEntry(
      address: AddressID(.preference("token")), steps: [.custom("Mover")], phase: .committed,
      moved: [AddressID(.file("old")), AddressID(.preference("older"))], launch: UUID(),
      event: MigrationEvent(
        key: "a\n\"b\" é\u{0}🗝️", domain: .keychain,
        sources: [.init(key: "old", domain: .fileSystem), .init(key: "older", domain: .userDefaults)],
        outcome: .conflictKept, date: Date(timeIntervalSince1970: 1_700_000_000.123), appVersion: "2.0.1"))
    try log.append([entry])
    #expect(try (isFile ? self.log(true) : log).entries() == [entry])
    #expect(try log.events() == [entry.event])
  }

  @Test func routersHaveALogForTheAppAndOneForEachGroup() throws {
    let setup = RouterSetup(
      storage: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    let services = StorageServices.live(setup)
    let group = KeysetID.group(identifier: "group.test")
    try services.migrationLog(.app).append([.sample("a")])
    try services.migrationLog(group).append([.sample("b")])
    #expect(try services.migrationLog(.app).events().map(\.key) == ["a"])
    #expect(try services.migrationLog(group).events().map(\.key) == ["b"])
    #expect(try fixture.permissions()["data/.migrations.log"] == 0o600)
    #expect(try fixture.permissions()["groups/group.test/.migrations.log"] == 0o600)
    #expect(throws: StorageProblem.invalidName) { try services.migrationLog(.group(identifier: "../x")) }
  }

  // MARK: Places

  /// These identities are in the files of users and must never change. Another program computed them from the
  /// description.
  @Test func theIdentityOfAPlaceIsFixed() {
    #expect("\(AddressID(.preference("token")))" == "ef184221b53d90b60aec9f94beec2c17")
    #expect("\(AddressID(.item("token", service: "s", group: "g")))" == "a21c90af32c3402bdb99e92490e22360")
  }

  @Test func placesAreToldApart() {
    let addresses: [StorageAddress] = [
      .preference("a"), .preference("b"), .preference("a", suite: "s"), .preference("a", suite: ""), .file("a"),
      .file("a", in: .caches), .file("a", in: .custom("x")), .file("a", in: .custom("y")),
      .item("a"), .item("a", group: "g"), .item("a", service: "t"),
      StorageAddress(container: .groupPreferences(identifier: "g"), name: "a"),
      StorageAddress(container: .groupDirectory(identifier: "g", .documents), name: "a"),
      StorageAddress(container: .groupDirectory(identifier: "h", .documents), name: "a"),
    ]
    #expect(Set(addresses.map { AddressID($0) }).count == addresses.count)
    // One item, whether it is synchronized or not.
    let container = StorageContainer.keychain(service: "service", accessGroup: nil, synchronizable: true)
    #expect(AddressID(StorageAddress(container: container, name: "a")) == AddressID(.item("a")))
  }
}
