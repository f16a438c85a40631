extension [UInt8] {
  /// The bytes with LF in place of CR LF. Git changes line ends in a checkout with `core.autocrlf`, also those of files that
  /// this tool has written.
  package var withLineFeeds: [UInt8] {
    guard contains(0x0D) else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for index in indices where self[index] != 0x0D || index + 1 == endIndex || self[index + 1] != 0x0A {
      result.append(self[index])
    }
    return result
  }
}
