internal import CLocalDataSQLite
import LocalDataFoundation
import LocalDataSystem

extension StorageProblem {
  /// Result codes whose macros Swift does not import; their values are part of SQLite's interface.
  private enum Extended {
    static let openLink = SQLITE_CANTOPEN | 6 << 8
    static let noMemory = SQLITE_IOERR | 12 << 8
    static let write = SQLITE_IOERR | 3 << 8
    static let badChecksum = SQLITE_IOERR | 32 << 8
    static let badFileSystem = SQLITE_IOERR | 33 << 8
    static let moved = SQLITE_READONLY | 4 << 8
    static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
    static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
    static let trigger = SQLITE_CONSTRAINT | 7 << 8
    static let unique = SQLITE_CONSTRAINT | 8 << 8
    static let rowID = SQLITE_CONSTRAINT | 10 << 8
  }

  /// The fault that a result code means. SQLite's own text names tables and values, and stays here.
  init(sqlite code: Int32, _ handle: OpaquePointer?) {
    switch code {
    case Extended.openLink: self = .io(errno: ELOOP)
    case Extended.noMemory: self = .io(errno: ENOMEM)
    case Extended.badChecksum, Extended.badFileSystem: self = .databaseDamaged
    // The file went away between our look at it and SQLite's: as a lock, it passes.
    case Extended.moved: self = .busy
    case Extended.primaryKey, Extended.unique, Extended.rowID: self = .alreadyStored(column: Self.column(handle))
    case Extended.foreignKey: self = .missingReference
    // A reference with RESTRICT.
    case Extended.trigger: self = .stillReferenced
    default: self = Self.primary(code & 0xff, handle)
    }
  }

  /// Returns true if a result code means that the disk, or the file system, could not be read.
  static func isOfDisk(_ code: Int32) -> Bool { code == Extended.badFileSystem || code == Extended.badChecksum }

  /// Returns true if a result code means that bytes could not be written, for example because no space is left.
  static func isOfWrite(_ code: Int32) -> Bool { code == SQLITE_FULL || code == Extended.write }

  private static func primary(_ code: Int32, _ handle: OpaquePointer?) -> StorageProblem {
    switch code {
    // The transaction was undone, or the schema kept changing.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL, SQLITE_INTERRUPT, SQLITE_ABORT, SQLITE_SCHEMA: return .busy
    case SQLITE_FULL: return .outOfSpace
    case SQLITE_ERROR: return statement(handle)
    // Constraint and mismatch: the tables of the library have no other constraints and types.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT, SQLITE_MISMATCH: return .databaseDamaged
    case SQLITE_READONLY: return isMarkedReadOnly(handle) ? .databaseDamaged : .accessDenied
    // Data protection answers it while the device is locked.
    case SQLITE_PERM, SQLITE_AUTH: return StorageProblem(errno: EPERM)
    case SQLITE_TOOBIG: return .valueTooLarge(limit: nil)
    case SQLITE_NOMEM: return .io(errno: ENOMEM)
    case SQLITE_NOLFS: return .io(errno: EFBIG)
    case SQLITE_IOERR, SQLITE_CANTOPEN: return StorageProblem(errno: systemErrno(handle))
    default: return .io(errno: EINVAL)
    }
  }

  /// Returns the fault of a statement that SQLite cannot run. Only SQLite's text says why: it names no values.
  private static func statement(_ handle: OpaquePointer?) -> StorageProblem {
    let text = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
    if text.hasPrefix("too many levels of trigger") { return .stillReferenced }
    // Limits of SQLite.
    if ["too many ", "parser stack ", " too large"].contains(where: text.contains) { return .queryTooLarge }
    // A part of the schema is not there, or is there already, or is a view, or a later SQLite wrote the file.
    let words = [
      "no such ", " no column ", "duplicate column", "already ", " view", "foreign key mismatch", "unsupported file",
    ]
    return words.contains(where: text.contains) ? .databaseDamaged : .io(errno: EINVAL)
  }

  /// Returns the name of the first column that a failed statement would have repeated a value in.
  ///
  /// SQLite's text for it contains only names: `UNIQUE constraint failed: Visit.party, Visit.day`.
  private static func column(_ handle: OpaquePointer?) -> String? {
    guard let handle, let text = sqlite3_errmsg(handle) else { return nil }
    let names = String(cString: text).split(separator: ": ", maxSplits: 1).last ?? ""
    return names.split(separator: ", ").first?.split(separator: ".", maxSplits: 1).last.map(String.init)
  }

  /// Returns the errno of the call that has failed. After some commits only the file has it, and not the connection.
  private static func systemErrno(_ handle: OpaquePointer?) -> Int32 {
    var code = sqlite3_system_errno(handle)
    for part in [SQLiteConnection.Part.log, .database] where code == 0 {
      if let (file, methods) = part.file(of: handle) { _ = methods.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code) }
    }
    return code == 0 ? EIO : code
  }

  /// Returns true if the header of a database keeps SQLite from writing to it: it names a version that no SQLite writes.
  ///
  /// SQLite also opens a file only for reading if it cannot be opened for writing now. That is no damage.
  static func isMarkedReadOnly(_ handle: OpaquePointer?) -> Bool {
    guard let handle, sqlite3_db_readonly(handle, "main") == 1,
      let (file, methods) = SQLiteConnection.Part.database.file(of: handle)
    else { return false }
    var version: UInt8 = 0
    return methods.xRead(file, &version, 1, 18) == SQLITE_OK && version > 2
  }
}
