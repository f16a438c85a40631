/// Characters that no name may have: C0, DEL, C1, and what begins a new line or paragraph.
enum ControlCharacters {
  static func occur(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      for (index, byte) in bytes.enumerated() {
        if byte < 0x20 || byte == 0x7F { return true }
        if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] < 0xA0 { return true }
        if byte == 0xE2, index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] & 0xFE == 0xA8 {
          return true
        }
      }
      return false
    }
  }
}

extension Unicode.Scalar {
  /// The escape of JSON and YAML for a character between double quotes, or nil if it has none that is one letter.
  var namedEscape: String? {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: nil
    }
  }
}
