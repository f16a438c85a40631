/// A family of keys with the types of its value and of its parameters.
///
/// For each family of a catalog, the generated code has a `StorageKeyFamily` and a `StorageFamily` of the same name. The latter
/// lists the members with their keys:
///
/// ```swift
/// for draft in try await router.members(of: .draft) {
///   print(draft.parameters, try await router.get(draft.key) ?? "")
/// }
/// ```
///
/// `Value` is the type that ``StorageRouter/get(_:)`` returns for a member. `Parameters` is the type of the family's parameter,
/// for example `UUID`. If the family has several, it is a tuple, for example `(folder: String, page: Int)`.
public struct StorageFamily<Value: Sendable, Parameters: Sendable>: Sendable {
  /// The family without the types.
  public let family: StorageKeyFamily
  private let member: @Sendable (StorageKeyParameters) throws -> (key: StorageKey<Value>, parameters: Parameters)

  /// Creates a generated family.
  ///
  /// - Parameter member: Returns the key and the parameters of a member, or throws an error if there is none with the given
  ///   parameters. The error is untyped, because a closure that contains `try` has no typed error.
  @_spi(Generated) public init(
    _ family: StorageKeyFamily,
    _ member: @escaping @Sendable (StorageKeyParameters) throws -> (key: StorageKey<Value>, parameters: Parameters)
  ) {
    self.family = family
    self.member = member
  }

  /// Returns the member with a stored name, or `nil` if the name has no parameters of the family's types.
  package func member(named name: String) -> StorageFamilyMember<Value, Parameters>? {
    FamilyName(family.name).firstMember(of: name) { values in
      do {
        let (key, parameters) = try member(StorageKeyParameters(values: values))
        return key.name == name ? StorageFamilyMember(key: key, parameters: parameters) : nil
      } catch {
        return nil
      }
    }
  }
}

extension StorageFamily {
  /// Returns the key of the member with some parameters, or nil if they are none of the family's types.
  package func key(_ parameters: [String: String]) -> StorageKey<Value>? {
    let escaped = parameters.mapValues { (value) -> String in ("\(value)" as StorageKeyName).text }
    guard Set(parameters.keys) == Set(FamilyName(family.name).parameters) else { return nil }
    do { return try member(StorageKeyParameters(values: escaped)).key } catch { return nil }
  }
}

/// A member of a family that has a stored value.
public struct StorageFamilyMember<Value: Sendable, Parameters: Sendable>: Sendable {
  /// The key of the member.
  public let key: StorageKey<Value>
  /// The parameters of the member: a value, or a tuple if the family has several parameters.
  public let parameters: Parameters
}

/// A member prints as its key does, so that it does not show its parameters.
extension StorageFamilyMember: CustomDebugStringConvertible, CustomReflectable {
  /// The declared name of the family and its kind of domain.
  public var debugDescription: String { key.debugDescription }

  /// An empty mirror, because the parameters can be personal.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
