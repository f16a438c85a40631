import Foundation
import LocalDataTesting
import StorageVocabulary
import TestSupport
import Testing

@testable import LocalData

/// Random schedules of a phone and a watch: changes, sendings, deliveries that get lost, come late, twice or in another
/// order, restarts, and kills between any two steps of a change. Both end with the same values.
@Suite struct SyncScheduleTests {
  static let schedules = 2_000
  static let seed: UInt64 = 20_261_121

  @Test func everyScheduleConverges() async throws {
    let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
      for part in 0..<4 {
        group.addTask {
          var counts = Counts()
          for number in stride(from: part, to: Self.schedules, by: 4) {
            counts += try await Schedule(seed: Self.seed &+ UInt64(number)).run()
          }
          return counts
        }
      }
      return try await group.reduce(into: Counts()) { $0 += $1 }
    }
    print("sync schedules: \(counts.schedules) run from seed \(Self.seed): \(counts)")
    #expect(counts.schedules == Self.schedules)
    // What was not tried proves nothing.
    #expect(counts.kills > 1_000 && counts.applied > 4_000 && counts.restarts > 1_000)
  }
}

/// What schedules did.
private struct Counts: Sendable, CustomStringConvertible {
  var (schedules, changes, applied, kills, restarts) = (0, 0, 0, 0, 0)

  static func += (one: inout Self, other: Self) {
    one.schedules += other.schedules
    one.changes += other.changes
    one.applied += other.applied
    one.kills += other.kills
    one.restarts += other.restarts
  }

  var description: String { "\(changes) changes, \(applied) values applied, \(kills) kills, \(restarts) restarts" }
}

/// One schedule.
private final class Schedule {
  private let seed: UInt64
  private var random: SeededRandom
  private let phone: SyncDevice
  private let watch: SyncDevice
  private var lastValue = 0
  private var counts = Counts()
  /// What every version was seen with, and how far the seeing has come.
  private var seen: [SyncKey: [SyncVersion: Data?]] = [:]
  private var read: [StoragePlatform: Int] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    (phone, watch) = try SyncDevice.pair(
      LinkedTransports(seed: seed, line: .init(drops: 0.2, delays: 0.3, duplicates: 0.3)))
  }

  func run() async throws -> Counts {
    for _ in 0..<16 {
      try await step(Bool.random(using: &random) ? phone : watch)
      try look()
    }
    try await settle()
    try await compare()
    counts.schedules = 1
    return counts
  }

  private func step(_ device: SyncDevice) async throws {
    guard let key = SyncedKeys.all.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: try await change(key, on: device)
    case 6..<8: try? await device.router.sync.send(key)
    case 8: try? await device.router.sync.sendAll()
    case 9..<15: await deliver(to: device)
    case 15: try restart(device)
    default: try await killed(device, key)
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

  /// What is received is not sent back.
  private func deliver(to device: SyncDevice) async {
    let before = device.transport.sent.count
    for event in await device.receive() {
      if case .received = event { counts.applied += 1 }
    }
    #expect(device.transport.sent.count == before, "seed \(seed): an echo")
  }

  private func restart(_ device: SyncDevice) throws {
    counts.restarts += 1
    try device.restart()
  }

  /// A change or a delivery that ends at one of its steps, and the next launch.
  private func killed(_ device: SyncDevice, _ key: StorageKey<Int?>) async throws {
    counts.kills += 1
    if Bool.random(using: &random) {
      device.store.fail(with: .io(errno: EIO)) { call in
        [.write, .remove, .update].contains(call.operation) && call.place?.name == key.name
      }
    } else {
      device.records.saves = Int.random(in: 0...3, using: &random)
    }
    if Bool.random(using: &random) { try? await change(key, on: device) } else { await deliver(to: device) }
    try restart(device)
    // What was sent before hides nothing of what is sent now.
    if Bool.random(using: &random) {
      device.transport.forget()
      try? await device.router.sync.send(key)
    }
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

  /// Both send all they have, and the last of it arrives.
  private func settle() async throws {
    for device in [phone, watch] { try device.restart() }
    for _ in 0..<2 {
      for device in [phone, watch] {
        await deliver(to: device)
        try await device.router.sync.sendAll()
      }
      for device in [phone, watch] {
        guard let last = device.transport.received else { continue }
        _ = await device.router.sync.applyReceived(last)
      }
    }
    try look()
  }

  private func compare() async throws {
    for key in SyncedKeys.all {
      let (one, other) = (try await phone.router.get(key), try await watch.router.get(key))
      #expect(one == other, "seed \(seed): \(key)")
      let newest = seen[AnyStorageKey(key).syncKey]?.max { $0.key < $1.key }?.value
      let wanted = try (newest ?? nil).map { try JSONDecoder().decode(Int.self, from: $0) }
      #expect(one == wanted, "seed \(seed): \(key) is not the newest that was sent")
    }
  }
}
