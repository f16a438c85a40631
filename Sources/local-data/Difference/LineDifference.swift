/// The lines in which two files differ, by the greedy algorithm of Myers ("An O(ND) Difference Algorithm", 1986).
enum LineDifference {
  /// Lines `old` are replaced by lines `new`; either may be empty.
  struct Edit: Equatable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Time and memory grow with the square of the difference; files that differ in more lines are one edit.
  private static let limit = 2000

  /// Returns the edits in order. Between two of them, lines are equal.
  static func edits(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Edit] {
    // A number for each different line, so that comparing two is one instruction.
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func numbered(_ lines: [ArraySlice<UInt8>]) -> [Int] {
      lines.map { line in
        let next = numbers.count
        return numbers[line]
          ?? {
            numbers[line] = next; return next
          }()
      }
    }
    return edits(numbered(old), numbered(new))
  }

  static func edits(_ old: [Int], _ new: [Int]) -> [Edit] {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let oldMiddle = Array(old[start..<old.count - end])
    let newMiddle = Array(new[start..<new.count - end])
    if oldMiddle.isEmpty, newMiddle.isEmpty { return [] }

    guard let trace = search(oldMiddle, newMiddle) else {
      return [Edit(old: start..<old.count - end, new: start..<new.count - end)]
    }
    return walk(trace, oldMiddle.count, newMiddle.count).map { edit in
      Edit(
        old: edit.old.lowerBound + start..<edit.old.upperBound + start,
        new: edit.new.lowerBound + start..<edit.new.upperBound + start)
    }
  }

  /// Returns for each number of edits the furthest place in `old` on each diagonal, or nil beyond the limit.
  private static func search(_ old: [Int], _ new: [Int]) -> [[Int]]? {
    var trace: [[Int]] = []
    var furthest = [0, 0, 0]
    for depth in 0...min(limit, old.count + new.count) {
      // `furthest` holds the diagonals from -depth - 1 to depth + 1.
      var next = [Int](repeating: 0, count: 2 * depth + 5)
      trace.append(furthest)
      for diagonal in stride(from: -depth, through: depth, by: 2) {
        let index = diagonal + depth + 1
        let isDown = diagonal == -depth || diagonal != depth && furthest[index - 1] < furthest[index + 1]
        var x = depth == 0 ? 0 : isDown ? furthest[index + 1] : furthest[index - 1] + 1
        while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
        next[diagonal + depth + 2] = x
        if x >= old.count, x - diagonal >= new.count { return trace }
      }
      furthest = next
    }
    return nil
  }

  /// Returns the edits, from the end of both files to their start. Neighbouring insertions and removals become one edit.
  private static func walk(_ trace: [[Int]], _ oldCount: Int, _ newCount: Int) -> [Edit] {
    var edits: [Edit] = []
    var x = oldCount
    var y = newCount
    for depth in stride(from: trace.count - 1, to: 0, by: -1) {
      let furthest = trace[depth]
      let diagonal = x - y
      let index = diagonal + depth + 1
      let isDown = diagonal == -depth || diagonal != depth && furthest[index - 1] < furthest[index + 1]
      let before = isDown ? furthest[index + 1] : furthest[index - 1]
      let beforeY = before - (isDown ? diagonal + 1 : diagonal - 1)
      let edit = Edit(old: before..<(isDown ? before : before + 1), new: beforeY..<(isDown ? beforeY + 1 : beforeY))
      if let last = edits.last, last.old.lowerBound == edit.old.upperBound, last.new.lowerBound == edit.new.upperBound {
        edits[edits.count - 1] = Edit(
          old: edit.old.lowerBound..<last.old.upperBound, new: edit.new.lowerBound..<last.new.upperBound)
      } else {
        edits.append(edit)
      }
      x = before
      y = beforeY
    }
    return edits.reversed()
  }
}
