package import LocalData

/// The keys of one probe, or of one test.
package enum ProbeCatalog: StorageKeyCatalog {
  /// Those that are being registered.
  @TaskLocal private static var keys: [AnyStorageKey] = []

  package static var allKeys: [AnyStorageKey] { keys }

  package static func register(_ keys: [AnyStorageKey], on router: StorageRouter) throws(StorageError) {
    let result = $keys.withValue(keys) {
      Result { () throws(StorageError) in try router.registerCatalog(Self.self) }
    }
    try result.get()
  }
}
