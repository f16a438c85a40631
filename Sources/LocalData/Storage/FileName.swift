import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A stored name as the name of a file: two stored names never share one, and none begins with a dot.
///
/// ASCII letters, digits, `.`, `_` and `-` stay; a leading dot and every other byte of the name's UTF-8, `%` included,
/// become `%XX`. A result of more than 200 bytes is cut and ends in `~` and the SHA-256 of the stored name, in lower-case
/// hexadecimal; `~` stands in no other result. Such a file carries the whole stored name before its value, see
/// ``NamedContent``.
struct FileName: Hashable, Sendable {
  let text: String
  /// Whether the file must carry the stored name itself.
  let isShortened: Bool

  /// The most bytes of a file's name: file systems take 255, and what is ours beside a file has a longer one.
  static let longest = 200

  init(_ storedName: String) throws(StorageFault) {
    guard !storedName.isEmpty else { throw .invalidName }
    let pieces = Self.pieces(storedName)
    let whole = pieces.joined()
    isShortened = whole.utf8.count > Self.longest
    guard isShortened else {
      text = whole
      return
    }
    let digest = SHA256.hash(data: Data(storedName.utf8)).map { Self.hexadecimal($0, "0123456789abcdef") }.joined()
    var prefix = ""
    for piece in pieces {
      guard prefix.utf8.count + piece.utf8.count + 1 + digest.utf8.count <= Self.longest else { break }
      prefix += piece
    }
    text = prefix + "~" + digest
  }

  /// Whether a file has the name of a value whose stored name it carries.
  static func isShortened(_ text: String) -> Bool { text.contains("~") }

  /// The stored name of a file's name; `nil` where no stored name has that, or where it was cut.
  static func storedName(of text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(escaped)
      rest = rest.dropFirst(2)
    }
    return isShortened(text) ? nil : String(utf8: bytes)
  }

  private static func pieces(_ name: String) -> [String] {
    name.utf8.enumerated().map { index, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      case UInt8(ascii: ".") where index > 0: "."
      default: "%" + hexadecimal(byte, "0123456789ABCDEF")
      }
    }
  }

  private static func hexadecimal(_ byte: UInt8, _ digits: String) -> String {
    let digits = Array(digits)
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }
}
