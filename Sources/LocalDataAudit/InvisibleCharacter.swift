/// Characters that are invisible, or that change how the text around them is displayed. With them, a file can appear to
/// say something else than it does. They are always written as escapes with their numbers.
package enum InvisibleCharacter {
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F,  // controls
      0xAD, 0x61C, 0x180E,  // soft hyphen, Arabic letter mark, Mongolian vowel separator
      0x200B, 0x200E, 0x200F,  // zero width space, left-to-right and right-to-left marks
      0x2028...0x202E,  // separators of lines and paragraphs, embeddings and overrides
      0x2060...0x206F,  // word joiner, invisible operators, isolates
      0xFEFF, 0xFFF9...0xFFFB,  // byte-order mark, interlinear annotation
      0xE0000...0xE007F:  // tags
      true
    default: false
    }
  }

  /// Returns true if a character of several bytes that begins with `byte` may be one of them.
  package static func mayStart(with byte: UInt8) -> Bool {
    switch byte {
    case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }
}
