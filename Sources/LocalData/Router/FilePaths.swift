import LocalDataStores

/// The paths of registered values that are stored as files. Two paths are never equal, and no path is a folder of another
/// path.
///
/// They are relative to the folders of the app or of a group. Upper and lower case are not distinguished, because many
/// disks of Macs do not distinguish them. The generator does the same.
struct FilePaths: Sendable {
  private var files: Set<[String]> = []
  private var folders: Set<[String]> = []

  /// Adds the file of a value, and returns true if it does not collide with another path. Returns true for a value that is not
  /// stored as a file.
  mutating func insert(_ address: StorageAddress) throws(StorageProblem) -> Bool {
    guard let folder = Self.folder(of: address.container) else { return true }
    let name = try StorageLocations.path(of: address)
    let file = folder + (name.parts + [name.file.text]).map { $0.lowercased() }
    guard insert(folder: Array(file.dropLast())), !folders.contains(file) else { return false }
    return files.insert(file).inserted
  }

  /// Adds the folder of a family's values, and returns true if it does not collide with a file.
  mutating func insert(_ container: StorageContainer) -> Bool {
    Self.folder(of: container).map { insert(folder: $0) } ?? true
  }

  private mutating func insert(folder: [String]) -> Bool {
    var path = folder
    // If a folder is known, the folders above it are known too.
    while !path.isEmpty, folders.insert(path).inserted {
      if files.contains(path) { return false }
      path.removeLast()
    }
    return true
  }

  private static func folder(of container: StorageContainer) -> [String]? {
    guard container.store == .files else { return nil }
    let fields = container.domain.fields
    return fields.directory.map { [fields.identifier ?? ""] + parts($0) }
  }

  /// The files of a path are in the folders of the system, or on Linux in those of the library.
  private static func parts(_ directory: FileDirectory) -> [String] {
    if let folder = directory.exact { return [.documents, .caches].contains(folder) ? [folder.rawValue] : [] }
    guard case .custom(let path) = directory else { return [directory.kind.rawValue] }
    return [FileDirectory.Kind.applicationSupport.rawValue]
      + path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self).lowercased() }
  }
}
