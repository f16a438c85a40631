package import Foundation

/// The store of a domain: bytes by their addresses. Calls block. The router runs those that may wait on other threads than
/// those of Swift's concurrency.
///
/// A store is complete when it passes the contract suite of LocalDataTesting.
package protocol ValueStore: Sendable {
  /// The same store for callers that must not wait: if a call would wait for a disk, a prompt, or another thread or process,
  /// it does nothing and throws `busy`. `nil` if every call may have to wait.
  var withoutWaiting: (any ValueStore)? { get }

  /// Gets the keys that other calls need and that may take long, for example a passphrase of the user. Callers that take a
  /// lock call it before.
  ///
  /// - Throws: A fault if they cannot be had now.
  func prepare() throws(StorageFault)

  /// Returns the bytes at an address, or `nil` if there are none.
  ///
  /// - Throws: ``StorageFault/valueTooLarge`` if there are more than the attributes allow, ``StorageFault/locked`` and
  ///   other faults if they cannot be read now.
  func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data?

  /// Returns true if there are bytes at an address. Never prompts.
  ///
  /// - Throws: A fault if the store cannot be read now.
  func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool

  /// Returns bytes that differ after every write to an address, or `nil` if nothing is stored. Never prompts.
  ///
  /// - Throws: A fault if the store cannot be read now.
  func version(of place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data?

  /// Returns the time at which the bytes at an address were written, or `nil` if nothing is stored or the time is not known
  /// now. Never prompts.
  ///
  /// - Throws: A fault if the store cannot be read now.
  func modification(of place: StoragePlace) throws(StorageFault) -> Date?

  /// Stores bytes at an address, whatever was there. Durable on return as far as the domain promises.
  ///
  /// - Throws: ``StorageFault/outOfSpace``, ``StorageFault/busy`` and other faults. What was stored is still there then.
  func write(_ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault)

  /// Removes what is stored at an address, if anything is.
  ///
  /// - Throws: A fault if it cannot be removed now.
  func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault)

  /// Reads, lets `change` decide, and writes, with no other writer between, on Linux of any process.
  ///
  /// - Throws: What `change` throws, and what ``read(_:_:)`` and ``write(_:to:_:)`` throw. Nothing was changed then.
  func update(
    _ place: StoragePlace, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault)

  /// Hands the beginning of every value of a container to `visit`, in no order, until `visit` returns `false`.
  ///
  /// `limit` is the number of bytes that are handed over at most. A store that can read the beginning of a value alone
  /// reads no more of it. A container that does not exist yet is empty; one that cannot be read throws. Application
  /// support includes the custom directories, and a custom directory includes those in it.
  ///
  /// - Throws: What `visit` throws, and a fault if the container cannot be read now.
  func scan(
    _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
  ) throws(StorageFault)

  /// Hands the stored name of every value of a container to `visit`, in no order, until `visit` returns `false`.
  ///
  /// No value is read and the user is never asked. A container that does not exist yet is empty; one that cannot be listed
  /// now throws. Other containers in the same folder are not included. `visit` must not call the store.
  ///
  /// - Throws: What `visit` throws, and a fault if the container cannot be listed now.
  func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
  ) throws(StorageFault)

  /// Removes a value that is damaged, and keeps its bytes elsewhere in the store.
  ///
  /// Throws ``StorageFault/keyMaterialDamaged`` if the store cannot do that.
  func setAsideDamaged(_ place: StoragePlace) throws(StorageFault)

  /// Makes what was written to a container so far survive a loss of power, also where the domain does not promise it,
  /// and where its writer was killed before that.
  ///
  /// - Throws: A fault if that is not certain.
  func makeDurable(_ container: StorageContainer) throws(StorageFault)

  /// Leaves no copy of what was removed from a container: no free page and no write-ahead log holds it any more.
  ///
  /// - Throws: ``StorageFault/busy`` if another process that reads prevents that.
  func purge(_ container: StorageContainer) throws(StorageFault)

  /// Returns the state of a container, or `nil` if the store would have to read values to compare it.
  ///
  /// Bytes that are read after this call are still stored as long as the state is current.
  func state(of container: StorageContainer) throws(StorageFault) -> (any ContainerState)?

  /// Calls `onChange` after each change of a value by any process, and perhaps more often, until the result is released.
  ///
  /// - Parameters:
  ///   - container: The container of the value.
  ///   - name: The stored name of the value, or `nil` for all values of the container.
  ///   - onChange: A closure that returns quickly.
  /// - Returns: The watch, or `nil` if the store cannot watch these values.
  func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageFault) -> (any Sendable)?

  /// A Boolean value that indicates whether a value that is moved from or to the store may be removed from its source only at the
  /// next launch of the app. It is true for Apple's UserDefaults, which write to the disk later and in another order.
  var removesAtNextLaunch: Bool { get }
}

extension ValueStore {
  package func setAsideDamaged(_ place: StoragePlace) throws(StorageFault) { throw .keyMaterialDamaged }

  /// Does nothing: the store needs no keys.
  package func prepare() throws(StorageFault) {}

  /// Knows no times.
  package func modification(of place: StoragePlace) throws(StorageFault) -> Date? { nil }

  /// Watches nothing.
  package func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageFault) -> (any Sendable)? { nil }

  /// Knows no states.
  package func state(of container: StorageContainer) throws(StorageFault) -> (any ContainerState)? { nil }

  /// A digest of the stored bytes, which tells nothing of them.
  package func version(of place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
    guard var bytes = try read(place, attributes) else { return nil }
    defer { bytes.wipe() }
    return KeyID(of: SecretBytes(bytes)).bytes
  }
}

/// A state of a container.
package protocol ContainerState: Sendable {
  /// A Boolean value that indicates whether no process has changed a value of the container since.
  var isCurrent: Bool { get }
}

/// The change to make after a look at a stored value.
package enum StorageChange: Sendable {
  case keep
  case write(Data)
  case remove
}
