public import Foundation

extension Maintenance {
  /// The result of ``abandonEncryptedData(progress:)``.
  public struct AbandonedData: Sendable, Hashable {
    /// The registered keys whose values are lost; each family once for each member.
    public var keys: [StorageError.Subject] = []
    /// The number of values that no registered key owns.
    public var unregistered = 0
    /// The folders that contain the encrypted values now.
    public var folders: [URL] = []

    fileprivate mutating func note(_ key: StorageError.Subject?) {
      if let key { keys.append(key) } else { unregistered += 1 }
    }
  }

  /// Moves the values aside whose key is lost, so that their keys can be set again.
  ///
  /// After the master key was lost, for example with a keystore that was deleted, or on a device that was restored without its
  /// keychain, encrypted keys throw ``StorageError/keyMaterialMissing(_:)``. If no backup of the keychain or the keystore
  /// exists, call this function. Values whose key is there are not touched.
  ///
  /// ```swift
  /// let lost = try await router.maintenance.abandonEncryptedData()
  /// print(lost.keys)   // ['note' in userDefaults]
  /// try await router.set("new", for: .note)
  /// ```
  ///
  /// The encrypted bytes are kept in the hidden folder `.abandoned` of the app's data or the group's container, until
  /// ``removeSetAsideFiles(_:)`` removes them. If the process is killed, the next call continues.
  ///
  /// If the keystore itself cannot be opened, because its database or key file is damaged or missing, set it aside first. A
  /// damaged database of preferences may contain values whose key is lost. The error names its domain, also if no registered
  /// key is stored there. Set it aside, and call the function again:
  ///
  /// ```swift
  /// do { try await router.maintenance.abandonEncryptedData() } catch StorageError.containerDamaged(_, let domain) {
  ///   try await router.maintenance.setAsideDamaged(domain)
  ///   try await router.maintenance.abandonEncryptedData()
  /// }
  /// ```
  ///
  /// - Parameter progress: Called after each value whose key is lost, also if it was changed meanwhile and stays.
  /// - Returns: What is lost, and where its bytes are.
  /// - Throws: ``StorageError/keyMaterialMissing(_:)`` and ``StorageError/keyMaterialDamaged(_:)`` if the keystore cannot be
  ///   opened, ``StorageError/containerDamaged(_:_:)`` if a database is damaged, ``StorageError/locked(_:)`` if the keys
  ///   cannot be read now, ``StorageError/configurationConflict(_:)`` if files must be moved with ``relocate(progress:)`` first,
  ///   ``StorageError/unknownFormatVersion(_:)`` if a newer version has written a value, and what keeps a container from being
  ///   listed or a value from being moved. Everything else is as it was then.
  @discardableResult
  public func abandonEncryptedData(
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> AbandonedData {
    var (abandoned, done) = (AbandonedData(), Progress(completed: 0, total: 0))
    for values in sealedValues() {
      guard let files = values.encryption.files else { continue }
      try await values.run { (encryption) throws(StorageFault) in
        if try encryption.vault.setAsideDamaged(values.keyset) { encryption.forgetRecords() }
      }
      // Before the keys are read: a value that is encrypted with a key of later is none of these.
      let places = try await values.places()
      let record = try await values.run { (encryption) throws(StorageFault) in
        try encryption.storedRecord(of: values.keyset)
      }
      let lost = places.filter { place in
        // What another app of the team may have sealed is not this app's to move.
        guard place.isOwn else { return false }
        // If there is a master key, a damaged value is reported when its key is used.
        guard let seal = place.seal else { return record == nil }
        return record?.opens(seal) != true
      }
      done.total += lost.count
      var isMoved = false
      for place in lost {
        do throws(StorageFault) {
          if try await values.moveAside(place, files) {
            isMoved = true
            abandoned.note(values.registered.subject(of: place.place))
          }
        } catch {
          throw values.error(error, at: place.place)
        }
        done.completed += 1
        progress(done)
      }
      let folder = try await values.run { (encryption) throws(StorageFault) in
        // Last: until everything is moved, no new master key is created.
        let hasKeys = try encryption.storedRecord(of: values.keyset) != nil
        if record == nil, !hasKeys { try files.unmark(values.keyset) }
        encryption.forgetRecords()
        return try files.abandoned(values.keyset).path
      }
      if isMoved { abandoned.folders.append(URL(fileURLWithPath: folder)) }
    }
    return abandoned
  }
}
