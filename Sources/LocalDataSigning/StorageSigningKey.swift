@_spi(Generated) public import LocalData
import LocalDataFoundation
import LocalDataSystem
public import LocalDataVocabulary

/// A key pair that a catalog declares. Generated code has a static member for each.
///
/// ```swift
/// let binding = router.signingKey(.bindingKey)
/// try await binding.create()
/// ```
///
/// The private key never leaves the library: no function returns it.
public struct StorageSigningKey: Sendable {
  /// The item that has the pair, or all of it but the private part. It can be read without the user.
  let item: StorageKey<Data?>
  private let accessibility: KeychainAccessibility
  /// What the user confirms before each signature.
  let accessControl: KeychainAccessControl?
  let secureEnclave: SecureEnclaveUse
  /// The application tag of a `SecKey` that earlier releases of the app have created.
  let applicationTag: String?

  /// Creates a generated pair.
  @_spi(Generated) public init(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy, accessControl: KeychainAccessControl? = nil,
    secureEnclave: SecureEnclaveUse = .preferred, applicationTag: String? = nil, isKeptAtSignOut: Bool = false
  ) {
    let item = StorageKey<Data?>(name, domain, security, .data)
    self.init(
      isKeptAtSignOut ? item.keptAtSignOut() : item, accessControl: accessControl, secureEnclave: secureEnclave,
      applicationTag: applicationTag)
  }

  /// Creates a member of a generated family of pairs.
  @_spi(Generated) public init(
    _ family: StorageKeyFamily, _ name: StorageKeyName, accessControl: KeychainAccessControl? = nil,
    secureEnclave: SecureEnclaveUse = .preferred
  ) {
    self.init(
      StorageKey<Data?>(family, name, .data), accessControl: accessControl, secureEnclave: secureEnclave,
      applicationTag: nil)
  }

  private init(
    _ item: StorageKey<Data?>, accessControl: KeychainAccessControl?, secureEnclave: SecureEnclaveUse,
    applicationTag: String?
  ) {
    self.item = item
    if case .keychain(let accessibility, _) = item.security {
      self.accessibility = accessibility
    } else {
      accessibility = .whenUnlockedThisDeviceOnly
    }
    self.accessControl = accessControl
    self.secureEnclave = secureEnclave
    self.applicationTag = applicationTag
  }

  var subject: StorageError.Subject { AnyStorageKey(item).subject }

  /// The protection of the private key.
  var protection: (KeychainAccessibility, KeychainAccessControl?) { (accessibility, accessControl) }
}

/// A pair prints as in errors: with its declared name, so that a member of a family does not show its parameters.
extension StorageSigningKey: CustomDebugStringConvertible, CustomReflectable {
  /// The name and kind of domain: `'bindingKey' in keychain`.
  public var debugDescription: String { item.debugDescription }

  /// An empty mirror: the stored name of a member contains its parameters.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The items of private keys that only the user can read. Each has its own name, so that a pair which loses the race of two
/// creators never replaces the private key of the other one.
extension StorageSigningKey {
  /// Returns the item of the private key of a pair with an access control.
  func privateItem(of publicKey: Data) -> StorageKey<Data?> {
    let digest = publicKey.sha256.prefix(16).hexadecimal
    return StorageKey<Data?>(
      privateItems, StorageKeyName(stringLiteral: item.name + StorageKeyFamily.privateInfix + digest), .data)
  }

  /// The family of ``privateItem(of:)``.
  var privateItems: StorageKeyFamily {
    .privateParts(
      of: subject.key ?? item.name, item.domain,
      .keychain(accessibility: accessibility, accessControl: accessControl))
  }

  /// A Boolean value that indicates whether the private key can be in an item of its own.
  var mayHavePrivateItems: Bool { accessControl != nil && secureEnclave != .required }

  /// Returns true if an item is the private key of this pair.
  func hasPrivateItem(named name: String) -> Bool { name.hasPrefix(item.name + StorageKeyFamily.privateInfix) }
}

extension StorageKeyFamily {
  /// The text between the name of a pair and the digest of its public key.
  fileprivate static var privateInfix: String { ".private_" }

  /// The private keys of a generated pair, or of a family of pairs, with an access control.
  @_spi(Generated) public static func privateParts(
    of name: String, _ domain: StorageDomain, _ security: SecurityPolicy, isKeptAtSignOut: Bool = false
  ) -> Self {
    let family = Self(name: name + privateInfix + "{digest}", domain: domain, security: security)
    return isKeptAtSignOut ? family.keptAtSignOut() : family
  }
}

extension AnyStorageKey {
  /// The item of a pair, for the list of a generated catalog.
  @_spi(Generated) public static func signingKey(_ key: StorageSigningKey) -> AnyStorageKey {
    AnyStorageKey(key.item.with { $0.isKeyPair = true })
  }
}

extension StorageCatalogPart {
  /// The keys of Keychain Services that generated pairs may have adopted. Sign-out deletes them, because the next user's
  /// pairs would adopt them otherwise.
  @_spi(Generated) public static func signingKeys(_ keys: [StorageSigningKey]) -> StorageCatalogPart {
    StorageCatalogPart(signingOut: StorageSigningKey.self) {
      (router, scope) async throws(StorageError) in
      for key in keys where scope.includesKept || !AnyStorageKey(key.item).isKeptAtSignOut {
        try await SigningKey(router: router, key: key).removeExisting()
      }
    }
  }
}
