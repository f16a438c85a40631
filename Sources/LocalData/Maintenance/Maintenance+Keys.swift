public import StorageVocabulary

/// Functions for the keys that encrypt values.
extension Maintenance {
  /// The result of ``rotateKeys(progress:)``.
  public struct KeyRotation: Sendable, Hashable {
    /// The number of values that were encrypted with the new key.
    public var reencrypted = 0
    /// The values that may still need an old key, and why. A value that throws ``StorageError/authenticationFailed(_:)`` is
    /// damaged: no later call can encrypt it again. See ``Maintenance/abandonEncryptedData(includingDamaged:progress:)``.
    public var failures: [StorageError] = []
    /// A Boolean value that indicates whether no value needs an old key any more.
    public var isComplete: Bool { failures.isEmpty }
  }

  /// Creates a new master key, and encrypts every value with it: those of the app, and of the app groups of registered keys,
  /// also the values that ``quarantined()`` returns.
  ///
  /// Every value can be read and written meanwhile. Old keys are kept, because backups may need them; see
  /// ``destroyRetiredKeys(progress:)``. If the process is killed, or a value cannot be encrypted again now, the next call
  /// continues with the same new key.
  ///
  /// ```swift
  /// let rotation = try await router.maintenance.rotateKeys { print("\($0.completed) of \($0.total)") }
  /// print(rotation.isComplete)   // true
  /// ```
  ///
  /// A value that was damaged keeps the rotation from being complete, because an old key may have encrypted it. Set it anew or
  /// remove it, or move all such values aside, also those that no registered key owns:
  ///
  /// ```swift
  /// try await router.maintenance.abandonEncryptedData(includingDamaged: true)
  /// print(try await router.maintenance.rotateKeys().isComplete)   // true
  /// ```
  ///
  /// Keys of a provider are the provider's: they are not rotated.
  ///
  /// - Parameter progress: Called after each value. Values that were moved aside are counted when the others are done.
  /// - Returns: The number of values that were encrypted again, and what failed.
  /// - Throws: ``StorageError/keyMaterialMissing(_:)`` and ``StorageError/locked(_:)`` if the keys cannot be read now,
  ///   ``StorageError/configurationConflict(_:)`` if files must be moved with ``relocate(progress:)`` first, and what keeps a
  ///   container from being listed, for example ``StorageError/containerDamaged(_:_:)``. A rotation that has begun is continued
  ///   by the next call. A value of a newer version of the app is a failure of the result.
  @discardableResult
  public func rotateKeys(
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> KeyRotation {
    var rotation = KeyRotation()
    let waits = waits()
    var done = Progress(completed: 0, total: 0)
    for values in sealedValues() {
      let begun = try await values.run { (encryption) throws(StorageFault) in
        try encryption.beginRotation(of: values.keyset)
      }
      guard let begun else { continue }
      let earlierFailures = rotation.failures.count
      let places = try await values.places().filter { place in
        // A damaged header may have named any key, and so may a file that cannot be read now.
        place.seal.map { begun.retiredIDs.contains($0.keyID) } ?? true
      }
      done.total += places.count
      for place in places {
        do throws(StorageError) {
          let isDone = try await values.step(at: place.place, waits) { () async throws(StorageFault) in
            if let fault = place.fault { throw fault }
            return try await values.reseal(place.place)
          }
          if isDone { rotation.reencrypted += 1 }
        } catch {
          rotation.failures.append(error)
        }
        done.completed += 1
        progress(done)
      }
      // What was moved aside meanwhile is among them, since the values come first.
      let copies = try await values.quarantined().filter { _, sealed in
        sealed.seal.map { begun.retiredIDs.contains($0.keyID) } ?? true
      }
      done.total += copies.count
      for (copy, sealed) in copies {
        do throws(StorageError) {
          let isDone = try await values.step(at: copy.place, waits) { () async throws(StorageFault) in
            if let fault = sealed.fault { throw fault }
            return try await values.reseal(copy)
          }
          if isDone { rotation.reencrypted += 1 }
        } catch {
          rotation.failures.append(error)
        }
        done.completed += 1
        progress(done)
      }
      guard rotation.failures.count == earlierFailures else { continue }
      try await values.run { (encryption) throws(StorageFault) in
        try encryption.endRotation(of: values.keyset, primary: begun.primary)
      }
    }
    return rotation
  }

  /// Destroys the master keys that earlier rotations have replaced. What only they can decrypt, for example in a backup of
  /// the app's folders, is lost then.
  ///
  /// ```swift
  /// try await router.maintenance.rotateKeys()
  /// print(try await router.maintenance.destroyRetiredKeys())   // 1
  /// ```
  ///
  /// - Parameter progress: Called after each encrypted value that was looked at.
  /// - Returns: The number of destroyed keys.
  /// - Throws: ``StorageError/retiredKeyInUse(_:)`` if a stored value or one of
  ///   ``quarantined()`` needs one of them, or a rotation is unfinished, and
  ///   what keeps a container from being listed or a value from being read. ``StorageError/configurationConflict(_:)`` if
  ///   files must be moved with ``relocate(progress:)`` first, and on Apple's platforms if the master key is in a configured
  ///   access group: the values of the extensions that share it cannot be looked at.
  ///   ``StorageError/missingEntitlement(_:)`` if the process has no entitlement for the keychain access group of a registered
  ///   key, where a value may need one of them. The keys of the app, or of the app group, are all kept then. Those of the
  ///   others are destroyed.
  ///   After any other error, for example ``StorageError/busy(_:)`` because another process reads the keystore, keys may be
  ///   destroyed whose copies are still in the keystore's files. Call the function again: it removes the copies. It does not
  ///   count these keys.
  @discardableResult
  public func destroyRetiredKeys(
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> Int {
    var (count, done, first) = (0, Progress(completed: 0, total: 0), StorageError?.none)
    for values in sealedValues() {
      do throws(StorageError) { count += try await destroyRetiredKeys(of: values, &done, progress) } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
    return count
  }

  private func destroyRetiredKeys(
    of values: SealedValues, _ done: inout Progress, _ progress: @Sendable (Progress) -> Void
  ) async throws(StorageError) -> Int {
    let stored = try await values.run { (encryption) throws(StorageFault) in
      try encryption.storedRecord(of: values.keyset)
    }
    guard let record = stored else { return 0 }
    guard record.keys.count > 1 else {
      // An earlier call may have been ended before it removed the copies of the keys that it destroyed.
      try await values.run { (encryption) throws(StorageFault) in try encryption.vault.purge(values.keyset) }
      return 0
    }
    if record.isRotating { throw .retiredKeyInUse(.none) }
    #if canImport(Darwin)
      if values.encryption.configuration.masterKeyAccessGroup != nil { throw .configurationConflict(.none) }
    #endif
    let retired = record.retiredIDs
    let places = try await values.places(needsEveryGroup: true)
    done.total += places.count
    for place in places {
      if let fault = place.fault { throw values.error(fault, at: place.place) }
      // A damaged header may have named any key.
      guard let seal = place.seal, !retired.contains(seal.keyID) else {
        throw values.error(.retiredKeyInUse, at: place.place)
      }
      done.completed += 1
      progress(done)
    }
    for (copy, sealed) in try await values.quarantined() {
      if let fault = sealed.fault { throw values.error(fault, at: copy.place) }
      if let seal = sealed.seal, retired.contains(seal.keyID) { throw values.error(.retiredKeyInUse, at: copy.place) }
    }
    return try await values.run { (encryption) throws(StorageFault) in
      try encryption.destroyRetiredKeys(of: values.keyset, known: record)
    }
  }

  /// Forgets which key a provider has given, because the app replaces it on purpose.
  ///
  /// The library records an identifier of each key that a provider gives, and refuses to encrypt with another one, with
  /// ``StorageError/authenticationFailed(_:)``. To replace a key, read the values, call this function, register a provider of
  /// the new key, and set the values again. Values that are not set again can be decrypted with the old key alone.
  ///
  /// - Parameter source: The source of the key.
  /// - Throws: What keeps the record from being read or removed.
  public func forgetKeyMaterial(of source: KeyMaterialSource) async throws(StorageError) {
    for values in sealedValues() {
      try await values.run { (encryption) throws(StorageFault) in
        try encryption.forgetMaterial(of: source, values.keyset)
        encryption.lock()
      }
    }
  }

  /// The sealed values of each keyset of the router.
  func sealedValues() -> [SealedValues] {
    let keysets = router.setup.withLock(\.registry.keysets)
    let registered = RegisteredValues(router)
    return keysets.map { SealedValues(router.values(for: nil).services, registered, $0) }
  }
}
