// The declarations of the app that the cases name.

public nonisolated struct EveryNote: Codable, Hashable, Sendable {
  public var text: String

  public init(text: String) { self.text = text }

  public static var first: EveryNote { EveryNote(text: "first") }
  public static var part: EveryPart { EveryPart(name: "part") }
  public static var parts: [EveryPart] { [part] }
}
