import LocalDataVocabulary
import Testing

@testable import LocalData

/// The steps of a call over many values share its waits, and not its work.
struct CallWaitsTests {
  private static let timeout = Duration.seconds(60)
  private static let busy = CallWaits.Resource.container(.preferences(suite: "busy"))
  private static let free = CallWaits.Resource.container(.preferences(suite: "free"))

  /// Returns true if the wait of a step that begins to wait now ends after `time`.
  private static func isLeft(_ time: Duration) -> Bool {
    let before = ContinuousClock.now
    let end = CallDeadline.end(of: CallDeadline.ordinaryPatience)
    return end >= before + time && end <= ContinuousClock.now + time
  }

  /// Waits without taking the time.
  private static func wait(_ time: Duration) { CallDeadline.noteWait(since: ContinuousClock.now - time) }

  @Test(arguments: [CallWaits.Scope.call, .step])
  func theTimeOfWorkDoesNotCount(scope: CallWaits.Scope) async throws {
    let waits = CallWaits(Self.timeout, of: scope)
    for _ in 0..<2 {
      try await waits.step(on: Self.free) {
        try await Task.sleep(for: .milliseconds(20))
        #expect(Self.isLeft(Self.timeout))
      }
    }
  }

  @Test func theStepsOfACallShareOneTimeout() async {
    let waits = CallWaits(Self.timeout, of: .call)
    await waits.step(on: Self.busy) { Self.wait(.seconds(40)) }
    await waits.step(on: Self.free) {
      #expect(CallDeadline.end(of: .seconds(10)) <= ContinuousClock.now + .seconds(20))
      Self.wait(.seconds(40))
      #expect(Self.isLeft(.zero))
    }
    await waits.step(on: Self.busy) { #expect(Self.isLeft(.zero)) }
  }

  @Test func aStepDoesNotWaitForWhatAnEarlierOneHasWaitedForInVain() async {
    let waits = CallWaits(Self.timeout, of: .step)
    await #expect(throws: StorageProblem.busy) {
      try await waits.step(on: Self.busy) { () async throws(StorageProblem) in
        Self.wait(Self.timeout)
        throw .busy
      }
    }
    await waits.step(on: Self.free) { #expect(Self.isLeft(Self.timeout)) }
    await waits.step(on: Self.busy) { #expect(Self.isLeft(.zero)) }
    // It has succeeded, so that the resource is free again.
    await waits.step(on: Self.busy) { #expect(Self.isLeft(Self.timeout)) }
  }

  /// The waits of long work that belongs to no call.
  @Test func eachWaitMayHaveAPatienceOfItsOwn() async {
    await CallDeadline(patience: Self.timeout, of: .eachWait).bound {
      Self.wait(Self.timeout)
      #expect(Self.isLeft(Self.timeout))
    }
  }
}
