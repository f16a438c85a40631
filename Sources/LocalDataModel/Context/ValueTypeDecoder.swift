import LocalDataSyntax

/// Decodes the types that keys, fields and sources name.
enum ValueTypeDecoder {
  /// The library's type for values of any shape, which a catalog names without an import.
  private static let anyType = SwiftName("AnyCodable")

  /// The owner of a type, which decides whether the type may be optional.
  enum TypePosition: Equatable {
    case key
    case field

    var help: String {
      switch self {
      case .key: "leave out '?': a key without default already reads nil"
      case .field: "write '?' after a whole type: 'String?', '[String]?'"
      }
    }
  }

  static func valueType(_ node: SyntaxNode, in position: TypePosition, _ context: inout DecodingContext) -> ValueType? {
    switch node.kind {
    case .scalar:
      if let scalar = ScalarType.names.find(node) { return .scalar(scalar) }
      guard let text = context.scalar(node, "a type", example: "type: String") else { return nil }
      do {
        return resolve(try TypeExpression.parse(text), at: node, in: position, &context)
      } catch {
        context.findings.report(
          .invalidType, "'\(text)' is not a type: \(error.message)", at: node,
          help: "write String, [String], [String: Int], Set<UUID>, or a type of 'types'")
        return nil
      }
    case .sequence:
      guard let child = node.onlyChild else {
        context.findings.report(
          .wrongKind, "a list has one type of elements", at: node, help: "write it as in `type: [String]`")
        return nil
      }
      if child.isPlain, let colon = child.text.firstIndex(of: ":") {
        let key = child.text[..<colon]
        let value = child.text[colon...].dropFirst()
        context.findings.report(
          .invalidType, "'\(child.text)' has no space after its ':'", at: child,
          help: "write `[\(FieldValue.field(String(key), String(value)))]`")
        return nil
      }
      guard child.kind == .mapping else { return valueType(child, in: position, &context).map(ValueType.list) }
      guard let (key, value) = child.onlyField else {
        context.findings.report(
          .wrongKind, "a map has one type of keys and one of values", at: child,
          help: "write it as in `type: [String: Int]`")
        return nil
      }
      let keyType = valueType(key, in: position, &context)
      let valueType = valueType(value, in: position, &context)
      guard let keyType, let valueType, isMapKey(keyType, at: key, &context) else { return nil }
      return .map(key: keyType, value: valueType)
    case .mapping:
      context.reportKind(node, "a type", example: "type: [String: Int]")
      return nil
    }
  }

  private static func resolve(
    _ expression: TypeExpression, at node: SyntaxNode, in position: TypePosition, _ context: inout DecodingContext
  ) -> ValueType? {
    switch expression {
    case .name(let name): return named(name, at: node, &context)
    case .list(let element): return resolve(element, at: node, in: position, &context).map(ValueType.list)
    case .set(let element):
      guard let type = resolve(element, at: node, in: position, &context) else { return nil }
      return .set(type)
    case .map(let key, let value):
      let keyType = resolve(key, at: node, in: position, &context)
      let valueType = resolve(value, at: node, in: position, &context)
      guard let keyType, let valueType, isMapKey(keyType, at: node, &context) else { return nil }
      return .map(key: keyType, value: valueType)
    case .optional(let wrapped):
      guard position == .field else {
        context.findings.report(
          .misplacedOptional, "only a struct's field can be optional", at: node, help: position.help)
        return nil
      }
      return resolve(wrapped, at: node, in: position, &context).map(ValueType.optional)
    }
  }

  private static func named(_ name: String, at node: SyntaxNode, _ context: inout DecodingContext) -> ValueType? {
    if let scalar = ScalarType.names.find(name) { return .scalar(scalar) }
    if name == anyType.text { return .swift(anyType) }
    if let declared = context.types[name] {
      guard case .swift(let swiftName, let module) = declared.form else { return .declared(name) }
      if let module, declared.catalog != context.header.index { context.header.borrowedModules.insert(module) }
      return .swift(swiftName)
    }
    if let dot = name.firstIndex(of: "."), Identifier.isPath(name) {
      let module = String(name[..<dot])
      if context.header.imports.contains(module) { return .swift(SwiftName(name)) }
      let imports = context.header.imports
      let suggestion = context.suggestion(for: module, among: imports.sorted())
      context.findings.report(
        .unknownType,
        "'\(module)' is not in 'imports'\(suggestion)",
        at: node, help: "add it to 'imports', or declare the type in 'types' as {swift: \(name)}")
      return nil
    }
    // The type's own name had a finding.
    if context.types.isRefused(name) { return nil }
    let types = context.types
    let suggestion = context.suggestion(for: name, among: ScalarType.names.texts + [anyType.text] + types.names)
    context.findings.report(
      .unknownType, "'\(name)' is not a type\(suggestion)", at: node,
      help: "use \(ScalarType.names.listing), \(anyType.text), [T], [K: T], Set<T> or Module.Type of a module in "
        + "'imports', or declare it under 'types': {\(example(name)): {swift: \(example(name))}}")
    return nil
  }

  /// Returns a name that a type of `types` can have.
  private static func example(_ name: String) -> String {
    let canBeDeclared = Identifier.isWellFormed(name, as: .type) && !ReservedIdentifiers.contains(name, as: .type)
    return canBeDeclared ? name : "Profile"
  }

  private static func isMapKey(_ type: ValueType, at node: SyntaxNode, _ context: inout DecodingContext) -> Bool {
    switch type {
    case .scalar(.string), .scalar(.int): return true
    case .declared(let name):
      guard let declared = context.types[name] else { return true }
      if declared.form.isEnum || declared.isBroken { return true }
    default: break
    }
    context.findings.report(
      .invalidMapKey, "the keys of a map cannot be '\(type.swiftText)'", at: node,
      help: "use String, Int or an enum of 'types'")
    return false
  }
}

extension DecodingContext {
  mutating func valueType(_ node: SyntaxNode, in position: ValueTypeDecoder.TypePosition) -> ValueType? {
    ValueTypeDecoder.valueType(node, in: position, &self)
  }
}
