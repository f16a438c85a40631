/// Which name a misspelt one was meant to be.
enum Spelling {
  /// `; did you mean 'x'?`, or nothing where no name is near.
  static func suggestion(for text: String, among names: some Sequence<String>) -> String {
    nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The nearest of `names`, the first of equally near ones. Returns `nil` if too much of the word would have to change.
  static func nearest(to text: String, among names: some Sequence<String>) -> String? {
    let word = Array(text.utf8.prefix(101).map(folded))
    guard !word.isEmpty, word.count <= 100 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let limit = min(max(1, (max(word.count, name.utf8.count) + 1) / 3), (best?.distance ?? .max))
      guard abs(word.count - name.utf8.count) <= limit else { continue }
      let distance = distance(word, Array(name.utf8.map(folded)))
      // Of a name that is one letter nothing is left where that is another.
      guard distance < max(word.count, name.utf8.count) else { continue }
      if distance <= limit, distance < (best?.distance ?? .max) { best = (name, distance) }
    }
    return best?.name
  }

  /// The number of letters that must be put in, left out, replaced or swapped with their neighbour.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for column in right.indices {
        var value = min(
          last[column] + (left[row] == right[column] ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          value = min(value, beforeLast[column - 1] + 1)
        }
        current.append(value)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }

  /// Letters that differ only in case count as equal: `userdefaults` is near.
  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}

/// Suggestions for the misspelt names of a run, of which there can be thousands.
struct Suggestions: Sendable {
  /// The number of names that may still be compared.
  private var comparisons = 200_000

  /// Returns the share of one of several parts of a run, which are decoded side by side.
  func share(among count: Int) -> Suggestions {
    var share = self
    share.comparisons /= max(1, count)
    return share
  }

  /// Returns the nearest of `names`. Returns nil if none is near, or if too many names were compared in this run.
  mutating func nearest(to text: String, among names: @autoclosure () -> [String]) -> String? {
    guard comparisons > 0 else { return nil }
    let names = names()
    comparisons -= names.count
    return Spelling.nearest(to: text, among: names)
  }

  /// Returns `; did you mean 'x'?`, or nothing if no name is near.
  mutating func suggestion(for text: String, among names: @autoclosure () -> [String]) -> String {
    nearest(to: text, among: names()).map { "; did you mean '\($0)'?" } ?? ""
  }
}
