package import Foundation
internal import StorageVocabulary

extension ValueIdentity {
  /// The tuple that a seal of this value is bound to, after its header.
  ///
  /// `schema` is the header's: what is stored may be older than the key that reads it.
  package func associatedData(schema: UInt32) -> Data {
    var writer = ByteWriter(capacity: 128)
    writer.appendField("value")
    writer.appendField(domain.rawValue)
    switch container {
    case .preferences(let suite):
      writer.appendField("preferences")
      writer.appendField(suite)
    case .groupPreferences(let identifier):
      writer.appendField("groupPreferences")
      writer.appendField(identifier)
    case .keychain(let service, let accessGroup, _):
      // As in the keystore, an item is its group, service and account: whether it is synchronized names none.
      writer.appendField("keychain")
      writer.appendField(service)
      writer.appendField(accessGroup)
    case .directory(let directory):
      writer.appendField("directory")
      writer.append(directory: directory)
    case .groupDirectory(let identifier, let directory):
      writer.appendField("groupDirectory")
      writer.appendField(identifier)
      writer.append(directory: directory)
    }
    writer.appendField(name)
    writer.appendField(withUnsafeBytes(of: schema.bigEndian) { Data($0) })
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func append(directory: FileDirectory) {
    appendField(directory.kind.rawValue)
    if case .custom(let path) = directory { appendField(path) } else { appendField(nil as String?) }
  }
}
