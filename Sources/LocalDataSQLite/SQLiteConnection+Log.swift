internal import CLocalDataSQLite
import LocalDataFoundation
package import LocalDataSystem

/// The write-ahead log.
extension SQLiteConnection {
  var pagesInLog: Int { Int(logPages.pointee) }

  /// Returns true if the next commit may begin the write-ahead log anew, and waits for the disk then.
  ///
  /// That is so once a checkpoint has moved all of the log. The numbers are those of SQLite's shared memory, whose layout
  /// is part of the file format.
  var beginsLogWithNextCommit: Bool {
    guard let logIndex else { return true }
    let frames = logIndex.load(fromByteOffset: 16, as: UInt32.self)
    let movedFrames = logIndex.load(fromByteOffset: 96, as: UInt32.self)
    return movedFrames >= frames
  }

  /// The first page of the index of the write-ahead log, in memory that all processes share. SQLite keeps it mapped until
  /// the connection is closed. `nil` if the log is not open.
  var logIndex: UnsafeRawPointer? {
    guard let (file, methods) = file(.database), methods.iVersion >= 2 else { return nil }
    var page: UnsafeMutableRawPointer?
    guard methods.xShmMap(file, 0, 1 << 15, 0, &page) == SQLITE_OK else { return nil }
    return UnsafeRawPointer(page)
  }

  /// Moves what is in the write-ahead log into the database; truncating also empties the log's file.
  ///
  /// Readers elsewhere may keep it from finishing, which is no failure unless the log must be emptied.
  package func checkpoint(truncating: Bool) throws(StorageProblem) {
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    var pages: Int32 = 0
    var moved: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
    if code & 0xff == SQLITE_BUSY && !truncating { return }
    try check(code)
    if pages == moved { logPages.pointee = 0 }
  }

  /// Waits until the write-ahead log, and its name in the folder, are on the disk.
  ///
  /// It uses SQLite's own descriptor.
  func syncLog() throws(StorageProblem) {
    // If it is not open, nothing was committed to it.
    guard let (log, methods) = file(.log) else { return }
    try check(methods.xSync(log, SQLITE_SYNC_FULL), log, methods)
    try flushLog()
  }

  /// Waits until what SQLite has synced is on the drive's medium.
  ///
  /// The full sync of Apple's SQLite is reported to be only a barrier: the drive keeps the order of writes, and may still have
  /// the last ones in its cache.
  package func flushLog() throws(StorageProblem) {
    #if canImport(Darwin)
      guard file(.log) != nil else { return }
      do throws(StorageProblem) {
        // SQLite locks the other two files, and closing another descriptor of one of them would drop its locks. This one stays
        // open, because the file may be one that cannot be opened while the device is locked.
        if log == nil { log = try Descriptor(readingFrom: path + "-wal") }
        try log?.sync()
      } catch {
        // The next writer opens the database anew, and syncs its log before it writes.
        hasFailed = true
        throw error
      }
    #endif
  }

  /// Makes the file of the write-ahead log longer than the open transaction needs, so that most commits need not.
  ///
  /// A commit that makes the file longer waits until the disk has its pages and the new length. One within the file waits
  /// for its pages alone, which takes about half as long. SQLite ignores the zeros behind the last commit.
  ///
  /// Only a writer that excludes all others may call it. A failure is ignored: the commit makes the file longer then, or
  /// fails itself.
  func extendLog() {
    guard let logIndex else { return }
    // The file format has these places in SQLite's shared memory. A page of 64 KiB is counted as 1.
    let pageSize = Int64(logIndex.load(fromByteOffset: 14, as: UInt16.self))
    let frames = Int64(logIndex.load(fromByteOffset: 16, as: UInt32.self))
    let needed =
      Self.logHeaderSize + (frames + Self.spareFrames) * (Self.frameHeaderSize + (pageSize == 1 ? 1 << 16 : pageSize))
    var size: sqlite3_int64 = 0
    // The first commit writes the header of an empty log.
    guard let (log, methods) = file(.log), methods.xFileSize(log, &size) == SQLITE_OK, size >= Self.logHeaderSize,
      size < needed
    else { return }
    _ = Self.zeros.withUnsafeBytes { methods.xWrite(log, $0.baseAddress, Int32($0.count), size) }
  }

  private static let logHeaderSize: Int64 = 32
  private static let frameHeaderSize: Int64 = 24
  /// The frames for which a transaction finds room in the file of the log.
  private static let spareFrames: Int64 = 8
  /// At most 128 KiB less one byte, of which SQLite's write would write nothing.
  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)

  /// Checks the header of the write-ahead log.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if SQLite ignores the log. The next commit would overwrite what is in it.
  func checkLog() throws(StorageProblem) {
    // Another process may begin the log anew meanwhile.
    for _ in 0..<3 {
      guard try ignoresLog() else { return }
      usleep(10_000)
    }
    throw .databaseDamaged
  }

  /// Returns true if SQLite ignores the log because of its header, or has read another log than this one.
  package func ignoresLog() throws(StorageProblem) -> Bool {
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
