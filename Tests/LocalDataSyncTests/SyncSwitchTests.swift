import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests of a phone that is paired with one watch after the other. Each watch has a transport; the phone's is connected to
/// that of the active watch.
@Suite struct SyncSwitchTests {
  private let phone: SyncDevice
  private let first: SyncDevice
  private let second: SyncDevice
  private let clock = StepClock()

  init() throws {
    (phone, first) = try SyncDevice.pair(clock: clock)
    second = try SyncDevice(.watch, LinkedTransports().watch, clock: clock)
  }

  /// Pairs the phone with a watch.
  ///
  /// - Parameter forgets: Whether the system gives the phone a new application context.
  private func pair(_ watch: SyncDevice, forgets: Bool = true) {
    phone.transport.connect(to: watch.transport)
    if forgets { phone.transport.forget() }
  }

  @Test(arguments: [true, false]) func aWatchThatIsPairedAgainGetsWhatItMissed(_ forgets: Bool) async throws {
    for device in [first, second, first] {
      pair(device, forgets: forgets)
      try await device.router.set(1, for: SyncedKeys.group)
      await SyncDevice.exchange(phone, device)
    }
    // The last payload of the first watch acknowledges everything that the phone has put.
    try await phone.router.set(2, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, first)
    pair(second, forgets: forgets)
    try await second.router.set(2, for: SyncedKeys.group)
    await SyncDevice.exchange(phone, second)
    try await phone.router.set(3, for: SyncedKeys.plain)
    try await phone.router.remove(SyncedKeys.group)
    await SyncDevice.exchange(phone, second)
    #expect(try await second.router.get(SyncedKeys.plain) == 3)

    // The first watch changes nothing. The phone's next change is of another key.
    pair(first, forgets: forgets)
    try await phone.router.set(4, for: SyncedKeys.sealed)
    await SyncDevice.exchange(phone, first)
    #expect(try await first.router.get(SyncedKeys.sealed) == 4)
    #expect(try await first.router.get(SyncedKeys.plain) == 3)
    #expect(try await first.router.get(SyncedKeys.group) == nil)
    // Nothing is left to say.
    let sent = [phone, first].map(\.transport.sent.count)
    for device in [first, phone, first] { await device.receiveLast() }
    #expect([phone, first].map(\.transport.sent.count) == sent)
  }

  /// The clone and the original have one identifier, and both continue from one clock.
  @Test func theOriginalOfACloneGetsWhatTheCloneHasAcknowledged() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, first)
    // A payload that the phone has not acknowledged when the watch is cloned.
    try await first.router.set(1, for: SyncedKeys.group)
    try second.restore(first.disk())
    second.histories.state = first.histories.state
    try second.restart()
    await phone.receive()
    pair(second)
    try await second.router.set(2, for: SyncedKeys.sealed)
    await SyncDevice.exchange(phone, second)
    try await phone.router.set(2, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, second)
    #expect(try await second.router.get(SyncedKeys.plain) == 2)
    #expect(first.histories.state[.app]?.device == second.histories.state[.app]?.device)

    // The original, which was not relaunched, puts its next payload before it receives one.
    pair(first)
    try await first.router.set(3, for: SyncedKeys.group)
    await SyncDevice.exchange(phone, first)
    #expect(try await first.router.get(SyncedKeys.plain) == 2)
    #expect(try await phone.router.get(SyncedKeys.group) == 3)
  }

  /// An acknowledgement of the clone is not taken for one of the original's own payloads.
  @Test func theOriginalOfACloneKeepsWhatOnlyTheCloneWasAcknowledged() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, first)
    try second.restore(first.disk())
    second.histories.state = first.histories.state
    try second.restart()
    // The payload of the original is lost.
    try await first.router.set(1, for: SyncedKeys.group)
    _ = phone.transport.arrivals()
    pair(second)
    try await second.router.set(2, for: SyncedKeys.sealed)
    await SyncDevice.exchange(phone, second)
    // The phone acknowledges the clone's payload, and the original has put another one meanwhile.
    pair(first)
    try await phone.router.set(2, for: SyncedKeys.plain)
    try await first.router.set(2, for: SyncedKeys.file)
    try await first.router.sync.send(SyncedKeys.file)
    _ = phone.transport.arrivals()
    await SyncDevice.exchange(phone, first)
    #expect(try await phone.router.get(SyncedKeys.group) == 1)
    #expect(try await phone.router.get(SyncedKeys.file) == 2)
    #expect(try await first.router.get(SyncedKeys.plain) == 2)
  }
}
