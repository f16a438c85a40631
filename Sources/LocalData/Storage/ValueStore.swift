package import Foundation

/// The narrow seam of a domain: bytes by place. Calls block; the router makes those that may wait off Swift's threads.
///
/// A store is done when it passes the contract suite of LocalDataTesting.
package protocol ValueStore: Sendable {
  /// The same store for who must not wait: where a call would wait for a disk, a prompt, or another thread or process,
  /// it has done nothing and throws `busy`. `nil` where every call may have to wait.
  var withoutWaiting: (any ValueStore)? { get }

  /// The bytes at a place; `nil` where there are none. What cannot be read now throws.
  func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data?

  /// Whether there are bytes at a place. Never prompts.
  func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool

  /// Puts bytes at a place, whatever was there. Durable on return as far as the domain promises.
  func write(_ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault)

  /// Removes what is at a place, if anything is.
  func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault)

  /// Reads, lets `change` decide, and writes, with no other writer between, on Linux of any process.
  func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault)

  /// Hands the beginning of every value of a container to `visit`, in no order, until `visit` returns `false`.
  ///
  /// `limit` is the number of bytes that are handed over at most. A store that can read the beginning of a value alone
  /// reads no more of it. A container that does not exist yet is empty; one that cannot be read throws. Application
  /// support includes the custom directories, and a custom directory includes those in it.
  func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault)

  /// Hands the stored name of every value of a container to `visit`, in no order, until `visit` returns `false`.
  ///
  /// No value is read and the user is never asked. A container that does not exist yet is empty; one that cannot be listed
  /// now throws. Other containers in the same folder are not included. `visit` must not call the store.
  func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault)

  /// Makes what was written to a container so far survive a loss of power, also where the domain does not promise it,
  /// and where its writer was killed before that.
  func makeDurable(_ container: StorageContainer) throws(StorageFault)

  /// Leaves no copy of what was removed from a container: no free page and no write-ahead log holds it any more.
  ///
  /// Throws `busy` where somebody who reads keeps it from that.
  func purge(_ container: StorageContainer) throws(StorageFault)

  /// Whether what a migration has moved may be removed only at the next launch of the app (Apple's UserDefaults: the
  /// store writes behind, in an order of its own).
  var removesAtNextLaunch: Bool { get }
}

/// What to do with a place after a look at it.
package enum StorageChange: Sendable {
  case keep
  case write(Data)
  case remove
}
