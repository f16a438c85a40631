import Testing

@testable import LocalData

/// A call has one deadline, whatever it waits for.
struct CallDeadlineTests {
  @Test(arguments: [Duration.milliseconds(1), .seconds(600)])
  func waitsEndAtTheDeadlineOfTheCall(timeout: Duration) {
    let deadline = CallDeadline(patience: timeout)
    CallDeadline.bound(deadline) {
      #expect(CallDeadline.end(of: FileLock.patience) == deadline.instant)
      #expect(CallDeadline.end(of: .seconds(60)) == deadline.instant)
    }
  }

  @Test func aShorterPatienceEndsAWaitOfACall() {
    let deadline = CallDeadline(patience: .seconds(600))
    CallDeadline.bound(deadline) { #expect(CallDeadline.end(of: .seconds(2)) < deadline.instant) }
  }

  @Test func aWaitOutsideOfACallEndsAfterItsPatience() {
    let before = ContinuousClock.now
    #expect(CallDeadline.end(of: .seconds(60)) >= before + .seconds(60))
  }
}
