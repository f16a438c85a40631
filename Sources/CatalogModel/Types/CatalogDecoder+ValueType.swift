import CatalogSyntax

/// Types where a key, a field or an inline source names one.
extension CatalogDecoder {
  /// Where a type stands, which decides whether it may be optional.
  enum TypePosition: Equatable {
    case key
    case field

    var help: String {
      switch self {
      case .key: "leave out '?': a key without default already reads nil"
      case .field: "'?' stands behind a whole type: 'String?', '[String]?'"
      }
    }
  }

  mutating func valueType(_ node: SyntaxNode, in position: TypePosition) -> ValueType? {
    switch node.kind {
    case .scalar:
      if let scalar = ScalarType.names.find(node) { return .scalar(scalar) }
      guard let text = scalar(node, "a type", example: "type: String") else { return nil }
      do {
        return resolve(try TypeExpression.parse(text), at: node, in: position)
      } catch {
        findings.report(
          .invalidType, "'\(text)' is not a type: \(error.message)", at: node,
          help: "write String, [String], [String: Int], Set<UUID>, or a type of 'types'")
        return nil
      }
    case .sequence:
      guard let child = node.onlyChild else {
        findings.report(
          .wrongKind, "a list has one type of elements", at: node, help: "write it as in `type: [String]`")
        return nil
      }
      guard child.kind == .mapping else { return valueType(child, in: position).map(ValueType.list) }
      guard let (key, value) = child.onlyField else {
        findings.report(
          .wrongKind, "a map has one type of keys and one of values", at: child,
          help: "write it as in `type: [String: Int]`")
        return nil
      }
      let keyType = valueType(key, in: position)
      let valueType = valueType(value, in: position)
      guard let keyType, let valueType, isMapKey(keyType, at: key) else { return nil }
      return .map(key: keyType, value: valueType)
    case .mapping:
      reportKind(node, "a type", example: "type: [String: Int]")
      return nil
    }
  }

  private mutating func resolve(
    _ expression: TypeExpression, at node: SyntaxNode, in position: TypePosition
  ) -> ValueType? {
    switch expression {
    case .name(let name): return named(name, at: node)
    case .list(let element): return resolve(element, at: node, in: position).map(ValueType.list)
    case .set(let element):
      guard let type = resolve(element, at: node, in: position) else { return nil }
      return .set(type)
    case .map(let key, let value):
      let keyType = resolve(key, at: node, in: position)
      let valueType = resolve(value, at: node, in: position)
      guard let keyType, let valueType, isMapKey(keyType, at: node) else { return nil }
      return .map(key: keyType, value: valueType)
    case .optional(let wrapped):
      guard position == .field else {
        findings.report(
          .misplacedOptional, "'?' stands inside structs only", at: node, help: position.help)
        return nil
      }
      return resolve(wrapped, at: node, in: position).map(ValueType.optional)
    }
  }

  private mutating func named(_ name: String, at node: SyntaxNode) -> ValueType? {
    if let scalar = ScalarType.names.find(name) { return .scalar(scalar) }
    if let declared = types[name] {
      guard case .swift(let swiftName, let module) = declared.form else { return .declared(name) }
      if let module, declared.catalog != header.index { header.borrowedModules.insert(module) }
      return .swift(swiftName)
    }
    if let dot = name.firstIndex(of: "."), Identifier.isPath(name) {
      let module = String(name[..<dot])
      if header.imports.contains(module) { return .swift(SwiftName(name)) }
      findings.report(
        .unknownType,
        "'\(module)' is not in 'imports'\(Spelling.suggestion(for: module, among: header.imports.sorted()))",
        at: node, help: "add it to 'imports', or declare the type in 'types' as {swift: \(name)}")
      return nil
    }
    let known = ScalarType.allCases.map(\.text) + types.names
    findings.report(
      .unknownType, "'\(name)' is not a type\(Spelling.suggestion(for: name, among: known))", at: node,
      help: "one of \(ScalarType.names.listing), [T], [K: T], Set<T>, a type of 'types', or Module.Type of 'imports'")
    return nil
  }

  private mutating func isMapKey(_ type: ValueType, at node: SyntaxNode) -> Bool {
    switch type {
    case .scalar(.string), .scalar(.int): return true
    case .declared(let name):
      guard let declared = types[name] else { return true }
      if declared.form.isEnum || declared.isBroken { return true }
    default: break
    }
    findings.report(
      .invalidMapKey, "the keys of a map cannot be '\(type.swiftText)'", at: node,
      help: "use String, Int or an enum of 'types'")
    return false
  }
}
