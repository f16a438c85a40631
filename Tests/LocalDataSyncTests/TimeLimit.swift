import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit at which only a hang is found, however busy the machine is.
  static var findsHangs: Self { .timeLimit(.minutes(15)) }
}
