package import LocalDataFoundation

/// The values that a call removes.
package struct RemovalScope: Sendable {
  /// A Boolean value that indicates whether values are removed that a sign-out leaves.
  package var includesKept = false
  /// The parameters of the values, by their names; nil for all values.
  package var parameters: [String: Parameter]?

  package init(includesKept: Bool = false) { self.includesKept = includesKept }

  /// Creates the scope of the values of some parameters. Returns nil if there are none, or if one is neither a text, a whole
  /// number, a UUID nor an enum of these.
  init?(_ parameters: [String: any Sendable], includesKept: Bool) {
    self.includesKept = includesKept
    let values = parameters.compactMapValues { Parameter($0) }
    guard !values.isEmpty, values.count == parameters.count else { return nil }
    self.parameters = values
  }

  /// A parameter of the values.
  package struct Parameter: Sendable {
    package let text: String

    fileprivate init?(_ value: any Sendable) {
      let raw: Any = (value as? any RawRepresentable)?.rawValue ?? value
      switch raw {
      case let text as String: self.text = text
      case let number as Int: text = String(number)
      case let id as UUID: text = id.uuidString
      default: return nil
      }
    }

    package var uuid: UUID? { UUID(uuidString: text) }

    /// Returns true if the text of a stored parameter is this one. A UUID may be in upper or in lower case.
    fileprivate func matches(_ stored: String?) -> Bool {
      guard let stored else { return false }
      return stored == text || uuid.map { UUID(uuidString: stored) == $0 } == true
    }
  }
}

extension RemovalScope {
  /// Returns true if the members of a family have all of the parameters.
  func concerns(_ family: StorageKeyFamily) -> Bool {
    guard includesKept || !family.isKeptAtSignOut else { return false }
    return parameters.map { Set($0.keys).isSubset(of: FamilyName(family.name).parameters) } ?? true
  }

  /// Returns true if a member of a family has the parameters.
  func contains(_ member: AnyStorageKey) -> Bool {
    guard let parameters else { return true }
    let stored = member.parameters
    return parameters.allSatisfy { $1.matches(stored[$0]) }
  }

  /// Returns true if a family has no member of a name, for example because two choices of parameters give it, but one of the
  /// choices has the parameters.
  func isAmbiguous(_ name: String, in family: FamilyName) -> Bool {
    guard let parameters, family.refuses(name) else { return false }
    let isFound = family.firstMember(of: name) { values -> Bool? in
      let isOne = parameters.allSatisfy { $1.matches(values[$0].flatMap(StorageKeyName.unescaped)) }
      return isOne ? true : nil
    }
    return isFound == true
  }

  /// Returns the only member of a family that has the parameters, or nil if there can be several.
  func onlyMember(of family: StorageKeyFamily) -> AnyStorageKey? {
    let name = FamilyName(family.name)
    guard let parameters, Set(name.parameters) == Set(parameters.keys) else { return nil }
    let values = parameters.mapValues { StorageKeyName("\($0.uuid?.uuidString.lowercased() ?? $0.text)").text }
    return name.member(values).map { family.members?($0) ?? AnyStorageKey(member: $0, of: family) }
  }
}

/// The values that a removal by a parameter has left.
///
/// ```swift
/// do {
///   try await router.removeAll(where: ["userID": id])
/// } catch {
///   for problem in error.remaining { print(problem.subject.key ?? "", problem.code) }
/// }
/// ```
public struct StorageRemovalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An error for each key, family and database that may still have values. None of them contains a parameter.
  public let remaining: [StorageError]

  /// The errors, separated by `; `.
  public var description: String { remaining.map { "\($0)" }.joined(separator: "; ") }
}
