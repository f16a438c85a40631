import LocalDataVocabulary

/// The address of one value. Configured defaults are filled in, so that two keys with the same address have the same value.
package struct StorageAddress: Hashable, Sendable {
  package var container: StorageContainer
  /// The stored name as declared, not yet a file name.
  package var name: String

  package init(container: StorageContainer, name: String) {
    self.container = container
    self.name = name
  }

  /// Creates an address that represents all values of a container.
  package init(allOf container: StorageContainer) { self.init(container: container, name: "") }
}

// Names are compared by their bytes, as stores do.
extension StorageAddress {
  package static func == (one: StorageAddress, other: StorageAddress) -> Bool {
    one.name.hasSameBytes(as: other.name) && one.container == other.container
  }
}

extension StorageAddress {
  /// The address with a container that is not synchronizable. Whether an item is synchronizable is not part of its identity in
  /// the keystore on Linux.
  package var item: StorageAddress { StorageAddress(container: container.item, name: name) }

  /// Returns true if both addresses have the same value.
  package func isSameItem(as other: StorageAddress) -> Bool {
    #if canImport(Darwin)
      // On Apple's platforms a synchronizable item and one that is not are two items.
      self == other
    #else
      item == other.item
    #endif
  }
}
