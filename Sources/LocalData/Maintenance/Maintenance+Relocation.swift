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
  /// A file of another program that has the name of a value in the new folder is not replaced. The function throws an error that
  /// names the key, and moves no file of the app, or of that group, unless an earlier call has begun to move them. Move that file
  /// away, and call the function again:
  ///
  /// ```swift
  /// do { try await router.maintenance.relocate() } catch StorageError.io(let key, _, errno: EEXIST) {
  ///   print(key)   // 'report' in fileSystem
  /// }
  /// ```
  ///
  /// - Parameter progress: Called after the folders of the app, and after those of each group.
  /// - Returns: The number of files that were moved.
  /// - Throws: ``StorageError/configurationConflict(_:)`` if the first part of a sub-directory is also that of a registered
  ///   custom directory, so that the two cannot be told apart. ``StorageError/io(_:_:errno:)`` with `EEXIST` if another file
  ///   has the name of a value in the new folder: its subject is the registered key or family of the value, and has no name if
  ///   the value belongs to none. If there are several, it is that of the first one. Every error of a file that cannot be moved
  ///   now.
  @discardableResult
  public func relocate(progress: @Sendable (Progress) -> Void = { _ in }) async throws(StorageError) -> Int {
    let addresses = await RegisteredAddresses(router)
    let (services, setup) = (router.values(for: nil).services, router.setup.withLock { $0 })
    guard let locations = services.locations else { return 0 }
    let custom = addresses.containers.compactMap(\.domain.customDirectory)
    var done = Progress(completed: 0, total: setup.registry.keysets.count)
    var (count, obstacle) = (0, StorageError.Subject?.none)
    for keyset in setup.registry.keysets {
      let relocation = FileRelocation(
        locations: locations, storage: setup.storage, files: setup.files, customDirectories: custom,
        isOwned: { addresses.owner(of: $0, in: $1) != nil })
      do throws(StorageFault) {
        let result = try await services.run { () throws(StorageFault) in try relocation.run(keyset) }
        count += result.count
        obstacle = obstacle ?? result.obstacle.map { addresses.subject(ofFile: $0.name, in: $0.container) }
      } catch {
        throw StorageError(error, .init(key: nil, domain: .fileSystem), limit: 0, .write)
      }
      done.completed += 1
      progress(done)
    }
    if let obstacle { throw .io(obstacle, .write, errno: EEXIST) }
    return count
  }
}

extension RegisteredAddresses {
  /// Returns the key or family that a value in a file belongs to, without a name if there is none.
  fileprivate func subject(ofFile name: String?, in container: StorageContainer) -> StorageError.Subject {
    switch name.flatMap({ owner(of: $0, in: container) }) {
    case .key(let index): return keys[index].plan.subject
    case .family(let index): return families[index].family.subject
    case .reserved, .source, .library, nil: break
    }
    let domain: StorageDomain.Kind = if case .groupDirectory = container { .appGroupFileSystem } else { .fileSystem }
    return .init(key: nil, domain: domain)
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

  /// A file of another program that has the name of a value in the new folder.
  struct Obstacle: Sendable {
    /// The stored name of the value; `nil` if it cannot be read.
    let name: String?
    let container: StorageContainer
  }

  struct Result: Sendable {
    /// The number of files that were moved.
    var count = 0
    /// The obstacle to the move. If there are several, it is the first one.
    var obstacle: Obstacle?
  }

  /// Moves the files of the app or of a group, and records the new location if all of them could be moved.
  ///
  /// Before the first file is moved, the record becomes that of no configuration: until the end, no release takes a value for
  /// absent that is in the other folder. The release that began it can end the move, and so can another one.
  func run(_ keyset: KeysetID) throws(StorageFault) -> Result {
    let record = try locations.record("files", of: keyset)
    guard let recorded = try RecordedLocation.recorded(in: record), recorded != .files(files) else {
      // A process may have been killed before it removed the copy.
      try record.copyOfMove.remove()
      return Result()
    }
    let sources = earlierLocations(recorded)
    let parts = (sources + [.files(files)]).compactMap { $0.subDirectory?.split(separator: "/").first }
    guard !customDirectories.contains(where: { path in path.split(separator: "/").first.map(parts.contains) ?? false })
    else { throw .configurationConflict }
    let moves = try moves(from: sources, of: keyset)
    var result = Result()
    if recorded.movedFrom == nil {
      // The earlier configuration can still be used if nothing is moved.
      result.obstacle = try firstObstacle(of: moves)
      if result.obstacle != nil { return result }
    }
    var unfinished = RecordedLocation.files(files)
    unfinished.movedFrom = sources
    // First: what a damaged record says is in the copy.
    try unfinished.replace(in: record.copyOfMove)
    if unfinished != recorded { try unfinished.replace(in: record) }
    for move in moves {
      let left = try move.run()
      result.count += move.names.count - left.count
      if result.obstacle == nil, let name = left.first { result.obstacle = try obstacle(name, move) }
    }
    if result.obstacle == nil {
      try RecordedLocation.files(files).replace(in: record)
      try record.copyOfMove.remove()
    }
    return result
  }

  /// Returns the obstacle of the first value that cannot be moved, or `nil` if all of them can.
  private func firstObstacle(of moves: [FileMove]) throws(StorageFault) -> Obstacle? {
    for move in moves {
      if let name = try move.firstNameInTheWay() { return try obstacle(name, move) }
    }
    return nil
  }

  /// Returns the obstacle of a value that stays in its old folder.
  private func obstacle(_ name: String, _ move: FileMove) throws(StorageFault) -> Obstacle {
    var stored = FileName.storedName(of: name)
    if stored == nil, let folder = try move.from.open(creating: false) {
      try FileScan.names(in: folder) { (found) throws(StorageFault) in
        if try FileName(found).text == name { stored = found }
        return stored == nil
      }
    }
    return Obstacle(name: stored, container: move.container)
  }

  /// The locations that can have files, but for the configured one: several after moves that were not ended.
  private func earlierLocations(_ recorded: RecordedLocation) -> [RecordedLocation] {
    var latest = recorded
    latest.movedFrom = nil
    return ([latest] + (recorded.movedFrom ?? [])).filter { $0 != .files(files) }
  }

  /// Returns the moves of all values of a keyset.
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
          FileMove(from: from, to: to, container: container), leaving: folders, isShared: source.subDirectory == nil)
      }
    }
    return moves
  }

  /// Returns the moves of every value in a folder and in the folders below it.
  ///
  /// - Parameters:
  ///   - move: The move of the folder, without names.
  ///   - others: Folders that may be below this one and are left alone.
  ///   - isShared: True if the folder may also contain files of other programs.
  private func moves(
    _ move: FileMove, leaving others: [FolderLocation], isShared: Bool
  ) throws(StorageFault) -> [FileMove] {
    guard let folder = try move.from.open(creating: false) else { return [] }
    let owned: Set<String>? = isShared ? try fileNames(in: folder, move.container) : nil
    var (move, inner) = (move, [String]())
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
      var next = move.below(name)
      if others.contains(where: { $0.root == next.from.root && $0.parts.starts(with: next.from.parts) }) { continue }
      if let below = move.container.below(name) { next.container = below } else if isShared { continue }
      moves += try self.moves(next, leaving: others, isShared: isShared)
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
  /// The container of the values.
  var container: StorageContainer
  var names: [String] = []

  /// Returns the move of a folder in this one, without names.
  func below(_ name: String) -> FileMove {
    FileMove(
      from: FolderLocation(root: from.root, parts: from.parts + [name]),
      to: FolderLocation(root: to.root, parts: to.parts + [name]), container: container)
  }

  /// Returns the first name that a file has in the other folder, or `nil` if there is none.
  func firstNameInTheWay() throws(StorageFault) -> String? {
    guard let folder = try to.open(creating: false) else { return nil }
    for name in names where try folder.status(of: name) != nil { return name }
    return nil
  }

  /// Moves the files, except those for which a file has the name in the other folder. Durable on return.
  ///
  /// - Returns: The names of the files that stay.
  func run() throws(StorageFault) -> [String] {
    guard let folder = try from.open(creating: false) else { throw .busy }
    let target = try to.openForWriting(lock: DurableWriter.stem)
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: FileLock.patience) { () throws(StorageFault) in
      var left: [String] = []
      for name in names {
        guard try target.status(of: name) == nil else {
          left.append(name)
          continue
        }
        let (old, new) = (folder.descriptor.raw, target.descriptor.raw)
        try SystemCall.run { renameat(old, name, new, name) }
      }
      try target.descriptor.sync()
      try folder.descriptor.sync()
      return left
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
