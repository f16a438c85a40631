public import LocalDataFoundation
import LocalDataStores

/// The stored name of a member of a family. Text is used unchanged, and parameters are escaped.
///
///     let name: StorageKeyName = "draft_\(documentID)"
///
/// In a parameter, `a` to `z`, `0` to `9` and `-` stay the same, and every other byte of its UTF-8 becomes `%XX`. Therefore
/// two combinations of parameters never share a name, and the parameters can be read from the name. A UUID is written in
/// lower case. `\(verbatim: documentID)` appends a parameter as Swift prints it.
@_spi(Generated) public struct StorageKeyName: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  public init(stringLiteral text: String) { self.text = text }

  /// Returns true if an escaped parameter can contain a byte.
  static func isOfParameter(_ byte: UInt8) -> Bool {
    isPlain(byte) || byte == UInt8(ascii: "%") || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Returns the text of bytes that are an escaped parameter as this type writes it, or `nil`.
  static func parameter(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = unescaped(text), StorageKeyName("\(value)").text == text else { return nil }
    return text
  }

  /// Returns the parameter of an escaped text, or `nil` if the text is not escaped correctly.
  static func unescaped(_ text: String) -> String? { EscapedText.bytes(of: text).flatMap { String(utf8: $0) } }

  public init(stringInterpolation parts: StringInterpolation) { text = parts.text }

  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 40 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(_ parameter: String) { appendEscaped(parameter) }

    public mutating func appendInterpolation(_ parameter: Int) { appendEscaped(String(parameter)) }

    public mutating func appendInterpolation(_ parameter: UUID) { appendEscaped(parameter.uuidString.lowercased()) }

    public mutating func appendInterpolation(_ parameter: some RawRepresentable<String>) {
      appendEscaped(parameter.rawValue)
    }

    public mutating func appendInterpolation(_ parameter: some RawRepresentable<Int>) {
      appendEscaped(String(parameter.rawValue))
    }

    /// Appends a value as Swift prints it: a UUID in upper case.
    public mutating func appendInterpolation(verbatim parameter: some CustomStringConvertible) {
      text += parameter.description
    }

    private mutating func appendEscaped(_ parameter: String) {
      for byte in parameter.utf8 {
        if StorageKeyName.isPlain(byte) {
          text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          let hex = String(byte, radix: 16, uppercase: true)
          text += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
        }
      }
    }
  }
}
