import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

extension StorageLocations {
  /// Returns the custom directories that exist below a directory of application support, in no order. Their names are not
  /// recorded: every folder whose name a custom directory can have is one.
  ///
  /// A folder of another user that cannot be read is ignored. Any other failure is thrown.
  package func customDirectories(of keyset: KeysetID) throws(StorageProblem) -> [StorageContainer] {
    guard let folder = try folder(of: keyset.container(.applicationSupport)).open(creating: false) else { return [] }
    var paths: [String] = []
    try Self.collect(in: folder, below: "", &paths)
    return paths.map { keyset.container(.custom($0)) }
  }

  private static func collect(
    in folder: borrowing Folder, below path: String, _ paths: inout [String]
  ) throws(StorageProblem) {
    for name in try folder.names() where !name.hasPrefix(".") {
      guard let status = try folder.status(of: name), status.isFolder else { continue }
      let inner: Folder?
      do throws(StorageProblem) { inner = try folder.folder(name, creating: false) } catch {
        guard error == .accessDenied, status.st_uid != geteuid() else { throw error }
        continue
      }
      guard let inner else { continue }
      paths.append(path + name)
      try collect(in: inner, below: path + name + "/", &paths)
    }
  }
}
