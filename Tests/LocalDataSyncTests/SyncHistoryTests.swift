import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

private let key = SyncKey(name: "k", domain: .userDefaults())
private let own = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
private let other = UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

private func stamp(_ counter: UInt64, _ device: UUID, isRemoval: Bool = false) -> SyncStamp {
  SyncStamp(version: SyncVersion(counter: counter, device: device), isRemoval: isRemoval)
}

private func date(_ milliseconds: UInt64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

private func value(_ byte: UInt8) -> StoredLook {
  StorageAttributes().look(at: Data([byte]), StorageAddress(container: .preferences(suite: nil), name: "k"))
}

extension SyncHistory {
  /// A change of the key's value to one byte.
  fileprivate mutating func set(_ byte: UInt8, over look: StoredLook, at milliseconds: UInt64) -> SyncStamp? {
    let given = begin(key, over: look, isRemoval: false, isOffered: true, now: date(milliseconds))
    if case .value(let digest?, _) = value(byte) { setFingerprint(.digest(digest), of: key) }
    return given
  }
}

@Suite struct SyncClockTests {
  @Test func theHigherCounterWinsAndOfEqualOnesTheHigherDevice() {
    #expect(stamp(1, other).version < stamp(2, own).version)
    #expect(stamp(2, own).version < stamp(2, other).version)
    #expect(!(stamp(2, own).version < stamp(2, own).version))
  }

  @Test func aChangeFollowsTheWallClockAndNeverGoesBack() {
    var clock = HybridClock()
    #expect(clock.tick(date(1_000)) == 1_000)
    #expect(clock.tick(date(1_000)) == 1_001)
    #expect(clock.tick(date(500)) == 1_002)
    #expect(clock.tick(date(5_000)) == 5_000)
    #expect(clock.tick(date(0)) == 5_001)
    #expect(clock.tick(Date.distantPast) == 5_002)
  }

  /// A clock that was set to 2038 and back, here and on the other device.
  @Test func largeJumpsAreAdopted() {
    let year2038: UInt64 = 2_145_916_800_000
    let today: UInt64 = 1_795_000_000_000
    var clock = HybridClock()
    let (jumped, back) = (clock.tick(date(year2038)), clock.tick(date(today)))
    #expect(jumped == year2038)
    #expect(back == year2038 + 1)
    var peer = HybridClock()
    let before = peer.tick(date(today))
    peer.adopt(clock.counter)
    let after = peer.tick(date(today))
    #expect(before == today)
    #expect(after == year2038 + 2)
  }

  @Test func aCounterThatNoChangeCouldExceedIsNotAdopted() {
    var clock = HybridClock()
    for counter: UInt64 in [.max, 1 << 63, (1 << 62) + 1] {
      clock.adopt(counter)
      #expect(clock.counter == 0)
      #expect(!stamp(counter, other).version.isPossible)
    }
    let far = [Date.distantFuture, .init(timeIntervalSince1970: .infinity), .init(timeIntervalSince1970: .nan)]
    let counters = far.map { clock.tick($0) }
    #expect(counters.allSatisfy { (1...HybridClock.largestTime + 2).contains($0) })
  }

  /// Whatever the wall clocks of two devices say, each accepts what the other has counted so far.
  @Test func noWallClockMakesADeviceRefuseAnother() {
    let walls = [.distantPast, date(0), date(1_795_000_000_000), .distantFuture, .init(timeIntervalSince1970: .nan)]
    for one in walls {
      for other in walls {
        var clock = HybridClock()
        let counters = (0..<100).map { _ in clock.tick(one) }
        #expect(counters.allSatisfy { HybridClock.accepts($0, at: other) }, "\(one), \(other)")
      }
    }
  }

  @Test func theClockNeverLeavesTheAcceptedRange() {
    var clock = HybridClock()
    clock.adopt(HybridClock.largestCounter - 1)
    let counters = (0..<3).map { _ in clock.tick(date(1_795_000_000_000)) }
    #expect(counters.allSatisfy { $0 == HybridClock.largestCounter })
  }
}

@Suite struct SyncHistoryTests {
  @Test func aChangeIsNewerThanAllThatIsKnown() {
    var history = SyncHistory(device: own)
    #expect(history.set(1, over: .absent, at: 5) == stamp(5, own))
    history.beginReceived(stamp(70, other), for: key, over: value(1), isWatchRepresentation: false)
    history.finishReceived(stamp(70, other), for: key, from: other, isWatchRepresentation: false)
    #expect(
      history.begin(key, over: .present, isRemoval: true, isOffered: true, now: date(9))
        == stamp(71, own, isRemoval: true))
  }

  @Test func whetherAChangeTookEffectShowsByTheValue() {
    var history = SyncHistory(device: own)
    _ = history.set(1, over: .absent, at: 10)
    #expect(history.knowledge(of: key, value(1)) == .version(stamp(10, own)))
    #expect(history.knowledge(of: key, .present) == .version(stamp(10, own)))
    #expect(history.knowledge(of: key, .absent) == .nothing)
    // A write that failed does not give the old value the newer version.
    _ = history.set(2, over: value(1), at: 20)
    #expect(history.knowledge(of: key, value(1)) == .version(stamp(10, own)))
    #expect(history.knowledge(of: key, value(2)) == .version(stamp(20, own)))
    #expect(history.knowledge(of: key, value(3)) == .changed)
    // Nor does a removal that failed.
    _ = history.begin(key, over: value(2), isRemoval: true, isOffered: true, now: date(30))
    #expect(history.knowledge(of: key, value(2)) == .version(stamp(20, own)))
    #expect(history.knowledge(of: key, .absent) == .version(stamp(30, own, isRemoval: true)))
    // A removed value does not reappear because of a set that failed.
    _ = history.set(4, over: .absent, at: 40)
    #expect(history.knowledge(of: key, .absent) == .version(stamp(30, own, isRemoval: true)))
    #expect(!history.accepts(stamp(25, other), for: key, over: .absent, isWatchRepresentation: false))
  }

  @Test func aReceivedValueThatWasCutShortWaitsForItself() {
    var history = SyncHistory(device: own)
    _ = history.set(1, over: .absent, at: 10)
    history.beginReceived(stamp(50, other), for: key, over: .present, isWatchRepresentation: false)
    #expect(history.stampToSend(key, .present, now: date(60)) == nil)
    #expect(!history.accepts(stamp(40, other), for: key, over: .present, isWatchRepresentation: false))
    #expect(history.accepts(stamp(50, other), for: key, over: .present, isWatchRepresentation: false))
    // Where the bytes show that it is still the old value, it is sent as such.
    #expect(history.stampToSend(key, value(1), now: date(60)) == stamp(10, own))
    #expect(history.set(2, over: .present, at: 60) == stamp(60, own))
  }

  @Test func aValueWithoutAVersionLosesToEveryVersion() {
    var history = SyncHistory(device: own)
    let unknown = history.stampToSend(key, value(1), now: date(1_000))
    #expect(unknown == stamp(1, own))
    #expect(history.accepts(stamp(2, other), for: key, over: value(1), isWatchRepresentation: false))
  }

  @Test func theClocksThatWerePutAreRememberedByLaunch() {
    var puts = SyncPayloadHistory()
    for (clock, last) in [(10, nil), (20, 10), (30, 20), (50, nil), (60, 50)] as [(UInt64, UInt64?)] {
      puts.append(clock, after: last)
    }
    #expect(puts.launches == [10...30, 50...60])
    // Another process has put 60 since: what this one puts begins a range.
    puts.append(70, after: 30)
    func put(_ launch: UInt64, _ clock: UInt64) -> SyncPut { SyncPut(launch: launch, clock: clock) }
    #expect([put(10, 10), put(10, 25), put(50, 55), put(70, 70)].allSatisfy { puts.mayInclude($0) })
    #expect([10, 30, 55, 70].map { puts.put($0).launch } == [10, 10, 50, 70])
    // What a clone has put in between is not among them.
    let strange = [put(40, 40), put(50, 65), put(70, 71), put(20, 20), put(10, 55)]
    #expect(strange.allSatisfy { !puts.mayInclude($0) })
    let strangers = [put(40, 40), put(70, 71)].map { puts.acknowledge($0) }
    let acknowledged = [put(10, 20), put(10, 10), put(10, 20), put(50, 60)].map { puts.acknowledge($0) }
    #expect(strangers == [false, false])
    #expect(acknowledged == [true, true, true, true])
    #expect(puts == SyncPayloadHistory(acknowledged: 60, launches: [70...70]))
    #expect(puts.mayInclude(put(40, 40)), "what is older than an acknowledgement matters no more")
    for clock in 100..<130 { puts.append(UInt64(clock), after: nil) }
    #expect(puts.launches.count == SyncPayloadHistory.rememberedLaunches && puts.launches.last == 129...129)
  }

  @Test func aRecordComesBackFromItsLines() throws {
    var history = SyncHistory(device: own)
    history.meet(other)
    let puts = try #require(SyncPayloadHistory(acknowledged: 2, launches: [4...7]))
    let received = SyncPut(launch: 5, clock: 7)
    history.changePeer(other) { ($0.received, $0.answered, $0.latest, $0.puts) = (received, 9, 11, puts) }
    (history.asks, history.refusedUnder) = (3, 4)
    for clock in UInt64(100)...120 { history.puts.append(clock, after: clock == 110 ? nil : clock - 1) }
    _ = history.set(1, over: .absent, at: 10)
    _ = history.set(2, over: value(1), at: 20)
    let second = SyncKey(name: "l", domain: .keychain(service: "s"))
    history.beginReceived(stamp(50, other, isRemoval: true), for: second, over: .absent, isWatchRepresentation: false)
    history.finishReceived(stamp(50, other, isRemoval: true), for: second, from: other, isWatchRepresentation: true)
    let third = SyncKey(name: "m", domain: .fileSystem(directory: .custom("a/b")))
    _ = history.begin(third, over: .absent, isRemoval: false, isOffered: false, now: date(60))
    history.setFingerprint(.versionInValue, of: third)
    for lines in [history.lines, history.takeChanges()] {
      var read = SyncHistory()
      for line in lines { try read.apply(line) }
      #expect(read.entries == history.entries && read.peers == history.peers && read.peer == history.peer)
      #expect(read.device == own && read.clock == history.clock)
      #expect(read.asks == 3 && read.refusedUnder == 4 && read.puts == history.puts)
    }
    for line in history.lines {
      for count in 0..<line.count {
        var read = SyncHistory()
        #expect(throws: StorageProblem.self) { try read.apply(line.prefix(count)) }
      }
    }
  }

  // MARK: What the paired device has

  @Test func aVersionIsPendingUntilItsDeviceAcknowledgesIt() {
    var history = SyncHistory(device: own)
    _ = history.set(1, over: .absent, at: 10)
    history.acknowledge(stamp(9, own).version, of: key, by: other)
    #expect(history.entries[key]?.isPending(for: other) == true)
    history.acknowledge(stamp(10, own).version, of: key, by: other)
    #expect(history.entries[key]?.isPending(for: other) == false)
    // Another watch has not got it.
    #expect(history.entries[key]?.isPending(for: UUID()) == true)
    _ = history.set(2, over: value(1), at: 20)
    #expect(history.entries[key]?.isPending(for: other) == true)
  }

  @Test func aManualChangeIsNotOfferedUntilTheAppAsks() {
    var history = SyncHistory(device: own)
    _ = history.begin(key, over: .absent, isRemoval: false, isOffered: false, now: date(10))
    history.offerAll(to: other)
    #expect(history.entries[key]?.isPending(for: other) == false)
    history.offer(key)
    #expect(history.entries[key]?.isPending(for: other) == true)
  }

  @Test func removalsThatWereAcknowledgedAreForgottenInTime() {
    var history = SyncHistory(device: own)
    history.meet(other)
    let day: UInt64 = 24 * 3_600 * 1_000
    for number in 0..<3_000 {
      let removed = SyncKey(name: "\(number)", domain: .userDefaults())
      let now = date(1_795_000_000_000 + UInt64(number) * day / 1_000)
      let given = history.begin(removed, over: .present, isRemoval: true, isOffered: true, now: now)
      if number % 2 == 0, let given { history.acknowledge(given.version, of: removed, by: other) }
    }
    history.compact()
    // Those that were not acknowledged are still to be sent.
    #expect(history.entries.count == 1_500 + 1_024)
    for number in 0..<3_000 {
      let removed = SyncKey(name: "\(number)", domain: .userDefaults())
      if let version = history.entries[removed]?.latest { history.acknowledge(version, of: removed, by: other) }
    }
    _ = history.set(1, over: .absent, at: 1_795_000_000_000 + 200 * day)
    history.compact()
    #expect(history.entries.count == 1)
  }
}

@Suite struct SyncHistoryLogsTests {
  @Test func aVersionThatNoDeviceCanHaveIsDamage() throws {
    let fixture = try StoreFixture()
    func histories() -> SyncHistoryLogs {
      SyncHistoryLogs { [locations = fixture.locations] keyset throws(StorageProblem) in
        try locations.syncFolder(of: keyset)
      }
    }
    for (counter, isDamaged) in [(1 << 62, false), (UInt64.max, true)] {
      try histories().change(.app, isDurable: false) { $0.begin(stamp(counter, own), for: key, over: value(1)) }
      var fault: StorageProblem?
      do throws(StorageProblem) { try histories().read(.app) { _ in } } catch { fault = error }
      #expect((fault != nil) == isDamaged, "\(counter)")
    }
  }

  @Test func aRecordInMemoryIsThereDuringAChange() async throws {
    let histories = SyncHistoryLogs([.app: SyncHistory(device: own)])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { () throws in
        for _ in 0..<2_000 { try histories.change(.app, isDurable: false) { $0.clock.adopt($0.clock.counter + 1) } }
      }
      group.addTask { () throws in
        for _ in 0..<2_000 {
          #expect(histories.isKept(.app))
          let device = try histories.read(.app) { $0.device }
          #expect(device == own)
        }
      }
      try await group.waitForAll()
    }
  }
}
