package import LocalDataFoundation

/// A new file with the bytes of a value, until it gets the value's name. Writers do not share drafts, so that those of one
/// folder wait for the disk at the same time.
///
/// A draft is locked as long as its writer has it open. A draft without a lock was left by a killed process. A writer that
/// comes to its name removes it, and so do the next removal in the folder and a sweep.
package struct FileDraft: ~Copyable {
  /// The number of names: more than a folder has writers at the same time.
  private static let count = 16

  /// The name of the draft of a writer that holds the folder's lock.
  static let nameUnderLock = ".\(DurableWriter.stem).new"

  static func name(_ number: Int) -> String { ".\(DurableWriter.stem).\(number).new" }

  private let number: Int
  /// Stays open because its lock shows that the draft is in use.
  private let file: Descriptor

  private init(number: Int, file: consuming Descriptor) {
    self.number = number
    self.file = file
  }

  private var name: String { Self.name(number) }

  /// Writes bytes to a new file under a free name. They are on the disk on return.
  package static func write(
    _ bytes: [Data], in folder: borrowing Folder, _ protection: FileProtection, until end: ContinuousClock.Instant
  ) throws(StorageProblem) -> FileDraft {
    while true {
      let start = ContinuousClock.now
      for number in 0..<count {
        guard let draft = try create(number, in: folder) else { continue }
        do throws(StorageProblem) {
          try protection.apply(to: draft.file)
          for part in bytes { try draft.file.write(part) }
          try draft.file.sync()
        } catch {
          draft.discard(in: folder)
          throw error
        }
        return draft
      }
      guard ContinuousClock.now < end else { throw .busy }
      usleep(1_000)
      CallDeadline.noteWait(since: start)
    }
  }

  /// Renames the draft to the name of a value, and replaces the file with that name. The caller holds the folder's lock.
  package consuming func take(_ newName: String, in folder: borrowing Folder) throws(StorageProblem) {
    do throws(StorageProblem) {
      // A rename would replace a symbolic link too, which the library did not create.
      if let status = try folder.status(of: newName), !status.isRegularFile { throw DurableWriter.refusal(status) }
      try folder.rename(name, to: newName)
    } catch {
      discard(in: folder)
      throw error
    }
  }

  package consuming func discard(in folder: borrowing Folder) {
    // If it stays, it is removed as that of a killed process.
    do throws(StorageProblem) { try folder.unlink(name) } catch {}
  }

  /// Returns true if a folder contains a draft: a file of a killed writer, or one that a writer is writing now.
  package static func exists(in folder: borrowing Folder) throws(StorageProblem) -> Bool {
    if try folder.status(of: nameUnderLock) != nil { return true }
    for number in 0..<count where try folder.status(of: name(number)) != nil { return true }
    return false
  }

  /// Removes the drafts that killed processes have left, and returns their number. The caller holds the folder's lock.
  @discardableResult
  package static func removeAbandoned(in folder: borrowing Folder) throws(StorageProblem) -> Int {
    var removed = try folder.unlink(nameUnderLock) ? 1 : 0
    for number in 0..<count where try folder.status(of: name(number)) != nil {
      if try FileInUse.removeAbandoned(name(number), in: folder) { removed += 1 }
    }
    return removed
  }

  /// Removes drafts that killed processes have left under the names after this draft's, up to the first free name. A look at
  /// all names would be a part of each write. The caller holds the folder's lock.
  package func removeAbandonedFollowers(in folder: borrowing Folder) throws(StorageProblem) {
    try folder.unlink(Self.nameUnderLock)
    for next in (number + 1)..<Self.count {
      guard try folder.status(of: Self.name(next)) != nil else { return }
      _ = try FileInUse.removeAbandoned(Self.name(next), in: folder)
    }
  }

  /// Creates a draft, or returns `nil` if another writer has the name.
  private static func create(_ number: Int, in folder: borrowing Folder) throws(StorageProblem) -> FileDraft? {
    let name = name(number)
    guard try FileInUse.removeAbandoned(name, in: folder) else { return nil }
    let created: Descriptor?
    do throws(StorageProblem) { created = try folder.file(name, O_WRONLY | O_CREAT | O_EXCL) } catch {
      // Another writer was first.
      guard error == .io(errno: EEXIST) else { throw error }
      return nil
    }
    guard let file = created else { throw .io(errno: ENOENT) }
    // Until it is locked, another writer may take it for abandoned and remove it.
    guard FileInUse.lock(file), try file.status().st_nlink > 0 else { return nil }
    return FileDraft(number: number, file: file)
  }
}

/// A new file that a process uses for longer than a call. It is locked as long as the value exists. A file without a lock was left by
/// a killed process.
///
/// The system ends an app that is suspended with a lock in the container of an app group. There, files have no lock, and are in use
/// for a day.
package final class FileInUse: Sendable {
  package let location: FileLocation
  /// Stays open because its lock shows that the file is in use.
  private let file: Descriptor

  private static let day: TimeInterval = 86_400

  /// Creates a file, with its folder.
  package init(creating location: FileLocation) throws(StorageProblem) {
    self.location = location
    file = try Self.create(location)
  }

  private static func create(_ location: FileLocation) throws(StorageProblem) -> Descriptor {
    guard let folder = try location.folder.open(creating: true) else { throw .io(errno: ENOENT) }
    while true {
      guard let file = try folder.file(location.name, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
      if folder.endsSuspendedLockHolders { return file }
      try file.takeLock(LOCK_EX, until: CallDeadline.end(of: FileLock.patience), in: nil)
      // Until it was locked, another process may have taken it for abandoned and removed it.
      if try file.status().st_nlink > 0 { return file }
    }
  }

  /// Removes the file. What cannot be removed now is removed as that of a killed process.
  package func remove() {
    do throws(StorageProblem) { try location.folder.open(creating: false)?.unlink(location.name) } catch {}
  }

  /// Removes a file that no process uses, and returns true if it no longer exists.
  package static func removeAbandoned(_ name: String, in folder: borrowing Folder) throws(StorageProblem) -> Bool {
    guard let found = try folder.status(of: name) else { return true }
    // The library creates no link and no folder here.
    guard found.isRegularFile else { return try folder.unlink(name) }
    let opened: Descriptor?
    do throws(StorageProblem) { opened = try folder.file(name, O_WRONLY) } catch {
      // On a locked device, that of a value that is completely protected. It is removed later.
      guard error == .locked || error == .accessDenied else { throw error }
      return false
    }
    guard let file = opened else { return true }
    guard !folder.endsSuspendedLockHolders || isOld(found) else { return false }
    guard folder.endsSuspendedLockHolders || lock(file), let status = try folder.status(of: name) else { return false }
    // Its writer may have renamed it since, and another one taken the name.
    guard FileID(status) == FileID(try file.status()) else { return false }
    return try folder.unlink(name)
  }

  static func isOld(_ status: stat, at now: Date = Date()) -> Bool { status.modification + day < now }

  /// Locks a file, and returns false if it is in use.
  static func lock(_ file: borrowing Descriptor) -> Bool { flock(file.raw, LOCK_EX | LOCK_NB) == 0 }
}
