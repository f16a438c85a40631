public import LocalData
import LocalDataFoundation

/// Functions for the keys that encrypt values.
extension Maintenance {
  /// The result of ``rotateKeys(progress:)``.
  public struct KeyRotation: Sendable, Hashable {
    /// The number of values that were encrypted again with the new key. A database of records counts as one.
    public var reencrypted = 0
    /// The errors of the values that may still need an old key. A value with the error
    /// ``StorageProblem/Code/authenticationFailed`` is damaged: no later call can encrypt it again. See
    /// ``Maintenance/abandonEncryptedData(includingDamaged:progress:)``.
    public var failures: [StorageError] = []
    /// A Boolean value that indicates whether no value needs an old key any more.
    public var isComplete: Bool { failures.isEmpty }
  }

  /// Creates a new master key, and encrypts every value with it: the values of the app, of the app groups of registered keys,
  /// the rows of databases of records, and the values that ``quarantined()`` returns.
  ///
  /// A database of records gets a new record key. Its rows are sealed again with their indexes, a few hundred in one transaction,
  /// and then its earlier record keys are removed. If a row is damaged, its database is among the failures and keeps them. Such
  /// rows are found by `damagedRecords()` of the product `LocalDataRecords`.
  ///
  /// Every value can be read and written during the rotation. Old keys are kept, because backups may need them.
  /// ``destroyRetiredKeys(progress:)`` removes them. If the process is killed, or a value cannot be encrypted again now, the
  /// next call continues with the same new key.
  ///
  /// ```swift
  /// let rotation = try await router.maintenance.rotateKeys { print("\($0.completed) of \($0.total)") }
  /// print(rotation.isComplete)   // true
  /// ```
  ///
  /// If a value is damaged, the rotation is not complete, because an old key may have encrypted the value. Set the value again
  /// or remove it, or move all damaged values aside, including values that belong to no registered key:
  ///
  /// ```swift
  /// try await router.maintenance.abandonEncryptedData(includingDamaged: true)
  /// print(try await router.maintenance.rotateKeys().isComplete)   // true
  /// ```
  ///
  /// Keys of a provider are not rotated.
  ///
  /// - Parameter progress: Called after each value. Quarantined values are added to the total when the others are done.
  /// - Returns: The number of values that were encrypted again, and the errors of the others.
  /// - Throws: ``StorageProblem/Code/keyMaterialMissing`` and ``StorageProblem/Code/locked`` if the keys cannot be read now,
  ///   ``StorageProblem/Code/configurationConflict`` if files were stored under another sub-directory. Every other
  ///   ``StorageError`` if a container cannot be listed, for example ``StorageProblem/Code/containerDamaged``. The next call
  ///   continues a rotation that has begun. A value of a newer version of the app is not thrown, but is a failure in the
  ///   result.
  @discardableResult
  @concurrent public func rotateKeys(
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> KeyRotation {
    let waits = waits()
    var rotation = KeyRotation()
    var done = Progress(completed: 0, total: 0)
    for values in sealedValues() {
      let ofKeyset = try await rotateKeys(of: values, waits, &done, progress)
      rotation.reencrypted += ofKeyset.reencrypted
      rotation.failures += ofKeyset.failures
    }
    return rotation
  }

  /// Rotates the master key of one keyset. The rotation ends if no value needs an old key any more.
  private func rotateKeys(
    of values: KeysetValues, _ waits: CallWaits, _ done: inout Progress, _ progress: @Sendable (Progress) -> Void
  ) async throws(StorageError) -> KeyRotation {
    var rotation = KeyRotation()
    let begun = try await values.run { (encryption) throws(StorageProblem) in
      try encryption.beginRotation(of: values.keyset)
    }
    guard let begun else { return rotation }
    let retired = begun.retiredIDs
    // An earlier record key that a move of its database has sealed again still has rows.
    let stored = try await values.addresses().filter { $0.mayNeed(retired) || $0.recordKey != nil }
    done.total += stored.count
    for sealed in stored {
      await reencrypt(sealed, of: values, waits, &rotation) { () async throws(StorageProblem) in
        try await values.reseal(sealed)
      }
      done.advance(progress)
    }
    // Values that were quarantined during the rotation are included, because this list is read last.
    let copies = try await values.quarantined().filter { $0.sealed.mayNeed(retired) }
    done.total += copies.count
    for (copy, sealed) in copies {
      await reencrypt(sealed, of: values, waits, &rotation) { () async throws(StorageProblem) in
        try await values.reseal(copy)
      }
      done.advance(progress)
    }
    guard rotation.isComplete else { return rotation }
    try await values.run { (encryption) throws(StorageProblem) in
      try encryption.endRotation(of: values.keyset, primary: begun.primary)
    }
    return rotation
  }

  /// Encrypts a value again with `reseal`, and adds the outcome to the rotation.
  private func reencrypt(
    _ sealed: SealedAddress, of values: KeysetValues, _ waits: CallWaits, _ rotation: inout KeyRotation,
    _ reseal: () async throws(StorageProblem) -> Bool
  ) async {
    do throws(StorageError) {
      let isDone = try await values.step(at: sealed, waits) { () async throws(StorageProblem) in
        if let fault = sealed.fault { throw fault }
        return try await reseal()
      }
      if isDone { rotation.reencrypted += 1 }
    } catch {
      rotation.failures.append(error)
    }
  }

  /// Destroys the master keys that earlier rotations have replaced. Values that only these keys can decrypt, for example in a
  /// backup of the app's folders, are lost after that. All values are on the disk before a key is destroyed.
  ///
  /// ```swift
  /// try await router.maintenance.rotateKeys()
  /// print(try await router.maintenance.destroyRetiredKeys())   // 1
  /// ```
  ///
  /// - Parameter progress: Called after each encrypted value that was checked.
  /// - Returns: The number of destroyed keys.
  /// - Throws: ``StorageProblem/Code/retiredKeyInUse`` if a stored or quarantined value needs one of the keys, or a rotation is
  ///   unfinished. ``StorageProblem/Code/unregistered`` if there is a file of a database of records, and no registered catalog
  ///   has such a database. ``StorageProblem/Code/configurationConflict`` if files were stored under another sub-directory. On
  ///   Apple's platforms it is also thrown if the master key is in a configured access group, because the values of the
  ///   extensions that share it cannot be checked. ``StorageProblem/Code/missingEntitlement`` if the process has no entitlement
  ///   for the keychain access group of a registered key, where a value may need one of the keys. Every other ``StorageError``
  ///   if a container cannot be listed or a value cannot be read. After one of these errors, all keys of this app or app group
  ///   are kept, and the retired keys of the others are destroyed. If the keys are destroyed but their copies in the
  ///   keystore's files cannot be erased now, the function also throws an error, for example ``StorageProblem/Code/busy`` because
  ///   another process reads the keystore. Call the function again to erase the copies. It does not count these keys again.
  @discardableResult
  @concurrent public func destroyRetiredKeys(
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> Int {
    var count = 0
    var done = Progress(completed: 0, total: 0)
    var first = StorageError?.none
    for values in sealedValues() {
      do throws(StorageError) { count += try await destroyRetiredKeys(of: values, &done, progress) } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
    return count
  }

  private func destroyRetiredKeys(
    of values: KeysetValues, _ done: inout Progress, _ progress: @Sendable (Progress) -> Void
  ) async throws(StorageError) -> Int {
    let stored = try await values.run { (encryption) throws(StorageProblem) in
      try encryption.storedRecord(of: values.keyset)
    }
    guard let record = stored else { return 0 }
    guard record.keys.count > 1 else {
      // An earlier call may have been interrupted before it erased the copies of the destroyed keys.
      try await values.run { (encryption) throws(StorageProblem) in try encryption.vault.purge(values.keyset) }
      return 0
    }
    if record.isRotating { throw StorageError(.retiredKeyInUse, .none) }
    #if canImport(Darwin)
      if values.encryption.configuration.masterKeyAccessGroup != nil {
        throw StorageError(.configurationConflict, .none)
      }
    #endif
    let retired = record.retiredIDs
    let found = try await values.addresses(needsEveryGroup: true)
    done.total += found.count
    for sealed in found {
      if let fault = sealed.fault { throw values.error(fault, at: sealed) }
      // A value with a damaged header may need any key.
      guard let seal = sealed.seal, !retired.contains(seal.keyID) else {
        throw values.error(.retiredKeyInUse, at: sealed)
      }
      done.advance(progress)
    }
    for (_, sealed) in try await values.quarantined() {
      if let fault = sealed.fault { throw values.error(fault, at: sealed) }
      if let seal = sealed.seal, retired.contains(seal.keyID) { throw values.error(.retiredKeyInUse, at: sealed) }
    }
    try await values.makeDurable(found)
    return try await values.run { (encryption) throws(StorageProblem) in
      try encryption.destroyRetiredKeys(of: values.keyset, known: record)
    }
  }

  /// Removes the recorded identifier of a provider's key, so that the provider can give another key.
  ///
  /// The library records an identifier of each key that a provider gives. If the provider later gives another key, calls that
  /// encrypt throw ``StorageProblem/Code/authenticationFailed``. To replace a key, read the values, call this function, register
  /// a provider of the new key, and set the values again. Values that are not set again can be decrypted only with the old
  /// key.
  ///
  /// - Parameter source: The source of the key.
  /// - Throws: A ``StorageError`` if the record cannot be read or removed.
  @concurrent public func forgetKeyMaterial(of source: KeyMaterialSource) async throws(StorageError) {
    for values in sealedValues() {
      try await values.run { (encryption) throws(StorageProblem) in
        try encryption.forgetMaterial(of: source, values.keyset)
        encryption.lock()
      }
    }
  }

  /// Returns the sealed values of each keyset of the router.
  func sealedValues() -> [KeysetValues] {
    let keysets = router.setup.withLock(\.registry.keysets)
    let registered = RegisteredKeyIndex(router)
    return keysets.map { KeysetValues(router.values(for: nil).services, registered, $0) }
  }
}

extension SealedAddress {
  /// Returns true if one of several keys may have sealed the value. A value with a damaged header, or a file that cannot be
  /// read now, may need any key.
  fileprivate func mayNeed(_ keys: Set<KeyID>) -> Bool { seal.map { keys.contains($0.keyID) } ?? true }
}
