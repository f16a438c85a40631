import CatalogSyntax

/// A default as the catalog wrote it, on one line, for audits.
enum DefaultText {
  static func text(_ node: SyntaxNode) -> String {
    if node.kind == .scalar, node.isPlain { return node.text }
    var result = ""
    write(node, to: &result)
    return result
  }

  private static func write(_ node: SyntaxNode, to result: inout String) {
    switch node.kind {
    case .scalar: node.isPlain ? result += node.text : quote(node.text, to: &result)
    case .sequence:
      result += "["
      var isFirst = true
      for child in node.children {
        if !isFirst { result += ", " }
        isFirst = false
        write(child, to: &result)
      }
      result += "]"
    case .mapping:
      result += "{"
      var isFirst = true
      for (key, value) in node.fields {
        if !isFirst { result += ", " }
        isFirst = false
        write(key, to: &result)
        result += ": "
        write(value, to: &result)
      }
      result += "}"
    }
  }

  /// Double quotes and the escapes of YAML, so that a line stays a line.
  private static func quote(_ text: String, to result: inout String) {
    result += "\""
    let isSimple = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isSimple {
      result += text
    } else {
      for scalar in text.unicodeScalars {
        if let escape = scalar.namedEscape {
          result += escape
        } else if scalar.value < 0x20 || scalar.value == 0x7F {
          let hex = String(scalar.value, radix: 16, uppercase: true)
          result += "\\x" + (hex.count < 2 ? "0" : "") + hex
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    result += "\""
  }
}
