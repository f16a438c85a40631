package import SmallFoundation
import StorageSystem

/// A store whose values can be found only under the configuration that they were written with: it is recorded with the first
/// of them, and another location throws an error, because no value would be found there.
package struct LocationCheckedStore: ForwardingStore {
  package private(set) var base: any ValueStore
  private let location: RecordedLocation
  private let file: @Sendable (StorageAddress) throws(StorageFault) -> FileLocation
  /// A Boolean value that indicates whether every write looks at the record, which may have been deleted with its folder.
  private let checksEveryWrite: Bool
  private var mayWait = true
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

  /// The record is a file, which most reads need not look at.
  package var withoutWaiting: (any ValueStore)? {
    base.withoutWaiting.map { base in
      var store = self
      (store.base, store.mayWait) = (base, false)
      return store
    }
  }

  package func check(_ address: StorageAddress, isWriting: Bool) throws(StorageFault) {
    let file = try file(address)
    if !(isWriting && checksEveryWrite), known.withLock({ $0.contains(file) }) { return }
    guard mayWait else { throw .busy }
    if try location.check(file, isWriting: isWriting) { known.withLock { _ = $0.insert(file) } }
  }
}

/// A configured location that values were written with. It is recorded beside them, because another configuration would not
/// find them.
///
/// The record is a file of JSON in the app's data, or in the container of a group. It is created with the first value.
package struct RecordedLocation: Codable, Hashable, Sendable {
  /// The version of the file's format.
  var format = 1
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
  /// The CRC-32 of the texts of this location; `nil` in memory. A damaged record is not taken for another configuration.
  var checksum: UInt32?

  package static func files(_ configuration: FileStorageConfiguration) -> RecordedLocation {
    RecordedLocation(subDirectory: configuration.subDirectory)
  }

  package static func masterKey(_ configuration: EncryptionConfiguration) -> RecordedLocation {
    RecordedLocation(
      masterKeyService: configuration.masterKeyService, masterKeyAccount: configuration.masterKeyAccount,
      masterKeyAccessibility: configuration.masterKeyAccessibility.rawValue,
      masterKeyAccessGroup: configuration.masterKeyAccessGroup)
  }

  /// The most bytes of a file: many times those of a record.
  static let largestFile = 1 << 16

  /// Compares the location with the record in a file. If there is no record, the location is recorded if `isWriting` is true.
  ///
  /// - Returns: True if the location is recorded now.
  func check(_ file: FileLocation, isWriting: Bool) throws(StorageFault) -> Bool {
    if let recorded = try Self.recorded(in: file) { return try matches(recorded) }
    guard isWriting else { return false }
    if try file.create(try encoded()) { return true }
    // Another process was first.
    guard let recorded = try Self.recorded(in: file) else { throw .busy }
    return try matches(recorded)
  }

  private func matches(_ recorded: RecordedLocation) throws(StorageFault) -> Bool {
    if recorded == self { return true }
    guard let former = recorded.accessGroup, let accessGroup else { throw .configurationConflict }
    throw .accessGroupChanged(recorded: former, current: accessGroup)
  }

  /// Returns the record in a file, or `nil` if there is none.
  package static func recorded(in file: FileLocation) throws(StorageFault) -> RecordedLocation? {
    guard let bytes = try file.readRecord(upTo: largestFile) else { return nil }
    let recorded: RecordedLocation
    do { recorded = try JSONDecoder().decode(Self.self, from: bytes) } catch { throw .recordDamaged }
    return try recorded.withoutChecksum()
  }

  /// Returns the recorded location, after a check of its checksum.
  private func withoutChecksum() throws(StorageFault) -> RecordedLocation {
    guard format >= 1 else { throw .recordDamaged }
    guard format == 1 else { throw .unknownFormatVersion }
    guard checksum == fieldsChecksum else { throw .recordDamaged }
    var location = self
    location.checksum = nil
    return location
  }

  private func encoded() throws(StorageFault) -> Data {
    var location = self
    location.checksum = fieldsChecksum
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { return try encoder.encode(location) } catch { throw .cannotEncode }
  }

  /// The checksum of the fields, however they are written as JSON. It never covers a field that is added later.
  private var fieldsChecksum: UInt32 {
    var writer = ByteWriter()
    let fields = [subDirectory, masterKeyService, masterKeyAccount, masterKeyAccessibility, masterKeyAccessGroup]
    for field in fields { writer.appendField(field) }
    if let accessGroup { writer.appendField(accessGroup) }
    return CRC32.checksum(of: writer.bytes)
  }
}

extension FileLocation {
  /// Returns the bytes of a record, or `nil` if there is none. A file that is far too long is no record.
  func readRecord(upTo limit: Int) throws(StorageFault) -> Data? {
    do throws(StorageFault) { return try read(upTo: limit) } catch {
      throw error == .valueTooLarge ? .recordDamaged : error
    }
  }
}
