public import Foundation
package import StorageVocabulary

/// Provides the bytes of a key that the app keeps itself, for example fetched from a service, or a passphrase of the user.
///
///     struct RemoteKeyProvider: KeyMaterialProviding {
///       func keyMaterial(for keyName: String) async throws -> Data { try await service.key(named: keyName) }
///     }
///
/// It is asked once for each name until the router is locked. With HKDF the bytes must be random and at least 32; a
/// passphrase needs PBKDF2. What it throws reaches the caller as
/// ``StorageError/keyMaterialProviderFailed(_:_:)``, without its text.
///
/// A call that needs the bytes waits for the provider for as long as it takes, since a person may have to type a passphrase.
/// The router's timeout does not count that time. A provider that asks a server must therefore end its wait itself, by
/// throwing an error.
public protocol KeyMaterialProviding: Sendable {
  /// The bytes for a key by its declared stored name; for a family the name with its parameters' names in it. They must
  /// be the same each time for as long as a value sealed with them is to be read.
  ///
  /// - Throws: Any error. The call of the router throws ``StorageError/keyMaterialProviderFailed(_:_:)`` then.
  func keyMaterial(for keyName: String) async throws -> Data
}

/// The providers of key material, by the source that keys name.
package final class KeyMaterialRegistry: Sendable {
  private let entries = Lock<[KeyMaterialSource: Entry]>([:])

  private struct Entry: Sendable {
    let provider: any KeyMaterialProviding
    let revision: Int
  }

  package init() {}

  /// Sets the provider of a source. Material of an earlier provider is no longer used.
  package func register(_ provider: any KeyMaterialProviding, for source: KeyMaterialSource) {
    entries.withLock { entries in
      entries[source] = Entry(provider: provider, revision: (entries[source]?.revision ?? 0) + 1)
    }
  }

  /// Returns the provider of a source, and a number that changes when it is replaced.
  func provider(for source: KeyMaterialSource) -> (provider: any KeyMaterialProviding, revision: Int)? {
    entries.withLock { $0[source] }.map { ($0.provider, $0.revision) }
  }
}
