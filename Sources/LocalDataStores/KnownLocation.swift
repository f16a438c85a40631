import LocalDataFoundation
import LocalDataSystem

/// The check of values that can be found only under the configuration that they were written with. The location is recorded
/// with the first of them. Another location throws an error, because no value would be found there.
package final class LocationCheck: Sendable {
  private let location: KnownLocation
  private let name: String
  private let locations: StorageLocations
  /// A Boolean value that indicates whether every write looks at the record, which may have been deleted with its folder.
  private let checksEveryWrite: Bool
  /// Files whose record was found to be this one.
  private let known = Lock<Set<FileLocation>>([])

  /// - Parameter name: The name of the record in the app's data, or in the container of a group.
  package init(
    _ location: KnownLocation, named name: String, in locations: StorageLocations, checksEveryWrite: Bool = false
  ) {
    self.location = location
    self.name = name
    self.locations = locations
    self.checksEveryWrite = checksEveryWrite
  }

  /// Compares the location with the record of a keyset. If there is no record, the location is recorded if `isWriting` is
  /// true.
  ///
  /// - Throws: ``StorageProblem/configurationConflict`` if another location is recorded, and the fault of the record.
  func check(_ keyset: KeysetID, isWriting: Bool) throws(StorageProblem) {
    let file = try locations.record(name, of: keyset)
    if !(isWriting && checksEveryWrite), known.withLock({ $0.contains(file) }) { return }
    if try location.check(file, isWriting: isWriting) { known.withLock { _ = $0.insert(file) } }
  }
}

/// A configured location that values were written with. It is recorded beside them, because another configuration would not
/// find them.
///
/// The record is a ``StateFile`` in the app's data, or in the container of a group. It is created with the first value.
package struct KnownLocation: Codable, Hashable, Sendable {
  /// ``FileStorageConfiguration/subDirectory``, for files.
  var subDirectory: String?
  /// ``EncryptionConfiguration/masterKeyService``, for sealed values.
  var masterKeyService: String?
  /// ``EncryptionConfiguration/masterKeyAccount``, for sealed values.
  var masterKeyAccount: String?
  /// ``EncryptionConfiguration/masterKeyAccessibility``, for sealed values.
  var masterKeyAccessibility: String?
  /// ``EncryptionConfiguration/masterKeyAccessGroup``, for sealed values.
  var masterKeyAccessGroup: String?
  /// The default keychain access group, for items whose key names none.
  var accessGroup: String?

  package static func files(_ configuration: FileStorageConfiguration) -> KnownLocation {
    KnownLocation(subDirectory: configuration.subDirectory)
  }

  package static func masterKey(_ configuration: EncryptionConfiguration) -> KnownLocation {
    KnownLocation(
      masterKeyService: configuration.masterKeyService, masterKeyAccount: configuration.masterKeyAccount,
      masterKeyAccessibility: configuration.masterKeyAccessibility.rawValue,
      masterKeyAccessGroup: configuration.masterKeyAccessGroup)
  }

  /// Compares the location with the record in a file. If there is no record, the location is recorded if `isWriting` is true.
  ///
  /// - Returns: True if the location is recorded now.
  func check(_ file: FileLocation, isWriting: Bool) throws(StorageProblem) -> Bool {
    let file = StateFile<KnownLocation>(file)
    var recorded = try file.read()
    if recorded == nil, isWriting {
      // Before the first unlock, the group is needed for an item that can always be read.
      recorded = try file.create(self, accessGroup == nil ? .standard : FileProtection(.always, isBackedUp: true))
    }
    guard let recorded, recorded != self else { return recorded != nil }
    guard let former = recorded.accessGroup, let accessGroup else { throw .configurationConflict }
    throw .accessGroupChanged(recorded: former, current: accessGroup)
  }
}
