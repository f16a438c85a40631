package import LocalData
import LocalDataSync

/// The keys and families of one probe, or of one test.
package enum ProbeCatalog: StorageKeyCatalog {
  /// Those that are being registered.
  @TaskLocal private static var keys: [AnyStorageKey] = []
  @TaskLocal private static var families: [StorageKeyFamily] = []

  package static let features: [StorageFeature] = [.sync]
  package static var allKeys: [AnyStorageKey] { keys }
  package static var allFamilies: [StorageKeyFamily] { families }

  package static func register(
    _ keys: [AnyStorageKey] = [], _ families: [StorageKeyFamily] = [], on router: StorageRouter
  ) throws(StorageError) {
    let result = $keys.withValue(keys) {
      $families.withValue(families) {
        Result { () throws(StorageError) in try router.registerCatalog(Self.self) }
      }
    }
    try result.get()
  }

  /// Removes the values of keys and of the members of families, as those of a catalog.
  package static func removeAll(
    _ keys: [AnyStorageKey], _ families: [StorageKeyFamily], includingKept: Bool = false,
    on router: StorageRouter
  ) async throws {
    try await $keys.withValue(keys) {
      try await $families.withValue(families) {
        try await router.removeAll(in: Self.self, includingKept: includingKept)
      }
    }
  }
}
