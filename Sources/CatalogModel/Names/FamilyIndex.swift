/// Families by how their names begin and end, so that a name is compared only with those that it can meet.
///
/// A catalog for each account has thousands of families, and comparing each with each takes minutes.
struct FamilyIndex {
  /// Families whose names begin alike.
  private struct Group {
    var bySuffix: [[UInt8]: [Int]] = [:]
    var lengths: [Int] = []
    /// By the end of their names, read backwards: what ends in a longer text stands together.
    var backwards: [(suffix: [UInt8], family: Int)] = []
  }

  private var groups: [[UInt8]: Group] = [:]
  private var lengths: [Int] = []

  init(_ patterns: [NamePattern]) {
    for (index, pattern) in patterns.enumerated() {
      groups[pattern.prefix, default: Group()].bySuffix[pattern.suffix, default: []].append(index)
      groups[pattern.prefix, default: Group()].backwards.append((pattern.suffix.reversed(), index))
    }
    lengths = Set(patterns.map(\.prefix.count)).sorted()
    groups = groups.mapValues { group in
      var group = group
      group.lengths = Set(group.bySuffix.keys.map(\.count)).sorted()
      group.backwards.sort { $0.suffix.lexicographicallyPrecedes($1.suffix) }
      return group
    }
  }

  /// The families whose names begin with a beginning of `pattern`'s, and end as those may.
  func forEachCandidate(_ pattern: NamePattern, _ body: (Int) -> Void) {
    for length in lengths {
      guard length <= pattern.prefix.count else { return }
      guard let group = groups[Array(pattern.prefix[..<length])] else { continue }
      for length in group.lengths {
        guard length <= pattern.suffix.count else { break }
        for family in group.bySuffix[Array(pattern.suffix.suffix(length))] ?? [] { body(family) }
      }
      if pattern.isFamily { forEachLonger(group, pattern.suffix, body) }
    }
  }

  /// Families of a group whose names end in `suffix` with more before it.
  private func forEachLonger(_ group: Group, _ suffix: [UInt8], _ body: (Int) -> Void) {
    let wanted = Array(suffix.reversed())
    var (low, high) = (0, group.backwards.count)
    while low < high {
      let middle = (low + high) / 2
      if group.backwards[middle].suffix.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    while low < group.backwards.count, group.backwards[low].suffix.starts(with: wanted) {
      if group.backwards[low].suffix.count > wanted.count { body(group.backwards[low].family) }
      low += 1
    }
  }
}
