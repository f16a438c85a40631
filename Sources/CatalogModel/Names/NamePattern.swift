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
    self.init(key.descriptor.domain, key.descriptor.name, key.nameParts)
    for parameter in key.parameters {
      switch parameter.type {
      case .string: shapes[parameter.name] = .string
      case .int: shapes[parameter.name] = .int
      case .uuid: shapes[parameter.name] = .uuid
      case .enumeration(let name): shapes[parameter.name] = .oneOf(types[name]?.form.rawTexts ?? [])
      }
    }
  }

  /// What stands between braces in a reserved name was once a parameter, of a type that nobody knows any more.
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

  var automaton: NameAutomaton {
    NameAutomaton(parts, folded: container.isFolder) { shapes[$0] ?? .string }
  }
}

extension TypeTable.Form {
  /// What the cases of an enum are as parameters.
  var rawTexts: [String] {
    switch self {
    case .stringEnum(let cases): cases.map(\.raw)
    case .intEnum(let cases): cases.map { String($0.raw) }
    case .structure, .swift, .unknown: []
    }
  }
}
