import Foundation
import LocalDataTesting
import StorageVocabulary
import TestSupport
import Testing

@testable import LocalData

/// Tests with random schedules of a phone and a watch: changes, sends, deliveries that are lost, late, repeated or in
/// another order, restarts, failed writes, and contexts that the app replaces. Both devices end with the same values,
/// and do not need a call of `sendAll` for this.
@Suite struct SyncScheduleTests {
  static let schedules = 2_000
  static let seed: UInt64 = 20_261_121

  @Test func everyScheduleConverges() async throws {
    let counts = try await run(Self.schedules, .ordinary)
    // What was not tried proves nothing.
    #expect(counts.kills > 1_000 && counts.applied > 2_000 && counts.restarts > 800 && counts.replaced > 500)
  }

  /// The same with lost records, restored backups, older states of a whole device, cloned devices and reinstalls.
  @Test func everyScheduleWithLossesConverges() async throws {
    let counts = try await run(Self.schedules, .withLosses)
    #expect(counts.losses > 2_000 && counts.applied > 2_000)
  }

  /// The same with an app whose second release declares one key with another type, and is installed on one device first.
  @Test func everyScheduleOfMixedReleasesConverges() async throws {
    let counts = try await run(Self.schedules, .ofMixedReleases)
    #expect(counts.losses > 1_500 && counts.refused > 200 && counts.updates > 800)
  }

  private func run(_ count: Int, _ kind: Schedule.Kind) async throws -> Counts {
    let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
      for part in 0..<4 {
        group.addTask {
          var counts = Counts()
          for number in stride(from: part, to: count, by: 4) {
            counts += try await Schedule(seed: Self.seed &+ UInt64(number), kind).run()
          }
          return counts
        }
      }
      return try await group.reduce(into: Counts()) { $0 += $1 }
    }
    print("sync schedules, \(kind): \(counts.schedules) run from seed \(Self.seed): \(counts)")
    #expect(counts.schedules == count)
    return counts
  }
}

/// The numbers of events in schedules.
private struct Counts: Sendable, CustomStringConvertible {
  var (schedules, changes, applied, kills, restarts, replaced, losses) = (0, 0, 0, 0, 0, 0, 0)
  var (refused, updates) = (0, 0)

  static func += (one: inout Self, other: Self) {
    one.schedules += other.schedules
    one.changes += other.changes
    one.applied += other.applied
    one.kills += other.kills
    one.restarts += other.restarts
    one.replaced += other.replaced
    one.losses += other.losses
    one.refused += other.refused
    one.updates += other.updates
  }

  var description: String {
    "\(changes) changes, \(applied) values applied, \(kills) failures, \(restarts) restarts, "
      + "\(replaced) replaced contexts, \(losses) losses, "
      + "\(refused) values of a newer release refused, \(updates) updates of the app"
  }
}

private enum FirstRelease: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { SyncedCatalog.allKeys + [.key(VersionedKey.first)] }
}

private enum SecondRelease: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { SyncedCatalog.allKeys + [.key(VersionedKey.second)] }
}

/// One schedule.
private final class Schedule {
  enum Kind: Sendable {
    case ordinary, withLosses, ofMixedReleases
  }

  private let seed: UInt64
  private let kind: Kind
  private var random: SeededRandom
  private let phone: SyncDevice
  private let watch: SyncDevice
  private var lastValue = 0
  private var counts = Counts()
  /// The bytes that were seen with every version.
  private var seen: [SyncKey: [SyncVersion: Data?]] = [:]
  /// The number of sent payloads of each device that were looked at.
  private var read: [StoragePlatform: Int] = [:]
  private var backups:
    [StoragePlatform: (disk: [(address: StorageAddress, bytes: Data)], records: [KeysetID: SyncRecord])] =
      [:]

  init(seed: UInt64, _ kind: Kind) throws {
    (self.seed, self.kind) = (seed, kind)
    random = SeededRandom(seed: seed)
    (phone, watch) = try SyncDevice.pair(
      LinkedTransports(seed: seed, line: .init(drops: 0.2, delays: 0.3, duplicates: 0.3)), clock: StepClock())
    guard kind == .ofMixedReleases else { return }
    for device in [phone, watch] {
      device.catalog = FirstRelease.self
      try device.restart()
    }
  }

  func run() async throws -> Counts {
    for _ in 0..<16 {
      try await step(Bool.random(using: &random) ? phone : watch)
      if kind == .ordinary { try look() }
    }
    try await settle()
    try await compare()
    counts.schedules = 1
    return counts
  }

  private func step(_ device: SyncDevice) async throws {
    guard let key = SyncedKeys.all.randomElement(using: &random) else { return }
    if kind == .ofMixedReleases, Int.random(in: 0..<3, using: &random) == 0 { return try await changeVersioned(device) }
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<6: try await change(key, on: device)
    case 6..<8: try? await device.router.sync.send(key)
    case 8: try? await device.router.sync.sendAll()
    case 9..<15: await deliver(to: device)
    case 15: try restart(device)
    case 16: replaceContext(of: device)
    case 17, 18: if kind != .ordinary { try lose(device) }
    default: try await failed(device, key)
    }
  }

  private func change(_ key: StorageKey<Int?>, on device: SyncDevice) async throws {
    counts.changes += 1
    lastValue += 1
    let value = lastValue
    switch Int.random(in: 0..<5, using: &random) {
    case 0: try await device.router.remove(key)
    case 1: try await device.router.update(key) { $0 = value }
    default: try await device.router.set(value, for: key)
    }
  }

  /// Sets or removes the key that two releases declare in two ways, or installs the second release.
  private func changeVersioned(_ device: SyncDevice) async throws {
    counts.changes += 1
    lastValue += 1
    switch (Int.random(in: 0..<8, using: &random), isUpdated(device)) {
    case (0, true): try restart(device)
    case (0, false):
      counts.updates += 1
      try update(device)
    case (1, true): try await device.router.remove(VersionedKey.second)
    case (1, false): try await device.router.remove(VersionedKey.first)
    case (_, true): try await device.router.set("text \(lastValue)", for: VersionedKey.second)
    case (_, false): try await device.router.set(lastValue, for: VersionedKey.first)
    }
  }

  private func isUpdated(_ device: SyncDevice) -> Bool { device.catalog == SecondRelease.self }

  private func update(_ device: SyncDevice) throws {
    device.catalog = SecondRelease.self
    try device.restart()
  }

  private func deliver(to device: SyncDevice) async {
    for event in await device.receive() {
      if case .received = event { counts.applied += 1 }
      if case .ignored(_, .newerSchema) = event { counts.refused += 1 }
    }
  }

  private func restart(_ device: SyncDevice) throws {
    counts.restarts += 1
    try device.restart()
  }

  /// The app sets its own context, without the package's entry.
  private func replaceContext(of device: SyncDevice) {
    counts.replaced += 1
    device.transport.forget()
  }

  /// Makes a change or a delivery fail at one of its steps, and continues as a device does after it.
  private func failed(_ device: SyncDevice, _ key: StorageKey<Int?>) async throws {
    counts.kills += 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      // The version is recorded, and the value is not written.
      device.commits.isFailing = true
      if Bool.random(using: &random) { try? await change(key, on: device) } else { await deliver(to: device) }
      try restart(device)
    case 1:
      device.records.fail(after: Int.random(in: 0...3, using: &random))
      await deliver(to: device)
      try restart(device)
    default:
      // The value is written, and its version cannot be recorded for a while.
      device.records.fail(after: 0, with: .outOfSpace)
      try await change(key, on: device)
      device.records.succeed()
      await device.router.sync.catchUpIfBehind(CallWaits(.seconds(10), of: .call))
    }
  }

  /// Makes the device lose its record, or restores a state from before, with or without the record.
  private func lose(_ device: SyncDevice) throws {
    let other = device === phone ? watch : phone
    let former = backups[device.platform]
    if former == nil || Bool.random(using: &random) { backups[device.platform] = (device.disk(), device.records.state) }
    counts.losses += 1
    switch Int.random(in: 0..<5, using: &random) {
    case 0: device.records.lose()
    case 1:
      guard let former else { return }
      try device.restore(former.disk)
      device.records.lose()
    case 2:
      guard let former else { return }
      try device.restore(former.disk)
      device.records.state = former.records
    case 3:
      try device.restore(other.disk())
      device.records.state = other.records.state
    default:
      try device.restore([])
      device.records.lose()
      device.transport.forget()
    }
    try restart(device)
  }

  /// No two values ever have one version.
  private func look() throws {
    for device in [phone, watch] {
      let sent = device.transport.sent
      for bytes in sent[read[device.platform, default: 0]...] {
        for entry in try SyncPayload(bytes).entries {
          let key = try #require(entry.key)
          if let known = seen[key]?[entry.version] {
            #expect(known == entry.bytes, "seed \(seed): one version of two values")
          }
          seen[key, default: [:]][entry.version] = .some(entry.bytes)
        }
      }
      read[device.platform] = sent.count
    }
  }

  /// The next launch of both: the app hands over what arrived before, sends its manual keys, and changes one value. What
  /// was put last arrives in the end, whatever happened on the way.
  private func settle() async throws {
    for device in [phone, watch] {
      if kind == .ofMixedReleases { try update(device) } else { try device.restart() }
      await device.receiveLast()
      lastValue += 1
      try await device.router.set(lastValue, for: SyncedKeys.plain)
      for key in SyncedKeys.all where AnyStorageKey(key).syncPolicy == .manual {
        try await device.router.sync.send(key)
      }
    }
    for _ in 0..<6 {
      for device in [phone, watch] { await device.receiveLast() }
    }
    let sent = phone.transport.sent.count + watch.transport.sent.count
    for device in [phone, watch] { await device.receiveLast() }
    #expect(phone.transport.sent.count + watch.transport.sent.count == sent, "seed \(seed): they go on for ever")
    if kind == .ordinary { try look() }
  }

  private func compare() async throws {
    if kind == .ofMixedReleases {
      let (one, other) = (
        try await phone.router.get(VersionedKey.second), try await watch.router.get(VersionedKey.second)
      )
      #expect(one == other, "seed \(seed): \(VersionedKey.second)")
    }
    for key in SyncedKeys.all {
      let (one, other) = (try await phone.router.get(key), try await watch.router.get(key))
      #expect(one == other, "seed \(seed): \(key)")
      guard kind == .ordinary else { continue }
      let newest: (key: SyncVersion, value: Data?)? = seen[AnyStorageKey(key).syncKey]?.max { $0.key < $1.key }
      let wanted = try (newest?.value).map { try JSONDecoder().decode(Int.self, from: $0) }
      #expect(one == wanted, "seed \(seed): \(key) is not the newest that was sent")
    }
  }
}
