import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

extension StorageLocations {
  /// Returns a folder in which other libraries store files.
  ///
  /// On Apple's platforms it is the folder of the system. On Linux, and for roots that the app has configured, it is the folder of
  /// the roots without the library's folder in it.
  ///
  /// - Parameter identifier: The app group, or nil for the folders of the app.
  package func foreignFolder(
    _ directory: ForeignDirectory, group identifier: String?
  ) throws(StorageProblem) -> FolderLocation {
    if let identifier { return try foreignFolder(directory, in: groups.container(of: identifier)) }
    #if canImport(Darwin)
      let system = Self.systemFolder(.applicationSupportDirectory)
      if let system, data.path.hasPrefix(system.path + "/\(StorageRoots.libraryFolder)/") {
        switch directory {
        case .applicationSupport: return FolderLocation(root: system, parts: [])
        case .documents: if let root = Self.systemFolder(.documentDirectory) { return .init(root: root, parts: []) }
        case .library: if let root = Self.systemFolder(.libraryDirectory) { return .init(root: root, parts: []) }
        case .caches: if let root = Self.systemFolder(.cachesDirectory) { return .init(root: root, parts: []) }
        case .container: break
        }
      }
    #endif
    return switch directory {
    case .documents: documents
    case .caches: caches
    case .applicationSupport, .library: appFolder
    case .container: throw .invalidName
    }
  }

  /// Returns the folder in a container that the system provides, or in the folder of a group that the app has configured.
  private func foreignFolder(
    _ directory: ForeignDirectory, in container: (folder: FolderLocation, isOfSystem: Bool)
  ) -> FolderLocation {
    var folder = container.folder
    guard container.isOfSystem else { return folder }
    switch directory {
    case .documents: folder.parts.append("Documents")
    case .applicationSupport: folder.parts += ["Library", "Application Support"]
    case .library: folder.parts.append("Library")
    case .caches: folder.parts += ["Library", "Caches"]
    case .container: break
    }
    return folder
  }

  #if canImport(Darwin)
    private static func systemFolder(_ directory: FileManager.SearchPathDirectory) -> StorageRoot? {
      FileManager.default.urls(for: directory, in: .userDomainMask).first.map { StorageRoot($0) }
    }
  #endif
}
