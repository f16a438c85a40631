import Foundation
import LocalData

#if canImport(Darwin)
  internal import Darwin
#endif

/// The files of the library on the disk, for maintenance. Calls block.
struct LibraryFiles: Sendable {
  let locations: StorageLocations
  var patience: Duration = FileLock.patience

  // MARK: Drafts

  /// Removes what killed writers left beside the values of some containers, and beside the library's own files.
  ///
  /// - Returns: The number of files that were removed.
  func removeDrafts(of containers: [StorageContainer]) throws(StorageFault) -> Int {
    var (count, keysets): (Int, Set<KeysetID>) = (0, [.app])
    for container in containers {
      keysets.insert(KeysetID(of: container))
      switch container.store {
      case .files: count += try removeDrafts(in: try locations.folder(of: container))
      case .preferences:
        #if os(Linux)
          count += try removeDrafts(ofDatabase: try locations.database(of: container))
        #endif
      case .keychain: break
      }
    }
    for keyset in keysets {
      let keystore = try locations.keystore(of: keyset)
      for folder in [
        keystore.folder, try locations.syncFolder(of: keyset), try locations.quarantine(of: keyset),
        try KeysetFiles(locations).abandoned(keyset),
      ] { count += try removeDrafts(in: folder) }
      // Also if no key is stored in it: it has the keys of the encryption.
      #if os(Linux)
        count += try removeDrafts(ofDatabase: keystore)
      #endif
    }
    return count
  }

  /// Removes the drafts of a folder's files. A writer that is writing one right now holds the lock.
  private func removeDrafts(in location: FolderLocation) throws(StorageFault) -> Int {
    guard let folder = try location.open(creating: false), try FileDraft.exists(in: folder) else { return 0 }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageFault) in
      let count = try FileDraft.removeAbandoned(in: folder)
      if count > 0 { try folder.descriptor.sync() }
      return count
    }
  }

  // MARK: Records

  /// A record in the folder of a keyset. The next write begins a new one if it is moved aside.
  struct Record: Sendable {
    let file: FileLocation
    /// Throws ``StorageFault/recordDamaged`` if the file contains no record of any version.
    let check: @Sendable () throws(StorageFault) -> Void
  }

  /// Returns the records of the configured locations and, for Apple's preferences, of the suites with encrypted values.
  func records(of keyset: KeysetID) throws(StorageFault) -> [Record] {
    var records = try ["files", "master-key", "access-group"].map { (name) throws(StorageFault) in
      let file = try locations.record(name, of: keyset)
      return Record(file: file) { () throws(StorageFault) in _ = try StateFile<RecordedLocation>(file).read() }
    }
    #if canImport(Darwin)
      if keyset == .app {
        let file = locations.sealedSuites
        records.append(
          Record(file: file) { () throws(StorageFault) in _ = try SealedSuites(recordedIn: file).recorded() })
      }
    #endif
    return records
  }

  /// Moves a record aside if it is damaged, and returns its new name.
  func setAsideDamaged(_ record: Record) throws(StorageFault) -> FileLocation? {
    let file = record.file
    guard let folder = try file.folder.open(creating: false), try folder.status(of: file.name) != nil else {
      return nil
    }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageFault) -> FileLocation? in
      do throws(StorageFault) {
        try record.check()
        return nil
      } catch {
        guard error == .recordDamaged else { throw error }
      }
      let aside = file.setAside()
      try folder.rename(file.name, to: aside.name)
      try folder.descriptor.sync()
      return aside
    }
  }
}

extension FileLocation {
  /// Returns the name under which the file is kept when it cannot be used.
  func setAside(_ id: String = UUID().uuidString.lowercased()) -> FileLocation {
    let hidden = name.hasPrefix(".") ? name : "." + name
    return FileLocation(folder: folder, name: "\(hidden).damaged-\(id)")
  }
}

#if os(Linux)
  /// The databases.
  extension LibraryFiles {
    /// Removes the files of a process that was killed while it created or repaired a database.
    private func removeDrafts(ofDatabase file: FileLocation) throws(StorageFault) -> Int {
      let key = (file.name as NSString).deletingPathExtension + ".key"
      let names = SQLiteRenewal.drafts(of: file.name) + [".\(key).new"]
      guard let folder = try file.folder.open(creating: false) else { return 0 }
      var found = false
      for name in names where try folder.status(of: name) != nil { found = true }
      guard found else { return 0 }
      let lock = try FileLock(in: folder, named: file.name)
      return try lock.hold(patience: patience) { () throws(StorageFault) in
        var count = 0
        for name in names where try folder.unlink(name) { count += 1 }
        try folder.descriptor.sync()
        return count
      }
    }

    /// A damaged database.
    struct DamagedDatabase: Sendable {
      /// Its files, under their new name.
      let copy: FileLocation
      /// A Boolean value that indicates whether no value was lost. It is false if all of the database was moved.
      let isWhole: Bool
    }

    /// Replaces a damaged database by a new one with the rows that can be read, and keeps a copy. If nothing can be read, or
    /// if its key is lost, it is moved aside, with its log and, if there is one, its key file.
    ///
    /// The lock keeps other processes from it. For them a replacement is a commit. If the database was moved, they notice
    /// that, and begin a new one: if the process is killed in between, the database is in its place or aside, and what is left
    /// of its log is removed before a new one is created.
    ///
    /// - Parameters:
    ///   - key: The key file of a keystore, if the keystore is moved aside when its key is lost.
    ///   - isExamined: True if pages that no value is in are examined too.
    /// - Returns: `nil` if it is usable or does not exist.
    func mend(
      _ file: FileLocation, _ tables: [SQLiteTable], key: FileLocation? = nil, isExamined: Bool = true
    ) throws(StorageFault) -> DamagedDatabase? {
      try whileLocked(file) { (folder, status) throws(StorageFault) in
        let loss = try key.map { (key) throws(StorageFault) in
          KeyLoss(
            isKeyFileLost: try isLost(key, folder),
            hadRootKey: try folder.status(of: KeystoreRoot.marker(of: file).name) != nil)
        }
        let copy = file.setAside()
        if status.st_size > 0 {
          // Twice: a disk that fails once is no damage.
          guard try damage(of: file, tables, loss, isExamined) != nil,
            let damage = try damage(of: file, tables, loss, isExamined)
          else { return nil }
          let renewal = SQLiteRenewal(location: file, tables: tables, patience: patience) {
            (rows) throws(StorageFault) in
            guard let loss else { return true }
            return try !isKeyLost(rows, loss)
          }
          // Twice too: if the disk cannot read a part once, it may read the part the next time.
          for _ in 0..<2 where damage == .rows {
            if let isWhole = try renewal.run(in: folder, keeping: copy) {
              return DamagedDatabase(copy: copy, isWhole: isWhole)
            }
          }
        }
        try move(file, key, to: copy, in: folder)
        return DamagedDatabase(copy: copy, isWhole: false)
      }
    }

    /// Moves a database aside although it is not damaged, if it exists.
    ///
    /// - Returns: Its new name.
    func abandon(_ file: FileLocation, key: FileLocation?) throws(StorageFault) -> FileLocation? {
      let moved = try whileLocked(file) { (folder, _) throws(StorageFault) in
        let copy = file.setAside()
        try move(file, key, to: copy, in: folder)
        return copy
      }
      // The database may be lost.
      if moved == nil { try KeystoreRoot.marker(of: file).remove(patience: patience) }
      return moved
    }

    /// Runs `body` with the lock that writers share, if the database exists.
    private func whileLocked<Result>(
      _ file: FileLocation, _ body: (borrowing Folder, stat) throws(StorageFault) -> Result?
    ) throws(StorageFault) -> Result? {
      guard let folder = try file.folder.open(creating: false), try folder.status(of: file.name) != nil else {
        return nil
      }
      let lock = try FileLock(in: folder, named: file.name)
      return try lock.hold(patience: patience) { () throws(StorageFault) -> Result? in
        guard let status = try folder.status(of: file.name) else { return nil }
        return try body(folder, status)
      }
    }

    private func move(
      _ file: FileLocation, _ key: FileLocation?, to copy: FileLocation, in folder: borrowing Folder
    ) throws(StorageFault) {
      // That of a keystore. If the process is killed after that, the next call finds the database.
      if try folder.unlink(KeystoreRoot.marker(of: file).name) { try folder.descriptor.sync() }
      let id = copy.name.suffix(UUID().uuidString.count)
      if let key, let status = try folder.status(of: key.name) {
        // An object that is not a file cannot have a second name.
        let aside = key.setAside(String(id)).name
        if status.isRegularFile {
          _ = try folder.link(key.name, as: aside)
        } else {
          try folder.rename(key.name, to: aside)
        }
      }
      // A copy that was made already has all of the database.
      if try folder.status(of: copy.name) != nil {
        try folder.unlink(file.name)
      } else {
        if try folder.status(of: file.name + "-wal") != nil {
          _ = try folder.link(file.name + "-wal", as: copy.name + "-wal")
        }
        try folder.rename(file.name, to: copy.name)
      }
      SQLiteLogHeader.lookAgain()
      try folder.descriptor.sync()
      for name in [file.name + "-wal", file.name + "-shm", key?.name].compactMap(\.self) { try folder.unlink(name) }
      try folder.descriptor.sync()
    }

    /// Returns true if a key file does not exist, is no file, or has another length than a key. One that cannot be read
    /// throws.
    private func isLost(_ key: FileLocation, _ folder: borrowing Folder) throws(StorageFault) -> Bool {
      guard let status = try folder.status(of: key.name) else { return true }
      return !status.isRegularFile || status.st_size != KeystoreKeyFile.count
    }

    /// The parts that a keystore may have lost.
    private struct KeyLoss: Sendable {
      let isKeyFileLost: Bool
      /// A Boolean value that indicates whether the keystore had a root key.
      let hadRootKey: Bool
    }

    /// The damage of a database.
    private enum DatabaseDamage: Sendable {
      /// Some rows may be readable.
      case rows
      /// The key of all items of a keystore is lost.
      case key
    }

    private func damage(
      of file: FileLocation, _ tables: [SQLiteTable], _ loss: KeyLoss?, _ isExamined: Bool
    ) throws(StorageFault) -> DatabaseDamage? {
      do throws(StorageFault) {
        let connection = try SQLiteConnection(path: file.path, isDurable: true, until: CallDeadline.end(of: patience))
        try SQLiteCreation(location: file, schema: tables.schema).check(connection)
        connection.removeStepLimit()
        if connection.isMarkedReadOnly { return .rows }
        if try connection.isCutShort { return .rows }
        if let loss, try isKeyLost(connection, loss) { return .key }
        for table in tables where !table.isOptional {
          var statements = ["SELECT * FROM \(table.name) NOT INDEXED"]
          if !table.key.isEmpty {
            statements.append(
              "SELECT \(table.key.joined(separator: ", ")) FROM \(table.name) INDEXED BY \(table.index)")
          }
          // An examination reads all pages itself. Otherwise every row is read, with everything in it, and the index.
          for statement in statements {
            try connection.rows(statement) { (row) throws(StorageFault) in
              for column in 0..<row.count { _ = row.blob(column) }
              return !isExamined
            }
          }
        }
        guard isExamined else { return nil }
        return try connection.first("PRAGMA integrity_check(1)") { $0.text(0) } != "ok" ? .rows : nil
      } catch {
        guard SQLiteSalvage.isDamage(error) else { throw error }
        return .rows
      }
    }

    /// Returns true if no item of a keystore can be decrypted, because its root key or the key file that it needs is lost.
    /// Other sources of the key have no file, and a keystore that was just created has no root key.
    private func isKeyLost(_ connection: SQLiteConnection, _ loss: KeyLoss) throws(StorageFault) -> Bool {
      let needsKeyFile = try connection.first("SELECT source = 'keyFile' FROM root", [], { $0.integer(0) == 1 })
      guard let needsKeyFile else { return loss.hadRootKey }
      return needsKeyFile && loss.isKeyFileLost
    }
  }
#endif
