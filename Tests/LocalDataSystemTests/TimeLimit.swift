import TestSupport
import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit at which only a hang is found, however busy the machine is. All tests begin at once, so that each can take
  /// as long as the whole run.
  static var findsHangs: Self { .timeLimit(.minutes(Sweep.count(quick: 30, full: 60))) }
}
