import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests of devices that lose their histories, return with an older state, or count as each other. Each test is named for
/// a case that the first release did not survive. No device calls `sendAll` unless the case says so.
@Suite struct SyncRecoveryTests {
  private let phone: SyncDevice
  private let watch: SyncDevice
  private let clock = StepClock()

  init() throws { (phone, watch) = try SyncDevice.pair(clock: clock) }

  private func isEqual(_ key: StorageKey<Int?>, _ value: Int?) async throws -> Bool {
    let values = [try await phone.router.get(key), try await watch.router.get(key)]
    return values == [value, value]
  }

  @Test func aPhoneThatIsRestoredWithoutItsRecordIsHeard() async throws {
    for value in 1...50 { try await phone.router.set(value, for: SyncedKeys.plain) }
    await SyncDevice.exchange(phone, watch)
    phone.histories.lose()
    try phone.restart()
    try await phone.router.set(100, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 100))
  }

  @Test func aPhoneThatIsRestoredFromABackupTakesWhatIsNewer() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    try await phone.router.set(1, for: SyncedKeys.group)
    let backup = phone.disk()
    try await phone.router.set(2, for: SyncedKeys.plain)
    try await phone.router.remove(SyncedKeys.group)
    await SyncDevice.exchange(phone, watch)
    try phone.restore(backup)
    phone.histories.lose()
    try phone.restart()
    await phone.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
    #expect(try await isEqual(SyncedKeys.group, nil), "what was removed came back")
  }

  @Test func aReinstalledWatchGetsEverything() async throws {
    try await fillAndReinstallWatch()
    // What the session has received before is handed over at launch.
    await watch.receiveLast()
    await SyncDevice.exchange(phone, watch)
    for key in SyncedKeys.all { #expect(try await isEqual(key, 7)) }
  }

  @Test func aReinstalledWatchGetsWhatSendAllSends() async throws {
    try await fillAndReinstallWatch()
    try await phone.router.sync.sendAll()
    _ = watch.transport.arrivals().count
    await watch.receiveLast()
    for key in SyncedKeys.all { #expect(try await watch.router.get(key) == 7) }
  }

  private func fillAndReinstallWatch() async throws {
    for key in SyncedKeys.all { try await phone.router.set(7, for: key) }
    for key in [SyncedKeys.file, SyncedKeys.secret] { try await phone.router.sync.send(key) }
    await SyncDevice.exchange(phone, watch)
    try watch.restore([])
    watch.histories.lose()
    watch.transport.forget()
    try watch.restart()
  }

  @Test func aDamagedRecordDoesNotKeepValuesFromBeingSaved() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    phone.histories.fail(after: 0, with: .corrupted)
    var events = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.set(2, for: SyncedKeys.plain)
    #expect(await events.next() == .historySetAside)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
  }

  @Test func aRecordThatCannotBeWrittenDoesNotKeepValuesFromBeingSaved() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    for fault in [StorageProblem.outOfSpace, .busy, .io(errno: EIO), .accessDenied] {
      phone.histories.fail(after: 0, with: fault)
      var events = phone.router.sync.events.makeAsyncIterator()
      let value = try await phone.router.update(SyncedKeys.plain) { $0 = ($0 ?? 0) + 1 }
      let event = await events.next()
      let error = StorageError(fault, .of(SyncedKeys.plain), .sync)
      #expect(event == .versionNotNoted(.of(SyncedKeys.plain), error))
      phone.histories.succeed()
      // The next change of any key sends it.
      try await phone.router.set(value, for: SyncedKeys.group)
      await SyncDevice.exchange(phone, watch)
      #expect(try await isEqual(SyncedKeys.plain, value), "\(fault)")
    }
  }

  @Test func aChangeThatWasNeverRecordedIsFoundByItsDigest() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    phone.histories.fail(after: 0, with: .outOfSpace)
    try await phone.router.set(2, for: SyncedKeys.plain)
    try phone.restart()
    try await phone.router.sync.send(SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
  }

  @Test func aWriteThatFailedDoesNotMakeTheOldValueNewer() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    try await watch.router.set(2, for: SyncedKeys.plain)
    phone.commits.isFailing = true
    await #expect(throws: StorageError(.outOfSpace, .of(SyncedKeys.plain))) {
      try await phone.router.set(3, for: SyncedKeys.plain)
    }
    try phone.restart()
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
  }

  /// The watch does not know how old its value is: every version is newer.
  @Test func aReceivedChangeThatCouldNotBeWrittenIsReceivedAgain() async throws {
    try await watch.router.set(5, for: SyncedKeys.plain)
    _ = watch.transport.arrivals().count
    watch.histories.lose()
    try watch.restart()
    try await phone.router.set(2, for: SyncedKeys.plain)
    watch.commits.isFailing = true
    await SyncDevice.exchange(phone, watch)
    #expect(try await watch.router.get(SyncedKeys.plain) == 5)
    watch.commits.isFailing = false
    await watch.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
  }

  @Test func aManualChangeThatCouldNotBeRecordedSurvivesARestart() async throws {
    try await phone.router.set(1, for: SyncedKeys.secret)
    try await phone.router.sync.send(SyncedKeys.secret)
    await SyncDevice.exchange(phone, watch)
    for value in [2, nil, 3] {
      phone.histories.fail(after: 0, with: .outOfSpace)
      try await phone.router.set(value, for: SyncedKeys.secret)
      phone.histories.succeed()
      // The next change of any key histories it. It is not sent before the app asks.
      try await phone.router.set(value, for: SyncedKeys.plain)
      await SyncDevice.exchange(phone, watch)
      #expect(try await watch.router.get(SyncedKeys.secret) != value)
      try phone.restart()
      try await phone.router.sync.send(SyncedKeys.secret)
      await SyncDevice.exchange(phone, watch)
      #expect(try await isEqual(SyncedKeys.secret, value))
    }
  }

  @Test func aReceivedValueWhoseEndWasNotRecordedReturnsToAReinstalledSender() async throws {
    var received = 0
    for count in 0..<8 {
      let (phone, watch) = try SyncDevice.pair(clock: clock)
      try await watch.router.set(2, for: SyncedKeys.group)
      phone.histories.fail(after: count)
      _ = await phone.receive()
      try phone.restart()
      if try await phone.router.get(SyncedKeys.group) == 2 { received += 1 }
      try watch.restore([])
      watch.histories.lose()
      watch.transport.forget()
      try watch.restart()
      try await watch.router.set(1, for: SyncedKeys.plain)
      await SyncDevice.exchange(phone, watch)
      let values = [try await phone.router.get(SyncedKeys.group), try await watch.router.get(SyncedKeys.group)]
      #expect(values[0] == values[1], "the history fails after \(count) changes")
    }
    #expect((1..<8).contains(received))
  }

  @Test func aRecordedValueThatWasNeverWrittenRefusesNoOther() async throws {
    try await phone.router.set(1, for: SyncedKeys.group)
    watch.commits.isFailing = true
    _ = await watch.receive()
    try watch.restart()
    #expect(try await watch.router.get(SyncedKeys.group) == nil)
    phone.histories.lose()
    try phone.restart()
    try await phone.router.set(2, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.group, 1))
  }

  // MARK: Clones, older states and other watches

  @Test func aClonedDeviceTakesAnotherIdentifier() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    try watch.restore(phone.disk())
    watch.histories.state = phone.histories.state
    try watch.restart()
    try await phone.router.set(2, for: SyncedKeys.plain)
    try await watch.router.set(3, for: SyncedKeys.group)
    #expect(await watch.receive().contains(.deviceRenewed))
    await SyncDevice.exchange(phone, watch)
    #expect(phone.histories.state[.app]?.device != watch.histories.state[.app]?.device)
    #expect(try await isEqual(SyncedKeys.plain, 2))
    #expect(try await isEqual(SyncedKeys.group, 3))
  }

  /// Lets both devices have the value 2, and puts the phone back to the state in which it had 1.
  private func restoreThePhoneFromBeforeItsLastChange() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    let (disk, histories) = (phone.disk(), phone.histories.state)
    try await phone.router.set(2, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    try phone.restore(disk)
    phone.histories.state = histories
    try phone.restart()
  }

  @Test func anOlderStateOfADeviceTakesAnotherIdentifier() async throws {
    try await restoreThePhoneFromBeforeItsLastChange()
    #expect(await phone.receiveLast().contains(.deviceRenewed))
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
  }

  @Test func anOlderStateThatGoesOnTakesAnotherIdentifierToo() async throws {
    try await restoreThePhoneFromBeforeItsLastChange()
    phone.transport.forget()
    try await phone.router.set(3, for: SyncedKeys.group)
    await SyncDevice.exchange(phone, watch)
    await phone.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 2))
    #expect(try await isEqual(SyncedKeys.group, 3))
  }

  @Test func anotherWatchGetsEverything() async throws {
    for key in SyncedKeys.all { try await phone.router.set(7, for: key) }
    for key in [SyncedKeys.file, SyncedKeys.secret] { try await phone.router.sync.send(key) }
    await SyncDevice.exchange(phone, watch)
    let second = try SyncDevice(.watch, watch.transport, clock: clock)
    phone.transport.forget()
    try await second.router.set(8, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, second)
    for key in SyncedKeys.all.dropFirst() { #expect(try await second.router.get(key) == 7) }
    #expect(try await phone.router.get(SyncedKeys.plain) == 8)
    // The first one, paired again, gets what it missed.
    try await phone.router.remove(SyncedKeys.sealed)
    await SyncDevice.exchange(phone, second)
    phone.transport.forget()
    try await watch.router.set(9, for: SyncedKeys.group)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 8))
    #expect(try await isEqual(SyncedKeys.sealed, nil))
    #expect(try await isEqual(SyncedKeys.group, 9))
  }

  // MARK: Contexts and clocks

  @Test func anAppThatReplacesTheContextLosesNothing() async throws {
    for (number, key) in [SyncedKeys.plain, SyncedKeys.sealed, SyncedKeys.group].enumerated() {
      try await phone.router.set(number, for: key)
      phone.transport.forget()
      _ = watch.transport.arrivals()
      if number == 1 { try phone.restart() }
    }
    try await phone.router.set(5, for: SyncedKeys.plain)
    await watch.receiveLast()
    #expect(try await watch.router.get(SyncedKeys.plain) == 5)
    #expect(try await watch.router.get(SyncedKeys.sealed) == 1)
    #expect(try await watch.router.get(SyncedKeys.group) == 2)
  }

  @Test func anAppKeepsThePackagesEntryInItsOwnContext() {
    let current: [String: Any] = [StorageSync.contextKey: Data([1]), "old": 1]
    let merged = StorageSync.merging(["own": 2], into: current)
    #expect(merged.count == 2 && merged["own"] as? Int == 2)
    #expect(StorageSync.payload(in: merged) == Data([1]))
    #expect(StorageSync.merging(["own": 2], into: [:]).count == 1)
  }

  @Test func aClockThatWasSetTo2038AndBackStopsNothing() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    clock.move(to: Date(timeIntervalSince1970: 2_145_916_800))
    try await phone.router.set(2, for: SyncedKeys.plain)
    clock.move(to: Date(timeIntervalSince1970: 1_796_000_000))
    await SyncDevice.exchange(phone, watch)
    try await watch.router.set(3, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 3))
    try await phone.router.set(4, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    #expect(try await isEqual(SyncedKeys.plain, 4))
  }

  // MARK: What a payload contains

  @Test func membersThatWereSyncedAndRemovedLeaveThePayload() async throws {
    for number in 0..<Sweep.count(quick: 50, full: 600) {
      let note = SyncedCatalog.note(named: "note_\(number)")
      try await phone.router.set(number, for: note)
      try await phone.router.sync.send(note)
      try await phone.router.remove(note)
      try await phone.router.sync.send(note)
      if number % 50 == 49 { await SyncDevice.exchange(phone, watch) }
    }
    try await phone.router.set(1, for: SyncedKeys.plain)
    #expect(try #require(phone.transport.sent.last).count < 300)
    #expect(try #require(phone.transport.sent.map(\.count).max()) < 20_000)
  }

  /// Their names alone need more than one payload.
  @Test func aThousandValuesAndTheirRemovalsArriveInSeveralPayloads() async throws {
    let notes = (0..<1_000).map {
      SyncedCatalog.note(named: "note_\($0)" + String(repeating: "x", count: 200))
    }
    for (number, note) in notes.enumerated() { try await phone.router.set(number, for: note) }
    try await phone.router.sync.sendAll()
    await SyncDevice.exchange(phone, watch)
    for (number, note) in notes.enumerated() { #expect(try await watch.router.get(note) == number) }
    for note in notes { try await phone.router.remove(note) }
    try await phone.router.set(1, for: SyncedKeys.file)
    let sent = phone.transport.sent.count
    try await phone.router.sync.sendAll()
    await SyncDevice.exchange(phone, watch)
    #expect(phone.transport.sent.count > sent + 1)
    for note in notes { #expect(try await watch.router.exists(note) == false) }
    #expect(try await isEqual(SyncedKeys.file, 1))
  }

  @Test func sendAllLeavesOutTheRemovalsThatThePairedDeviceHasAcknowledged() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    try await phone.router.remove(SyncedKeys.group)
    await SyncDevice.exchange(phone, watch)
    func names() async throws -> Set<String> {
      try await phone.router.sync.sendAll()
      return Set(try SyncPayload(try #require(phone.transport.sent.last)).entries.compactMap(\.key?.name))
    }
    try await phone.router.remove(SyncedKeys.sealed)
    #expect(try await names() == ["plain", "sealed"])
    await SyncDevice.exchange(phone, watch)
    #expect(try await names() == ["plain"])
    // Another watch has acknowledged none.
    let second = try SyncDevice(.watch, LinkedTransports().watch, clock: clock)
    phone.transport.connect(to: second.transport)
    try await second.router.set(1, for: SyncedKeys.file)
    try await second.router.set(2, for: SyncedKeys.plain)
    await phone.receive()
    #expect(try await names() == ["plain", "group", "sealed"])
  }

  @Test func whatIsAcknowledgedIsNotSentAgain() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    try await phone.router.set(2, for: SyncedKeys.group)
    let last = try SyncPayload(try #require(phone.transport.sent.last))
    #expect(last.entries.map(\.key?.name) == ["group"])
    // A restarted device knows it too.
    await SyncDevice.exchange(phone, watch)
    try phone.restart()
    try await phone.router.set(3, for: SyncedKeys.sealed)
    #expect(try SyncPayload(try #require(phone.transport.sent.last)).entries.map(\.key?.name) == ["sealed"])
  }

  @Test func aKeyThatIsNoLongerRegisteredLeavesThePayload() async throws {
    try await phone.router.set(1, for: SyncedKeys.plain)
    try await phone.router.set(2, for: SyncedKeys.group)
    phone.catalog = PlainCatalog.self
    try phone.restart()
    try await phone.router.set(3, for: SyncedKeys.plain)
    #expect(try SyncPayload(try #require(phone.transport.sent.last)).entries.map(\.key?.name) == ["plain"])
  }

  private enum PlainCatalog: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static var allKeys: [AnyStorageKey] { [.key(SyncedKeys.plain)] }
  }

  @Test func receivingManyKeysMakesFewDurableCommits() async throws {
    let notes = (0..<500).map { SyncedCatalog.note(named: "note_\($0)") }
    for (number, note) in notes.enumerated() {
      try await phone.router.set(number, for: note)
      try await phone.router.sync.send(note)
    }
    let payload = try #require(watch.transport.received)
    #expect(try SyncPayload(payload).entries.count == 500)
    let before = watch.histories.durableChanges
    #expect(await watch.router.sync.receive(payload).count == 500)
    let commits = watch.histories.durableChanges - before
    print("sync: 500 keys were received with \(commits) durable commits of the history")
    #expect((1...10).contains(commits))
    for (number, note) in notes.enumerated() { #expect(try await watch.router.get(note) == number) }
  }
}
