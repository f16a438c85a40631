public import Foundation
public import LocalData

extension Maintenance {
  /// The result of ``abandonEncryptedData(includingDamaged:progress:)``.
  public struct AbandonedData: Sendable, Hashable {
    /// The registered keys whose values are lost, and the databases whose encrypted fields are lost. A family is listed once
    /// for each member.
    public var keys: [StorageError.Subject] = []
    /// The number of lost values that belong to no registered key.
    public var unregistered = 0
    /// The folders that contain the encrypted values now.
    public var folders: [URL] = []
    /// The rows that are left of each record of the databases whose record keys are lost.
    public var records: [StorageCatalogPart.RepairedHistory] = []

    fileprivate mutating func note(_ key: StorageError.Subject?) {
      if let key { keys.append(key) } else { unregistered += 1 }
    }
  }

  /// Moves the encrypted values aside whose encryption key is lost, so that their storage keys can be set again.
  ///
  /// If the master key is lost, calls on encrypted keys throw ``StorageProblem/Code/keyMaterialMissing``. For example, the
  /// keystore was deleted, or a device was restored without its keychain. If no backup of the keychain or the keystore exists,
  /// call this function. It does not change values whose encryption key exists, unless they are damaged and `includingDamaged`
  /// is true.
  ///
  /// ```swift
  /// let lost = try await router.maintenance.abandonEncryptedData()
  /// print(lost.keys)   // ['note' in userDefaults]
  /// try await router.set("new", for: .note)
  /// ```
  ///
  /// Ask the user first: the keychain or the keystore may be restored later. In a database of records, the rows that need a lost
  /// field are removed, and the others stay without their encrypted fields. A copy of the file is kept first.
  ///
  /// The encrypted bytes are kept in the hidden folder `.abandoned` of the app's data or the group's container, until
  /// ``removeSetAsideFiles(_:progress:)`` removes them. If the process is killed, the next call continues.
  ///
  /// If the keystore itself cannot be opened, because its database or key file is damaged or missing, set it aside first. A
  /// damaged database of preferences may also contain values whose encryption key is lost. The error names the domain of the
  /// database, even if no registered key is stored there. Set the database aside, and call the function again:
  ///
  /// ```swift
  /// do { try await router.maintenance.abandonEncryptedData() } catch {
  ///   guard let domain = error.damagedDomain else { throw error }
  ///   try await router.maintenance.setAsideDamaged(domain)
  ///   try await router.maintenance.abandonEncryptedData()
  /// }
  /// ```
  ///
  /// A damaged value cannot be decrypted either, and ``rotateKeys(progress:)`` and ``destroyRetiredKeys(progress:)`` cannot
  /// complete. Set the value again or remove it. If it belongs to no registered key, move it aside:
  ///
  /// ```swift
  /// try await router.maintenance.abandonEncryptedData(includingDamaged: true)
  /// ```
  ///
  /// - Parameters:
  ///   - includingDamaged: True if damaged values are moved aside too: their encryption key exists, but does not decrypt them.
  ///     The function then reads every encrypted value, and throws an error if a value cannot be read now.
  ///   - progress: Called after each value that may be lost, including values that were changed meanwhile and stay.
  /// - Returns: The keys of the lost values, and the folders that contain their bytes.
  /// - Throws: ``StorageProblem/Code/keyMaterialMissing`` and ``StorageProblem/Code/keyMaterialDamaged`` if the keystore cannot be
  ///   opened, ``StorageProblem/Code/containerDamaged`` if a database is damaged,
  ///   ``StorageProblem/Code/databaseDamaged`` if one of records is, ``StorageProblem/Code/locked`` if the keys
  ///   cannot be read now, ``StorageProblem/Code/configurationConflict`` if files were stored under another
  ///   sub-directory, ``StorageProblem/Code/unknownFormatVersion`` if a newer version of the library wrote a value. Every other
  ///   ``StorageError`` if a container cannot be listed or a value cannot be moved. After an error the remaining values have
  ///   not changed.
  @discardableResult
  @concurrent public func abandonEncryptedData(
    includingDamaged: Bool = false, progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> AbandonedData {
    let waits = waits()
    var abandoned = AbandonedData()
    var done = Progress(completed: 0, total: 0)
    for values in sealedValues() {
      guard let files = values.encryption.files else { continue }
      try await values.run { (encryption) throws(StorageProblem) in
        if try encryption.vault.setAsideDamaged(values.keyset) { encryption.forgetRecords() }
      }
      let (candidates, hasKeys) = try await values.candidates(includingDamaged: includingDamaged)
      done.total += candidates.count
      var hasMoved = false
      for candidate in candidates {
        let isMoved = try await values.step(at: candidate.sealed, waits) { () async throws(StorageProblem) in
          try await candidate.moveAside(from: values, to: files)
        }
        if isMoved { abandoned.note(values.subject(of: candidate.sealed)) }
        hasMoved = hasMoved || isMoved
        done.advance(progress)
      }
      let folder = try await values.endAbandoning(files, hadKeys: hasKeys)
      if hasMoved { abandoned.folders.append(folder) }
    }
    for database in router.databases {
      let repaired = try await database.repair(router, .lostKeys)
      abandoned.records += repaired.records
      abandoned.folders += Set(repaired.files.map(\.folder.path)).map { URL(fileURLWithPath: $0) }
      if !repaired.files.isEmpty, !abandoned.keys.contains(database.subject) { abandoned.note(database.subject) }
    }
    return abandoned
  }
}

/// An encrypted value that may be lost.
private enum AbandonedCandidate: Sendable {
  /// The key of the value is not in the keyset.
  case keyLost(SealedAddress)
  /// The key of the value exists, but may not open it.
  case damaged(SealedAddress)
  /// The same for a quarantined value.
  case damagedCopy(QuarantinedCopy, SealedAddress)

  var sealed: SealedAddress {
    switch self {
    case .keyLost(let sealed), .damaged(let sealed), .damagedCopy(_, let sealed): sealed
    }
  }

  /// Moves the value to the folder of abandoned values. Returns false if it is not lost, or something else is stored now.
  func moveAside(from values: KeysetValues, to files: KeysetFiles) async throws(StorageProblem) -> Bool {
    switch self {
    case .keyLost(let sealed): try await values.moveAside(sealed, files)
    case .damaged(let sealed): try await values.moveAsideDamaged(sealed, files)
    case .damagedCopy(let copy, _): try await values.moveAsideDamaged(copy, files)
    }
  }
}

extension KeysetValues {
  /// Returns the values that may be lost.
  ///
  /// - Returns: The values, and a Boolean value that indicates whether the keyset has keys.
  fileprivate func candidates(
    includingDamaged: Bool
  ) async throws(StorageError) -> (candidates: [AbandonedCandidate], hasKeys: Bool) {
    // The values are listed before the keys are read, so that a value that is encrypted with a later key is not listed.
    let found = try await addresses()
    if let later = found.first(where: { $0.fault == .unknownFormatVersion }) {
      throw error(.unknownFormatVersion, at: later)
    }
    // A value that cannot be read now stays at its address. If damaged values are wanted, it is an error.
    let stored = found.filter { includingDamaged || $0.fault == nil }
    let record = try await run { (encryption) throws(StorageProblem) in try encryption.storedRecord(of: keyset) }
    let lost = stored.filter { $0.isLost(record) }.map(AbandonedCandidate.keyLost)
    guard includingDamaged, let record else { return (lost, record != nil) }
    let suspects = stored.filter { $0.isSealed(by: record) }.map(AbandonedCandidate.damaged)
    // A value that a later version of the library wrote is not damaged, and stays.
    let copies = try await quarantined().filter { $0.sealed.fault == nil }
    return (lost + suspects + copies.map { .damagedCopy($0.copy, $0.sealed) }, true)
  }

  /// Allows a new master key if the old one is lost, and returns the folder of the keyset's abandoned values.
  fileprivate func endAbandoning(_ files: KeysetFiles, hadKeys: Bool) async throws(StorageError) -> URL {
    let path = try await run { (encryption) throws(StorageProblem) in
      // The marker is removed last, because it prevents a new master key until all values are moved.
      let hasKeys = try encryption.storedRecord(of: keyset) != nil
      if !hadKeys, !hasKeys { try files.unmark(keyset) }
      encryption.forgetRecords()
      return try files.abandoned(keyset).path
    }
    return URL(fileURLWithPath: path)
  }
}

extension SealedAddress {
  /// Returns true if the key of the value is not in the keyset's record. A value that another app of the team may have sealed
  /// is never moved.
  fileprivate func isLost(_ record: Keyset?) -> Bool {
    guard isOwn else { return false }
    // If there is a master key, the value is damaged instead.
    guard let seal else { return record == nil }
    return record?.opens(seal) != true
  }

  /// Returns true if a key of the keyset's record may have sealed the value.
  fileprivate func isSealed(by record: Keyset) -> Bool { seal.map(record.opens) ?? true }
}
