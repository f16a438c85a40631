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

  /// A family by its declaration. What stands behind `security` is for audits alone; that of a generated family stands in
  /// its catalog's descriptors.
  public init(
    name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, serializer: SerializerKind = .json,
    valueType: String = "any", owner: String = "", description: String = ""
  ) {
    self.name = name
    self.domain = domain
    self.security = security
    self.serializer = serializer
    self.valueType = valueType
    self.owner = owner
    prose = description
  }

  /// What an audit says of it. The prose of a generated family stands in its catalog's descriptors, and is empty here.
  public var descriptor: StorageKeyDescriptor {
    StorageKeyDescriptor(
      member: name, name: name, valueType: valueType, domain: domain, security: security, serializer: serializer,
      owner: owner, description: prose,
      parameters: FamilyName(name).parameters.map { .init(name: $0, type: "String") })
  }
}
