import Foundation

/// What is in the file of a value whose name was shortened: `LDNAME1` and a line feed, the count of the stored name's
/// bytes as a big-endian `UInt32`, the stored name, the value. Other files hold the value alone.
enum NamedContent {
  private static let magic = Data("LDNAME1\n".utf8)

  static func header(of storedName: String) -> Data {
    let name = Data(storedName.utf8)
    let count = withUnsafeBytes(of: UInt32(name.count).bigEndian) { Data($0) }
    return magic + count + name
  }

  /// The value in a file of a scan; the whole content where the file is not one that carries a name.
  static func valueIfNamed(in content: Data, file name: String) -> Data {
    guard FileName.isShortened(name), content.starts(with: magic) else { return content }
    let rest = content.dropFirst(magic.count)
    let count = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let named = rest.dropFirst(4)
    // Compared as it is: an `Int` of 32 bits does not hold every count.
    guard named.count >= count else { return content }
    return Data(named.dropFirst(Int(count)))
  }

  /// The value in `content`, which must be that of this stored name.
  static func value(in content: Data, of storedName: String) throws(StorageFault) -> Data {
    let header = header(of: storedName)
    guard content.starts(with: header) else { throw .corrupted }
    return Data(content.dropFirst(header.count))
  }
}
