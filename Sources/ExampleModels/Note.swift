/// A note of a few lines.
public struct Note: Codable, Sendable, Hashable {
  /// The first line.
  public var title: String
  /// The other lines.
  public var lines: [String]

  /// A note.
  public init(title: String, lines: [String] = []) {
    self.title = title
    self.lines = lines
  }
}
