import Foundation
import StorageVocabulary

extension Maintenance {
  /// Moves the files that were stored under another ``FileStorageConfiguration/subDirectory`` to where the router's
  /// configuration looks for them.
  ///
  /// Until it has ended, every call on a file throws ``StorageError/configurationConflict(_:)``. Call it once, after the
  /// configuration of a new release and before the first use of a file:
  ///
  /// ```swift
  /// try router.updateFileStorageConfiguration(FileStorageConfiguration(subDirectory: "Account"))
  /// try router.registerCatalog(AccountCatalog.self)
  /// print(try await router.maintenance.relocate())   // the number of files that were moved
  /// ```
  ///
  /// Files of other programs are not moved. If there was no sub-directory before, the folders can contain some. Then only the
  /// values of registered and reserved names are moved, and values that are encrypted or have a retention.
  ///
  /// The files of the app are moved, and those of the app groups of registered keys. Each is renamed, and the new location
  /// is recorded at the end. If the process is killed in between, call it again: it moves what is left. No other
  /// process may use the old configuration meanwhile.
  ///
  /// - Parameter progress: Called after the folders of the app, and after those of each group.
  /// - Returns: The number of files that were moved.
  /// - Throws: ``StorageError/configurationConflict(_:)`` if the first part of a sub-directory is also that of a registered
  ///   custom directory, so that the two cannot be told apart. ``StorageError/io(_:_:errno:)`` with `EEXIST` if another file
  ///   has the name of a value in the new folder, and every error of a file that cannot be moved now.
  @discardableResult
  public func relocate(progress: @Sendable (Progress) -> Void = { _ in }) async throws(StorageError) -> Int {
    let addresses = await RegisteredAddresses(router)
    let (services, setup) = (router.values(for: nil).services, router.setup.withLock { $0 })
    guard let locations = services.locations else { return 0 }
    let custom = addresses.containers.compactMap(\.domain.customDirectory)
    var done = Progress(completed: 0, total: setup.registry.keysets.count)
    var count = 0
    for keyset in setup.registry.keysets {
      let relocation = FileRelocation(
        locations: locations, storage: setup.storage, files: setup.files, customDirectories: custom,
        isOwned: { addresses.owner(of: $0, in: $1) != nil })
      do throws(StorageFault) {
        count += try await services.run { () throws(StorageFault) in try relocation.run(keyset) }
      } catch {
        throw StorageError(error, .init(key: nil, domain: .fileSystem), limit: 0, .write)
      }
      done.completed += 1
      progress(done)
    }
    return count
  }
}

extension StorageDomain {
  /// The path of its custom directory, if it has one.
  fileprivate var customDirectory: String? {
    switch self {
    case .fileSystem(.custom(let path)), .encryptedFileSystem(.custom(let path)),
      .appGroupFileSystem(_, .custom(let path)):
      path
    default: nil
    }
  }
}

/// Moves the values in files from one sub-directory to another one. Calls block.
private struct FileRelocation: Sendable {
  let locations: StorageLocations
  let storage: StorageConfiguration
  let files: FileStorageConfiguration
  /// The paths of the registered custom directories.
  let customDirectories: [String]
  /// Returns true if a stored name in a container belongs to something registered.
  let isOwned: @Sendable (String, StorageContainer) -> Bool

  /// Moves the files of the app or of a group, and records the new location. Returns the number of moved files.
  func run(_ keyset: KeysetID) throws(StorageFault) -> Int {
    let record = try locations.record("files", of: keyset)
    guard let recorded = try RecordedLocation.recorded(in: record), recorded != .files(files) else { return 0 }
    let old = StorageLocations(storage, FileStorageConfiguration(subDirectory: recorded.subDirectory))
    let parts = [recorded.subDirectory, files.subDirectory].compactMap { $0?.split(separator: "/").first }
    guard !customDirectories.contains(where: { path in path.split(separator: "/").first.map(parts.contains) ?? false })
    else { throw .configurationConflict }
    var count = 0
    for container in keyset.directories {
      let (from, to) = (try old.folder(of: container), try locations.folder(of: container))
      // Only a sub-directory has nothing but values.
      count += try move(from, to, isKept: to, sharedAs: recorded.subDirectory == nil ? container : nil)
    }
    try RecordedLocation.files(files).replace(in: record)
    return count
  }

  /// Moves every value in a folder and in the folders below it.
  ///
  /// - Parameters:
  ///   - destination: The folder that all of them are moved to, which may be below this one and is left alone.
  ///   - container: The container whose folder this is, if it may also contain files of other programs.
  private func move(
    _ from: FolderLocation, _ to: FolderLocation, isKept destination: FolderLocation,
    sharedAs container: StorageContainer?
  ) throws(StorageFault) -> Int {
    guard let folder = try from.open(creating: false) else { return 0 }
    let owned: Set<String>? = if let container { try fileNames(in: folder, container) } else { nil }
    var (values, inner): ([String], [String]) = ([], [])
    for name in try folder.names() where !name.hasPrefix(".") {
      guard let status = try folder.status(of: name) else { continue }
      if status.isFolder {
        inner.append(name)
      } else if status.isRegularFile, FileName.isFileName(name), owned?.contains(name) ?? true {
        values.append(name)
      }
    }
    var count = 0
    for name in inner.sorted() {
      let next = FolderLocation(root: from.root, parts: from.parts + [name])
      if next.root == destination.root, destination.parts.starts(with: next.parts) { continue }
      let below = container?.below(name)
      if container != nil, below == nil { continue }
      count += try move(
        next, FolderLocation(root: to.root, parts: to.parts + [name]), isKept: destination, sharedAs: below)
    }
    guard !values.isEmpty else { return count }
    let target = try to.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: FileLock.patience) { () throws(StorageFault) in
      for name in values.sorted() {
        guard try target.status(of: name) == nil else { throw .io(errno: EEXIST) }
        try folder.move(name, to: target)
      }
      try target.descriptor.sync()
      try folder.descriptor.sync()
    }
    return count + values.count
  }

  /// Returns the names of the files that are values: those of something registered, and envelopes.
  private func fileNames(
    in folder: borrowing Folder, _ container: StorageContainer
  ) throws(StorageFault) -> Set<String> {
    var names: Set<String> = []
    for file in try FileScan(limit: StoredValue.beginning).files(in: folder) {
      switch file.beginning {
      case .success(let beginning):
        guard isOwned(file.name, container) || EnvelopeHeader.begins(beginning) else { continue }
      case .failure(let fault):
        // It contains its stored name.
        if FileName.isShortened(file.name) { throw fault }
        guard isOwned(file.name, container) else { continue }
      }
      names.insert(try FileName(file.name).text)
    }
    return names
  }
}

extension StorageContainer {
  /// Returns the container of a folder in this one, or `nil` if there is none. Custom directories are below application
  /// support, and below each other.
  fileprivate func below(_ name: String) -> StorageContainer? {
    switch self {
    case .directory(let directory): directory.below(name).map { .directory($0) }
    case .groupDirectory(let group, let directory):
      directory.below(name).map { .groupDirectory(identifier: group, $0) }
    default: nil
    }
  }
}

extension FileDirectory {
  fileprivate func below(_ name: String) -> FileDirectory? {
    switch self {
    case .applicationSupport: .custom(name)
    case .custom(let path): .custom(path + "/" + name)
    default: nil
    }
  }
}

extension KeysetID {
  /// The directories that contain the files of a keyset. Custom directories are below application support.
  fileprivate var directories: [StorageContainer] {
    let directories: [FileDirectory] = [.documents, .applicationSupport, .caches]
    return switch self {
    case .app: directories.map { .directory($0) }
    case .group(let identifier): directories.map { .groupDirectory(identifier: identifier, $0) }
    }
  }
}

extension Folder {
  /// Moves a file to another folder of the same volume.
  fileprivate func move(_ name: String, to folder: borrowing Folder) throws(StorageFault) {
    let (from, to) = (descriptor.raw, folder.descriptor.raw)
    try SystemCall.run { renameat(from, name, to, name) }
  }
}
