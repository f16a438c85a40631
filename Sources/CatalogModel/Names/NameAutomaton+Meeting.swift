extension NameAutomaton {
  /// The shortest name that both can have, or `nil` if there is none.
  func meeting(_ other: NameAutomaton) -> String? {
    if takesEmpty, other.takesEmpty { return "" }
    let width = other.classes.count
    guard width > 0, !classes.isEmpty else { return nil }
    // For each pair of positions, the pair before it: -1 at the start, -2 if the pair was not reached.
    var origin = [Int32](repeating: -2, count: classes.count * width)
    var queue: [Int] = []
    func visit(_ left: Int, _ right: Int, from pair: Int) -> Bool {
      guard classes[left].meets(other.classes[right]), origin[left * width + right] == -2 else { return false }
      origin[left * width + right] = Int32(truncatingIfNeeded: pair)
      queue.append(left * width + right)
      return isLast[left] && other.isLast[right]
    }
    for left in first {
      for right in other.first where visit(left, right, from: -1) { return text(queue.count - 1) }
    }
    func text(_ end: Int) -> String {
      var bytes: [UInt8] = []
      var pair = queue[end]
      while pair >= 0 {
        bytes.append(classes[pair / width].common(other.classes[pair % width]))
        pair = Int(origin[pair])
      }
      return String(decoding: bytes.reversed(), as: UTF8.self)
    }
    var next = 0
    while next < queue.count {
      let pair = queue[next]
      next += 1
      for left in follow[pair / width] {
        for right in other.follow[pair % width] where visit(left, right, from: pair) { return text(queue.count - 1) }
      }
    }
    return nil
  }

  /// A Boolean value that indicates whether two choices of parameters can give one name: whether a name has two paths.
  var isAmbiguous: Bool {
    let width = classes.count
    // A pair of positions, and whether the paths to them have parted: bit 0.
    var seen = [Bool](repeating: false, count: width * width * 2)
    var queue: [Int] = []
    func visit(_ left: Int, _ right: Int, _ hasParted: Bool) -> Bool {
      let parted = hasParted || left != right
      let state = (left * width + right) * 2 + (parted ? 1 : 0)
      guard classes[left].meets(classes[right]), !seen[state] else { return false }
      seen[state] = true
      queue.append(state)
      return parted && isLast[left] && isLast[right]
    }
    for left in first {
      for right in first where visit(left, right, false) { return true }
    }
    var next = 0
    while next < queue.count {
      let state = queue[next]
      next += 1
      let (left, right, parted) = (state / 2 / width, state / 2 % width, state & 1 == 1)
      for left in follow[left] {
        for right in follow[right] where visit(left, right, parted) { return true }
      }
    }
    return false
  }
}
