package import Foundation
package import LocalData

/// A store that forwards its calls to another one, except for the functions that a conforming type implements.
package protocol ForwardingStore: ValueStore {
  var base: any ValueStore { get }
}

extension ForwardingStore {
  package func prepare() throws(StorageProblem) { try base.prepare() }

  package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try base.read(address, attributes)
  }

  package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try base.exists(address, attributes)
  }

  package func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try base.version(of: address, attributes)
  }

  package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
    try base.modification(of: address)
  }

  package func write(
    _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
  ) throws(StorageProblem) {
    try base.write(bytes, to: address, attributes)
  }

  package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try base.remove(address, attributes)
  }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try base.update(address, attributes, change)
  }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try base.names(in: container, visit)
  }

  package func setAsideDamaged(_ address: StorageAddress) throws(StorageProblem) { try base.setAsideDamaged(address) }

  package func makeDurable(_ container: StorageContainer) throws(StorageProblem) { try base.makeDurable(container) }

  package func purge(_ container: StorageContainer) throws(StorageProblem) { try base.purge(container) }

  package func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageProblem) -> (any Sendable)? {
    try base.watch(container, name, onChange)
  }

  package func state(of container: StorageContainer) throws(StorageProblem) -> (any ContainerState)? {
    try base.state(of: container)
  }

  package var removesAtNextLaunch: Bool { base.removesAtNextLaunch }
}
