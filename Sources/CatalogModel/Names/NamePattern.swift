import StorageVocabulary

/// The stored names of a key or a family, ready to be compared with others of the same container.
struct NamePattern {
  var container: StoredPlace.Container
  /// As declared.
  var text: String
  var isFamily: Bool
  /// The bytes that every name begins with: up to the first parameter.
  var prefix: [UInt8]
  /// The bytes that every name ends with: from the last parameter on.
  var suffix: [UInt8]
  private var parts: [ResolvedKey.NamePart]
  private var shapes: [String: NameAutomaton.Shape] = [:]

  init(_ key: ResolvedKey, _ types: TypeTable) {
    self.init(key.descriptor.domain, key.descriptor.name, key.nameParts, parametersOf: key, types)
  }

  /// - Parameter key: The key that declares the parameters of the name.
  init(
    _ domain: StorageDomain, _ text: String, _ parts: [ResolvedKey.NamePart], parametersOf key: ResolvedKey,
    _ types: TypeTable
  ) {
    self.init(domain, text, parts)
    for parameter in key.parameters {
      switch parameter.type {
      case .string: shapes[parameter.name] = .string
      case .int: shapes[parameter.name] = .int
      case .uuid: shapes[parameter.name] = .uuid
      case .enumeration(let name): shapes[parameter.name] = .oneOf(types[name]?.form.rawTexts ?? [])
      }
    }
  }

  /// Creates the pattern of a reserved name. A part between braces was once a parameter, whose type is unknown now.
  init(_ reserved: DecodedReservedName) {
    self.init(reserved.resolved.domain, reserved.resolved.name, reserved.pattern)
  }

  init(_ domain: StorageDomain, _ text: String, _ parts: [ResolvedKey.NamePart]) {
    container = StoredPlace.Container(domain)
    self.text = text
    self.parts = parts.isEmpty ? [.text(text)] : parts
    isFamily = parts.contains { if case .parameter = $0 { true } else { false } }
    let isFolder = container.isFolder
    func bytes(_ part: ResolvedKey.NamePart?) -> [UInt8] {
      guard case .text(let text)? = part else { return [] }
      return Array((isFolder ? text.lowercased() : text).utf8)
    }
    prefix = bytes(self.parts.first)
    suffix = bytes(self.parts.last)
  }

  var skeleton: NameSkeleton {
    NameSkeleton(
      parts.map { part in
        guard case .text(let text) = part else { return nil }
        return Array((container.isFolder ? text.lowercased() : text).utf8)
      })
  }

  var automaton: NameAutomaton {
    NameAutomaton(parts, folded: container.isFolder) { shapes[$0] ?? .string }
  }
}

extension TypeTable.Form {
  /// The texts of an enum's cases as parameters.
  var rawTexts: [String] {
    switch self {
    case .stringEnum(let cases): cases.map(\.raw)
    case .intEnum(let cases): cases.map { String($0.raw) }
    case .structure, .swift, .unknown: []
    }
  }
}
