public import StorageVocabulary

/// A family of keys: one declaration, a value for each combination of its parameters.
///
/// A family by hand says what it holds, since the audit lists it whether any member of it is stored or not:
///
///     static var allFamilies: [StorageKeyFamily] {
///       [
///         StorageKeyFamily(
///           name: "draft_{documentID}", domain: .fileSystem(directory: .caches), valueType: "String",
///           owner: "EditorTeam", description: "The unsaved text of one document.")
///       ]
///     }
public struct StorageKeyFamily: Sendable, Hashable {
  /// The stored name with `{parameter}` for each parameter.
  public let name: String
  /// Where its values live.
  public let domain: StorageDomain
  /// How they are secured.
  public let security: SecurityPolicy
  private let serializer: SerializerKind
  private let valueType: String
  private let owner: String
  private let prose: String
  private let memberKey: MemberKey

  /// A family by its declaration. What stands behind `security` is for audits alone; that of a generated family stands in
  /// its catalog's descriptors.
  ///
  /// - Parameter members: The key of a member by its stored name. Without it what is received for a member is of no known
  ///   key.
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, serializer: SerializerKind = .json,
    valueType: String = "any", owner: String = "", description: String = "",
    members: (@Sendable (_ name: String) -> AnyStorageKey)? = nil
  ) {
    self.name = name
    self.domain = domain
    self.security = security
    self.serializer = serializer
    self.valueType = valueType
    self.owner = owner
    prose = description
    memberKey = MemberKey(make: members)
  }

  /// A generated family whose members are synced.
  @_spi(Generated) public func synced<Value>(
    _ member: @escaping @Sendable (StorageKeyName) -> StorageKey<Value>
  ) -> Self {
    Self(
      name: name, domain: domain, security: security, serializer: serializer, valueType: valueType, owner: owner,
      description: prose, members: { AnyStorageKey(member(StorageKeyName(stringLiteral: $0))) })
  }

  /// The key of a member by its stored name, where members are synced.
  var members: (@Sendable (_ name: String) -> AnyStorageKey)? { memberKey.make }

  /// Two families are the same by what they declare.
  private struct MemberKey: Hashable, Sendable {
    let make: (@Sendable (_ name: String) -> AnyStorageKey)?

    static func == (one: Self, other: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// What an audit says of it. The prose of a generated family stands in its catalog's descriptors, and is empty here.
  public var descriptor: StorageKeyDescriptor {
    StorageKeyDescriptor(
      member: name, name: name, valueType: valueType, domain: domain, security: security, serializer: serializer,
      owner: owner, description: prose,
      parameters: FamilyName(name).parameters.map { .init(name: $0, type: "String") })
  }
}
