/// A file in memory, by its path below the output folder.
package struct GeneratedFile: Sendable, Hashable {
  package var path: String
  /// What it holds, in pieces that stand one behind the other: they are written beside each other, and to put some
  /// megabytes together would cost more than to write them in turn.
  package var parts: [[UInt8]]

  package init(path: String, parts: [[UInt8]]) {
    self.path = path
    self.parts = parts
  }

  /// What it holds, in one piece.
  package var bytes: [UInt8] { parts.count == 1 ? parts[0] : Array(parts.joined()) }

  /// Whether it holds these bytes.
  package func holds(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    for part in parts {
      guard rest.count >= part.count, rest.prefix(part.count) == part[...] else { return false }
      rest = rest.dropFirst(part.count)
    }
    return rest.isEmpty
  }
}
