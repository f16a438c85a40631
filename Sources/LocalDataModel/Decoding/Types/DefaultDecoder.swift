import LocalDataSyntax

/// Decodes defaults, and checks them against their types. The place of a finding is the element at fault.
enum DefaultDecoder {
  /// Decodes the default of a key, which the app may compute whatever the type is. In the default of a map, `swift` is a key.
  static func keyDefault(_ node: SyntaxNode, of type: ValueType, _ context: inout DecodingContext) -> DefaultValue? {
    if case .map = type { return defaultValue(node, of: type, &context) }
    let isComputed = node.kind == .mapping && node.onlyField?.key.text == "swift"
    return isComputed ? swiftDefault(node, of: type.swiftText, &context) : defaultValue(node, of: type, &context)
  }

  static func defaultValue(_ node: SyntaxNode, of type: ValueType, _ context: inout DecodingContext) -> DefaultValue? {
    switch type {
    case .scalar(let scalar): return scalarDefault(node, of: scalar, &context)
    case .declared(let name): return declaredDefault(node, of: name, &context)
    case .swift(let name): return swiftDefault(node, of: name.text, &context)
    case .list(let element): return elements(node, of: element, in: type, &context).map(DefaultValue.list)
    case .set(let element): return setDefault(node, of: element, in: type, &context)
    case .map(let key, let value): return mapDefault(node, key, value, in: type, &context)
    case .optional(let wrapped): return defaultValue(node, of: wrapped, &context)
    }
  }

  private static func wrong(
    _ node: SyntaxNode, _ type: ValueType, takes: String, example: String, _ context: inout DecodingContext
  ) {
    let written = node.kind == .scalar ? "'\(node.text)'" : node.kindInWords
    context.findings.report(
      .wrongDefault, "\(written) is not a value of '\(type.swiftText)', which takes \(takes)", at: node,
      help: "write it as in `\(example)`")
  }

  // MARK: Scalars

  private static func scalarDefault(_ node: SyntaxNode, of scalar: ScalarType, _ context: inout DecodingContext)
    -> DefaultValue?
  {
    guard node.kind == .scalar else {
      wrong(node, .scalar(scalar), takes: scalar.takes, example: "default: \(scalar.example)", &context)
      return nil
    }
    let example = "default: \(scalar.example)"
    if scalar == .string { return context.prose(node, "a default", example: example).map(DefaultValue.string) }
    guard let text = context.scalar(node, "a default", example: example) else { return nil }
    do {
      return try scalar.value(of: text)
    } catch {
      if error == .outOfRange {
        context.findings.report(
          .wrongDefault, "'\(text)' is out of the range of '\(scalar.rawValue)', which takes \(scalar.takes)",
          at: node, help: "write a value within the range, or choose a wider type")
      } else {
        wrong(node, .scalar(scalar), takes: scalar.takes, example: "default: \(scalar.example)", &context)
      }
      return nil
    }
  }

  // MARK: Types of `types:` and of the app

  private static func declaredDefault(_ node: SyntaxNode, of name: String, _ context: inout DecodingContext)
    -> DefaultValue?
  {
    guard let declared = context.types[name], !declared.isBroken else { return nil }
    guard declared.form.isEnum else { return swiftDefault(node, of: name, &context) }
    let cases = declared.cases
    guard node.kind == .scalar else {
      wrong(node, .declared(name), takes: "the name of a case", example: "default: \(cases.first ?? "name")", &context)
      return nil
    }
    guard let text = context.scalar(node, "a default", example: "default: \(cases.first ?? "name")") else { return nil }
    if declared.caseNames.contains(text) { return .enumCase(text) }
    context.findings.report(
      .wrongDefault, "'\(text)' is not a case of '\(name)'\(context.suggestion(for: text, among: cases))", at: node,
      help: "use one of \(cases.listing)")
    return nil
  }

  private static func swiftDefault(_ node: SyntaxNode, of type: String, _ context: inout DecodingContext)
    -> DefaultValue?
  {
    guard node.kind == .mapping, let (key, value) = node.onlyField, key.kind == .scalar, key.text == "swift" else {
      wrong(
        node, .swift(SwiftName(type)), takes: "the name of a value in Swift",
        example: "default: {swift: \(type).empty}", &context)
      return nil
    }
    return context.swiftName(value, "the name of a value in Swift", example: "\(type).empty").map(DefaultValue.swift)
  }

  // MARK: Lists, sets and maps

  private static func elements(
    _ node: SyntaxNode, of element: ValueType, in type: ValueType, _ context: inout DecodingContext
  ) -> [DefaultValue]? {
    guard node.kind == .sequence else {
      wrong(node, type, takes: "a list", example: "default: [\(element.example)]", &context)
      return nil
    }
    var result: [DefaultValue] = []
    var isSound = true
    for child in node.children {
      if let value = defaultValue(child, of: element, &context) { result.append(value) } else { isSound = false }
    }
    return isSound ? result : nil
  }

  private static func setDefault(
    _ node: SyntaxNode, of element: ValueType, in type: ValueType, _ context: inout DecodingContext
  ) -> DefaultValue? {
    guard let values = elements(node, of: element, in: type, &context) else { return nil }
    var first: [DefaultValue: SyntaxNode] = [:]
    var isSound = true
    for (value, child) in zip(values, node.children) {
      if let earlier = first[value.identity] {
        context.findings.report(
          .duplicateEntry, "a set holds \(child.kind == .scalar ? "'\(child.text)'" : "an element") once", at: child,
          help: "remove one of the two", notes: [.init("the first one", at: earlier.place)])
        isSound = false
      } else {
        first[value.identity] = child
      }
    }
    return isSound ? .list(values) : nil
  }

  private static func mapDefault(
    _ node: SyntaxNode, _ keyType: ValueType, _ valueType: ValueType, in type: ValueType,
    _ context: inout DecodingContext
  ) -> DefaultValue? {
    guard node.kind == .mapping else {
      wrong(node, type, takes: "a map", example: "default: {\(keyType.example): \(valueType.example)}", &context)
      return nil
    }
    var entries: [DefaultValue.Entry] = []
    var first: [DefaultValue: SyntaxNode] = [:]
    var isSound = true
    for (keyNode, valueNode) in node.fields {
      let key = defaultValue(keyNode, of: keyType, &context)
      let value = defaultValue(valueNode, of: valueType, &context)
      guard let key, let value else {
        isSound = false
        continue
      }
      if let earlier = first[key] {
        context.findings.report(
          .duplicateEntry, "a map holds the key '\(keyNode.text)' once", at: keyNode, help: "remove one of the two",
          notes: [.init("the first one", at: earlier.place)])
        isSound = false
      }
      first[key] = keyNode
      entries.append(.init(key: key, value: value))
    }
    return isSound ? .map(entries) : nil
  }
}

extension DefaultValue {
  /// The value that is compared in a set. Dates of one instant are one element, however they are written.
  var identity: DefaultValue {
    if case .date(let seconds, _) = self { .date(seconds: seconds, text: "") } else { self }
  }
}

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
