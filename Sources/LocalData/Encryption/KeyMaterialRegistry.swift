package import StorageVocabulary

/// The providers of key material by the source that keys name.
package final class KeyMaterialRegistry: Sendable {
  private let entries = Lock<[KeyMaterialSource: Entry]>([:])

  private struct Entry: Sendable {
    let provider: any KeyMaterialProviding
    let revision: Int
  }

  package init() {}

  /// Sets the provider of a source. What an earlier one gave is not used any more.
  package func register(_ provider: any KeyMaterialProviding, for source: KeyMaterialSource) {
    entries.withLock { entries in
      entries[source] = Entry(provider: provider, revision: (entries[source]?.revision ?? 0) + 1)
    }
  }

  /// The provider of a source, and a number that is another one once it was replaced.
  func provider(for source: KeyMaterialSource) -> (provider: any KeyMaterialProviding, revision: Int)? {
    entries.withLock { $0[source] }.map { ($0.provider, $0.revision) }
  }
}
