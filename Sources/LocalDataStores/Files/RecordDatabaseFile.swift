import LocalDataFoundation
package import LocalDataSystem
import LocalDataVocabulary

/// The file of a database of records. Its record keys are sealed with a master key as a rule.
///
/// The file may belong to another release of the app, or to a catalog that this process does not register.
package struct RecordDatabaseFile: Hashable, Sendable {
  /// The container whose folder contains the file, and the name of the database.
  package let address: StorageAddress
  package let location: FileLocation

  package static let folder = ".records"
  private static let suffix = ".db"
  /// The end of the name of a copy, which is renamed to the database when it has been moved completely.
  package static let copySuffix = ".moved"

  /// - Throws: ``StorageProblem/invalidName`` if no database can have the name.
  package init(_ address: StorageAddress, _ locations: StorageLocations) throws(StorageProblem) {
    let name = try FileName(address.name)
    guard !name.isShortened else { throw .invalidName }
    self.init(address, named: name.text + Self.suffix, in: try Self.folder(of: address.container, locations))
  }

  private init(_ address: StorageAddress, named name: String, in folder: FolderLocation) {
    self.address = address
    location = FileLocation(folder: folder, name: name)
  }

  fileprivate static func folder(
    of container: StorageContainer, _ locations: StorageLocations
  ) throws(StorageProblem) -> FolderLocation {
    var folder = try locations.folder(of: container)
    folder.parts.append(Self.folder)
    return folder
  }

  /// Returns the databases in the folder of a container.
  fileprivate static func all(
    in container: StorageContainer, _ locations: StorageLocations
  ) throws(StorageProblem) -> [RecordDatabaseFile] {
    let location = try folder(of: container, locations)
    guard let folder = try location.open(creating: false) else { return [] }
    return try folder.names().compactMap { file in
      // A copy has the keys of the database that it becomes.
      let isCopy = file.hasPrefix(".") && file.hasSuffix(suffix + copySuffix)
      let final = isCopy ? String(file.dropFirst().dropLast(copySuffix.count)) : file
      guard !final.hasPrefix("."), final.hasSuffix(suffix),
        let name = FileName.storedName(of: String(final.dropLast(suffix.count)))
      else { return nil }
      return RecordDatabaseFile(StorageAddress(container: container, name: name), named: file, in: location)
    }
  }
}

extension StorageLocations {
  /// Returns the databases of records whose keys a keyset may have sealed.
  ///
  /// - Throws: A fault if a folder that may contain one cannot be read now.
  package func recordDatabases(of keyset: KeysetID) throws(StorageProblem) -> [RecordDatabaseFile] {
    var found: [RecordDatabaseFile] = []
    for container in try fileContainers(of: keyset) { found += try RecordDatabaseFile.all(in: container, self) }
    return found
  }

  /// Returns the folders of the databases of records.
  package func recordFolders(of keyset: KeysetID) throws(StorageProblem) -> [FolderLocation] {
    var folders: [FolderLocation] = []
    for container in try fileContainers(of: keyset) {
      folders.append(try RecordDatabaseFile.folder(of: container, self))
    }
    return folders
  }

  private func fileContainers(of keyset: KeysetID) throws(StorageProblem) -> [StorageContainer] {
    try (containers(of: keyset) + customDirectories(of: keyset)).filter { $0.store == .files }
  }
}
