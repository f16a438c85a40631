/// A number and what is counted.
enum Counted {
  /// For example `1 key` or `2 keys`.
  static func text(_ count: Int, _ noun: String) -> String { text(count, noun, noun + "s") }

  static func text(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
}
