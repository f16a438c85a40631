import Testing

@testable import LocalDataSystem

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

  @Test func aTaskThatOutlivesItsCallHasNoDeadline() async {
    let (isOver, end) = AsyncStream<Void>.makeStream()
    let task = await CallDeadline(patience: .zero).bound {
      #expect(CallDeadline.current != nil)
      return Task {
        for await _ in isOver {}
        return CallDeadline.current == nil
      }
    }
    end.finish()
    #expect(await task.value)
  }

  @Test func aWaitOutsideOfACallEndsAfterItsPatience() {
    let before = ContinuousClock.now
    #expect(CallDeadline.end(of: .seconds(60)) >= before + .seconds(60))
  }

  @Test func onlyTheThreadOfACallThatMustNotWaitIsMarked() async {
    let task = CallDeadline.withoutWaiting {
      CallDeadline.withoutWaiting { #expect(CallDeadline.mustNotWait) }
      #expect(CallDeadline.mustNotWait)
      return Task.detached { CallDeadline.mustNotWait }
    }
    #expect(await !task.value)
    #expect(!CallDeadline.mustNotWait)
  }

  @Test func codeOfTheAppMayWaitInACallThatMustNot() {
    CallDeadline.withoutWaiting {
      CallDeadline.bound(patience: .seconds(60)) {
        #expect(!CallDeadline.mustNotWait)
        #expect(CallDeadline.endOfWait(of: .seconds(60)) != nil)
      }
      #expect(CallDeadline.endOfWait(of: .seconds(60)) == nil)
    }
    #expect(throws: StorageProblem.busy) {
      try CallDeadline.withoutWaiting { () throws(StorageProblem) in try CallDeadline.requireWaiting() }
    }
  }
}
