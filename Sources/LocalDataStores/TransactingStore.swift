package import LocalDataFoundation
import LocalDataSystem

/// A store that can change several values of one container together.
package protocol TransactingStore: ValueStore {
  /// Reads several values of one container, calls `change`, and makes all of its changes or none, with no other writer
  /// between.
  ///
  /// - Parameter change: Called with the stored bytes in the order of `items`. It returns a change for each, or `nil` if
  ///   nothing is to be changed.
  /// - Throws: The errors of `change`, ``read(_:_:)`` and ``write(_:to:_:)``. Then no value was changed.
  func updateAll(
    _ items: [StorageItem], in container: StorageContainer,
    _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
  ) throws(StorageProblem)
}

/// A value of a transaction: its address, and the conditions under which it is stored.
package struct StorageItem: Sendable {
  package let address: StorageAddress
  package let attributes: StorageAttributes

  package init(address: StorageAddress, attributes: StorageAttributes) {
    self.address = address
    self.attributes = attributes
  }
}

extension StorageContainer {
  /// A Boolean value that indicates whether several values can be changed together. Stores in memory have all
  /// containers, and must refuse those for which the real store cannot do this.
  package var canTransact: Bool {
    #if os(Linux)
      store == .preferences || store == .keychain
    #else
      store == .preferences
    #endif
  }
}
