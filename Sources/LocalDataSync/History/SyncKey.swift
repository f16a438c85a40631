import LocalData
import LocalDataFoundation

/// The identity of a key on both devices: its stored name, and its domain as declared. A configured part of the domain, for
/// example the default keychain service, may differ between the two.
struct SyncKey: Hashable, Sendable {
  var name: String
  var domain: StorageDomain

  init(name: String, domain: StorageDomain) {
    self.name = name
    self.domain = domain.withoutPatterns
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
    let fields = key.domain.fields
    appendField(fields.name)
    appendField(fields.accessGroup)
    append(UInt8(fields.synchronizable == true ? 1 : 0))
    appendField(fields.directory?.kind.rawValue)
    appendField(fields.directory?.text)
  }
}

extension ByteReader {
  /// A key; `nil` if this version does not support its kind of domain or directory.
  mutating func syncKey() throws(StorageProblem) -> SyncKey? {
    var start = self
    guard let name = try text(), let kind = try text() else { throw .corrupted }
    var fields = StorageDomain.Fields(named: try text())
    fields.accessGroup = try text()
    let flag: UInt8 = try integer()
    guard flag <= 1 else { throw .corrupted }
    fields.synchronizable = flag == 1
    let folder = try text()
    let path = try text()
    guard let kind = StorageDomain.Kind(rawValue: kind) else { return nil }
    if let folder {
      guard let kind = FileDirectory.Kind(rawValue: folder) else { return nil }
      fields.directory = FileDirectory(kind, path)
    }
    guard let domain = StorageDomain(kind, fields) else { throw .corrupted }
    let key = SyncKey(name: name, domain: domain)
    // A field that the domain does not have belongs to no key that was written.
    var written = ByteWriter()
    written.append(key)
    guard try start.take(start.remaining - remaining) == written.bytes else { throw .corrupted }
    return key
  }
}
