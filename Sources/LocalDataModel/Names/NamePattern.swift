import LocalDataVocabulary

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
    self.init(key.descriptor.domain, key.descriptor.name, key.nameParts, key.parameters, types)
  }

  /// - Parameter parameters: The parameters of the name.
  init(
    _ domain: StorageDomain, _ text: String, _ parts: [ResolvedKey.NamePart], _ parameters: [ResolvedKey.Parameter],
    _ types: TypeTable
  ) {
    self.init(domain, text, parts)
    for parameter in parameters {
      let shape: NameAutomaton.Shape =
        switch parameter.type {
        case .string: .string
        case .int: .int
        case .uuid: .uuid
        case .enumeration(let name): .oneOf(types[name]?.form.rawTexts ?? [])
        }
      shapes[parameter.name] = parameter.encoding == .escaped ? shape : .verbatim(shape)
    }
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
    if shapes.values.contains(where: \.isVerbatim) { return .unknown }
    return NameSkeleton(
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

/// A family's name as far as no parameter reaches: the characters that no parameter has, and the text between them.
///
/// In two names that are equal these stand in the same places, which rules most pairs out without an automaton.
struct NameSkeleton {
  private enum Segment {
    case text(ArraySlice<UInt8>)
    /// Anything: a parameter is in it.
    case open
  }

  private var separators: [UInt8] = []
  private var segments: [Segment] = []

  /// - Parameter parts: literal text, and `nil` for each parameter.
  init(_ parts: [[UInt8]?]) {
    var segment: ArraySlice<UInt8> = []
    var isOpen = false
    func close(_ segments: inout [Segment]) {
      segments.append(isOpen ? .open : .text(segment))
      segment = []
      isOpen = false
    }
    for part in parts {
      guard let part else {
        isOpen = true
        continue
      }
      for byte in part {
        if Self.isParametric(byte) {
          segment.append(byte)
        } else {
          close(&segments)
          separators.append(byte)
        }
      }
    }
    close(&segments)
  }

  /// The skeleton of a name in which a parameter can have any character.
  static let unknown = {
    var skeleton = NameSkeleton([])
    skeleton.isUnknown = true
    return skeleton
  }()
  private var isUnknown = false

  func mayMeet(_ other: NameSkeleton) -> Bool {
    if isUnknown || other.isUnknown { return true }
    guard separators == other.separators else { return false }
    return zip(segments, other.segments).allSatisfy { left, right in
      if case .text(let left) = left, case .text(let right) = right { left == right } else { true }
    }
  }

  /// Returns true if a parameter's text, escaped, may have `byte`: `a-z`, `0-9`, `-`, and `%` with upper-case
  /// hexadecimals.
  private static func isParametric(_ byte: UInt8) -> Bool {
    Identifier.isLower(byte) || Identifier.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "%")
      || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "F")
  }
}

/// Families by how their names begin and end, so that a name is compared only with those that it can meet.
///
/// A catalog for each account has thousands of families, and comparing each with each takes minutes.
struct FamilyIndex {
  /// Families whose names begin alike.
  private struct Group {
    var bySuffix: [[UInt8]: [Int]] = [:]
    var lengths: [Int] = []
    /// By the end of their names, read backwards: what ends in a longer text stands together.
    var backwards: [(suffix: [UInt8], family: Int)] = []
  }

  private var groups: [[UInt8]: Group] = [:]
  private var lengths: [Int] = []

  init(_ patterns: [NamePattern]) {
    for (index, pattern) in patterns.enumerated() {
      groups[pattern.prefix, default: Group()].bySuffix[pattern.suffix, default: []].append(index)
      groups[pattern.prefix, default: Group()].backwards.append((pattern.suffix.reversed(), index))
    }
    lengths = Set(patterns.map(\.prefix.count)).sorted()
    groups = groups.mapValues { group in
      var group = group
      group.lengths = Set(group.bySuffix.keys.map(\.count)).sorted()
      group.backwards.sort { $0.suffix.lexicographicallyPrecedes($1.suffix) }
      return group
    }
  }

  /// The families whose names begin with a beginning of `pattern`'s, and end as those may.
  func forEachCandidate(_ pattern: NamePattern, _ body: (Int) -> Void) {
    for length in lengths {
      guard length <= pattern.prefix.count else { return }
      guard let group = groups[Array(pattern.prefix[..<length])] else { continue }
      for length in group.lengths {
        guard length <= pattern.suffix.count else { break }
        for family in group.bySuffix[Array(pattern.suffix.suffix(length))] ?? [] { body(family) }
      }
      if pattern.isFamily { forEachLonger(group, pattern.suffix, body) }
    }
  }

  /// Families of a group whose names end in `suffix` with more before it.
  private func forEachLonger(_ group: Group, _ suffix: [UInt8], _ body: (Int) -> Void) {
    let wanted = Array(suffix.reversed())
    var low = 0
    var high = group.backwards.count
    while low < high {
      let middle = (low + high) / 2
      if group.backwards[middle].suffix.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    while low < group.backwards.count, group.backwards[low].suffix.starts(with: wanted) {
      if group.backwards[low].suffix.count > wanted.count { body(group.backwards[low].family) }
      low += 1
    }
  }
}
