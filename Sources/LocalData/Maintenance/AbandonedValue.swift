import Foundation

/// The encrypted bytes of a value whose key is lost, as a file. See `FORMAT.md`.
struct AbandonedValue: Sendable {
  private static let magic = Data("LDABND1\n".utf8)

  let place: StoragePlace
  let stored: Data

  /// The name of the file. The same bytes of the same address have the same name, so that a repeated move adds no file.
  var name: String {
    KeyID(of: SecretBytes(bytes)).bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The content of the file: the magic, the fields of the address with their count, and the stored bytes.
  var bytes: Data {
    var fields = ByteWriter()
    fields.append(container: place.container)
    fields.appendField(place.name)
    var writer = ByteWriter(capacity: stored.count + fields.bytes.count + 16)
    writer.append(Self.magic)
    writer.append(UInt32(fields.bytes.count))
    writer.append(fields.bytes)
    writer.append(stored)
    return writer.bytes
  }
}

extension KeysetFiles {
  /// Keeps the bytes of an abandoned value. Durable on return.
  func keep(_ value: AbandonedValue, _ keyset: KeysetID) throws(StorageFault) {
    _ = try FileLocation(folder: try abandoned(keyset), name: value.name).create(value.bytes)
  }
}
