import LocalDataFoundation

/// A stored name as the name of a file: two stored names never share one, and none begins with a dot.
///
/// ASCII letters, digits, `.`, `_` and `-` stay; a leading dot and every other byte of the name's UTF-8, `%` included,
/// become `%XX`. On Apple's platforms upper-case letters become `%XX` too, because many of their volumes ignore case: no
/// two file names differ only in case. A result of more than 200 bytes is cut and ends in `~` and the SHA-256 of the
/// stored name, in lower-case hexadecimal; no other result contains `~`. Such a file contains the whole stored name before
/// its value, see ``NamedContent``.
package struct FileName: Hashable, Sendable {
  package let text: String
  /// A Boolean value that indicates whether the file must contain the stored name itself.
  package let isShortened: Bool

  /// The most bytes of a file's name. File systems take 255, and the library's files beside a value have longer names.
  package static let longest = 200

  /// The behavior of the file system for upper and lower case.
  package enum Case: Sendable, CaseIterable {
    /// Names that differ only in case are two files.
    case distinguished
    /// Names that differ only in case may be one file.
    case ignored

    /// The rule of this platform, which every stored file follows.
    static var ofPlatform: Case {
      #if os(Linux)
        .distinguished
      #else
        .ignored
      #endif
    }
  }

  package init(_ storedName: String, _ rule: Case = .ofPlatform) throws(StorageProblem) {
    guard !storedName.isEmpty else { throw .invalidName }
    if Self.isPlain(storedName.utf8, rule) {
      text = storedName
      isShortened = false
      return
    }
    let pieces = Self.pieces(Array(storedName.utf8), rule)
    let whole = pieces.joined()
    isShortened = whole.utf8.count > Self.longest
    guard isShortened else {
      text = whole
      return
    }
    let digest = Data(storedName.utf8).sha256.hexadecimal
    var prefix = ""
    for piece in pieces {
      guard prefix.utf8.count + piece.utf8.count + 1 + digest.utf8.count <= Self.longest else { break }
      prefix += piece
    }
    text = prefix + "~" + digest
  }

  /// Creates the name of a file that other code has named. The caller has checked that it is one part of a path.
  package init(exactly text: String) {
    self.text = text
    isShortened = false
  }

  /// Returns true if this is the name of a file that contains its stored name.
  package static func isShortened(_ text: String) -> Bool { text.contains("~") }

  /// Returns the stored name of a file's name, or `nil` if no stored name produces it, or if it was cut.
  package static func storedName(of text: String) -> String? {
    guard !isShortened(text), let bytes = EscapedText.bytes(of: text) else { return nil }
    return String(utf8: bytes)
  }

  /// Returns true if some stored name produces this file name.
  package static func isFileName(_ text: String, _ rule: Case = .ofPlatform) -> Bool {
    guard let tilde = text.firstIndex(of: "~") else { return isWhole(text, rule) }
    let digest = text[text.index(after: tilde)...]
    let isDigest = digest.isHexadecimal(ofBytes: 32)
    return isDigest && text.utf8.count <= longest && isWhole(String(text[..<tilde]), rule, isCut: true)
  }

  /// Returns true if a text is the file name of a stored name, or a part of one that was cut between two characters'
  /// bytes.
  private static func isWhole(_ text: String, _ rule: Case, isCut: Bool = false) -> Bool {
    guard let bytes = EscapedText.bytes(of: text), text.utf8.count <= longest else { return false }
    guard isCut || String(utf8: bytes) != nil else { return false }
    return !bytes.isEmpty && pieces(bytes, rule).joined() == text
  }

  private static func pieces(_ name: [UInt8], _ rule: Case) -> [String] {
    name.enumerated().map { index, byte in
      stays(byte, isFirst: index == 0, rule)
        ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal.uppercased()
    }
  }

  /// Returns true if a stored name is the same as the file's name, which is true for most names.
  private static func isPlain(_ name: String.UTF8View, _ rule: Case) -> Bool {
    guard name.count <= longest else { return false }
    var isFirst = true
    for byte in name {
      guard stays(byte, isFirst: isFirst, rule) else { return false }
      isFirst = false
    }
    return true
  }

  private static func stays(_ byte: UInt8, isFirst: Bool, _ rule: Case) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): rule == .distinguished
    case UInt8(ascii: "."): !isFirst
    default: false
    }
  }
}
