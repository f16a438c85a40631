package import LocalDataFoundation
import LocalDataSystem

/// A store that refuses every call with the same fault, because the configuration makes it unsafe to use the real one.
package struct RefusingStore: ValueStore {
  private let fault: StorageProblem

  package init(_ fault: StorageProblem) { self.fault = fault }

  package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    throw fault
  }

  package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    throw fault
  }

  package func write(
    _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
  ) throws(StorageProblem) { throw fault }

  package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) { throw fault }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) { throw fault }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) { throw fault }

  package func makeDurable(_ container: StorageContainer) throws(StorageProblem) { throw fault }

  package func purge(_ container: StorageContainer) throws(StorageProblem) { throw fault }

  package var removesAtNextLaunch: Bool { false }
}
