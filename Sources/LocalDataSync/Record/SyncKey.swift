import LocalData
import SmallFoundation

/// The identity of a key on both devices: its stored name, and its domain as declared. A configured part of the domain, for
/// example the default keychain service, may differ between the two.
struct SyncKey: Hashable, Sendable {
  var name: String
  var domain: StorageDomain

  init(name: String, domain: StorageDomain) {
    self.name = name
    self.domain = domain
  }

  static func == (one: SyncKey, other: SyncKey) -> Bool {
    one.name.hasSameBytes(as: other.name) && one.domain == other.domain
  }
}

/// The bytes of a key, see `SyncFormat.md`.
extension ByteWriter {
  mutating func append(_ key: SyncKey) {
    appendField(key.name)
    appendField(key.domain.kind.rawValue)
    var (text, accessGroup, isSynchronizable): (String?, String?, Bool) = (nil, nil, false)
    var folder: FileDirectory?
    switch key.domain {
    case .userDefaults(let suite): text = suite
    case .appGroupUserDefaults(let identifier): text = identifier
    case .keychain(let service, let group, let synchronizable):
      (text, accessGroup, isSynchronizable) = (service, group, synchronizable)
    case .fileSystem(let directory), .encryptedFileSystem(let directory): folder = directory
    case .appGroupFileSystem(let identifier, let directory): (text, folder) = (identifier, directory)
    }
    appendField(text)
    appendField(accessGroup)
    append(UInt8(isSynchronizable ? 1 : 0))
    appendField(folder?.kind.rawValue)
    if case .custom(let path) = folder { appendField(path) } else { appendField(nil as String?) }
  }
}

extension ByteReader {
  /// A key; `nil` if this version does not support its kind of domain or directory.
  mutating func syncKey() throws(StorageFault) -> SyncKey? {
    var start = self
    guard let name = try text(), let kind = try text() else { throw .corrupted }
    let (text, accessGroup) = (try text(), try text())
    let flag: UInt8 = try integer()
    guard flag <= 1 else { throw .corrupted }
    let (folder, path) = (try self.text(), try self.text())
    guard let kind = StorageDomain.Kind(rawValue: kind) else { return nil }
    var directory: FileDirectory?
    if let folder {
      guard let kind = FileDirectory.Kind(rawValue: folder) else { return nil }
      directory = FileDirectory(kind, path)
    }
    func required() throws(StorageFault) -> FileDirectory {
      guard let directory else { throw .corrupted }
      return directory
    }
    let domain: StorageDomain =
      switch kind {
      case .userDefaults: .userDefaults(suite: text)
      case .appGroupUserDefaults: .appGroupUserDefaults(identifier: text)
      case .keychain: .keychain(service: text, accessGroup: accessGroup, synchronizable: flag == 1)
      case .fileSystem: .fileSystem(directory: try required())
      case .encryptedFileSystem: .encryptedFileSystem(directory: try required())
      case .appGroupFileSystem: .appGroupFileSystem(identifier: text, directory: try required())
      }
    let key = SyncKey(name: name, domain: domain)
    // A field that the domain does not have belongs to no key that was written.
    var written = ByteWriter()
    written.append(key)
    guard try start.take(start.remaining - remaining) == written.bytes else { throw .corrupted }
    return key
  }
}
