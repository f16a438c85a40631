/// A note of a few lines.
public struct Note: Codable, Sendable, Hashable {
  /// What stands at its top.
  public var title: String
  /// The lines below.
  public var lines: [String]

  /// A note.
  public init(title: String, lines: [String] = []) {
    self.title = title
    self.lines = lines
  }
}
