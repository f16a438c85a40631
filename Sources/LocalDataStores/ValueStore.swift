package import LocalDataFoundation
import LocalDataSystem

/// The store of a domain: bytes by their addresses. Calls block. The router runs those that may wait on other threads than
/// those of Swift's concurrency.
///
/// In a call that must not wait (``CallDeadline/withoutWaiting(_:)``), a function that would have to wait for a disk, a prompt, or
/// another thread or process does nothing and throws ``StorageProblem/busy``.
///
/// A store is complete when it passes the contract suite of LocalDataTesting.
package protocol ValueStore: Sendable {
  /// Gets the keys that other calls need and that may take long, for example a passphrase of the user. Callers that take a
  /// lock call it before.
  ///
  /// - Throws: A fault if they cannot be had now.
  func prepare() throws(StorageProblem)

  /// Returns the bytes at an address, or `nil` if there are none.
  ///
  /// - Throws: ``StorageProblem/valueTooLarge`` if there are more than the attributes allow, ``StorageProblem/locked`` and
  ///   other faults if they cannot be read now.
  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data?

  /// Returns true if there are bytes at an address. Never prompts.
  ///
  /// - Throws: A fault if the store cannot be read now.
  func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool

  /// Returns bytes that differ after every write to an address, or `nil` if no value is stored. Never prompts.
  ///
  /// - Throws: A fault if the store cannot be read now.
  func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data?

  /// Returns the time at which the bytes at an address were written, or `nil` if no value is stored or the time is unknown
  /// now. Never prompts.
  ///
  /// - Throws: A fault if the store cannot be read now.
  func modification(of address: StorageAddress) throws(StorageProblem) -> Date?

  /// Stores bytes at an address, and replaces an earlier value. When the function returns, the bytes are as durable as the
  /// domain promises.
  ///
  /// - Throws: ``StorageProblem/outOfSpace``, ``StorageProblem/busy`` and other faults. Then the earlier value is unchanged.
  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem)

  /// Removes the value at an address, if there is one.
  ///
  /// - Throws: A fault if it cannot be removed now.
  func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem)

  /// Reads a value, calls `change`, and writes the result. No other writer can change the value in between, on Linux also no
  /// other process.
  ///
  /// - Throws: The errors of `change`, ``read(_:_:)`` and ``write(_:to:_:)``. Then no value was changed.
  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem)

  /// Calls `visit` with the stored name of every value of a container, in any order, until `visit` returns `false`.
  ///
  /// Reads no value and never prompts. A container that does not exist yet is empty; a container that cannot be listed now
  /// throws. Other containers in the same folder are not included. `visit` must not call the store.
  ///
  /// - Throws: What `visit` throws, and a fault if the container cannot be listed now.
  func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem)

  /// Removes a value that is damaged, and keeps its bytes elsewhere in the store.
  ///
  /// Throws ``StorageProblem/keyMaterialDamaged`` if the store cannot do that.
  func setAsideDamaged(_ address: StorageAddress) throws(StorageProblem)

  /// Makes all earlier writes to a container durable, also if the domain does not promise it, and where its writer was killed
  /// before that.
  ///
  /// - Throws: A fault if that is not certain.
  func makeDurable(_ container: StorageContainer) throws(StorageProblem)

  /// Erases the copies of removed values of a container in free pages and in the write-ahead log.
  ///
  /// - Throws: ``StorageProblem/busy`` if another process that reads prevents that.
  func purge(_ container: StorageContainer) throws(StorageProblem)

  /// Returns the state of a container, or `nil` if the store would have to read values to compare it.
  ///
  /// Bytes that are read after this call are still stored as long as the state is current.
  func state(of container: StorageContainer) throws(StorageProblem) -> (any ContainerState)?

  /// Calls `onChange` after each change of a value by any process, and perhaps more often, until the result is released.
  ///
  /// - Parameters:
  ///   - container: The container of the value.
  ///   - name: The stored name of the value, or `nil` for all values of the container.
  ///   - onChange: A closure that returns quickly.
  /// - Returns: The watch, or `nil` if the store cannot watch these values.
  func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageProblem) -> (any Sendable)?

  /// A Boolean value that indicates whether the source of a moved value may be removed only at the next launch of the app,
  /// because the value was moved from or to this store. It is true for UserDefaults on Apple's platforms, which writes to the
  /// disk later and in another order.
  var removesAtNextLaunch: Bool { get }
}

extension ValueStore {
  package func setAsideDamaged(_ address: StorageAddress) throws(StorageProblem) { throw .keyMaterialDamaged }

  /// Does nothing, because the store needs no keys.
  package func prepare() throws(StorageProblem) {}

  /// Returns no time.
  package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? { nil }

  /// Watches no value.
  package func watch(
    _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
  ) throws(StorageProblem) -> (any Sendable)? { nil }

  /// Returns no state.
  package func state(of container: StorageContainer) throws(StorageProblem) -> (any ContainerState)? { nil }

  /// A digest of the stored bytes, which reveals nothing about them.
  package func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    guard var bytes = try read(address, attributes) else { return nil }
    defer { bytes.wipe() }
    return KeyID(of: SecretBytes(bytes)).bytes
  }
}

extension ValueStore {
  /// Returns the stored names of a container that satisfy a condition.
  package func storedNames(
    in container: StorageContainer, where isIncluded: (String) -> Bool = { _ in true }
  ) throws(StorageProblem) -> [String] {
    var names: [String] = []
    try self.names(in: container) { name in
      if isIncluded(name) { names.append(name) }
      return true
    }
    return names
  }
}

/// A stored value that is read and changed in one step.
package protocol UpdatableValue {
  /// Reads the value, calls `change`, and writes the result, as ``ValueStore/update(_:_:_:)`` does.
  func update(_ change: (Data?) throws(StorageProblem) -> StorageChange) throws(StorageProblem)
}

/// Changes of a value that the caller has read before.
extension UpdatableValue {
  /// Replaces or removes the value if it is still the one that the caller has seen. No other writer can change the value in
  /// between.
  ///
  /// - Parameters:
  ///   - seen: The bytes that the caller has read, or `nil` if no value was stored.
  ///   - new: The bytes that are written instead, or `nil` to remove the value.
  /// - Returns: True if the value was replaced or removed. False if something else is stored now, which is not changed.
  /// - Throws: The errors of ``update(_:)``. Then no value was changed.
  package func replace(_ seen: Data?, with new: Data?) throws(StorageProblem) -> Bool {
    try update(ifStored: seen) { new.map { .write($0) } ?? .remove }
  }

  /// Changes the value if it is still the one that the caller has seen. No other writer can change the value in between.
  ///
  /// - Parameters:
  ///   - seen: The bytes that the caller has read, or `nil` if no value was stored.
  ///   - change: Returns the change. It is called only if `seen` is stored, and again if another process writes before the
  ///     change is made.
  /// - Returns: True if the value was changed. False if something else is stored now, or `change` returned `keep`.
  /// - Throws: The errors of `change` and ``update(_:)``. Then no value was changed.
  package func update(
    ifStored seen: Data?, _ change: () throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) -> Bool {
    var isChanged = false
    try update { (stored) throws(StorageProblem) in
      // The store calls this again if another process has written meanwhile. The last decision counts.
      isChanged = false
      guard stored == seen else { return .keep }
      let change = try change()
      if case .keep = change { return .keep }
      isChanged = true
      return change
    }
    return isChanged
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
