import LocalDataSystem

#if os(Linux)
  import LocalDataFoundation

  extension KeychainHelper {
    package func watch(
      _ container: StorageContainer, _ name: String?, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageProblem) -> (any Sendable)? {
      database.watch(onChange)
    }
  }
#endif
