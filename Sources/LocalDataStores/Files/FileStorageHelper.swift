package import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// The domains whose values are files.
///
/// Writers take the lock of a value's folder, for no longer than they compare or rename files; readers need none, since a
/// file is only ever replaced whole.
package final class FileStorageHelper: ValueStore {
  let locations: StorageLocations
  private let locationCheck: LocationCheck?
  private let patience: Duration

  /// - Parameter locationCheck: The check of the configured location; `nil` for none.
  package init(
    _ locations: StorageLocations, _ locationCheck: LocationCheck? = nil, patience: Duration = .seconds(10)
  ) {
    self.locations = locations
    self.locationCheck = locationCheck
    self.patience = patience
  }

  /// Returns the folder and the name of the file of a value, if the values of its container are at the configured location.
  ///
  /// - Parameter isWriting: True if a value is about to be written. Then the location is recorded.
  func place(
    of address: StorageAddress, isWriting: Bool = false
  ) throws(StorageProblem) -> (folder: FolderLocation, file: FileName) {
    let place = try locations.place(of: address)
    try locationCheck?.check(KeysetID(of: address.container), isWriting: isWriting)
    return place
  }

  package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    #if os(Linux)
      if CallDeadline.mustNotWait { return try readCached(address, attributes) }
    #endif
    let (location, name) = try place(of: address)
    guard let folder = try location.open(creating: false), hasExactName(address, name, in: folder) else {
      return nil
    }
    return try read(address, name, in: folder, attributes)
  }

  package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    let (location, name) = try place(of: address)
    guard let folder = try location.open(creating: false),
      let status = try folder.status(of: name.text), hasExactName(address, name, in: folder)
    else { return false }
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    return true
  }

  package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
    let (location, name) = try place(of: address)
    guard let folder = try location.open(creating: false),
      let status = try folder.status(of: name.text), status.isRegularFile,
      hasExactName(address, name, in: folder)
    else { return nil }
    return status.modification
  }

  package func write(
    _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
  ) throws(StorageProblem) {
    let (location, name) = try place(of: address, isWriting: true)
    let content = content(bytes, of: address, name)
    let protection = FileProtection(attributes)
    try inFolder(location) { (folder, lock, end) throws(StorageProblem) in
      guard hasExactName(address, name, in: folder) else { throw .invalidName }
      // Before the lock: other writers of the folder wait for the disk at the same time. A draft is locked too, though.
      var draft: FileDraft? =
        folder.endsSuspendedLockHolders ? nil : try FileDraft.write(content, in: folder, protection, until: end)
      do throws(StorageProblem) {
        return try lock.hold(until: end) { () throws(StorageProblem) in
          guard try lock.isInPlace else { return nil }
          guard let draft = draft.take() else {
            try FileDraft.removeAbandoned(in: folder)
            try DurableWriter.rename(content, to: name.text, in: folder, protection)
            return true
          }
          try draft.removeAbandonedFollowers(in: folder)
          try draft.take(name.text, in: folder)
          return true
        }
      } catch {
        draft.take()?.discard(in: folder)
        throw error
      }
    }
  }

  package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    // If no value is stored, there is nothing to remove, and no folder is created.
    let isStored = try exists(address, attributes)
    let (location, name) = try locations.place(of: address)
    guard try isStored ? true : hasDrafts(location) else { return }
    try changing(location) { (folder) throws(StorageProblem) in
      guard hasExactName(address, name, in: folder) else { return try FileDraft.removeAbandoned(in: folder) > 0 }
      return try remove(name, in: folder)
    }
  }

  /// Returns true if a killed writer may have left a part of a value in a folder.
  private func hasDrafts(_ location: FolderLocation) throws(StorageProblem) -> Bool {
    guard let folder = try location.open(creating: false) else { return false }
    return try FileDraft.exists(in: folder)
  }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    let (location, name) = try place(of: address, isWriting: true)
    try changing(location) { (folder) throws(StorageProblem) in
      let isExact = hasExactName(address, name, in: folder)
      let stored = isExact ? try read(address, name, in: folder, attributes) : nil
      switch try change(stored) {
      case .keep: return false
      case .remove: return isExact ? try remove(name, in: folder) : false
      case .write(let bytes):
        guard isExact else { throw .invalidName }
        try FileDraft.removeAbandoned(in: folder)
        try DurableWriter.rename(
          content(bytes, of: address, name), to: name.text, in: folder, FileProtection(attributes),
          keepsAge: attributes.keepsAge)
        return true
      }
    }
  }

  /// Returns false if the file at a path has a name that differs in case, on a disk that ignores case: it is the value of
  /// another key. No write replaces it, and for every other call there is no file.
  private func hasExactName(_ address: StorageAddress, _ name: FileName, in folder: borrowing Folder) -> Bool {
    guard address.container.domain.fields.directory?.exact != nil else { return true }
    return folder.spells(name.text)
  }

  private func content(_ bytes: Data, of address: StorageAddress, _ name: FileName) -> [Data] {
    name.isShortened ? [NamedContent.header(of: address.name), bytes] : [bytes]
  }

  private func remove(_ name: FileName, in folder: borrowing Folder) throws(StorageProblem) -> Bool {
    let drafts = try FileDraft.removeAbandoned(in: folder)
    return try DurableWriter.remove(name.text, in: folder) || drafts > 0
  }

  /// Runs `body` with the lock of a folder held. If it returns true, a name has changed, and is synced after the lock is
  /// released.
  private func changing(
    _ location: FolderLocation, _ body: (borrowing Folder) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try inFolder(location) { (folder, lock, end) throws(StorageProblem) in
      try lock.hold(until: end) { () throws(StorageProblem) in
        guard try lock.isInPlace else { return nil }
        return try body(folder)
      }
    }
  }

  /// Runs `body` with a folder, which is created if it is absent, and syncs the folder if `body` returns true. `nil` says that
  /// the folder was deleted meanwhile: it is created again.
  private func inFolder(
    _ location: FolderLocation,
    _ body: (borrowing Folder, borrowing FileLock, ContinuousClock.Instant) throws(StorageProblem) -> Bool?
  ) throws(StorageProblem) {
    let end = CallDeadline.end(of: patience)
    repeat {
      let folder = try location.openForWriting(lock: DurableWriter.stem)
      let lock = try FileLock(in: folder, named: DurableWriter.stem)
      if let isChanged = try body(folder, lock, end) {
        if isChanged { try folder.descriptor.sync() }
        return
      }
    } while ContinuousClock.now < end
    throw .busy
  }

  private func read(
    _ address: StorageAddress, _ name: FileName, in folder: borrowing Folder, _ attributes: StorageAttributes
  ) throws(StorageProblem) -> Data? {
    guard let file = try folder.file(name.text, O_RDONLY) else { return nil }
    let status = try file.status()
    guard status.isRegularFile else { throw DurableWriter.refusal(status) }
    file.narrow(status)
    let header = name.isShortened ? NamedContent.header(of: address.name).count : 0
    let limit = attributes.maxStoredSize + header
    guard status.st_size <= limit else { throw .valueTooLarge(limit: attributes.maxStoredSize) }
    // One byte more: a file that grew since is too large as well.
    let content = try file.read(upTo: limit + 1, expecting: Int(status.st_size))
    guard content.count <= limit else { throw .valueTooLarge(limit: attributes.maxStoredSize) }
    return name.isShortened ? try NamedContent.value(in: content, of: address.name) : content
  }

  // MARK: Durability

  /// A file is on the disk before it has its name; a writer that was killed right then has not synced the name.
  package func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
    try locations.folder(of: container).open(creating: false)?.descriptor.sync()
  }

  /// A removed file leaves no copy.
  package func purge(_ container: StorageContainer) throws(StorageProblem) {}

  package var removesAtNextLaunch: Bool { false }

  package func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    let location = try locations.folder(of: container)
    try locationCheck?.check(KeysetID(of: container), isWriting: false)
    guard let folder = try location.open(creating: false) else { return }
    if container.domain.fields.directory?.exact != nil {
      _ = try FileScan.paths(in: folder, below: "", visit)
    } else {
      try FileScan.names(in: folder, visit)
    }
  }
}

extension FileProtection {
  package init(_ attributes: StorageAttributes) {
    let availability: Availability =
      switch attributes.isCompletelyProtected ? .complete : attributes.fileProtection {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .untilFirstUnlock: .untilFirstUnlock
      case .none: .always
      }
    self.init(availability, isBackedUp: attributes.isBackedUp)
  }
}
