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

  /// A name that both can have.
  func meeting(_ other: NamePattern) -> String? {
    let (short, long) = suffix.count < other.suffix.count ? (suffix, other.suffix) : (other.suffix, suffix)
    guard long.suffix(short.count).elementsEqual(short) else { return nil }
    return automaton.meeting(other.automaton)
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

/// Families by the bytes that their names begin with, so that a name meets only those that it can.
struct FamilyIndex {
  private var byPrefix: [[UInt8]: [Int]] = [:]
  private var lengths: [Int] = []

  init(_ patterns: [NamePattern]) {
    for (index, pattern) in patterns.enumerated() { byPrefix[pattern.prefix, default: []].append(index) }
    lengths = Set(patterns.map(\.prefix.count)).sorted()
  }

  /// The families whose beginning is a beginning of `pattern`'s names.
  func forEachCandidate(_ pattern: NamePattern, _ body: (Int) -> Void) {
    for length in lengths {
      guard length <= pattern.prefix.count else { return }
      for index in byPrefix[Array(pattern.prefix[..<length])] ?? [] { body(index) }
    }
  }
}
