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
  func removeDrafts(of containers: [StorageContainer]) throws(StorageProblem) -> Int {
    var count: Int = 0
    var keysets: Set<KeysetID> = [.app]
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
        for file in try [keystore] + locations.recordDatabases(of: keyset).map(\.location) {
          count += try removeDrafts(ofDatabase: file)
        }
      #endif
    }
    return count
  }

  /// Removes the drafts of a folder's files. A writer that is writing one right now holds the lock.
  private func removeDrafts(in location: FolderLocation) throws(StorageProblem) -> Int {
    guard let folder = try location.open(creating: false), try FileDraft.exists(in: folder) else { return 0 }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageProblem) in
      let count = try FileDraft.removeAbandoned(in: folder)
      if count > 0 { try folder.descriptor.sync() }
      return count
    }
  }

  // MARK: Notes of locations

  /// A file in the folder of a keyset that notes where values are. The next write begins a new one if it is moved aside.
  struct Note: Sendable {
    let file: FileLocation
    /// Throws ``StorageProblem/locationsDamaged`` if the file contains no note of any version.
    let check: @Sendable () throws(StorageProblem) -> Void
  }

  /// Returns the notes of the configured locations and, for Apple's preferences, of the suites with encrypted values.
  func notes(of keyset: KeysetID) throws(StorageProblem) -> [Note] {
    var notes = try ["files", "master-key", "access-group"].map { (name) throws(StorageProblem) in
      let file = try locations.record(name, of: keyset)
      return Note(file: file) { () throws(StorageProblem) in _ = try StateFile<KnownLocation>(file).read() }
    }
    #if canImport(Darwin)
      if keyset == .app {
        let file = locations.sealedSuites
        notes.append(
          Note(file: file) { () throws(StorageProblem) in _ = try SealedSuites(recordedIn: file).recorded() })
      }
    #endif
    return notes
  }

  /// Moves a note aside if it is damaged, and returns its new name.
  func setAsideDamaged(_ note: Note) throws(StorageProblem) -> FileLocation? {
    let file = note.file
    guard let folder = try file.folder.open(creating: false), try folder.status(of: file.name) != nil else {
      return nil
    }
    let lock = try FileLock(in: folder, named: DurableWriter.stem)
    return try lock.hold(patience: patience) { () throws(StorageProblem) -> FileLocation? in
      do throws(StorageProblem) {
        try note.check()
        return nil
      } catch {
        guard error == .locationsDamaged else { throw error }
      }
      let aside = file.setAside()
      try folder.rename(file.name, to: aside.name)
      try folder.descriptor.sync()
      return aside
    }
  }
}

#if os(Linux)
  /// The databases.
  extension LibraryFiles {
    /// Removes the files of a process that was killed while it created or repaired a database.
    private func removeDrafts(ofDatabase file: FileLocation) throws(StorageProblem) -> Int {
      let key = (file.name as NSString).deletingPathExtension + ".key"
      let names = SQLiteRepair.drafts(of: file.name) + [".\(key).new"]
      guard let folder = try file.folder.open(creating: false) else { return 0 }
      var found = false
      for name in names where try folder.status(of: name) != nil { found = true }
      guard found else { return 0 }
      let lock = try FileLock(in: folder, named: file.name)
      return try lock.hold(patience: patience) { () throws(StorageProblem) in
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

    /// Repairs a damaged database, or moves it aside with its key file. See ``SQLiteRepair``.
    ///
    /// - Parameters:
    ///   - key: The key file of a keystore, if the keystore is moved aside when its key is lost.
    ///   - isExamined: True if pages that no value is in are examined too.
    /// - Returns: `nil` if it is usable or does not exist.
    func mend(
      _ file: FileLocation, _ tables: [SQLiteTable], key: FileLocation? = nil, isExamined: Bool = true
    ) throws(StorageProblem) -> DamagedDatabase? {
      let mended = try repair(file, tables.schema, key).run(isExamined ? .allPages : .rows) {
        (connection) throws(StorageProblem) in
        if try isKeyLost(connection, file, key) { return .content }
        for table in tables where !table.isOptional {
          var statements = ["SELECT * FROM \(table.name) NOT INDEXED"]
          if !table.key.isEmpty {
            statements.append(
              "SELECT \(table.key.joined(separator: ", ")) FROM \(table.name) INDEXED BY \(table.index)")
          }
          // An examination reads all pages itself. Otherwise every row is read, with everything in it, and the index.
          for statement in statements {
            try connection.rows(statement) { (row) throws(StorageProblem) in
              for column in 0..<row.count { _ = row.blob(column) }
              return !isExamined
            }
          }
        }
        return nil
      } copy: { (damaged, new) throws(StorageProblem) in
        guard let isWhole = try copyRows(of: tables, from: damaged, to: new) else { return nil }
        return try isKeyLost(new, file, key) ? nil : isWhole
      }
      return mended.map { DamagedDatabase(copy: $0.copy, isWhole: $0.isWhole ?? false) }
    }

    private func repair(_ file: FileLocation, _ schema: SQLiteSchema, _ key: FileLocation?) -> SQLiteRepair {
      SQLiteRepair(
        SQLiteCreation(location: file, schema: schema), patience: patience, key: key,
        marker: KeystoreRoot.marker(of: file).name)
    }

    /// Moves a database aside although it is not damaged, if it exists.
    ///
    /// - Returns: Its new name.
    func abandon(_ file: FileLocation, key: FileLocation?) throws(StorageProblem) -> FileLocation? {
      let moved = try repair(file, SQLiteSchema(required: []), key).moveAside()
      // The database may be lost.
      if moved == nil { try KeystoreRoot.marker(of: file).remove(patience: patience) }
      return moved
    }

    /// Copies the rows of all tables. Returns true if every row of the table that has keys was copied, and `nil` if what was
    /// copied is of no use.
    private func copyRows(
      of tables: [SQLiteTable], from damaged: SQLiteConnection, to new: SQLiteConnection
    ) throws(StorageProblem) -> Bool? {
      var isWhole = true
      for table in tables {
        if table.isOptional {
          let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
          do throws(StorageProblem) {
            guard try damaged.first(sql, [.text(table.name)], { _ in true }) == true else { continue }
          } catch {
            guard SQLiteSalvage.isDamage(error) else { throw error }
            continue
          }
          try new.execute(table.schema)
        }
        guard let isTableWhole = try SQLiteSalvage.copy(table, from: damaged, to: new) else { return nil }
        if !table.key.isEmpty { isWhole = isTableWhole }
        guard table.isRequired else { continue }
        guard try new.first("SELECT 1 FROM \(table.name)", [], { _ in true }) == true else { return nil }
      }
      return isWhole
    }

    /// Returns true if a key file does not exist, is no file, or has another length than a key. One that cannot be read
    /// throws.
    private func isLost(_ key: FileLocation, _ folder: borrowing Folder) throws(StorageProblem) -> Bool {
      guard let status = try folder.status(of: key.name) else { return true }
      return !status.isRegularFile || status.st_size != KeystoreKeyFile.count
    }

    /// Returns true if no item of a keystore can be decrypted, because its root key or the key file that it needs is lost.
    /// Other sources of the key have no file, and a keystore that was just created has no root key.
    private func isKeyLost(
      _ connection: SQLiteConnection, _ file: FileLocation, _ key: FileLocation?
    ) throws(StorageProblem) -> Bool {
      guard let key, let folder = try file.folder.open(creating: false) else { return false }
      let needsKeyFile = try connection.first("SELECT source = 'keyFile' FROM root", [], { $0.integer(0) == 1 })
      guard let needsKeyFile else { return try folder.status(of: KeystoreRoot.marker(of: file).name) != nil }
      return needsKeyFile ? try isLost(key, folder) : false
    }
  }
#endif
