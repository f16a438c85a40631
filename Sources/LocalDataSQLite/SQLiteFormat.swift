package import LocalDataSystem

/// The identity of a kind of databases, and the settings of connections to them.
package struct SQLiteFormat: Sendable {
  let applicationID: Int64
  let version: Int64
  /// A Boolean value that indicates whether SQLite checks references between tables.
  let hasForeignKeys: Bool
  /// The attributes of the file on Apple's platforms.
  let protection: FileProtection
  /// The most bytes of a value, and of a row, that are read.
  let maxLength: Int32

  package init(
    applicationID: Int64, version: Int64, hasForeignKeys: Bool = false, protection: FileProtection = .standard,
    maxLength: Int = .max
  ) {
    self.applicationID = applicationID
    self.version = version
    self.hasForeignKeys = hasForeignKeys
    self.protection = protection
    self.maxLength = Int32(clamping: maxLength)
  }

  /// Databases of values ("LDat").
  package static let values = SQLiteFormat(applicationID: 0x4C44_6174, version: 1)

  /// A Boolean value that indicates whether a new database can give back pages that are not in use, in steps.
  var givesPagesBack: Bool { hasForeignKeys }

  /// A Boolean value that indicates whether the folder contains databases alone.
  var hasOwnFolder: Bool { hasForeignKeys }

  /// The flag of `sqlite3_open_v2` that protects the log and its index as the file.
  var openFlags: Int32 {
    #if canImport(Darwin)
      switch protection.availability {
      case .complete: 0x0010_0000
      case .completeUnlessOpen: 0x0020_0000
      case .untilFirstUnlock: 0x0030_0000
      case .always: 0x0040_0000
      }
    #else
      0
    #endif
  }
}
