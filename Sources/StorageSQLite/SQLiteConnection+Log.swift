import SmallFoundation
package import StorageSystem

extension SQLiteConnection {
  /// Checks the header of the write-ahead log.
  ///
  /// - Throws: ``StorageFault/databaseDamaged`` if SQLite ignores the log. The next commit would overwrite what is in it.
  func checkLog() throws(StorageFault) {
    // Another process may begin the log anew meanwhile.
    for _ in 0..<3 {
      guard try ignoresLog() else { return }
      usleep(10_000)
    }
    throw .databaseDamaged
  }

  /// Returns true if SQLite ignores the log because of its header, or has read another log than this one.
  package func ignoresLog() throws(StorageFault) -> Bool {
    let header = try bytes(of: .log, at: 0, upTo: 32)
    // A log begins with zeros if the power failed before its header was on the disk.
    guard header.count == 32, header.contains(where: { $0 != 0 }) else { return false }
    let words = stride(from: 0, to: 32, by: 4).map { offset in
      header[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    guard words[0] & ~1 == 0x377F_0682, words[1] == 3_007_000 else { return true }
    let file = try bytes(of: .database, at: 0, upTo: 18)
    if file.count == 18, file.starts(with: "SQLite format 3\0".utf8) {
      // 65,536 is 1 in the header of a database.
      let size = file.dropFirst(16).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard words[2] == (size == 1 ? 1 << 16 : size) else { return true }
    }
    var sum: (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 6, by: 2) {
      sum.0 &+= sum.1 &+ (words[0] & 1 == 1 ? words[index] : words[index].byteSwapped)
      sum.1 &+= sum.0 &+ (words[0] & 1 == 1 ? words[index + 1] : words[index + 1].byteSwapped)
    }
    guard sum == (words[6], words[7]) else { return true }
    // The index of the log has the salts of the log that it was made from.
    guard let logIndex, logIndex.load(fromByteOffset: 16, as: UInt32.self) > 0 else { return false }
    return !header[16..<24].elementsEqual(UnsafeRawBufferPointer(start: logIndex + 32, count: 8))
  }
}
