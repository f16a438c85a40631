extension Unicode.Scalar {
  /// The escape of YAML for a character between double quotes, or nil if it has none that is one letter.
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
