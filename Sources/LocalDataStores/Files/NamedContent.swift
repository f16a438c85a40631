package import LocalDataFoundation
package import LocalDataSystem

/// The content of a file whose name was shortened: `LDNAME1` and a line feed, the count of the stored name's bytes as a
/// big-endian `UInt32`, the stored name, the value. Other files contain only the value.
package enum NamedContent {
  private static let magic = Data("LDNAME1\n".utf8)

  static func header(of storedName: String) -> Data {
    let name = Data(storedName.utf8)
    let count = withUnsafeBytes(of: UInt32(name.count).bigEndian) { Data($0) }
    return magic + count + name
  }

  /// Reads the beginning of the value in a file that a scan has opened. If the file should contain a stored name and
  /// does not, reads the beginning of the file.
  package static func beginning(
    of file: borrowing Descriptor, named name: String, upTo limit: Int
  ) throws(StorageProblem) -> Data {
    guard FileName.isShortened(name) else { return try file.read(upTo: limit) }
    let prefix = try file.read(upTo: magic.count + 4)
    try file.seek(to: try valueOffset(prefix, in: file) ?? 0)
    return try file.read(upTo: limit)
  }

  /// The stored name that a file begins with; `nil` if it contains none.
  static func storedName(in file: borrowing Descriptor) throws(StorageProblem) -> String? {
    let prefix = try file.read(upTo: magic.count + 4)
    guard let offset = try valueOffset(prefix, in: file) else { return nil }
    let count = offset - prefix.count
    guard count > 0, count <= longestName else { return nil }
    let name = Array(try file.read(upTo: count))
    return name.count == count ? String(utf8: name) : nil
  }

  /// A length above that of every stored name.
  private static let longestName = 1 << 20

  /// The offset of the value in a file that begins with `prefix`; `nil` if the file contains no stored name.
  private static func valueOffset(_ prefix: Data, in file: borrowing Descriptor) throws(StorageProblem) -> Int? {
    guard prefix.starts(with: magic), prefix.count == magic.count + 4 else { return nil }
    let count = prefix.dropFirst(magic.count).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let offset = Int64(prefix.count) + count
    return try file.status().st_size < offset ? nil : Int(exactly: offset)
  }

  /// The value in `content`, which must be that of this stored name.
  static func value(in content: Data, of storedName: String) throws(StorageProblem) -> Data {
    let header = header(of: storedName)
    guard content.starts(with: header) else { throw .corrupted }
    return Data(content.dropFirst(header.count))
  }
}
