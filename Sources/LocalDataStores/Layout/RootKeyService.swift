public import LocalDataFoundation

/// A service outside the app that keeps the keys of keystores, for example the keyring of the desktop.
///
/// The library creates the keys. It calls the functions on threads that may block, while it holds no lock. It gets each key
/// once until ``StorageRouter/lock()`` is called. See ``RootKeySource/service(_:)``.
public protocol RootKeyService: Sendable {
  /// The name that keystores record. It has 1 to 64 letters, digits, dots and hyphens, and must never change.
  var name: String { get }

  /// Returns the bytes of a key. Return `nil` only if it is certain that the service does not have the key.
  ///
  /// - Throws: ``RootKeyServiceError/locked`` if the service is locked. For any other error, the call of the router throws
  ///   ``StorageProblem/Code/keyMaterialProviderFailed``, without the text of the error.
  func key(_ id: RootKeyID) throws -> Data?

  /// Stores a new key. When this returns, the key must survive a restart of the computer.
  ///
  /// - Throws: The same errors as ``key(_:)``.
  func store(_ key: Data, _ id: RootKeyID) throws
}

/// The unique name of a key in a service. It reveals nothing about the bytes of the key.
public struct RootKeyID: Sendable, Hashable {
  /// The random identifier: 32 hexadecimal digits.
  public let id: String
  /// The name of the app that created the key (``StorageConfiguration/applicationName``).
  public let applicationName: String
  /// The identifier of the app group whose keystore needs the key; `nil` for the app's own keystore.
  public let group: String?

  /// Creates the name of a key.
  public init(id: String, applicationName: String, group: String?) {
    self.id = id
    self.applicationName = applicationName
    self.group = group
  }
}

/// An error of a ``RootKeyService`` that the library handles in a special way.
public enum RootKeyServiceError: Error, Sendable, Hashable {
  /// The service is locked. Calls throw ``StorageProblem/Code/locked``.
  case locked
  /// The service cannot be reached or does not answer.
  case unavailable
}
