import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests of a synced key that the second release of an app renames. One device is updated before the other.
@Suite struct SyncRenameTests {
  private let phone: SyncDevice
  private let watch: SyncDevice

  init() throws { (phone, watch) = try SyncDevice.pair(clock: StepClock()) }

  private enum First: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static var allKeys: [AnyStorageKey] { [.key(RenamedKey.first), .key(Joined.one), .key(Joined.other)] }
  }

  private enum Second: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static var allKeys: [AnyStorageKey] { [.key(RenamedKey.second), .key(Joined.sum)] }
  }

  /// Two keys that the second release replaces by one.
  private enum Joined {
    static let one = SyncedKeys.number("one", .userDefaults(), .none, .manual)
    static let other = SyncedKeys.number("other", .userDefaults(), .none, .manual)
    static let sum = StorageKey<Int?>(
      name: "sum", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number of two devices.",
      syncPolicy: .manual
    ) { key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (one, other)) { ($0 ?? 0) + ($1 ?? 0) })
    }
  }

  private func install(_ catalog: any StorageKeyCatalog.Type, on devices: SyncDevice...) throws {
    for device in devices {
      device.catalog = catalog
      try device.restart()
    }
  }

  /// Gives both devices a value of the first release, and then updates the phone.
  private func updatePhone() async throws {
    try install(First.self, on: phone, watch)
    try await phone.router.set(1, for: RenamedKey.first)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: phone)
  }

  private func expect(_ value: Int?) async throws {
    await SyncDevice.exchange(phone, watch)
    #expect(try await phone.router.get(RenamedKey.second) == value)
    #expect(try await watch.router.get(RenamedKey.second) == value)
  }

  /// - Parameter isRead: Whether the watch's app reads the value before it receives anything.
  @Test(arguments: [true, false]) func theNewerValueUnderTheFormerNameWins(_ isRead: Bool) async throws {
    try await updatePhone()
    try await phone.router.set(2, for: RenamedKey.second)
    await SyncDevice.exchange(phone, watch)
    try await watch.router.set(3, for: RenamedKey.first)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: watch)
    if isRead { #expect(try await watch.router.get(RenamedKey.second) == 3) }
    await watch.receiveLast()
    try await expect(3)
  }

  @Test(arguments: [true, false]) func theNewerValueUnderTheNewNameWins(_ isRead: Bool) async throws {
    try await updatePhone()
    try await watch.router.set(3, for: RenamedKey.first)
    await SyncDevice.exchange(phone, watch)
    try await phone.router.set(2, for: RenamedKey.second)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: watch)
    if isRead { #expect(try await watch.router.get(RenamedKey.second) == 3) }
    await watch.receiveLast()
    try await expect(2)
  }

  /// - Parameter isHeard: Whether the phone receives the removal under the former name before the watch is updated.
  @Test(arguments: [true, false], [true, false])
  func theNewerRemovalUnderTheFormerNameWins(_ isHeard: Bool, _ isRead: Bool) async throws {
    try await updatePhone()
    try await phone.router.set(2, for: RenamedKey.second)
    await SyncDevice.exchange(phone, watch)
    try await watch.router.remove(RenamedKey.first)
    if isHeard {
      await SyncDevice.exchange(phone, watch)
      #expect(try await phone.router.get(RenamedKey.second) == 2)
    }
    try install(Second.self, on: watch)
    if isRead { #expect(try await watch.router.get(RenamedKey.second) == nil) }
    await watch.receiveLast()
    try await expect(nil)
    try await phone.router.set(4, for: RenamedKey.second)
    try await expect(4)
  }

  @Test func theNewerValueWinsOverARemovalUnderTheFormerName() async throws {
    try await updatePhone()
    try await watch.router.remove(RenamedKey.first)
    try await phone.router.set(2, for: RenamedKey.second)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: watch)
    await watch.receiveLast()
    try await expect(2)
  }

  /// The removal arrives before the watch's app reads the value that it has set under the former name.
  @Test func aRemovalUnderTheNewNameLosesToTheNewerValueUnderTheFormerName() async throws {
    try await updatePhone()
    try await phone.router.remove(RenamedKey.second)
    try await watch.router.set(3, for: RenamedKey.first)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: watch)
    await watch.receiveLast()
    try await expect(3)
  }

  /// The value was not sent before the update. It is sent under the new name.
  @Test func aChangeThatIsPendingIsSentUnderTheNewName() async throws {
    try install(First.self, on: phone, watch)
    try await phone.router.set(1, for: RenamedKey.first)
    _ = watch.transport.arrivals()
    try install(Second.self, on: phone, watch)
    #expect(try await phone.router.get(RenamedKey.second) == 1)
    try await phone.router.set(5, for: Joined.sum)
    try await phone.router.sync.send(Joined.sum)
    try await expect(1)
  }

  /// A value that two devices make of different values has a different version on each.
  @Test func aValueThatIsMadeOfSeveralIsTheSameOnBothDevices() async throws {
    try install(First.self, on: phone, watch)
    try await watch.router.set(1, for: Joined.one)
    try await phone.router.set(10, for: Joined.other)
    try await phone.router.set(20, for: Joined.one)
    try await phone.router.sync.send(Joined.one)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: phone, watch)
    #expect(try await phone.router.get(Joined.sum) == 30)
    #expect(try await watch.router.get(Joined.sum) == 20)
    for device in [phone, watch] { try await device.router.sync.send(Joined.sum) }
    await SyncDevice.exchange(phone, watch)
    #expect(try await phone.router.get(Joined.sum) == watch.router.get(Joined.sum))
  }
}
