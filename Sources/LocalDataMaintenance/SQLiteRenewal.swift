#if os(Linux)
  import Foundation
  import LocalData

  /// Replaces the content of a damaged database by the rows of it that can still be read.
  ///
  /// The file stays in its place, and so do its log and its shared memory, which other processes may have open. The rows are
  /// first copied to a new database beside it. The pages of that one then overwrite those of the damaged one in one commit of
  /// SQLite. If the process is killed before the commit is on the disk, the damaged database is unchanged; after that, the new
  /// content is. There is no moment at which the database is absent.
  ///
  /// Before the commit, the files are copied to another name, byte by byte. The caller holds the lock that writers share, so
  /// that they do not change meanwhile; the connection that stays open keeps others from emptying the log.
  struct SQLiteRenewal {
    let location: FileLocation
    let tables: [SQLiteTable]
    let patience: Duration
    /// Returns true if the rows that were copied are of any use.
    let isUseful: (SQLiteConnection) throws(StorageFault) -> Bool

    /// The names that a call uses until it ends. The next call removes the files that a killed process has left there.
    static func drafts(of name: String) -> [String] {
      ["", "-journal", "-wal", "-shm"].map { ".\(name).new" + $0 } + ["", "-wal"].map { ".\(name).copy.new" + $0 }
        + ["", "-wal", "-shm"].map { ".\(name).cut.new" + $0 }
    }

    /// - Parameter copy: The name for the copy of the damaged files.
    /// - Returns: True if every row was copied, false if some were lost, and `nil` if no row can be read, or if SQLite or the
    ///   disk cannot use the file. The database is unchanged then. If there is a copy, it is complete.
    func run(in folder: borrowing Folder, keeping copy: FileLocation) throws(StorageFault) -> Bool? {
      let drafts = Self.drafts(of: location.name)
      for name in drafts { try folder.unlink(name) }
      defer {
        // What cannot be removed now is removed by the next call, or by a sweep.
        for name in drafts { do throws(StorageFault) { try folder.unlink(name) } catch {} }
      }
      var isChanged = false
      do throws(StorageFault) { return try renewed(in: folder, copy, &isChanged) } catch {
        // Also a commit that has failed may be found after the process has ended: the copy stays then.
        if !isChanged { try removeCopy(copy, in: folder) }
        throw error
      }
    }

    private func removeCopy(_ copy: FileLocation, in folder: borrowing Folder) throws(StorageFault) {
      for suffix in ["", "-wal"] { try folder.unlink(copy.name + suffix) }
    }

    /// - Parameter isChanged: Set to true if the files may have changed.
    private func renewed(
      in folder: borrowing Folder, _ copy: FileLocation, _ isChanged: inout Bool
    ) throws(StorageFault) -> Bool? {
      let end = CallDeadline.end(of: patience)
      let creation = SQLiteCreation(location: location, schema: tables.schema)
      let opened = try unlessDamaged { () throws(StorageFault) in
        let connection = try SQLiteConnection(path: location.path, isDurable: true, until: end, kind: .damaged)
        try creation.checkFormat(connection)
        return connection
      }
      guard let damaged = opened, !damaged.isMarkedReadOnly else { return nil }
      let draft = ".\(location.name).new"
      // SQLite creates its other files with the mode of this one. It is closed again before SQLite opens it.
      guard try folder.file(draft, O_RDWR | O_CREAT | O_EXCL) != nil else { throw .io(errno: ENOENT) }
      let new = try withDraft { () throws(StorageFault) in
        try creation.fill(path: location.folder.path + "/" + draft, patience: patience)
        let new = try SQLiteConnection(
          path: location.folder.path + "/" + draft, isDurable: false, until: end, kind: .draft)
        // After a failure it is of no use: it needs neither a log nor a wait for the disk.
        for pragma in ["journal_mode = OFF", "synchronous = OFF"] { try new.execute("PRAGMA " + pragma) }
        return new
      }
      guard let pageSize = try pageSize(of: damaged), try pageSize == self.pageSize(of: new) else { return nil }
      // A part that the disk cannot read cannot be copied.
      guard try unlessDamaged({ () throws(StorageFault) in try keep(damaged, as: copy, in: folder) }) != nil else {
        return nil
      }
      let pages = try unlessDamaged { () throws(StorageFault) in
        try wholePages(of: damaged, size: pageSize, in: folder, until: end)
      }
      guard let pages else { return nil }
      let copied = try withDraft { () throws(StorageFault) in try copyRows(from: pages, to: new) }
      guard let isWhole = copied else { return nil }
      damaged.wait(until: CallDeadline.end(of: patience))
      isChanged = true
      do throws(StorageFault) {
        guard try unlessDamaged({ () throws(StorageFault) in try damaged.replaceContent(by: new) }) != nil else {
          return nil
        }
      } catch {
        if error == .busy || damaged.hasFailedBeforeCommit { isChanged = false }
        throw error
      }
      // The commit is made. If a reader keeps the log from being emptied now, a later checkpoint does it.
      damaged.wait(until: nil)
      do throws(StorageFault) { try damaged.checkpoint(truncating: true) } catch {}
      return isWhole
    }

    /// Returns `nil` if the damage of the database keeps a step from being done.
    private func unlessDamaged<Result>(_ step: () throws(StorageFault) -> Result) throws(StorageFault) -> Result? {
      do throws(StorageFault) { return try step() } catch {
        guard SQLiteSalvage.isDamage(error) else { throw error }
        return nil
      }
    }

    /// Returns the result of a step that uses the new database. The new database is not damaged: if it cannot be read, the
    /// disk fails.
    private func withDraft<Result>(_ step: () throws(StorageFault) -> Result) throws(StorageFault) -> Result {
      do throws(StorageFault) { return try step() } catch { throw error == .databaseDamaged ? .io(errno: EIO) : error }
    }

    private func pageSize(of connection: SQLiteConnection) throws(StorageFault) -> Int64? {
      try connection.first("PRAGMA page_size") { $0.integer(0) }
    }

    /// Copies the rows of all tables. Returns true if every row of the table that has keys was copied, and `nil` if what was
    /// copied is of no use.
    private func copyRows(from damaged: SQLiteConnection, to new: SQLiteConnection) throws(StorageFault) -> Bool? {
      var isWhole = true
      for table in tables {
        if table.isOptional {
          let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
          let isThere = try unlessDamaged { () throws(StorageFault) in
            try damaged.first(sql, [.text(table.name)]) { _ in true } ?? false
          }
          guard isThere == true else { continue }
          try new.execute(table.schema)
        }
        guard let isTableWhole = try SQLiteSalvage.copy(table, from: damaged, to: new) else { return nil }
        if !table.key.isEmpty { isWhole = isTableWhole }
        guard table.isRequired else { continue }
        guard try new.first("SELECT 1 FROM \(table.name)", [], { _ in true }) == true else { return nil }
      }
      return try isUseful(new) ? isWhole : nil
    }

    /// Copies the files of the damaged database to another name. The copies are on the disk when the function returns.
    private func keep(
      _ damaged: SQLiteConnection, as copy: FileLocation, in folder: borrowing Folder
    ) throws(StorageFault) {
      let draft = ".\(location.name).copy.new"
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
    ) throws(StorageFault) -> SQLiteConnection {
      let size = try damaged.size
      guard size % pageSize != 0 else { return damaged }
      let draft = ".\(location.name).cut.new"
      for (part, suffix) in Self.parts {
        let last = part == .database ? size / pageSize * pageSize : .max
        _ = try write(part, of: damaged, upTo: last, to: draft + suffix, in: folder, isDurable: false)
      }
      let path = location.folder.path + "/" + draft
      return try SQLiteConnection(path: path, isDurable: false, until: end, kind: .damaged)
    }

    private static let parts: [(part: SQLiteConnection.Part, suffix: String)] = [(.log, "-wal"), (.database, "")]

    /// Writes the bytes of a file of the damaged database to a new file, and returns their number.
    private func write(
      _ part: SQLiteConnection.Part, of damaged: SQLiteConnection, upTo end: Int64 = .max, to name: String,
      in folder: borrowing Folder, isDurable: Bool
    ) throws(StorageFault) -> Int64 {
      guard let file = try folder.file(name, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
      var offset: Int64 = 0
      while offset < end {
        let bytes = try damaged.bytes(of: part, at: offset, upTo: Int(min(1 << 20, end - offset)))
        if bytes.isEmpty { break }
        try file.write(bytes)
        offset += Int64(bytes.count)
      }
      if isDurable { try file.sync() }
      return offset
    }
  }
#endif
