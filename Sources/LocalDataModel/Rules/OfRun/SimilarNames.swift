/// Finds pairs of similar names in near-linear time: a name is looked up without each of its letters, and with each two
/// neighbours swapped, by hashes that are computed from those of its parts.
///
/// All names are in a few arrays, since ten thousand keys have ten thousand names.
struct SimilarNames {
  /// Words of fewer letters have too many neighbours that are other words.
  private static let leastLetters = 5
  /// The letters of a word of which one may be another letter: `height` and `weight` are two words.
  private static let leastLettersOfReplacement = 8
  /// A base of the polynomial hash.
  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let wildcard: UInt64 = 0x1FF

  /// The letters of all names, folded to lower case, without separators.
  private var letters: [UInt8] = []
  /// A Boolean value that indicates whether a word starts at a letter.
  private var isStart: [Bool] = []
  /// The offsets at which the letters of each name start, and the end of the last ones.
  private var starts = [0]
  /// The hash of each beginning of the name that is looked up, the empty one included.
  private var hashes: [UInt64] = []
  private var powers: [UInt64] = [1]
  private var table: Table
  private var replacements: [UInt64: Int] = [:]
  private let isComparable: (Int, Int) -> Bool
  /// The earlier name of each later one.
  private var earlier: [Int: Int] = [:]

  /// Returns pairs of indices of similar names: for each name one earlier one.
  ///
  /// - Parameter isComparable: Whether two names that are similar make a pair.
  static func pairs(
    _ indices: Range<Int>, name: (Int) -> String, where isComparable: (Int, Int) -> Bool
  ) -> [(earlier: Int, later: Int)] {
    guard indices.count > 1 else { return [] }
    return withoutActuallyEscaping(isComparable) { isComparable in
      var search = SimilarNames(count: indices.count, isComparable)
      for index in indices { search.add(name(index)) }
      search.run()
      return search.earlier.map { (earlier: $0.value, later: $0.key) }.sorted { $0.later < $1.later }
    }
  }

  private init(count: Int, _ isComparable: @escaping (Int, Int) -> Bool) {
    self.isComparable = isComparable
    table = Table(count: count)
    letters.reserveCapacity(count * 20)
    isStart.reserveCapacity(count * 20)
    starts.reserveCapacity(count + 1)
  }

  private mutating func add(_ name: String) {
    var hash: UInt64 = 0
    var name = name
    name.withUTF8 { name in
      NameWords.forEachLetter(name) { letter, isWordStart in
        letters.append(letter)
        isStart.append(isWordStart)
        hash = Self.hash(hash, letter)
      }
    }
    let index = starts.count - 1
    starts.append(letters.count)
    while powers.count < starts[index + 1] - starts[index] + 2 { powers.append(powers[powers.count - 1] &* Self.base) }
    if let first = table.insert(hash, index), self[first] == self[index] { addPair(first, index) }
  }

  private subscript(index: Int) -> ArraySlice<UInt8> { letters[starts[index]..<starts[index + 1]] }

  private mutating func run() {
    for index in 0..<starts.count - 1 {
      var start = starts[index]
      let end = starts[index + 1]
      hashBeginnings(start..<end)
      while start < end {
        var next = start + 1
        while next < end, !isStart[next] { next += 1 }
        if next - start >= 4, !Identifier.isDigit(letters[start]) { lookUp(start..<next, of: index) }
        start = next
      }
    }
  }

  private mutating func hashBeginnings(_ name: Range<Int>) {
    hashes.removeAll(keepingCapacity: true)
    var hash: UInt64 = 0
    hashes.append(hash)
    for place in name {
      hash = Self.hash(hash, letters[place])
      hashes.append(hash)
    }
  }

  private static func hash(_ beginning: UInt64, _ letter: UInt8) -> UInt64 { beginning &* base &+ UInt64(letter) &+ 1 }

  /// Looks up a name with each change of one of its words. The first letter of a word is seldom mistyped, and `table` is
  /// not `stable`.
  private mutating func lookUp(_ word: Range<Int>, of index: Int) {
    let first = starts[index]
    let count = starts[index + 1] - starts[index]
    for place in (word.lowerBound + 1)..<word.upperBound {
      let position = place - first
      let before = hashes[position]
      let isPlural = place == word.upperBound - 1 && letters[place] == UInt8(ascii: "s")
      if isPlural || word.count > Self.leastLetters {
        find(before &* powers[count - position - 1] &+ suffix(position + 1, count), index) { name, other in
          name.prefix(position) == other.prefix(position)
            && name.dropFirst(position + 1).elementsEqual(other.dropFirst(position))
        }
      }
      guard word.count >= Self.leastLetters else { continue }
      if place + 1 < word.upperBound, letters[place] != letters[place + 1] {
        let pair = (UInt64(letters[place + 1]) &+ 1) &* Self.base &+ UInt64(letters[place]) &+ 1
        let rest = pair &* powers[count - position - 2] &+ suffix(position + 2, count)
        find(before &* powers[count - position] &+ rest, index) { name, other in
          var swapped = Array(name)
          swapped.swapAt(position, position + 1)
          return swapped.elementsEqual(other)
        }
      }
      guard word.count >= Self.leastLettersOfReplacement else { continue }
      let rest = Self.wildcard &* powers[count - position - 1] &+ suffix(position + 1, count)
      let hash = before &* powers[count - position] &+ rest
      if let other = replacements[hash] {
        let name = self[index]
        let earlierName = self[other]
        if name.count == earlierName.count, name.prefix(position) == earlierName.prefix(position),
          name.dropFirst(position + 1) == earlierName.dropFirst(position + 1)
        {
          addPair(other, index)
        }
      } else {
        replacements[hash] = index
      }
    }
  }

  /// The hash of what follows a position of a name.
  private func suffix(_ position: Int, _ count: Int) -> UInt64 {
    hashes[count] &- hashes[position] &* powers[count - position]
  }

  private mutating func find(
    _ hash: UInt64, _ index: Int, where isSame: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool
  ) {
    guard let other = table.find(hash), other != index, isSame(self[index], self[other]) else { return }
    addPair(min(index, other), max(index, other))
  }

  private mutating func addPair(_ first: Int, _ second: Int) {
    guard first < earlier[second] ?? .max, isComparable(first, second) else { return }
    earlier[second] = first
  }
}

extension SimilarNames {
  /// Hashes with an index each, by open addressing. A `Dictionary` takes several times as long for each of the many
  /// look-ups that find nothing.
  private struct Table {
    private var hashes: [UInt64]
    private var indices: [Int32]
    private let mask: Int

    init(count: Int) {
      var capacity = 16
      while capacity < 2 * count { capacity *= 2 }
      hashes = Array(repeating: 0, count: capacity)
      indices = Array(repeating: -1, count: capacity)
      mask = capacity - 1
    }

    /// Adds a hash, or returns the index that has it already.
    mutating func insert(_ hash: UInt64, _ index: Int) -> Int? {
      var slot = Self.slot(hash) & mask
      while indices[slot] >= 0 {
        if hashes[slot] == hash { return Int(indices[slot]) }
        slot = (slot + 1) & mask
      }
      hashes[slot] = hash
      indices[slot] = Int32(index)
      return nil
    }

    func find(_ hash: UInt64) -> Int? {
      var slot = Self.slot(hash) & mask
      while indices[slot] >= 0 {
        if hashes[slot] == hash { return Int(indices[slot]) }
        slot = (slot + 1) & mask
      }
      return nil
    }

    private static func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) }
  }
}
