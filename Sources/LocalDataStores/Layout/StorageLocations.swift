import LocalDataSystem
import LocalDataVocabulary

/// The locations of all containers on the disk. Only this type defines the layout.
///
/// | container | location |
/// |---|---|
/// | preferences (Linux) | `DATA/preferences/<suite or standard>.db` |
/// | preferences of a group (Linux) | `GROUPS/<identifier>/preferences/standard.db` |
/// | documents, support, caches | `DATA/documents/<sub>`, `DATA/support/<sub>`, `CACHE/<sub>` |
/// | a custom directory | `DATA/support/<sub>/<custom>` |
/// | the same of a group | `GROUPS/<identifier>/{documents,support,caches}/<sub>` |
/// | versions of synced keys | `DATA/.sync`, `GROUPS/<identifier>/.sync` |
/// | whether the device was unlocked (Apple) | `DATA/.local-data.unlocked` |
/// | lock and marker of a keyset | `DATA/.keyset.lock`, `DATA/.master-key-created.location`, the same of a group |
/// | bytes that are no values of their keys | `DATA/.quarantine`, `GROUPS/<identifier>/.quarantine` |
/// | values whose key is lost | `DATA/.abandoned`, `GROUPS/<identifier>/.abandoned` |
/// | keystores (Linux) | `DATA/keystore.db`, `GROUPS/<identifier>/keystore.db`, each with `keystore.key` beside it |
///
/// ``StorageRoots`` provides `DATA`, `CACHE` and `GROUPS/<identifier>`, and on Apple's platforms a separate folder for
/// documents.
///
/// The names of the library's own files begin with a dot. No file of a value and no part of a custom directory begins with a
/// dot. A custom directory and a value in application support could have the same name. Registration refuses this. If no
/// catalog is registered, the second of the two fails with ENOTDIR or EISDIR and overwrites nothing.
package final class StorageLocations: Sendable {
  let data: StorageRoot
  let documents: FolderLocation
  private let support: FolderLocation
  let caches: FolderLocation
  let groups: GroupRoots
  private let foundation: StorageRoot
  private let subDirectory: Result<[String], StorageProblem>
  /// A Boolean value that indicates whether two of the configured folders contain the same files.
  package let isOverlapping: Bool

  /// Creates the locations of a configuration. An invalid sub-directory is thrown by the functions that use it.
  package init(_ configuration: StorageConfiguration, _ files: FileStorageConfiguration) {
    let roots = configuration.roots
    data = StorageRoot(roots.dataFolder, marker: roots.markerFile)
    documents =
      roots.documentsFolder.map { FolderLocation(root: StorageRoot($0, marker: roots.markerFile), parts: []) }
      ?? FolderLocation(root: data, parts: ["documents"])
    support = FolderLocation(root: data, parts: ["support"])
    caches = FolderLocation(root: StorageRoot(roots.cachesFolder, marker: roots.markerFile), parts: [])
    groups = GroupRoots(configuration)
    foundation = StorageRoot(roots.foundationFolder)
    isOverlapping =
      RootOverlap(
        data: data.path, documents: roots.documentsFolder == nil ? nil : documents.path, caches: caches.path,
        groups: roots.usesSystemGroups ? nil : StorageRoot(roots.groupsFolder).path
      ).exists
    do throws(StorageProblem) {
      subDirectory = .success(try files.subDirectory.map(Self.parts) ?? [])
    } catch {
      subDirectory = .failure(error)
    }
  }

  /// The folder of files that belong to the app alone: its keystore, and the records of its configured locations.
  package var appFolder: FolderLocation { FolderLocation(root: data, parts: []) }

  /// A file with the same protection as Apple's preferences: it can be read after the first unlock. If the file can be read,
  /// preferences can be read too.
  package var unlockProbe: FileLocation { FileLocation(folder: appFolder, name: ".local-data.unlocked") }

  /// The file that records the suites of Apple's UserDefaults that contain sealed values.
  package var sealedSuites: FileLocation { FileLocation(folder: appFolder, name: ".local-data.suites") }

  /// The property lists of Foundation's own UserDefaults.
  package var foundationDefaults: FolderLocation { FolderLocation(root: foundation, parts: []) }

  /// The property list in which Apple's UserDefaults keeps a suite of the app, by the suite's name.
  package func propertyList(suite: String) -> FileLocation {
    FileLocation(folder: foundationDefaults, name: suite + ".plist")
  }

  /// The property list in which Apple's UserDefaults keeps the preferences of a group.
  package func propertyList(group identifier: String) throws(StorageProblem) -> FileLocation {
    FileLocation(folder: try groups.preferences(identifier), name: identifier + ".plist")
  }

  // MARK: Databases

  /// Returns the database of a container whose values are rows.
  package func database(of container: StorageContainer) throws(StorageProblem) -> FileLocation {
    switch container.store {
    case .preferences: try preferences(suite: container.domain.fields.suite, group: container.domain.fields.identifier)
    case .keychain: try keystore()
    case .files: throw .invalidName
    }
  }

  /// Returns the database of a suite, or of an app group if there is an identifier. A `nil` suite is the app's own.
  package func preferences(suite: String? = nil, group identifier: String? = nil) throws(StorageProblem) -> FileLocation
  {
    var folder = try folder(ofGroup: identifier)
    folder.parts.append("preferences")
    return FileLocation(folder: folder, name: try Self.databaseName(suite: suite))
  }

  /// Returns the app's keystore, or that of a group if there is an identifier.
  package func keystore(group identifier: String? = nil) throws(StorageProblem) -> FileLocation {
    FileLocation(folder: try folder(ofGroup: identifier), name: "keystore.db")
  }

  /// The key file beside a keystore.
  package func keystoreKey(group identifier: String? = nil) throws(StorageProblem) -> FileLocation {
    FileLocation(folder: try folder(ofGroup: identifier), name: "keystore.key")
  }

  private func folder(ofGroup identifier: String?) throws(StorageProblem) -> FolderLocation {
    if let identifier { return try groups.folder(identifier) }
    return appFolder
  }

  private static func databaseName(suite: String?) throws(StorageProblem) -> String {
    guard let suite else { return "standard.db" }
    // The name of the app's own.
    guard suite != "standard", !suite.contains("/"), !suite.contains("..") else { throw .invalidName }
    try checkPart(suite)
    let name = try FileName(suite)
    guard !name.isShortened else { throw .invalidName }
    return name.text + ".db"
  }

  // MARK: Files

  /// The folder of a container whose values are files.
  package func folder(of container: StorageContainer) throws(StorageProblem) -> FolderLocation {
    let fields = container.domain.fields
    guard let directory = fields.directory else { throw .invalidName }
    let (own, name): (FolderLocation, String)
    switch directory {
    case .documents:
      own = documents
      name = "documents"
    case .applicationSupport, .custom:
      own = support
      name = "support"
    case .caches:
      own = caches
      name = "caches"
    case .exact(let directory): return try foreignFolder(directory, group: fields.identifier)
    }
    var folder = own
    if let identifier = fields.identifier {
      folder = try groups.folder(identifier)
      folder.parts.append(name)
    }
    folder.parts += try subDirectory.get()
    if case .custom(let path) = directory { folder.parts += try Self.parts(path) }
    return folder
  }

  /// The file of a value.
  package func file(of address: StorageAddress) throws(StorageProblem) -> FileLocation {
    let place = try place(of: address)
    return FileLocation(folder: place.folder, name: place.file.text)
  }

  /// The folder and the name of the file of a value.
  func place(of address: StorageAddress) throws(StorageProblem) -> (folder: FolderLocation, file: FileName) {
    let path = try Self.path(of: address)
    var folder = try folder(of: address.container)
    folder.parts += path.parts
    return (folder, path.file)
  }

  /// The path of a value's file in the folder of its container. The file has the escaped name of the value, unless the name
  /// itself is the path.
  package static func path(of address: StorageAddress) throws(StorageProblem) -> (parts: [String], file: FileName) {
    guard address.container.domain.fields.directory?.exact != nil else { return ([], try FileName(address.name)) }
    var parts = try Self.parts(address.name)
    // On Linux, the library's own files are in the same folders.
    guard let first = parts.first?.lowercased(), first != "localdata", first != "preferences",
      !first.hasPrefix("keystore."), let file = parts.popLast()
    else { throw .invalidName }
    return (parts, FileName(exactly: file))
  }

  /// The absolute path of a value that is a file.
  package func path(of address: StorageAddress) throws(StorageProblem) -> String { try file(of: address).path }

  // MARK: Names

  /// The parts of a relative path.
  private static func parts(_ path: String) throws(StorageProblem) -> [String] {
    // Compared as bytes: a combining character after a slash is no separator to `Character`.
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    for part in parts { try checkPart(part) }
    return parts
  }

  /// Checks that a text can be one part of a path. The rule against a leading dot excludes `.`, `..` and the library's files.
  private static func checkPart(_ part: String) throws(StorageProblem) {
    guard (1...255).contains(part.utf8.count), part.utf8.first != UInt8(ascii: ".") else { throw .invalidName }
    for scalar in part.unicodeScalars where scalar.properties.generalCategory == .control { throw .invalidName }
  }
}

/// The library's own files in the roots of a keyset: the app's, or those of a group.
extension StorageLocations {
  /// Returns the file that records a configured location, in the app's data or a group's container. No file of a value begins
  /// with a dot.
  package func record(_ name: String, of keyset: KeysetID) throws(StorageProblem) -> FileLocation {
    FileLocation(folder: try keystore(of: keyset).folder, name: ".\(name).location")
  }

  /// Returns the log of migrations, beside those records.
  package func migrationLog(of keyset: KeysetID) throws(StorageProblem) -> FileLocation {
    FileLocation(folder: try keystore(of: keyset).folder, name: ".migrations.log")
  }

  /// Returns the folder of the histories of synced keys, in the app's data or a group's container.
  package func syncFolder(of keyset: KeysetID) throws(StorageProblem) -> FolderLocation {
    let folder = try keystore(of: keyset).folder
    return FolderLocation(root: folder.root, parts: folder.parts + [".sync"])
  }

  /// Returns the folder of stored bytes that are no values of their keys, in the app's data or a group's container.
  package func quarantine(of keyset: KeysetID) throws(StorageProblem) -> FolderLocation {
    let folder = try keystore(of: keyset).folder
    return FolderLocation(root: folder.root, parts: folder.parts + [".quarantine"])
  }

  /// Returns the keystore of a keyset.
  package func keystore(of keyset: KeysetID) throws(StorageProblem) -> FileLocation {
    try keystore(group: keyset.group)
  }
}
