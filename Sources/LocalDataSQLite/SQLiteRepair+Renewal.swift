import LocalDataFoundation
import LocalDataSystem

/// Replaces the content of a damaged database by the rows of it that can still be read.
///
/// The file stays in its place, and so do its log and its shared memory, which other processes may have open. The rows are
/// first copied to a new database beside it. The pages of that one then overwrite those of the damaged one in one commit of
/// SQLite. If the process is killed before the commit is on the disk, the damaged database stays; after that, the new
/// content is. There is no moment at which the database is absent.
///
/// If SQLite does not recognize the file, its first 100 bytes are overwritten with those of a new database, after the copy is on
/// the disk. The rows on the other pages can be read then.
///
/// Before the commit, the files are copied to another name, byte by byte. The caller holds the lock that writers share, so
/// that they do not change meanwhile; the connection that stays open keeps others from emptying the log.
extension SQLiteRepair {
  /// The names that a call uses until it ends. The next call removes the files that a killed process has left there.
  package static func drafts(of name: String) -> [String] {
    ["", "-journal", "-wal", "-shm"].map { ".\(name).new" + $0 } + ["", "-wal"].map { ".\(name).copy.new" + $0 }
      + ["", "-wal", "-shm"].map { ".\(name).cut.new" + $0 }
  }

  /// Replaces the content.
  ///
  /// - Parameters:
  ///   - copy: The name for the copy of the damaged files.
  ///   - copyRows: Copies the rows to a new database.
  /// - Returns: True if every row was copied, false if some were lost, and `nil` if no row can be read, or if SQLite or the
  ///   disk cannot use the file. The rows are unchanged then. If there is a copy, it is complete.
  func renew(
    in folder: borrowing Folder, keeping copy: FileLocation, _ copyRows: Copy
  ) throws(StorageProblem) -> Bool? {
    let drafts = Self.drafts(of: file.name)
    for name in drafts { try folder.unlink(name) }
    defer {
      // What cannot be removed now is removed by the next call, or by a sweep.
      for name in drafts { do throws(StorageProblem) { try folder.unlink(name) } catch {} }
    }
    // An earlier attempt has made the copy, and may have changed the files.
    var isChanged = try folder.status(of: copy.name) != nil
    do throws(StorageProblem) { return try renewed(in: folder, copy, copyRows, &isChanged) } catch {
      // Also a commit that has failed may be found after the process has ended: the copy stays then.
      for suffix in ["", "-wal"] where !isChanged { try folder.unlink(copy.name + suffix) }
      throw error
    }
  }

  /// - Parameter isChanged: Set to true if the files may have changed.
  private func renewed(
    in folder: borrowing Folder, _ copy: FileLocation, _ copyRows: Copy, _ isChanged: inout Bool
  ) throws(StorageProblem) -> Bool? {
    let end = CallDeadline.end(of: patience)
    var damaged = try damagedConnection(until: end)
    let isRecognized = try isRecognized(damaged)
    let draft = ".\(file.name).new"
    // SQLite creates its other files with the mode of this one. It is closed again before SQLite opens it.
    try creation.createFile(draft, in: folder)
    let new = try withDraft { () throws(StorageProblem) in
      try creation.fill(path: file.folder.path + "/" + draft, patience: patience)
      let new = try SQLiteConnection(
        path: file.folder.path + "/" + draft, isDurable: false, until: end, kind: .draft, format: creation.format)
      // After a failure it is of no use: it needs neither a log nor a wait for the disk.
      for pragma in ["journal_mode = OFF", "synchronous = OFF"] { try new.execute("PRAGMA " + pragma) }
      return new
    }
    // A part that the disk cannot read cannot be copied. An earlier attempt may have made the copy.
    let isKept: Void? = try unlessDamaged { () throws(StorageProblem) in
      if try folder.status(of: copy.name) == nil { try keep(damaged, as: copy, in: folder) }
    }
    guard isKept != nil else { return nil }
    if !isRecognized {
      isChanged = true
      try damaged.overwriteBeginning(with: beginning(of: new, size: damaged.size))
      damaged = try damagedConnection(until: end)
      guard try self.isRecognized(damaged) else { return nil }
    }
    let pageSize = try new.pragma("page_size")
    guard try damaged.pragma("page_size") == pageSize else { return nil }
    let pages = try unlessDamaged { () throws(StorageProblem) in
      try wholePages(of: damaged, size: pageSize, in: folder, until: end)
    }
    guard let pages else { return nil }
    let copied = try withDraft { () throws(StorageProblem) in try copyRows(pages, new) }
    guard let isWhole = copied else { return nil }
    let isLogLost = try damaged.ignoresLog()
    damaged.wait(until: CallDeadline.end(of: patience))
    let wasChanged = isChanged
    isChanged = true
    do throws(StorageProblem) {
      guard try unlessDamaged({ () throws(StorageProblem) in try damaged.replaceContent(by: new) }) != nil else {
        return nil
      }
    } catch {
      if !wasChanged, error == .busy || damaged.hasFailedBeforeCommit { isChanged = false }
      throw error
    }
    // The commit is made. If a reader keeps the log from being emptied now, a later checkpoint does it.
    damaged.wait(until: nil)
    do throws(StorageProblem) { try damaged.checkpoint(truncating: true) } catch {}
    return isWhole && !isLogLost
  }

  private func damagedConnection(until end: ContinuousClock.Instant) throws(StorageProblem) -> SQLiteConnection {
    try SQLiteConnection(path: file.path, isDurable: true, until: end, kind: .damaged, format: creation.format)
  }

  /// Returns true if SQLite can write to a file, and the file has the format of the library.
  private func isRecognized(_ damaged: SQLiteConnection) throws(StorageProblem) -> Bool {
    try unlessDamaged { () throws(StorageProblem) in try creation.checkFormat(damaged) } != nil
      && !damaged.isMarkedReadOnly
  }

  /// Returns the first 100 bytes for a file of some size: those of a new database. Pages that are not in use stay unused.
  private func beginning(of new: SQLiteConnection, size: Int64) throws(StorageProblem) -> Data {
    var bytes = try new.bytes(of: .database, at: 0, upTo: 100)
    // A log is used, and the map of pages is not.
    for offset in [18, 19] { bytes[offset] = 2 }
    let pages = try UInt32(clamping: size / new.pragma("page_size"))
    for (offset, number) in [(24, 1), (28, pages), (32, 0), (36, 0), (52, 0), (64, 0), (92, 1)] {
      withUnsafeBytes(of: number.bigEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
    }
    return bytes
  }

  /// Returns `nil` if the damage of the database keeps a step from being done.
  private func unlessDamaged<Result>(_ step: () throws(StorageProblem) -> Result) throws(StorageProblem) -> Result? {
    do throws(StorageProblem) { return try step() } catch {
      guard SQLiteSalvage.isDamage(error) else { throw error }
      return nil
    }
  }

  /// Returns the result of a step that uses the new database. The new database is not damaged: if it cannot be read, the
  /// disk fails.
  private func withDraft<Result>(_ step: () throws(StorageProblem) -> Result) throws(StorageProblem) -> Result {
    do throws(StorageProblem) { return try step() } catch { throw error == .databaseDamaged ? .io(errno: EIO) : error }
  }

  /// Copies the files of the damaged database to another name. The copies are on the disk when the function returns.
  private func keep(
    _ damaged: SQLiteConnection, as copy: FileLocation, in folder: borrowing Folder
  ) throws(StorageProblem) {
    let draft = ".\(file.name).copy.new"
    for (part, suffix) in Self.parts {
      let count = try write(part, of: damaged, to: draft + suffix, in: folder, isDurable: true)
      if count > 0 { try folder.rename(draft + suffix, to: copy.name + suffix) }
    }
    try folder.descriptor.sync()
  }

  /// Returns a connection to the whole pages of a damaged database: to itself, or if its file ends within a page, to a copy
  /// without that end.
  ///
  /// SQLite would read the missing bytes of the page as zeros, and take them for those of values. The damaged file is not
  /// cut, because SQLite does not open a database that is shorter than the length in its header.
  private func wholePages(
    of damaged: SQLiteConnection, size pageSize: Int64, in folder: borrowing Folder,
    until end: ContinuousClock.Instant
  ) throws(StorageProblem) -> SQLiteConnection {
    let size = try damaged.size
    guard size % pageSize != 0 else { return damaged }
    let draft = ".\(file.name).cut.new"
    for (part, suffix) in Self.parts {
      let last = part == .database ? size / pageSize * pageSize : .max
      _ = try write(part, of: damaged, upTo: last, to: draft + suffix, in: folder, isDurable: false)
    }
    let path = file.folder.path + "/" + draft
    return try SQLiteConnection(path: path, isDurable: false, until: end, kind: .damaged, format: creation.format)
  }

  private static let parts: [(part: SQLiteConnection.Part, suffix: String)] = [(.log, "-wal"), (.database, "")]

  /// Writes the bytes of a file of the damaged database to a new file, and returns their number.
  private func write(
    _ part: SQLiteConnection.Part, of damaged: SQLiteConnection, upTo end: Int64 = .max, to name: String,
    in folder: borrowing Folder, isDurable: Bool
  ) throws(StorageProblem) -> Int64 {
    guard let copy = try folder.file(name, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
    try creation.format.protection.apply(to: copy)
    var offset: Int64 = 0
    while offset < end {
      let bytes = try damaged.bytes(of: part, at: offset, upTo: Int(min(1 << 20, end - offset)))
      if bytes.isEmpty { break }
      try copy.write(bytes)
      offset += Int64(bytes.count)
    }
    if isDurable { try copy.sync() }
    return offset
  }
}
