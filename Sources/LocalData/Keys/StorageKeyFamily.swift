public import LocalDataVocabulary

/// A family of keys: one declaration, a value for each combination of its parameters.
///
/// A family that is written in Swift has a value type, an owner and a description. The audit lists them even if no member is
/// stored:
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
  /// The domain that the members' values are stored in.
  public let domain: StorageDomain
  /// The protection of the members' values.
  public let security: SecurityPolicy
  package let serializer: SerializerKind
  package let valueType: String
  package let owner: String
  package let prose: String
  private let memberKey: MemberKey
  /// The families that the members' migrations take values from, or `nil` if members have no migration.
  package internal(set) var migration: FamilyMigration?

  /// A Boolean value that indicates whether a sign-out leaves the values of the members.
  private(set) var isKeptAtSignOut = false

  /// Creates a family from its declaration.
  ///
  /// Only audits use `serializer`, `valueType`, `owner` and `description`. For a generated family, audits use the descriptors
  /// of its catalog.
  ///
  /// - Parameter members: Returns the key of a member with the given stored name. Without it, members are listed and removed,
  ///   but not received from the paired device, migrated all at once, or restored from quarantine.
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

  /// Returns a copy whose members are synced.
  @_spi(Generated) public func synced<Value>(
    _ member: @escaping @Sendable (StorageKeyName) -> StorageKey<Value>
  ) -> Self {
    var family = Self(
      name: name, domain: domain, security: security, serializer: serializer, valueType: valueType, owner: owner,
      description: prose, members: { AnyStorageKey(member(StorageKeyName(stringLiteral: $0))) })
    family.migration = migration
    family.isKeptAtSignOut = isKeptAtSignOut
    return family
  }

  /// Returns a copy whose members a sign-out leaves.
  @_spi(Generated) public func keptAtSignOut() -> Self {
    var family = self
    family.isKeptAtSignOut = true
    return family
  }

  /// Returns a copy whose members are migrated by runs over all keys.
  ///
  ///     StorageKeyFamily(name: "draft_{id}", domain: .keychain(), members: { draft(named: $0) })
  ///       .migrating(from: [StorageKeyFamily(name: "old_{id}", domain: .userDefaults(), security: .none)])
  ///
  /// ``StorageRouter/Migrations/migrateAll(progress:)`` lists the stored names of the sources. If a stored name matches a
  /// source's template, its parameters identify the member. The family needs `members`, which returns the member's key with
  /// its migration.
  ///
  /// - Parameter sources: The families of the members' sources, with the same parameters. For a migration in place this is the
  ///   family itself.
  /// - Returns: A copy of the family.
  public func migrating(from sources: [StorageKeyFamily]) -> Self {
    let declared = FamilyName(name)
    let members = members
    return migrating(
      FamilyMigration(sources: sources) { values in declared.member(values).flatMap { members?($0) } })
  }

  /// Returns a copy whose members have a migration.
  ///
  /// - Parameters:
  ///   - sources: The families of the sources.
  ///   - shared: The legacy keys in whose values members have parts.
  ///   - member: Returns the member with the given parameters, or throws an error if there is none. The error is
  ///   untyped, because a closure that contains `try` has no typed error.
  @_spi(Generated) public func migrating<Value>(
    from sources: [StorageKeyFamily], partsOf shared: [AnyStorageKey] = [],
    _ member: @escaping @Sendable (StorageKeyParameters) throws -> StorageKey<Value>
  ) -> Self {
    migrating(
      FamilyMigration(sources: sources, shared: shared) { values in
        do { return AnyStorageKey(try member(StorageKeyParameters(values: values))) } catch { return nil }
      })
  }

  private func migrating(_ migration: FamilyMigration) -> Self {
    var family = self
    family.migration = migration
    return family
  }

  /// Returns the key of a member by its stored name; `nil` if the family cannot make its members' keys.
  package var members: (@Sendable (_ name: String) -> AnyStorageKey)? {
    guard let make = memberKey.make, let migration else { return memberKey.make }
    let declared = FamilyName(name)
    return { name in declared.firstMember(of: name, migration.member) ?? make(name) }
  }

  /// A function that makes members' keys. All are equal, so that two families with the same declaration are equal.
  private struct MemberKey: Hashable, Sendable {
    let make: (@Sendable (_ name: String) -> AnyStorageKey)?

    static func == (one: Self, other: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}
