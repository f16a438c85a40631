extension TreeBuilder {
  /// Up to here, comparing each name with each is faster than a table.
  private static let smallCount = 16

  /// Reports every name that is written twice in a mapping, with the place of the first one.
  mutating func reportDuplicates(in mapping: Int) {
    let end = Int(records[mapping].end)
    var count = 0
    var index = mapping + 1
    while index < end {
      count += 1
      index = nextKey(index, end)
    }
    if count <= Self.smallCount {
      compareEach(mapping, end)
    } else {
      compareByTable(mapping, end, count)
    }
  }

  /// The key after the one at `index`; a mapping that was cut short may end with a key.
  private func nextKey(_ index: Int, _ end: Int) -> Int {
    let value = Int(records[index].end)
    return value < end ? Int(records[value].end) : end
  }

  private mutating func compareEach(_ mapping: Int, _ end: Int) {
    var later = mapping + 1
    while later < end {
      var earlier = mapping + 1
      while earlier < later {
        if isSameName(earlier, later) {
          reportDuplicate(later, first: earlier)
          break
        }
        earlier = nextKey(earlier, later)
      }
      later = nextKey(later, end)
    }
  }

  /// An open table whose hash is seeded anew in every process, so that no file can aim at it.
  private mutating func compareByTable(_ mapping: Int, _ end: Int, _ count: Int) {
    var capacity = 64
    while capacity < 2 * count { capacity *= 2 }
    var slots = [UInt32](repeating: 0, count: capacity)
    var index = mapping + 1
    while index < end, !findings.isFull {
      if records[index].kind == .scalar {
        var slot = hash(index) & (capacity - 1)
        while slots[slot] != 0, !isSameName(Int(slots[slot]), index) { slot = (slot + 1) & (capacity - 1) }
        if slots[slot] == 0 {
          slots[slot] = UInt32(index)
        } else {
          reportDuplicate(index, first: Int(slots[slot]))
        }
      }
      index = nextKey(index, end)
    }
  }

  private func hash(_ index: Int) -> Int {
    var hasher = Hasher()
    withText(of: index) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }

  private func isSameName(_ left: Int, _ right: Int) -> Bool {
    guard records[left].textLength == records[right].textLength, records[left].kind == .scalar,
      records[right].kind == .scalar
    else { return false }
    return withText(of: left) { left in withText(of: right) { left.hasEqual($0, at: 0) } }
  }

  private func withText<Result>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let record = records[index]
    let range = Int(record.textStart)..<Int(record.textStart) + Int(record.textLength)
    if record.isDecoded {
      return decoded.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
    return body(UnsafeBufferPointer(rebasing: bytes[range]))
  }

  private mutating func reportDuplicate(_ index: Int, first: Int) {
    // An empty name and an alias are reported elsewhere.
    guard records[index].textLength > 0 else { return }
    let name = withText(of: index, Self.excerpt)
    findings.report(
      .duplicateField, "the field '\(name)' is written a second time", at: range(of: index),
      help: "remove one of the two", notes: [findings.note("the first one", at: range(of: first))])
  }

  /// The start of a text, for a message.
  private static func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
    var count = min(text.count, 100)
    while count > 0, count < text.count, text[count].isContinuation { count -= 1 }
    return String(decoding: text[..<count], as: UTF8.self) + (count < text.count ? "…" : "")
  }

  private func range(of index: Int) -> SourceRange {
    SourceRange(start: records[index].startPosition.location, end: records[index].endPosition.location)
  }
}
