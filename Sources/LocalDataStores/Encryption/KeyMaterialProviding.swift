public import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

/// Provides the bytes of a key that the app keeps itself, for example fetched from a service, or a passphrase of the user.
///
///     struct RemoteKeyProvider: KeyMaterialProviding {
///       func keyMaterial(for keyName: String) async throws -> Data { try await service.key(named: keyName) }
///     }
///
/// The library calls a provider once for each name until the router is locked. With HKDF the provider must return at least 32
/// random bytes. A passphrase needs PBKDF2. If the provider throws an error, the caller gets
/// ``StorageProblem/Code/keyMaterialProviderFailed``, without the text of the error.
///
/// A call that needs the bytes waits for the provider without a time limit, because a person may have to type a passphrase.
/// The router's timeout does not include this time. A provider that uses a server must therefore have its own timeout, and
/// throw an error.
public protocol KeyMaterialProviding: Sendable {
  /// Returns the bytes for a key. They must be the same each time, as long as a value that is encrypted with them has to be
  /// read.
  ///
  /// - Parameter keyName: The declared stored name of the key. For a member of a family it contains the names of the
  ///   parameters.
  /// - Returns: The bytes of the key, or the passphrase.
  /// - Throws: Any error. The call of the router throws ``StorageProblem/Code/keyMaterialProviderFailed`` then.
  @concurrent func keyMaterial(for keyName: String) async throws -> Data
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
  package func provider(for source: KeyMaterialSource) -> (provider: any KeyMaterialProviding, revision: Int)? {
    entries.withLock { $0[source] }.map { ($0.provider, $0.revision) }
  }
}
