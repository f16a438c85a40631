/// The positions of names in a list.
///
/// Ten thousand keys ask a hundred thousand times. A name is therefore compared only with those of its length, and as
/// the bytes that it is in the source. All names are in one array, because each array that a thread reads counts a
/// reference.
package struct NameIndex: Sendable {
  /// The bytes of all names, the shorter ones first.
  private var bytes: [UInt8] = []
  /// The positions of the names in the list, in the order of `bytes`.
  private var positions: [Int] = []
  /// For each length, the first name of it: its number in `positions` and its offset in `bytes`. The last one is the end.
  private var firsts: [(name: Int, byte: Int)] = []

  package init(_ names: [String]) {
    let longest = names.lazy.map(\.utf8.count).max() ?? 0
    for length in 0...longest {
      firsts.append((positions.count, bytes.count))
      for (position, name) in names.enumerated() where name.utf8.count == length {
        positions.append(position)
        bytes += name.utf8
      }
    }
    firsts.append((positions.count, bytes.count))
  }

  package func find(_ node: SyntaxNode) -> Int? { node.withText { find($0) } }

  package func find(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { find($0) }
  }

  package func find(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? { find(UnsafeBufferPointer(rebasing: text)) }

  private func find(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !text.isEmpty, text.count + 1 < firsts.count else { return nil }
    var (name, byte) = firsts[text.count]
    let end = firsts[text.count + 1].name
    return bytes.withUnsafeBufferPointer { bytes in
      while name < end {
        if bytes[byte] == text[0], bytes.hasEqual(text, at: byte) { return positions[name] }
        name += 1
        byte += text.count
      }
      return nil
    }
  }
}
