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
  /// is recorded at the end. If the process is killed in between, call it again: it moves what is left. If the user goes back
  /// to the old release first, calls on files throw the same error there, and its `relocate()` moves them back. No other
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
  ///
  /// Before the first file is moved, the record becomes that of no configuration: until the end, no release takes a value for
  /// absent that is in the other folder. The release that began it can end the move, and so can another one.
  func run(_ keyset: KeysetID) throws(StorageFault) -> Int {
    let record = try locations.record("files", of: keyset)
    guard let recorded = try RecordedLocation.recorded(in: record), recorded != .files(files) else { return 0 }
    let sources = earlierLocations(recorded)
    let parts = (sources + [.files(files)]).compactMap { $0.subDirectory?.split(separator: "/").first }
    guard !customDirectories.contains(where: { path in path.split(separator: "/").first.map(parts.contains) ?? false })
    else { throw .configurationConflict }
    let moves = try moves(from: sources, of: keyset)
    var unfinished = RecordedLocation.files(files)
    unfinished.movedFrom = sources
    if unfinished != recorded { try unfinished.replace(in: record) }
    for move in moves { try move.run() }
    try RecordedLocation.files(files).replace(in: record)
    return moves.map(\.names.count).reduce(0, +)
  }

  /// The locations that can have files, but for the configured one: several after moves that were not ended.
  private func earlierLocations(_ recorded: RecordedLocation) -> [RecordedLocation] {
    var latest = recorded
    latest.movedFrom = nil
    return ([latest] + (recorded.movedFrom ?? [])).filter { $0 != .files(files) }
  }

  /// Returns the moves of all values of a keyset.
  ///
  /// - Throws: An error with `EEXIST` if a file has the name of a value in its new folder.
  private func moves(from sources: [RecordedLocation], of keyset: KeysetID) throws(StorageFault) -> [FileMove] {
    let old = sources.map { StorageLocations(storage, FileStorageConfiguration(subDirectory: $0.subDirectory)) }
    var moves: [FileMove] = []
    for container in keyset.directories {
      let to = try locations.folder(of: container)
      var folders = [to]
      for locations in old { folders.append(try locations.folder(of: container)) }
      for (source, from) in zip(sources, folders.dropFirst()) {
        // Only a sub-directory has nothing but values.
        moves += try self.moves(
          from, to, leaving: folders, sharedAs: source.subDirectory == nil ? container : nil)
      }
    }
    var names: [FolderLocation: Set<String>] = [:]
    for move in moves {
      try move.check()
      guard names[move.to, default: []].isDisjoint(with: move.names) else { throw .io(errno: EEXIST) }
      names[move.to, default: []].formUnion(move.names)
    }
    return moves
  }

  /// Returns the moves of every value in a folder and in the folders below it.
  ///
  /// - Parameters:
  ///   - others: Folders that may be below this one and are left alone.
  ///   - container: The container whose folder this is, if it may also contain files of other programs.
  private func moves(
    _ from: FolderLocation, _ to: FolderLocation, leaving others: [FolderLocation],
    sharedAs container: StorageContainer?
  ) throws(StorageFault) -> [FileMove] {
    guard let folder = try from.open(creating: false) else { return [] }
    let owned: Set<String>? = if let container { try fileNames(in: folder, container) } else { nil }
    var (move, inner) = (FileMove(from: from, to: to, names: []), [String]())
    for name in try folder.names().sorted() where !name.hasPrefix(".") {
      guard let status = try folder.status(of: name) else { continue }
      if status.isFolder {
        inner.append(name)
      } else if status.isRegularFile, FileName.isFileName(name), owned?.contains(name) ?? true {
        move.names.append(name)
      }
    }
    var moves: [FileMove] = []
    for name in inner {
      let next = FolderLocation(root: from.root, parts: from.parts + [name])
      if others.contains(where: { $0.root == next.root && $0.parts.starts(with: next.parts) }) { continue }
      let below = container?.below(name)
      if container != nil, below == nil { continue }
      moves += try self.moves(
        next, FolderLocation(root: to.root, parts: to.parts + [name]), leaving: others, sharedAs: below)
    }
    return move.names.isEmpty ? moves : moves + [move]
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

/// The move of some files to another folder of the same volume. Calls block.
private struct FileMove {
  let from: FolderLocation
  let to: FolderLocation
  var names: [String]

  /// Throws an error with `EEXIST` if a file has one of the names in the other folder.
  func check() throws(StorageFault) {
    guard let folder = try to.open(creating: false) else { return }
    for name in names where try folder.status(of: name) != nil { throw .io(errno: EEXIST) }
  }

  /// Moves the files. Durable on return.
  func run() throws(StorageFault) {
    guard let folder = try from.open(creating: false) else { throw .busy }
    let target = try to.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    try lock.hold(patience: FileLock.patience) { () throws(StorageFault) in
      for name in names {
        guard try target.status(of: name) == nil else { throw .io(errno: EEXIST) }
        let (old, new) = (folder.descriptor.raw, target.descriptor.raw)
        try SystemCall.run { renameat(old, name, new, name) }
      }
      try target.descriptor.sync()
      try folder.descriptor.sync()
    }
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
