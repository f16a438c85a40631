/// Text in which bytes are escaped as in addresses of the web.
package enum EscapedText {
  /// Returns the bytes of a text in which `%` and two hexadecimal digits stand for a byte, or `nil` if the digits are
  /// missing.
  package static func bytes(of text: String) -> [UInt8]? {
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
    return bytes
  }
}
