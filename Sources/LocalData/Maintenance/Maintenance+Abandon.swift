public import Foundation

extension Maintenance {
  /// The result of ``abandonEncryptedData()``.
  public struct AbandonedData: Sendable, Hashable {
    /// The registered keys whose values are lost; each family once for each member.
    public var keys: [StorageError.Subject] = []
    /// The number of values that no registered key owns.
    public var unregistered = 0
    /// The folders that contain the encrypted values now.
    public var folders: [URL] = []
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
  /// The encrypted bytes are kept in the hidden folder `.abandoned` of the app's data or the group's container, where they use
  /// space until the app deletes them. If the process is killed, the next call continues.
  ///
  /// If the keystore itself cannot be opened, because its database or key file is damaged or missing, set it aside first.
  ///
  /// - Returns: What is lost, and where its bytes are.
  /// - Throws: ``StorageError/keyMaterialMissing(_:)``, ``StorageError/keyMaterialDamaged(_:)`` and
  ///   ``StorageError/databaseDamaged(_:)`` if the keystore cannot be opened, ``StorageError/locked(_:)`` if the keys cannot be
  ///   read now, ``StorageError/unknownFormatVersion(_:)`` if a newer version has written a value, and what keeps a container
  ///   from being listed or a value from being moved. Everything else is as it was then.
  @discardableResult
  public func abandonEncryptedData() async throws(StorageError) -> AbandonedData {
    var abandoned = AbandonedData()
    for values in sealedValues() {
      guard let files = values.encryption.files else { continue }
      let record = try await values.run { (encryption) throws(StorageFault) in
        if try encryption.vault.setAsideDamaged(values.keyset) { encryption.forgetRecords() }
        return try encryption.storedRecord(of: values.keyset)
      }
      var isMoved = false
      for place in try await values.places() where place.seal.map({ record?.opens($0) ?? false }) != true {
        // If there is a master key, a damaged value is reported when its key is used.
        if record != nil, place.seal == nil { continue }
        do throws(StorageFault) {
          guard try await values.moveAside(place.place, files) else { continue }
        } catch {
          throw values.error(error, at: place.place)
        }
        isMoved = true
        if let subject = values.registered.subject(of: place.place) {
          abandoned.keys.append(subject)
        } else {
          abandoned.unregistered += 1
        }
      }
      let folder = try await values.run { (encryption) throws(StorageFault) in
        // Last: until everything is moved, no new master key is created.
        if record == nil { try files.unmark(values.keyset) }
        encryption.forgetRecords()
        return try files.abandoned(values.keyset).path
      }
      if isMoved { abandoned.folders.append(URL(fileURLWithPath: folder)) }
    }
    return abandoned
  }
}
