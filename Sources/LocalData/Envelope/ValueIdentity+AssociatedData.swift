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
    writer.append(container: container)
    writer.appendField(name)
    writer.appendField(withUnsafeBytes(of: schema.bigEndian) { Data($0) })
    return writer.bytes
  }
}

extension ByteWriter {
  /// The fields of a container's identity.
  mutating func append(container: StorageContainer) {
    switch container {
    case .preferences(let suite):
      appendField("preferences")
      appendField(suite)
    case .groupPreferences(let identifier):
      appendField("groupPreferences")
      appendField(identifier)
    case .keychain(let service, let accessGroup, _):
      // As in the keystore, an item is its group, service and account: whether it is synchronized names none.
      appendField("keychain")
      appendField(service)
      appendField(accessGroup)
    case .directory(let directory):
      appendField("directory")
      append(directory: directory)
    case .groupDirectory(let identifier, let directory):
      appendField("groupDirectory")
      appendField(identifier)
      append(directory: directory)
    }
  }

  fileprivate mutating func append(directory: FileDirectory) {
    appendField(directory.kind.rawValue)
    if case .custom(let path) = directory { appendField(path) } else { appendField(nil as String?) }
  }
}
