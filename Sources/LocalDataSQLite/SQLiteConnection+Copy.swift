internal import CLocalDataSQLite
package import LocalDataFoundation
package import LocalDataSystem

extension SQLiteConnection {
  /// A file of a database.
  package enum Part: Sendable {
    case database
    /// The write-ahead log.
    case log
  }

  /// Returns bytes of a file, up to a number; no bytes at its end.
  ///
  /// It uses SQLite's own descriptor, because closing another one of the process would drop SQLite's locks.
  package func bytes(of part: Part, at offset: Int64, upTo limit: Int) throws(StorageProblem) -> Data {
    while let (file, methods) = file(part) {
      let count = try Int(min(Int64(limit), size(of: part) - offset))
      guard count > 0 else { break }
      var bytes = Data(count: count)
      let code = bytes.withUnsafeMutableBytes { methods.xRead(file, $0.baseAddress, Int32(count), offset) }
      // Another process has shortened the file meanwhile.
      if code == SQLITE_IOERR | 2 << 8, try size(of: part) < offset + Int64(count) { continue }
      try check(code, file, methods)
      return bytes
    }
    return Data()
  }

  /// Overwrites the first bytes of the database file. They are on the disk on return.
  func overwriteBeginning(with bytes: Data) throws(StorageProblem) {
    guard let (file, methods) = file(.database) else { return }
    let code = bytes.withUnsafeBytes { methods.xWrite(file, $0.baseAddress, Int32($0.count), 0) }
    try check(code, file, methods)
    try check(methods.xSync(file, SQLITE_SYNC_FULL), file, methods)
  }

  /// The number of bytes of the database file.
  package var size: Int64 { get throws(StorageProblem) { try size(of: .database) } }

  /// Returns the number of bytes of a file; 0 if there is none.
  package func size(of part: Part) throws(StorageProblem) -> Int64 {
    guard let (file, methods) = file(part) else { return 0 }
    var size: sqlite3_int64 = 0
    try check(methods.xFileSize(file, &size), file, methods)
    return size
  }

  /// A Boolean value that indicates whether the file ends within a page, although no checkpoint is under way that would
  /// complete it. SQLite reads the missing bytes as zeros.
  package var isCutShort: Bool {
    get throws(StorageProblem) {
      let size = try size
      let pageSize = try pragma("page_size")
      return pageSize > 0 && size % pageSize != 0 && beginsLogWithNextCommit
    }
  }

  /// A Boolean value that indicates whether the last call failed because the disk could not be read.
  package var hasDiskFailed: Bool { StorageProblem.isOfDisk(sqlite3_extended_errcode(handle)) }

  /// A Boolean value that indicates whether the last call failed before there was a commit in the log.
  package var hasFailedBeforeCommit: Bool {
    let code = sqlite3_extended_errcode(handle)
    return StorageProblem.isOfWrite(code) || StorageProblem.isOfDisk(code)
      || [SQLITE_BUSY, SQLITE_READONLY].contains(code & 0xff)
  }

  /// Throws the fault of a call on a file, which the connection does not record itself.
  func check(
    _ code: Int32, _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods
  ) throws(StorageProblem) {
    guard code != SQLITE_OK else { return }
    if StorageProblem.isOfDisk(code) { throw .databaseDamaged }
    var number: Int32 = 0
    _ = methods.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number)
    throw StorageProblem(errno: number == 0 ? EIO : number)
  }

  func file(_ part: Part) -> (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods)? {
    part.file(of: handle)
  }

  /// Replaces everything in the database by the content of another one, in one commit.
  ///
  /// The pages are overwritten without being read, so that a damaged database can be replaced too. Other connections read
  /// the content before or after it, as with every commit.
  package func replaceContent(by source: SQLiteConnection) throws(StorageProblem) {
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw StorageProblem(sqlite: sqlite3_extended_errcode(handle), handle)
    }
    let result = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else {
      // The disk has just read the damaged pages.
      if StorageProblem.isOfDisk(result) { throw .io(errno: EIO) }
      throw StorageProblem(sqlite: result, handle)
    }
    try check(end)
  }
}

extension SQLiteConnection {
  /// Gives up to 1,000 pages back. Returns true if no more can be given back.
  ///
  /// A database of an earlier release cannot give back single pages. If more than half of it is free, it is written anew in one
  /// commit. SQLite has the new content in memory meanwhile, so that this is done only for a content of up to 64 MB.
  func giveBackPages() throws(StorageProblem) -> Bool {
    let free = try pragma("freelist_count")
    guard try pragma("auto_vacuum") != 2 else {
      try execute("PRAGMA incremental_vacuum(1000)")
      let left = try pragma("freelist_count")
      return left == 0 || left >= free
    }
    let used = try pragma("page_count") - free
    if free > used, used < 16_000 { try execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM") }
    return true
  }
}

extension SQLiteConnection.Part {
  /// Returns the file as SQLite has opened it, or `nil` if it is not open.
  func file(of handle: OpaquePointer?) -> (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods)? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let pointer = self == .database ? SQLITE_FCNTL_FILE_POINTER : SQLITE_FCNTL_JOURNAL_POINTER
    guard let handle, sqlite3_file_control(handle, "main", pointer, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods?.pointee
    else { return nil }
    return (file, methods)
  }
}
