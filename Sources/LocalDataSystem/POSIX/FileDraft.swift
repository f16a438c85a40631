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
