import Foundation

/// Notes from what the first share extension kept.
public enum NoteUpgrade {
  /// The note of a text: its first line is the title.
  public static func note(_ text: String) throws -> Note { try NoteSerializer.decode(Data(text.utf8)) }
}
