package import LocalDataFoundation
import LocalDataSystem

/// Stored bytes that were moved aside, as a file: an envelope whose key is lost, or bytes that cannot be decoded as a value of
/// their key. See `EncryptedFormat.md`.
package struct SetAsideValue: Sendable {
  private static let magic = Data("LDABND1\n".utf8)

  /// The most bytes of a file up to the end of the address: the longest stored name, and the fields of a container.
  private static let longestAddress = 20 << 10

  /// The most bytes of a file that contain its address and the first bytes of its value, see ``PlainEnvelope/beginning``.
  package static let longestBeginning = longestAddress + PlainEnvelope.beginning

  package let address: StorageAddress
  package let stored: Data

  package init(address: StorageAddress, stored: Data) {
    self.address = address
    self.stored = stored
  }

  /// Returns true if the beginning of a file shows that a later version of the library has written it: another digit than this
  /// version's.
  package static func isOfLaterVersion(_ beginning: Data) -> Bool {
    let start = Data(beginning.prefix(magic.count))
    guard start.count == magic.count, let digit = start.dropLast().last else { return false }
    return start.dropLast(2) == magic.dropLast(2) && start.last == magic.last
      && (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(digit)
  }

  /// Returns true if a file can have the name of such a value, see ``name``.
  package static func isName(_ name: String) -> Bool {
    name.isHexadecimal(ofBytes: 16)
  }

  /// The name of the file. The same bytes of the same address have the same name, so that a repeated move adds no file.
  package var name: String {
    KeyID(of: SecretBytes(bytes)).bytes.hexadecimal
  }

  /// The content of the file: the magic, the fields of the address with their count, and the stored bytes.
  package var bytes: Data {
    var fields = ByteWriter()
    fields.append(container: address.container)
    fields.appendField(address.name)
    var writer = ByteWriter(capacity: stored.count + fields.bytes.count + 16)
    writer.append(Self.magic)
    writer.append(UInt32(fields.bytes.count))
    writer.append(fields.bytes)
    writer.append(stored)
    return writer.bytes
  }

  /// Returns the address in the beginning of a file, and the bytes of the value that follow it there. `nil` if the file has
  /// no value that was moved aside.
  package static func read(_ beginning: Data) -> (address: StorageAddress, stored: Data)? {
    do throws(StorageProblem) {
      var reader = ByteReader(beginning)
      guard try reader.take(magic.count) == magic else { return nil }
      var fields = ByteReader(try reader.take(Int(clamping: try reader.integer(UInt32.self))))
      let address = StorageAddress(container: try fields.container(), name: try fields.requiredText())
      guard fields.remaining == 0 else { return nil }
      return (address, Data(reader.rest()))
    } catch {
      return nil
    }
  }
}
