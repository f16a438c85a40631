import Foundation
import LocalData
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataSystem
import TestSupport

/// The stores of earlier releases in the folders of a test.
struct OldStores {
  let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  var notes: URL { data("documents/Old/notes.sqlite") }
  var wallet: URL { data("DataModel.sqlite") }
  var folders: URL { data("Folders.sqlite") }
  var pages: URL { data("Pages.sqlite") }

  func data(_ path: String) -> URL { app.fixture.folder.appendingPathComponent("data/\(path)") }

  /// Launches the app with the catalog of the tests.
  func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(ImportsCatalog.self)
    return router
  }

  /// Writes a store by the statements that another library would run.
  func write(_ statements: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let connection = try SQLiteConnection(path: file.path, isDurable: false, until: nil, kind: .draft)
    try connection.execute(statements)
  }

  func writeNotes(_ rows: String = Self.noteRows) throws { try write(Self.noteTable + rows, to: notes) }

  func writeWallet(_ rows: String = Self.walletRows) async throws {
    try write(Self.walletTables + rows, to: wallet)
    try storeKey("k1")
  }

  func writeFolders(_ rows: String) throws { try write(Self.folderTables + rows, to: folders) }

  func writePages(_ rows: String) throws { try write(Self.pageTable + rows, to: pages) }

  /// Stores the key of the old values as the earlier release did.
  func storeKey(_ key: String) throws { try app.write(Data("\"\(key)\"".utf8), of: StorageKey<String?>.walletKey) }

  func storeTags(_ json: String) throws { try app.write(Data(json.utf8), of: StorageKey<[OldTag]?>.tagList) }

  /// The bytes of a store and of its log. A log without bytes is as good as none.
  func bytes(of file: URL) throws -> [Data] {
    try ["", "-wal"].map { suffix in
      let path = file.path + suffix
      return FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: URL(fileURLWithPath: path)) : Data()
    }
  }

  // MARK: Tables

  static let noteTable = """
    CREATE TABLE note (id TEXT, body TEXT, mood TEXT, stars INTEGER, written_at DATETIME, size, parent TEXT);
    """

  static let noteRows = """
    INSERT INTO note VALUES ('a', 'one', 'calm', NULL, '2025-10-09 08:53:20.125', 4.0, 'b');
    INSERT INTO note VALUES ('b', 'two', NULL, 5, '2025-10-09T08:53:20Z', NULL, NULL);
    INSERT INTO note VALUES ('c', 'three', 'tense', 1, '2025-10-09', 7, 'nobody');
    """

  static let pageTable = "CREATE TABLE page (title TEXT, price, parent INTEGER);"

  /// An entity with a relationship to itself.
  static let folderTables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'FolderEntity', 0, 3);
    CREATE TABLE ZFOLDERENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, ZNAME VARCHAR,
      ZPREVIOUS VARCHAR, ZNEXT VARCHAR);
    """

  /// The tables as Core Data makes them: entities with their numbers, upper-case names, a hidden column for a relationship without
  /// an inverse, and a table that joins two entities.
  static let walletTables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'ClaimEntity', 0, 3), (2, 'CredentialDataEntity', 0, 2),
      (3, 'SignedCredentialEntity', 2, 0), (4, 'HistoryEntity', 0, 2), (5, 'LabelEntity', 0, 2), (6, 'OtherEntity', 2, 0);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE ZCREDENTIALDATAENTITY
      (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZEXP TIMESTAMP, ZFORMAT VARCHAR, ZID VARCHAR, ZPHOTO BLOB);
    CREATE TABLE ZHISTORYENTITY
      (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREDENTIAL INTEGER, ZRP VARCHAR);
    CREATE TABLE ZCLAIMENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z4CLAIMS INTEGER,
      Z_FOK_4CLAIMS INTEGER, ZCLAIMNAME VARCHAR, ZCLAIMVALUE VARCHAR, ZPURPOSE VARCHAR);
    CREATE TABLE ZLABELENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
    CREATE TABLE Z_4LABELS (Z_4HISTORIES INTEGER, Z_5LABELS INTEGER, PRIMARY KEY (Z_4HISTORIES, Z_5LABELS));
    """

  static let walletRows = """
    INSERT INTO ZCREDENTIALDATAENTITY VALUES (1, 2, 1, 700000000, 'k1:jwt', 'urn:1', x'01CAFE'),
      (2, 3, 1, NULL, 'k1:ldp', 'urn:2', NULL), (3, 6, 1, 1.5, 'k1:sd', 'urn:3', NULL);
    INSERT INTO ZHISTORYENTITY VALUES (7, 4, 1, 1, 'https://rp.example'), (9, 4, 1, 2, 'https://other.example');
    INSERT INTO ZCLAIMENTITY VALUES (1, 1, 1, 7, 2, 'name', 'Ada', 'age'), (2, 1, 1, 7, 1, 'born', '1815', NULL),
      (3, 1, 1, NULL, NULL, 'none', 'none', NULL);
    INSERT INTO ZLABELENTITY VALUES (1, 5, 1, 'home'), (2, 5, 1, 'work');
    INSERT INTO Z_4LABELS VALUES (7, 2), (7, 1), (9, 2);
    """
}
