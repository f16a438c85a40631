package import LocalDataFoundation

/// Replaces files so that a file contains all of the old bytes or all of the new ones, even if the process is killed.
///
/// The bytes are written to a new file, which is synced and renamed, and the folder is synced. The caller holds the
/// folder's lock. The new file therefore has a fixed name, and one that exists already was left by a killed process.
package enum DurableWriter {
  /// The name of a folder's lock, which the names of the library's other files in it begin with.
  package static let stem = "local-data"

  private static let draft = FileDraft.nameUnderLock

  /// Replaces a file, or creates it. Durable on return.
  package static func replace(
    _ name: String, in folder: borrowing Folder, with bytes: [Data], _ protection: FileProtection = .standard
  ) throws(StorageProblem) {
    try rename(bytes, to: name, in: folder, protection)
    try folder.descriptor.sync()
  }

  /// Replaces a file, or creates it. Durable once the folder is synced.
  ///
  /// - Parameter keepsAge: True if the new file has the time of modification of the one that it replaces.
  package static func rename(
    _ bytes: [Data], to name: String, in folder: borrowing Folder, _ protection: FileProtection, keepsAge: Bool = false
  ) throws(StorageProblem) {
    try prepare(bytes, in: folder, protection, keepsAge ? try folder.status(of: name)?.timeOfModification : nil)
    do throws(StorageProblem) {
      // A rename would replace a symbolic link too, which the library did not create.
      if let status = try folder.status(of: name), !status.isRegularFile { throw refusal(status) }
      try folder.rename(draft, to: name)
    } catch {
      discard(in: folder)
      throw error
    }
  }

  /// Creates a file, and returns false if there is one already. Durable on return.
  package static func create(
    _ name: String, in folder: borrowing Folder, with bytes: [Data], _ protection: FileProtection = .standard
  ) throws(StorageProblem) -> Bool {
    try prepare(bytes, in: folder, protection)
    defer { discard(in: folder) }
    let isNew = try folder.link(draft, as: name)
    try folder.descriptor.sync()
    return isNew
  }

  /// Removes a file, and returns true if there was one. The removal is durable once the folder is synced.
  package static func remove(_ name: String, in folder: borrowing Folder) throws(StorageProblem) -> Bool {
    if let status = try folder.status(of: name), !status.isRegularFile { throw refusal(status) }
    return try folder.unlink(name)
  }

  /// Returns the fault for something that is not a regular file.
  package static func refusal(_ status: stat) -> StorageProblem {
    if status.isLink { return .io(errno: ELOOP) }
    return .io(errno: status.isFolder ? EISDIR : EINVAL)
  }

  private static func prepare(
    _ bytes: [Data], in folder: borrowing Folder, _ protection: FileProtection, _ time: timespec? = nil
  ) throws(StorageProblem) {
    try folder.unlink(draft)
    guard let file = try folder.file(draft, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
    do throws(StorageProblem) {
      try protection.apply(to: file)
      for part in bytes { try file.write(part) }
      if let time { try file.setTimeOfModification(time) }
      try file.sync()
    } catch {
      discard(in: folder)
      throw error
    }
  }

  private static func discard(in folder: borrowing Folder) {
    // If it stays, the next writer removes it.
    do throws(StorageProblem) { try folder.unlink(draft) } catch {}
  }
}

/// The attributes that a file gets on Apple's systems while it is still empty: its data protection, and whether backups
/// contain it. Linux has no such attributes.
package struct FileProtection: Sendable {
  /// The times at which the file can be read.
  package enum Availability: Sendable {
    case complete, completeUnlessOpen, untilFirstUnlock, always
  }

  package var availability: Availability
  package var isBackedUp: Bool

  package init(_ availability: Availability, isBackedUp: Bool) {
    self.availability = availability
    self.isBackedUp = isBackedUp
  }

  package init(isComplete: Bool, isBackedUp: Bool) {
    self.init(isComplete ? .complete : .untilFirstUnlock, isBackedUp: isBackedUp)
  }

  package static let standard = FileProtection(isComplete: false, isBackedUp: true)

  /// Creates the attributes of an existing file.
  package init(ofFileAt path: String) throws(StorageProblem) {
    #if canImport(Darwin)
      do {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let availability: Availability =
          switch (attributes[.protectionKey] as? FileProtectionType)?.rawValue {
          case FileProtectionType.complete.rawValue: .complete
          case FileProtectionType.completeUnlessOpen.rawValue: .completeUnlessOpen
          default: .untilFirstUnlock
          }
        let values = try URL(fileURLWithPath: path).resourceValues(forKeys: [.isExcludedFromBackupKey])
        self.init(availability, isBackedUp: values.isExcludedFromBackup != true)
      } catch { throw StorageProblem(foundation: error) }
    #else
      self = .standard
    #endif
  }

  #if canImport(Darwin)
    package func apply(to file: borrowing Descriptor) throws(StorageProblem) {
      // The attributes are set by path; the system returns the path of the descriptor.
      let path = try file.path()
      do {
        let protection: FileProtectionType =
          switch availability {
          case .complete: .complete
          case .completeUnlessOpen: .completeUnlessOpen
          case .untilFirstUnlock: .completeUntilFirstUserAuthentication
          case .always: .none
          }
        try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
      } catch { throw StorageProblem(foundation: error) }
      if !isBackedUp { try setInBackup(path) }
    }

    /// Includes a file in backups, or excludes it, if that differs from what it is.
    package func setInBackup(_ path: String) throws(StorageProblem) {
      do {
        var url = URL(fileURLWithPath: path, isDirectory: false)
        var values = try url.resourceValues(forKeys: [.isExcludedFromBackupKey])
        if values.isExcludedFromBackup != isBackedUp { return }
        values.isExcludedFromBackup = !isBackedUp
        try url.setResourceValues(values)
      } catch { throw StorageProblem(foundation: error) }
    }
  #else
    package func apply(to file: borrowing Descriptor) throws(StorageProblem) {}
  #endif
}
