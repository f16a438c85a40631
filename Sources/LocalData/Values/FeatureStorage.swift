import LocalDataFoundation
package import LocalDataStores

/// An object of a feature that keeps encryption keys in memory.
package protocol KeyHolder: AnyObject, Sendable {
  func lock()
}

/// The records that a feature keeps beside the values, for all services of a configuration.
package final class FeatureStorage: Sendable {
  /// The folders for records on the disk, or the fault of every access to them. `nil` if everything is in memory.
  package let locations: Result<StorageLocations, StorageProblem>?
  private let kept: Lock<(any AnyObject & Sendable)?>

  /// - Parameter kept: The object that contains the records; `nil` if the feature makes it at its first use.
  package init(
    _ locations: Result<StorageLocations, StorageProblem>? = nil, keeping kept: (any AnyObject & Sendable)? = nil
  ) {
    self.locations = locations
    self.kept = Lock(kept)
  }

  /// Removes the encryption keys of the object from memory.
  func lock() { kept.withLock { $0 as? any KeyHolder }?.lock() }

  /// Returns the object that contains the records of the feature, and makes it at its first use.
  package func object<Object: AnyObject & Sendable>(_ make: (FeatureStorage) -> Object) -> Object {
    if let known = kept.withLock({ $0 as? Object }) { return known }
    let made = make(self)
    return kept.withLock { kept in
      if let known = kept as? Object { return known }
      kept = made
      return made
    }
  }
}
