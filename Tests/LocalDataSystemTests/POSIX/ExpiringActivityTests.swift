import Foundation
import LocalDataFoundation
import Testing

@testable import LocalDataSystem

/// An activity against systems that grant, refuse, are silent, and change their mind.
@Suite struct ExpiringActivityTests {
  /// A system whose block is called by the test.
  private final class FakeSystem: Sendable {
    let block = Lock<(@Sendable (Bool) -> Void)?>(nil)
    /// The calls of the block that have returned.
    let returned = Lock<[Bool]>([])

    func call(_ isExpired: Bool) {
      let block = block.withLock { $0 }
      Thread.detachNewThread { [self] in
        block?(isExpired)
        returned.withLock { $0.append(isExpired) }
      }
    }

    /// Waits until `count` calls have returned; `false` if they do not within a minute.
    func hasReturned(_ count: Int) -> Bool {
      for _ in 0..<60_000 {
        if returned.withLock({ $0.count }) >= count { return true }
        usleep(1_000)
      }
      return false
    }

    /// The number of activities that were requested.
    let requests = Lock(0)
    /// The answer to a request; `nil` for none.
    let answer = Lock<Bool?>(nil)
    private let shared = Lock<ExpiringActivity.Shared?>(nil)

    func begin(
      answering isExpired: Bool?, until end: ContinuousClock.Instant = .now
    ) throws(StorageProblem) -> ExpiringActivity {
      answer.withLock { $0 = isExpired }
      let activity = shared.withLock { shared in
        let made =
          shared
          ?? ExpiringActivity.Shared { [self] block in
            self.block.withLock { $0 = block }
            requests.withLock { $0 += 1 }
            if let isExpired = answer.withLock({ $0 }) { call(isExpired) }
          }
        shared = made
        return made
      }
      return try activity.begin(until: end)
    }
  }

  private let system = FakeSystem()

  @Test func theDeadlineMayBeFarAway() throws {
    let activity = try system.begin(answering: false, until: .now + .seconds(1 << 60))
    activity.end()
    #expect(system.hasReturned(1))
  }

  @Test func theSystemWaitsForTheEnd() throws {
    let activity = try system.begin(answering: false)
    usleep(20_000)
    #expect(system.returned.withLock { $0.isEmpty })
    #expect(!activity.isExpired)
    activity.end()
    #expect(system.hasReturned(1))
  }

  @Test func allUsersShareOneActivityThatEndsWithTheLast() throws {
    let first = try system.begin(answering: false)
    let second = try system.begin(answering: false)
    first.end()
    usleep(100_000)
    #expect(system.returned.withLock { $0.isEmpty })
    second.end()
    #expect(system.hasReturned(1))
    #expect(system.requests.withLock { $0 } == 1)
    try system.begin(answering: false).end()
    #expect(system.requests.withLock { $0 } == 2)
  }

  @Test func anActivityThatHasExpiredIsNotJoined() throws {
    let first = try system.begin(answering: false)
    system.call(true)
    while !first.isExpired { usleep(1_000) }
    #expect(throws: StorageProblem.busy) { try system.begin(answering: true) }
    first.end()
    #expect(system.hasReturned(3))
  }

  @Test func aRefusedActivityIsBusy() {
    #expect(throws: StorageProblem.busy) { try system.begin(answering: true) }
    #expect(system.hasReturned(1))
  }

  @Test func anActivityThatExpiresSaysSoAndTheSystemWaitsForItsEnd() throws {
    let activity = try system.begin(answering: false)
    system.call(true)
    while !activity.isExpired { usleep(1_000) }
    usleep(20_000)
    #expect(system.returned.withLock { $0.isEmpty })
    activity.end()
    #expect(system.hasReturned(2))
  }

  /// A grant that arrives too late is ended at once. Otherwise the process would be kept awake for no reason.
  @Test func aSystemThatIsSilentIsBusy() {
    #expect(throws: StorageProblem.busy) { try system.begin(answering: nil) }
    system.call(false)
    system.call(true)
    #expect(system.hasReturned(2))
  }

  @Test func whatExpiresAfterItsEndDoesNotWait() throws {
    try system.begin(answering: false).end()
    system.call(true)
    #expect(system.hasReturned(2))
  }

  /// Linux does not suspend processes.
  @Test func noActivityOnLinux() throws { #expect(try ExpiringActivity.begin(until: .now) == nil) }
}
