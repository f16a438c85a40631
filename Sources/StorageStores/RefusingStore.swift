package import SmallFoundation
import StorageSystem

/// A store that refuses every call with the same fault, because the configuration makes it unsafe to use the real one.
package struct RefusingStore: ValueStore {
  private let fault: StorageFault

  package init(_ fault: StorageFault) { self.fault = fault }

  package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    throw fault
  }

  package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
    throw fault
  }

  package func write(
    _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
  ) throws(StorageFault) { throw fault }

  package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) { throw fault }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) { throw fault }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault) { throw fault }

  package func makeDurable(_ container: StorageContainer) throws(StorageFault) { throw fault }

  package func purge(_ container: StorageContainer) throws(StorageFault) { throw fault }

  package var removesAtNextLaunch: Bool { false }
}
