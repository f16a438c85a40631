extension ValueType {
  /// The type in Swift: `[String: Set<UUID>]`.
  package var swiftText: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .declared(let name): name
    case .swift(let name): name.text
    case .list(let element): "[\(element.swiftText)]"
    case .map(let key, let value): "[\(key.swiftText): \(value.swiftText)]"
    case .set(let element): "Set<\(element.swiftText)>"
    case .optional(let wrapped): "\(wrapped.swiftText)?"
    }
  }

  /// Every type of `types:` in it.
  func forEachDeclared(_ body: (String) -> Void) {
    switch self {
    case .scalar, .swift: break
    case .declared(let name): body(name)
    case .list(let inner), .set(let inner), .optional(let inner): inner.forEachDeclared(body)
    case .map(let key, let value):
      key.forEachDeclared(body)
      value.forEachDeclared(body)
    }
  }
}

extension ResolvedKey.ParameterType {
  /// The type in Swift.
  package var swiftText: String {
    switch self {
    case .string: "String"
    case .int: "Int"
    case .uuid: "UUID"
    case .enumeration(let name): name
    }
  }
}
