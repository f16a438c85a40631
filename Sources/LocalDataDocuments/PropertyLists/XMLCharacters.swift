import LocalDataSyntax

/// The check of the bytes of a file before its tags are read.
enum XMLCharacters {
  /// Throws if a file is no text in UTF-8, or has characters that XML does not have.
  static func check(_ file: SourceFile) throws(PropertyListFailure) {
    let bytes = file.bytes
    if bytes.starts(with: "bplist".utf8) {
      throw PropertyListFailure(
        "this is a binary property list", at: file.start, help: "convert it with `plutil -convert xml1 FILE`")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
      throw PropertyListFailure("the file is not UTF-8", at: file.start, help: "save it as UTF-8")
    }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput: return
      case .error:
        throw PropertyListFailure(
          "a byte does not belong to UTF-8 text", at: file.place(of: offset..<offset + 1), help: "save it as UTF-8")
      case .valid(let encoded):
        let value = Unicode.UTF8.decode(encoded).value
        if isControl(value) {
          throw PropertyListFailure(
            "XML has no character U+\(String(value, radix: 16, uppercase: true))",
            at: file.place(of: offset..<offset + encoded.count), help: "remove it")
        }
        offset += encoded.count
      }
    }
  }

  /// Returns true for the characters that XML 1.0 excludes.
  static func isControl(_ value: UInt32) -> Bool {
    switch value {
    case 0x9, 0xA, 0xD: false
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF, 0xFEFF: true
    default: false
    }
  }
}
