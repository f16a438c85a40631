#if SecretService && os(Linux)
  internal import CLocalDataSecret
  public import Foundation
  public import LocalData

  /// The keyring of the desktop, for example of GNOME or KDE, which stores the keys that encrypt keystores. It uses the Secret
  /// Service API of freedesktop.org.
  ///
  /// ```swift
  /// import LocalData
  /// import LocalDataSecretService
  ///
  /// let router = StorageRouter(configuration: StorageConfiguration(rootKeySource: .secretService))
  /// ```
  ///
  /// The package needs the trait: `.package(…, traits: [.defaults, "SecretService"])`. Without `.defaults` the app has no PBKDF2.
  ///
  /// The default keyring has one item for each keystore. Its label contains the application's name. If the keyring is locked,
  /// calls throw ``StorageProblem/Code/locked``. The user is asked for the password only if `asksToUnlock` is true. If there is
  /// no keyring or no session bus, calls throw ``StorageProblem/Code/keyMaterialProviderFailed``. In both cases no new key is
  /// created.
  public struct SecretServiceKeyring: RootKeyService {
    /// The name that keystores record.
    public let name = "secretService"
    private let asksToUnlock: Bool

    /// Creates the service.
    ///
    /// - Parameter asksToUnlock: True if the keyring asks the user for its password when it is locked. Without a desktop this
    ///   fails.
    public init(asksToUnlock: Bool = false) { self.asksToUnlock = asksToUnlock }

    /// Returns the bytes of a key, or `nil` if the keyring is unlocked and does not have it.
    ///
    /// - Parameter id: The name of the key.
    /// - Throws: ``RootKeyServiceError/locked`` if the keyring is locked and is not unlocked by the user, and
    ///   ``RootKeyServiceError/unavailable`` if the service does not answer.
    public func key(_ id: RootKeyID) throws -> Data? {
      let keyring = try Keyring(asksToUnlock: asksToUnlock)
      if let key = try keyring.secret(keyID: id.id) { return key }
      // A locked keyring may not list its items.
      try keyring.unlockDefault()
      return try keyring.secret(keyID: id.id)
    }

    /// Stores a new key in the default keyring.
    ///
    /// - Parameters:
    ///   - key: The bytes of the key.
    ///   - id: The name of the key. An item of this name is not replaced.
    /// - Throws: The same errors as ``key(_:)``.
    public func store(_ key: Data, _ id: RootKeyID) throws {
      let keyring = try Keyring(asksToUnlock: asksToUnlock)
      try keyring.unlockDefault()
      try keyring.store(key, id)
    }
  }

  extension RootKeySource {
    /// The keyring of the desktop. If it is locked, the user is not asked for the password.
    public static var secretService: RootKeySource { .secretService(asksToUnlock: false) }

    /// The keyring of the desktop.
    ///
    /// - Parameter asksToUnlock: True if the keyring asks the user for its password when it is locked.
    public static func secretService(asksToUnlock: Bool) -> RootKeySource {
      .service(SecretServiceKeyring(asksToUnlock: asksToUnlock))
    }
  }
#else
  public import LocalData

  extension RootKeySource {
    /// The keyring of the desktop. It needs Linux, libsecret and the package trait `SecretService`.
    @available(*, unavailable, message: "Enable the trait SecretService of the package LocalData, and build for Linux.")
    public static var secretService: RootKeySource { .keyFile }
  }
#endif
