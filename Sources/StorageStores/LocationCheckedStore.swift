package import SmallFoundation
import StorageSystem

/// A store whose values can be found only under the configuration that they were written with: it is recorded with the first
/// of them, and another location throws an error, because no value would be found there.
package struct LocationCheckedStore: ForwardingStore {
  package let base: any ValueStore
  private let location: RecordedLocation
  private let file: @Sendable (StorageAddress) throws(StorageFault) -> FileLocation
  /// A Boolean value that indicates whether every write looks at the record, which may have been deleted with its folder.
  private let checksEveryWrite: Bool
  /// Files whose record was found to be this one.
  private let known: Lock<Set<FileLocation>>

  /// - Parameter known: The files whose record was found to be this one, shared by the stores of several bases.
  package init(
    _ base: any ValueStore, _ location: RecordedLocation, checksEveryWrite: Bool = false,
    known: Lock<Set<FileLocation>> = Lock([]),
    recordedIn file: @escaping @Sendable (StorageAddress) throws(StorageFault) -> FileLocation
  ) {
    self.base = base
    self.location = location
    self.checksEveryWrite = checksEveryWrite
    self.file = file
    self.known = known
  }

  package func check(_ address: StorageAddress, isWriting: Bool) throws(StorageFault) {
    let file = try file(address)
    if !(isWriting && checksEveryWrite), known.withLock({ $0.contains(file) }) { return }
    if try location.check(file, isWriting: isWriting) { known.withLock { _ = $0.insert(file) } }
  }
}

/// A configured location that values were written with. It is recorded beside them, because another configuration would not
/// find them.
///
/// The record is a ``StateFile`` in the app's data, or in the container of a group. It is created with the first value.
package struct RecordedLocation: Codable, Hashable, Sendable {
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

  package static func files(_ configuration: FileStorageConfiguration) -> RecordedLocation {
    RecordedLocation(subDirectory: configuration.subDirectory)
  }

  package static func masterKey(_ configuration: EncryptionConfiguration) -> RecordedLocation {
    RecordedLocation(
      masterKeyService: configuration.masterKeyService, masterKeyAccount: configuration.masterKeyAccount,
      masterKeyAccessibility: configuration.masterKeyAccessibility.rawValue,
      masterKeyAccessGroup: configuration.masterKeyAccessGroup)
  }

  /// Compares the location with the record in a file. If there is no record, the location is recorded if `isWriting` is true.
  ///
  /// - Returns: True if the location is recorded now.
  func check(_ file: FileLocation, isWriting: Bool) throws(StorageFault) -> Bool {
    let file = StateFile<RecordedLocation>(file)
    var recorded = try file.read()
    if recorded == nil, isWriting { recorded = try file.create(self) }
    guard let recorded, recorded != self else { return recorded != nil }
    guard let former = recorded.accessGroup, let accessGroup else { throw .configurationConflict }
    throw .accessGroupChanged(recorded: former, current: accessGroup)
  }
}
