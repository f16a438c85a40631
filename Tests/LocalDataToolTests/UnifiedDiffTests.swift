import TestSupport
import Testing

@testable import local_data

/// The diff of `--check`.
@Suite struct UnifiedDiffTests {
  private func diff(_ old: String?, _ new: String?) -> String {
    String(
      decoding: UnifiedDiff.write(old: old.map { Array($0.utf8) }, new: new.map { Array($0.utf8) }, path: "f"),
      as: UTF8.self)
  }

  private static let cases: [(String?, String?, String)] = [
    ("a\n", "a\n", ""),
    (nil, nil, ""),
    (nil, "a\nb\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"),
    ("a\n", nil, "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
    (nil, "", "--- /dev/null\n+++ f\n"),
    ("a\n", "b\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"),
    ("a", "a\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
    (
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
      "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"
    ),
    (
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n",
      "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -6,4 +7,3 @@\n 6\n 7\n 8\n-9\n"
    ),
    (
      "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n",
      "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n"
    ),
  ]

  @Test(arguments: cases)
  func form(old: String?, new: String?, want: String) {
    #expect(diff(old, new) == want)
  }

  /// Whatever the files, the edits turn one into the other, in order, and leave alone only what is equal.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func editsAreRight(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func line() -> Int { Int.random(in: 0..<6, using: &random) }
    let old = (0..<Int.random(in: 0..<60, using: &random)).map { _ in line() }
    var new = old
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      if new.isEmpty || Bool.random(using: &random) {
        new.insert(line(), at: Int.random(in: 0...new.count, using: &random))
      } else {
        new.remove(at: Int.random(in: 0..<new.count, using: &random))
      }
    }
    let edits = LineDifference.edits(old, new)
    var result: [Int] = []
    var position = 0
    for edit in edits {
      #expect(edit.old.lowerBound >= position)
      result += old[position..<edit.old.lowerBound]
      #expect(edit.new.lowerBound == result.count)
      result += new[edit.new]
      position = edit.old.upperBound
    }
    result += old[position...]
    #expect(result == new)
    #expect((old == new) == edits.isEmpty)
  }

  @Test func theSmallestDifferenceIsFound() {
    let edits = LineDifference.edits([1, 2, 3, 1, 2, 2, 1], [3, 2, 1, 2, 1, 3])
    #expect(edits.reduce(0) { $0 + $1.old.count + $1.new.count } == 5)
  }

  /// Files that have nothing in common are one edit, found without a square of time.
  @Test func filesWithNothingInCommon() {
    let edits = LineDifference.edits(Array(0..<30_000), Array(30_000..<60_000))
    #expect(edits == [.init(old: 0..<30_000, new: 0..<30_000)])
  }
}
