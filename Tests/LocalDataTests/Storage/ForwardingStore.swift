import Foundation
import StorageVocabulary

@testable import LocalData

/// A store that does what another does, but for what a test makes it do otherwise.
protocol ForwardingStore: ValueStore {
  var base: MemoryStore { get }
}

extension ForwardingStore {
  var removesAtNextLaunch: Bool { base.removesAtNextLaunch }
  var withoutWaiting: (any ValueStore)? { nil }

  func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    try base.read(place, attributes)
  }

  func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
    try base.exists(place, attributes)
  }

  func write(_ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
    try base.write(bytes, to: place, attributes)
  }

  func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
    try base.remove(place, attributes)
  }

  func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) { try base.update(place, attributes, change) }

  func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (Data) throws(StorageFault) -> Bool
  ) throws(StorageFault) { try base.scan(container, upTo: limit, visit) }

  func names(
    in container: StorageContainer, _ visit: (String) throws(StorageFault) -> Bool
  ) throws(StorageFault) { try base.names(in: container, visit) }

  func makeDurable(_ container: StorageContainer) throws(StorageFault) { try base.makeDurable(container) }

  func purge(_ container: StorageContainer) throws(StorageFault) { try base.purge(container) }
}
