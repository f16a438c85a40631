import SmallFoundation
import StorageStores
import StorageSystem
import StorageVocabulary

/// The folder in the caches that exported files are written to.
struct BackupPlace: Sendable {
  private let folder: FolderLocation
  private let launch: ProcessLaunch

  /// - Parameter locations: The locations of the app, or nil if its values are in memory.
  init(_ locations: StorageLocations?, launch: ProcessLaunch) throws(StorageProblem) {
    self.launch = launch
    guard let locations else {
      folder = FolderLocation(
        root: StorageRoot(FileManager.default.temporaryDirectory), parts: [".local-data.backups-\(launch.id)"])
      return
    }
    let caches = StorageDomain.fileSystem(directory: .caches)
    var folder = try locations.folder(of: StorageContainer(caches, StorageConfiguration()))
    folder.parts.append(".backups")
    self.folder = folder
  }

  /// Returns a draft of a file, after the files of earlier exports, and the drafts of earlier launches, are removed.
  func draft(_ backup: StorageBackup) throws(StorageProblem) -> BackupDraft {
    try removeFiles { name, _ in !name.contains(launch.id.uuidString) && !name.hasPrefix(Self.staged) }
    let name = "\(backup.catalog)-\(backup.name)." + (backup.isEncrypted ? "ldbackup" : "json")
    return BackupDraft(
      folder: folder, name: name, draft: ".\(name).\(launch.id.uuidString).\(UUID().uuidString).new")
  }

  private static let staged = ".staged."

  /// Creates a file without content for a staged backup. A sign-out by any process removes it, and ends the restore.
  func mark() throws(StorageProblem) -> FileLocation {
    let name = Self.staged + "\(launch.id.uuidString).\(UUID().uuidString)"
    guard try folder.open(creating: true)?.file(name, O_WRONLY | O_CREAT | O_EXCL) != nil else {
      throw .io(errno: ENOENT)
    }
    return FileLocation(folder: folder, name: name)
  }

  /// Removes the files of earlier launches.
  func removeEarlier() throws(StorageProblem) {
    try removeFiles { _, changed in changed < launch.startedAt.timeIntervalSince1970 }
  }

  /// Removes all files.
  func removeAll() throws(StorageProblem) { try removeFiles { _, _ in true } }

  /// - Parameter isRemoved: Returns true if a file is removed, by its name and the time of its last change.
  private func removeFiles(_ isRemoved: (String, Double) -> Bool) throws(StorageProblem) {
    guard let folder = try folder.open(creating: false) else { return }
    for name in try folder.names() {
      guard let changed = try folder.status(of: name)?.changed, isRemoved(name, changed) else { continue }
      try folder.unlink(name)
    }
  }
}

extension FileLocation {
  /// Removes a mark. If that fails, the next launch does it.
  func remove() { do throws(StorageProblem) { _ = try folder.open(creating: false)?.unlink(name) } catch {} }
}

extension stat {
  /// The time of the last change, in seconds since 1970.
  fileprivate var changed: Double {
    #if canImport(Darwin)
      Double(st_mtimespec.tv_sec) + Double(st_mtimespec.tv_nsec) / 1e9
    #else
      Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9
    #endif
  }
}

/// A file of an export until it is proven.
struct BackupDraft: Sendable {
  let folder: FolderLocation
  let name: String
  let draft: String

  func create() throws(StorageProblem) -> Descriptor {
    guard let folder = try folder.open(creating: true) else { throw .io(errno: ENOENT) }
    try folder.unlink(draft)
    guard let file = try folder.file(draft, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
    try FileProtection(.complete, isBackedUp: false).apply(to: file)
    return file
  }

  func open() throws(BackupError) -> Descriptor {
    do throws(StorageProblem) {
      guard let file = try folder.open(creating: false)?.file(draft, O_RDONLY) else { throw .io(errno: ENOENT) }
      return file
    } catch { throw BackupError(error) }
  }

  /// Gives the file its name.
  func finish() throws(StorageProblem) -> URL {
    guard let folder = try folder.open(creating: false) else { throw .io(errno: ENOENT) }
    try folder.rename(draft, to: name)
    try folder.descriptor.sync()
    return URL(fileURLWithPath: self.folder.path + "/" + name)
  }

  /// Removes the file. If that fails, the next export does it.
  func discard() {
    do throws(StorageProblem) { try folder.open(creating: false)?.unlink(draft) } catch {}
  }
}
