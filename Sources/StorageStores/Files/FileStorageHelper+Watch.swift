import StorageSystem

#if os(Linux)
  import SmallFoundation

  extension FileStorageHelper {
    /// Watches the folder. A value is replaced or removed in one step.
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageProblem) -> (any Sendable)? {
      let file = try name.map { (name) throws(StorageProblem) in try FileName(name).text }
      return FolderWatch(try locations.folder(of: container).path, where: { file == nil || $0 == file }, onChange)
    }
  }
#endif
