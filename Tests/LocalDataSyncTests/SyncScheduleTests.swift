import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests with random schedules of a phone and a watch: changes, sends, deliveries that are lost, late, repeated or in
/// another order, restarts, failed writes, and contexts that the app replaces. Both devices end with the same values,
/// and do not need a call of `sendAll` for this.
@Suite struct SyncScheduleTests {
  static let schedules = Sweep.count(quick: 30, full: 300)

  @Test func everyScheduleConverges() async throws {
    let counts = try await run(Self.schedules, .ordinary)
    // What was not tried proves nothing.
    #expect(counts.kills > Self.schedules / 2 && counts.applied > Self.schedules / 2)
    #expect(counts.restarts > Self.schedules / 3 && counts.replaced > Self.schedules / 5)
  }

  /// The same with lost histories, restored backups, older states of a whole device, cloned devices and reinstalls.
  @Test func everyScheduleWithLossesConverges() async throws {
    let counts = try await run(Self.schedules, .withLosses)
    #expect(counts.losses > Self.schedules / 2 && counts.applied > Self.schedules / 2)
  }

  /// The same with an app whose second release declares one key with another type and renames another one, and is installed
  /// on one device first.
  @Test func everyScheduleOfMixedReleasesConverges() async throws {
    let counts = try await run(Self.schedules, .ofMixedReleases)
    #expect(
      counts.losses > Self.schedules / 2 && counts.refused >= Self.schedules / 300
        && counts.updates > Self.schedules / 4)
  }

  /// The same with a key that the second release renames, and without failures: both devices end with the value that was
  /// set last, under whichever name.
  @Test func everyScheduleWithARenamedKeyEndsWithTheNewestValue() async throws {
    let counts = try await run(Self.schedules, .withRenames)
    #expect(counts.updates > Self.schedules / 4 && counts.applied > Self.schedules / 2)
  }

  /// The same with a phone that is paired with one of two watches after the other.
  @Test func everyScheduleOfAPhoneWithTwoWatchesConverges() async throws {
    let counts = try await run(Self.schedules, .withSwitches)
    #expect(counts.switches > Self.schedules / 2 && counts.applied > Self.schedules / 2)
  }

  private func run(_ count: Int, _ kind: Schedule.Kind) async throws -> Counts {
    let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
      for part in 0..<4 {
        group.addTask {
          var counts = Counts()
          for number in stride(from: part, to: count, by: 4) {
            counts += try await Schedule(seed: Sweep.seed &+ UInt64(number), kind).run()
          }
          return counts
        }
      }
      return try await group.reduce(into: Counts()) { $0 += $1 }
    }
    Sweep.report("sync schedules, \(kind)", "\(counts.schedules) schedules, \(counts)")
    #expect(counts.schedules == count)
    return counts
  }
}

/// The numbers of events in schedules.
private struct Counts: Sendable, CustomStringConvertible {
  var (schedules, changes, applied, kills, restarts, replaced, losses) = (0, 0, 0, 0, 0, 0, 0)
  var (refused, updates, switches) = (0, 0, 0)

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
    one.switches += other.switches
  }

  var description: String {
    "\(changes) changes, \(applied) values applied, \(kills) failures, \(restarts) restarts, "
      + "\(replaced) replaced contexts, \(losses) losses, "
      + "\(refused) values of a newer release refused, \(updates) updates of the app, "
      + "\(switches) switches to the other watch"
  }
}

private enum FirstRelease: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { SyncedCatalog.allKeys + [.key(VersionedKey.first), .key(RenamedKey.first)] }
}

private enum SecondRelease: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { SyncedCatalog.allKeys + [.key(VersionedKey.second), .key(RenamedKey.second)] }
}

/// One schedule.
private final class Schedule {
  enum Kind: Sendable {
    case ordinary, withLosses, ofMixedReleases, withRenames, withSwitches

    /// A Boolean value that indicates whether the app is updated to its second release.
    var hasReleases: Bool { self == .ofMixedReleases || self == .withRenames }
  }

  private let seed: UInt64
  private let kind: Kind
  private var random: SeededRandom
  private let phone: SyncDevice
  private let watches: [SyncDevice]
  /// The watch that the phone is paired with.
  private var watch: SyncDevice
  private var lastValue = 0
  /// The value of the renamed key that was set last.
  private var newest: Int?
  private var counts = Counts()
  /// The bytes that were seen with every version.
  private var seen: [SyncKey: [SyncVersion: Data?]] = [:]
  /// The number of sent payloads of each device that were looked at.
  private var read: [StoragePlatform: Int] = [:]
  private var backups:
    [StoragePlatform: (disk: [(address: StorageAddress, bytes: Data)], histories: [KeysetID: SyncHistory])] =
      [:]

  init(seed: UInt64, _ kind: Kind) throws {
    (self.seed, self.kind) = (seed, kind)
    random = SeededRandom(seed: seed)
    let (clock, line) = (StepClock(), LinkedTransports.Line(drops: 0.2, delays: 0.3, duplicates: 0.3))
    (phone, watch) = try SyncDevice.pair(LinkedTransports(seed: seed, line: line), clock: clock)
    watches = [watch, try SyncDevice(.watch, LinkedTransports(seed: seed &+ 1, line: line).watch, clock: clock)]
    guard kind.hasReleases else { return }
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
    if kind.hasReleases, Int.random(in: 0..<3, using: &random) == 0 { return try await changeInReleases(device) }
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<6: try await change(key, on: device)
    case 6..<8: try? await device.router.sync.send(key)
    case 8: try? await device.router.sync.sendAll()
    case 9..<15: await deliver(to: device)
    case 15: try restart(device)
    case 16: replaceContext(of: device)
    case 17, 18:
      switch kind {
      case .withLosses, .ofMixedReleases: try lose(device)
      case .withSwitches: try switchWatch()
      case .ordinary, .withRenames: break
      }
    default: if kind != .withRenames { try await failed(device, key) }
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

  private func changeInReleases(_ device: SyncDevice) async throws {
    if kind == .withRenames || Bool.random(using: &random) { return try await changeRenamed(device) }
    try await changeVersioned(device)
  }

  /// Sets or removes the key that two releases declare with two names, reads it, or installs the second release.
  private func changeRenamed(_ device: SyncDevice) async throws {
    counts.changes += 1
    lastValue += 1
    switch (Int.random(in: 0..<8, using: &random), isUpdated(device)) {
    case (0, false):
      counts.updates += 1
      try update(device)
    case (0, true): _ = try await device.router.get(RenamedKey.second)
    case (1, true):
      newest = nil
      try await device.router.remove(RenamedKey.second)
    case (1, false):
      newest = nil
      try await device.router.remove(RenamedKey.first)
    case (_, true):
      newest = lastValue
      try await device.router.set(lastValue, for: RenamedKey.second)
    case (_, false):
      newest = lastValue
      try await device.router.set(lastValue, for: RenamedKey.first)
    }
  }

  /// Pairs the phone with the other watch, on which the user may have changed something.
  private func switchWatch() throws {
    counts.switches += 1
    guard let other = watches.first(where: { $0 !== watch }) else { return }
    pair(other)
    if Bool.random(using: &random) { phone.transport.forget() }
    if Bool.random(using: &random) { try phone.restart() }
  }

  private func pair(_ other: SyncDevice) {
    watch = other
    phone.transport.connect(to: other.transport)
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
      // The version is noted, and the value is not written.
      device.commits.isFailing = true
      if Bool.random(using: &random) { try? await change(key, on: device) } else { await deliver(to: device) }
      try restart(device)
    case 1:
      device.histories.fail(after: Int.random(in: 0...3, using: &random))
      await deliver(to: device)
      try restart(device)
    default:
      // The value is written, and its version cannot be noted for a while.
      device.histories.fail(after: 0, with: .outOfSpace)
      try await change(key, on: device)
      device.histories.succeed()
      await device.router.sync.catchUpIfBehind(CallWaits(.seconds(10), of: .call))
    }
  }

  /// Makes the device lose its history, or restores a state from before, with or without the history.
  private func lose(_ device: SyncDevice) throws {
    let other = device === phone ? watch : phone
    let former = backups[device.platform]
    if former == nil || Bool.random(using: &random) {
      backups[device.platform] = (device.disk(), device.histories.state)
    }
    counts.losses += 1
    switch Int.random(in: 0..<5, using: &random) {
    case 0: device.histories.lose()
    case 1:
      guard let former else { return }
      try device.restore(former.disk)
      device.histories.lose()
    case 2:
      guard let former else { return }
      try device.restore(former.disk)
      device.histories.state = former.histories
    case 3:
      try device.restore(other.disk())
      device.histories.state = other.histories.state
    default:
      try device.restore([])
      device.histories.lose()
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
    guard kind == .withSwitches else { return try await settleLaunched() }
    for watch in watches {
      pair(watch)
      try await settleLaunched()
    }
    // Each watch again: only the phone changes something, another key each time.
    for (number, key) in [SyncedKeys.plain, SyncedKeys.sealed, SyncedKeys.group, SyncedKeys.plain].enumerated() {
      pair(watches[number % 2])
      lastValue += 1
      try await phone.router.set(lastValue, for: key)
      try await exchange(isPairedAgain: true)
    }
  }

  private func settleLaunched() async throws {
    for device in [phone, watch] {
      if kind.hasReleases {
        try update(device)
        // The app reads its values when it is launched. A value of an earlier release is moved then.
        _ = try await device.router.get(RenamedKey.second)
      } else {
        try device.restart()
      }
      await device.receiveLast()
      lastValue += 1
      try await device.router.set(lastValue, for: SyncedKeys.plain)
      for key in SyncedKeys.all where AnyStorageKey(key).syncPolicy == .manual {
        try await device.router.sync.send(key)
      }
    }
    try await exchange()
    if kind == .ordinary { try look() }
  }

  /// Delivers what the two devices have put last until neither puts anything.
  ///
  /// - Parameter isPairedAgain: Whether the system does not give the phone again what the watch has put before.
  private func exchange(isPairedAgain: Bool = false) async throws {
    let before = watch.transport.sent.count
    for _ in 0..<6 {
      if !isPairedAgain || watch.transport.sent.count > before { await phone.receiveLast() }
      await watch.receiveLast()
    }
    let sent = phone.transport.sent.count + watch.transport.sent.count
    if !isPairedAgain || watch.transport.sent.count > before { await phone.receiveLast() }
    await watch.receiveLast()
    #expect(phone.transport.sent.count + watch.transport.sent.count == sent, "seed \(seed): they go on for ever")
  }

  private func compare() async throws {
    if kind == .withSwitches { try await compareWatches() }
    if kind.hasReleases { try await compareRenamed() }
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
  private func compareRenamed() async throws {
    let (one, other) = (try await phone.router.get(RenamedKey.second), try await watch.router.get(RenamedKey.second))
    #expect(one == other, "seed \(seed): the renamed key")
    if kind == .withRenames { #expect(one == newest, "seed \(seed): the renamed key is not the newest") }
  }

  /// The watch that is not paired now has everything but the last change.
  private func compareWatches() async throws {
    for key in SyncedKeys.all.dropFirst() {
      let values = [try await watches[0].router.get(key), try await watches[1].router.get(key)]
      #expect(values[0] == values[1], "seed \(seed): \(key) on both watches")
    }
  }
}
