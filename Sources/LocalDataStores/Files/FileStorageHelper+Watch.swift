import LocalDataSystem

#if os(Linux)
  import LocalDataFoundation

  extension FileStorageHelper {
    /// Watches the folder. A value is replaced or removed in one step.
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageProblem) -> (any Sendable)? {
      guard let name else {
        return FolderWatch(try locations.folder(of: container).path, where: { _ in true }, onChange)
      }
      let (folder, file) = try locations.place(of: StorageAddress(container: container, name: name))
      return FolderWatch(folder.path, where: { $0 == file.text }, onChange)
    }
  }
#endif
