public import Foundation
public import LocalData
import LocalDataFoundation

extension Maintenance {
  /// A file that was set aside, because it was damaged or its key was lost.
  public struct SetAsideFile: Sendable, Hashable {
    /// The location of the file.
    public let url: URL
    /// The number of bytes of the file.
    public let size: Int
    /// The time of the last change of the file. For a damaged file this is usually the last write before it was set aside.
    public let date: Date
    let location: FileLocation
  }

  /// Returns the files that ``setAsideDamaged(_:progress:)``, ``abandonKeystores(progress:)`` and
  /// ``abandonEncryptedData(includingDamaged:progress:)`` have kept, and damaged logs of migrations. The files of the app come
  /// first, then those of each app group of registered keys. In each group the oldest file comes first.
  ///
  /// ```swift
  /// for file in try await router.maintenance.setAsideFiles() { print(file.url.lastPathComponent, file.size, "bytes") }
  /// ```
  ///
  /// Quarantined values are not included, see ``quarantined()``.
  ///
  /// - Returns: The files. Their contents are not read.
  /// - Throws: A ``StorageError`` if a folder cannot be listed. It names no key.
  @concurrent public func setAsideFiles() async throws(StorageError) -> [SetAsideFile] {
    guard let files = libraryFiles else { return [] }
    var found: [SetAsideFile] = []
    for keyset in router.setup.withLock(\.registry.keysets) {
      found += try await blocking(.read) { () throws(StorageProblem) in try files.setAside(of: keyset) }
    }
    return found
  }

  /// Removes files that were set aside. Their contents are lost.
  ///
  /// A damaged database contains all values from the time when it was damaged, including values that the app has removed since
  /// then. Remove it when the user signs out, or when it is no longer needed to recover values:
  ///
  /// ```swift
  /// try await router.removeAll(in: AccountCatalog.self)
  /// try await router.maintenance.removeSetAsideFiles(try await router.maintenance.setAsideFiles())
  /// ```
  ///
  /// - Parameters:
  ///   - files: The files, for example all that ``setAsideFiles()`` returns.
  ///   - progress: Called after each file.
  /// - Returns: The number of removed files. Files that did not exist any more are not counted.
  /// - Throws: ``StorageProblem/Code/busy`` if a database is being repaired right now. Every other ``StorageError`` if a file
  ///   cannot be removed. The next call removes the remaining files.
  @discardableResult
  @concurrent public func removeSetAsideFiles(
    _ files: [SetAsideFile], progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> Int {
    guard let library = libraryFiles else { return 0 }
    var count = 0
    var done = Progress(completed: 0, total: files.count)
    for file in files {
      let isRemoved = try await blocking(.write) { () throws(StorageProblem) in
        try library.removeSetAside(file.location)
      }
      if isRemoved { count += 1 }
      done.completed += 1
      progress(done)
    }
    return count
  }

  private var libraryFiles: LibraryFiles? {
    router.values(for: nil).services.locations.map { LibraryFiles(locations: $0) }
  }
}

extension LibraryFiles {
  /// Returns the files of a keyset's folders that were set aside, the oldest first.
  fileprivate func setAside(of keyset: KeysetID) throws(StorageProblem) -> [Maintenance.SetAsideFile] {
    let preferences = try locations.preferences(group: keyset.group).folder
    var files: [Maintenance.SetAsideFile] = []
    for folder in try [locations.keystore(of: keyset).folder, preferences] + locations.recordFolders(of: keyset) {
      files += try self.files(in: folder) { FileLocation.wholeOfSetAside($0) != nil }
    }
    files += try self.files(in: try KeysetFiles(locations).abandoned(keyset), where: SetAsideValue.isName)
    return files.sorted { ($0.date, $0.location.name) < ($1.date, $1.location.name) }
  }

  private func files(
    in location: FolderLocation, where isSetAside: (String) -> Bool
  ) throws(StorageProblem) -> [Maintenance.SetAsideFile] {
    guard let folder = try location.open(creating: false) else { return [] }
    var files: [Maintenance.SetAsideFile] = []
    for name in try folder.names() where isSetAside(name) {
      guard let status = try folder.status(of: name), !status.isFolder else { continue }
      let file = FileLocation(folder: location, name: name)
      files.append(
        Maintenance.SetAsideFile(
          url: URL(fileURLWithPath: file.path), size: Int(status.st_size), date: status.modification, location: file))
    }
    return files
  }

  /// Removes a file that was set aside. Durable on return. Returns false if it is not there any more.
  fileprivate func removeSetAside(_ file: FileLocation) throws(StorageProblem) -> Bool {
    guard let folder = try file.folder.open(creating: false), try folder.status(of: file.name) != nil else {
      return false
    }
    // While a process repairs a database, it holds the lock and needs the copy.
    let database = FileLocation.wholeOfSetAside(file.name)
    let isRemoved: Bool
    if let database, try folder.status(of: FileLock.lockName(database)) != nil {
      isRemoved = try FileLock(in: folder, named: database).hold(patience: patience) { () throws(StorageProblem) in
        try folder.unlink(file.name)
      }
    } else {
      isRemoved = try folder.unlink(file.name)
    }
    if isRemoved { try folder.descriptor.sync() }
    return isRemoved
  }
}

extension FileLocation {
  /// Returns the name of the database or record that a file was a part of before it was set aside, without a dot at the
  /// beginning, or `nil` if its name is not one of ``setAside(_:)``.
  fileprivate static func wholeOfSetAside(_ name: String) -> String? {
    let log = "-wal"
    let key = ".key"
    let file = name.hasSuffix(log) ? name.dropLast(log.count) : name[...]
    guard file.hasPrefix("."), let mark = file.range(of: ".damaged-", options: .backwards) else { return nil }
    let id = String(file[mark.upperBound...])
    guard UUID(uuidString: id)?.uuidString.lowercased() == id else { return nil }
    let whole = file[..<mark.lowerBound].dropFirst()
    return whole.hasSuffix(key) ? whole.dropLast(key.count) + ".db" : String(whole)
  }
}
