public import Foundation
public import LocalData

/// Notes as plain text that other programs read too: the title, then the lines.
public enum NoteSerializer: CustomSerializer {
  /// Its name in audits.
  public static let name = "NoteSerializer"

  /// The bytes of a note.
  ///
  /// A line that contains a line break is refused, because it would be read as two lines.
  public static func encode(_ note: Note) throws -> Data {
    let lines = [note.title] + note.lines
    guard !lines.contains(where: { $0.contains(where: \.isNewline) }) else { throw NoteError.lineBreakInLine }
    return Data(lines.joined(separator: "\n").utf8)
  }

  /// The note of bytes.
  public static func decode(_ data: Data) throws -> Note {
    // `String(validating:as:)` needs iOS 18. Decoding repairs what is not UTF-8, which the comparison notices.
    let text = String(decoding: data, as: UTF8.self)
    guard text.utf8.elementsEqual(data) else { throw NoteError.notUTF8 }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Note(title: lines.first ?? "", lines: Array(lines.dropFirst()))
  }
}

/// Why a note cannot be written or read.
public enum NoteError: Error {
  case lineBreakInLine
  case notUTF8
}
