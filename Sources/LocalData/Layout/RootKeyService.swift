public import Foundation

/// A service outside the app that keeps the keys of keystores, for example the keyring of the desktop.
///
/// The runtime creates the keys. It calls the functions on threads that may block, with no lock held, and asks for a key once
/// until ``StorageRouter/lock()``. See ``RootKeySource/service(_:)``.
public protocol RootKeyService: Sendable {
  /// The name that keystores record: 1 to 64 letters, digits, dots and hyphens. It must never change.
  var name: String { get }

  /// Returns the bytes of a key, or `nil` only if it is certain that the service does not have it.
  ///
  /// - Throws: ``RootKeyServiceError/locked`` if the service is locked. Any other error becomes
  ///   ``StorageError/keyMaterialProviderFailed(_:_:)`` without its text.
  func key(_ id: RootKeyID) throws -> Data?

  /// Stores a new key. It must survive a restart of the computer when this returns.
  ///
  /// - Throws: As ``key(_:)`` does.
  func store(_ key: Data, _ id: RootKeyID) throws
}

/// The name of a key in a service, which no other key has. It says nothing about the key's bytes.
public struct RootKeyID: Sendable, Hashable {
  /// The random identifier: 32 hexadecimal digits.
  public let id: String
  /// The name of the app that has created the key (``StorageConfiguration/applicationName``).
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

/// An error of a ``RootKeyService`` that the runtime tells from others.
public enum RootKeyServiceError: Error, Sendable, Hashable {
  /// The service is locked. Calls throw ``StorageError/locked(_:)``.
  case locked
  /// The service cannot be reached or does not answer.
  case unavailable
}
