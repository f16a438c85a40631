/// A family's name as far as no parameter reaches: the characters that no parameter has, and the text between them.
///
/// In two names that are equal these stand in the same places, which rules most pairs out without an automaton.
struct NameSkeleton {
  private enum Segment {
    case text(ArraySlice<UInt8>)
    /// Anything: a parameter is in it.
    case open
  }

  private var separators: [UInt8] = []
  private var segments: [Segment] = []

  /// - Parameter parts: literal text, and `nil` for each parameter.
  init(_ parts: [[UInt8]?]) {
    var segment: ArraySlice<UInt8> = []
    var isOpen = false
    func close(_ segments: inout [Segment]) {
      segments.append(isOpen ? .open : .text(segment))
      (segment, isOpen) = ([], false)
    }
    for part in parts {
      guard let part else {
        isOpen = true
        continue
      }
      for byte in part {
        if Self.isParametric(byte) {
          segment.append(byte)
        } else {
          close(&segments)
          separators.append(byte)
        }
      }
    }
    close(&segments)
  }

  func mayMeet(_ other: NameSkeleton) -> Bool {
    guard separators == other.separators else { return false }
    return zip(segments, other.segments).allSatisfy { left, right in
      if case .text(let left) = left, case .text(let right) = right { left == right } else { true }
    }
  }

  /// Returns true if a parameter's text, escaped, may have `byte`: `a-z`, `0-9`, `-`, and `%` with upper-case
  /// hexadecimals.
  private static func isParametric(_ byte: UInt8) -> Bool {
    Identifier.isLower(byte) || Identifier.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "%")
      || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F")
  }
}
