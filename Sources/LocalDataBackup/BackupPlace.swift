import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

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

  /// Creates the draft of a file, after the files of earlier exports, and what killed processes have left, are removed.
  func draft(_ backup: StorageBackup) throws(StorageProblem) -> BackupDraft {
    try removeUnused { _ in true }
    let name = Self.name(backup)
    return BackupDraft(name: name, file: try file(".\(name)"))
  }

  private static func name(_ backup: StorageBackup) -> String {
    "\(backup.catalog)-\(backup.name)." + (backup.isEncrypted ? "ldbackup" : "json")
  }

  /// Removes the exported file of a backup, and that of an export that is running, which then throws an error.
  func remove(_ backup: StorageBackup) throws(StorageProblem) {
    guard let folder = try folder.open(creating: false) else { return }
    let name = Self.name(backup)
    for found in try folder.names() where found == name || found.hasPrefix(".\(name).") { try folder.unlink(found) }
  }

  /// Creates a file without content for a staged backup. A sign-out by any process removes it, and ends the restore.
  func mark() throws(StorageProblem) -> FileInUse { try file(".staged") }

  private func file(_ beginning: String) throws(StorageProblem) -> FileInUse {
    try FileInUse(creating: FileLocation(folder: folder, name: "\(beginning).\(UUID().uuidString)"))
  }

  /// Removes the exported files of earlier launches, and what killed processes have left.
  func removeEarlier() throws(StorageProblem) { try removeUnused { $0.modification < launch.startedAt } }

  /// Removes all files.
  func removeAll() throws(StorageProblem) {
    guard let folder = try folder.open(creating: false) else { return }
    for name in try folder.names() { try folder.unlink(name) }
  }

  /// - Parameter isRemoved: Returns true if an exported file is removed.
  private func removeUnused(exports isRemoved: (stat) -> Bool) throws(StorageProblem) {
    guard let folder = try folder.open(creating: false) else { return }
    for name in try folder.names() {
      if name.hasPrefix(".") {
        _ = try FileInUse.removeAbandoned(name, in: folder)
      } else if let status = try folder.status(of: name), isRemoved(status) {
        try folder.unlink(name)
      }
    }
  }
}

/// A file of an export until it is proven.
struct BackupDraft: Sendable {
  let name: String
  let file: FileInUse

  private var folder: FolderLocation { file.location.folder }

  func create() throws(StorageProblem) -> Descriptor {
    let file = try open(O_WRONLY)
    try FileProtection(.complete, isBackedUp: false).apply(to: file)
    return file
  }

  /// The number of bytes of the file.
  func size() throws(StorageProblem) -> Int { Int(try open(O_RDONLY).status().st_size) }

  /// Opens the file to append to it.
  ///
  /// - Parameter size: The number of bytes that stay.
  func reopen(after size: Int) throws(StorageProblem) -> Descriptor {
    let file = try open(O_WRONLY | O_APPEND)
    guard ftruncate(file.raw, off_t(size)) == 0 else { throw .io(errno: errno) }
    return file
  }

  func open() throws(BackupError) -> Descriptor {
    do throws(StorageProblem) { return try open(O_RDONLY) } catch { throw BackupError(error) }
  }

  private func open(_ flags: Int32) throws(StorageProblem) -> Descriptor {
    guard let file = try folder.open(creating: false)?.file(file.location.name, flags) else {
      throw .io(errno: ENOENT)
    }
    return file
  }

  /// Gives the file its name.
  func finish() throws(StorageProblem) -> URL {
    guard let folder = try folder.open(creating: false) else { throw .io(errno: ENOENT) }
    try folder.rename(file.location.name, to: name)
    try folder.descriptor.sync()
    return URL(fileURLWithPath: self.folder.path + "/" + name)
  }
}
