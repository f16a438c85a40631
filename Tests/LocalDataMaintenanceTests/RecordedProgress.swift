import RuntimeTestSupport
import LocalDataFoundation

@testable import LocalData
@testable import LocalDataMaintenance

/// The progress that a function of maintenance reports.
final class RecordedProgress: Sendable {
  private let steps = Lock<[Maintenance.Progress]>([])

  func note(_ step: Maintenance.Progress) { steps.withLock { $0.append(step) } }

  /// The number of steps; `nil` if one was left out or reported twice, if the total fell, or if it was not reached.
  var count: Int? {
    let steps = steps.withLock { $0 }
    guard steps.map(\.completed) == Array(1..<(steps.count + 1)), steps.map(\.total) == steps.map(\.total).sorted(),
      steps.last?.total ?? 0 == steps.count
    else { return nil }
    return steps.count
  }
}
