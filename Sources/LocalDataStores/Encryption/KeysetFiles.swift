internal import LocalDataFoundation
import LocalDataSystem

/// The files beside keysets: the lock that a change of the keys takes, and the marker of a master key, which is
/// empty.
package final class KeysetFiles: Sendable {
  package let locations: StorageLocations
  /// Keysets whose marker was found to exist.
  private let marked = Lock<Set<KeysetID>>([])

  package init(_ locations: StorageLocations) { self.locations = locations }

  /// Returns the lock of a keyset. A process holds it shared while it seals and stores a value, and exclusively while it
  /// changes the keys.
  package func lock(_ keyset: KeysetID) throws(StorageProblem) -> SharedFileLock {
    SharedFileLock(in: try locations.keystore(of: keyset).folder, named: "keyset")
  }

  /// Returns true if a master key of the keyset was created before, although the keychain may have lost it since.
  func hasMarker(_ keyset: KeysetID) throws(StorageProblem) -> Bool { try marker(keyset).exists() }

  /// Records that the keyset has a master key. Durable on return.
  func mark(_ keyset: KeysetID) throws(StorageProblem) {
    if marked.withLock({ $0.contains(keyset) }), try hasMarker(keyset) { return }
    _ = try marker(keyset).create(Data())
    marked.withLock { _ = $0.insert(keyset) }
  }

  package func marker(_ keyset: KeysetID) throws(StorageProblem) -> FileLocation {
    try locations.record("master-key-created", of: keyset)
  }
}
