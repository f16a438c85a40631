public import Foundation

/// Gives the bytes of a key that the app keeps itself: fetched from a service, derived from what the user types.
///
///     struct RemoteKeyProvider: KeyMaterialProviding {
///       func keyMaterial(for keyName: String) async throws -> Data { try await service.key(named: keyName) }
///     }
///
/// It is asked once for each name until the router is locked. With HKDF the bytes must be random and at least 32; a
/// passphrase needs PBKDF2. What it throws reaches the caller as
/// ``StorageError/keyMaterialProviderFailed(_:_:)``, without its text.
public protocol KeyMaterialProviding: Sendable {
  /// The bytes for a key by its declared stored name; for a family the name with its parameters' names in it. They must
  /// be the same each time for as long as a value sealed with them is to be read.
  ///
  /// - Throws: Any error. The call of the router throws ``StorageError/keyMaterialProviderFailed(_:_:)`` then.
  func keyMaterial(for keyName: String) async throws -> Data
}
