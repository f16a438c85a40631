import ExampleModels
import Foundation
import LocalDataSQLite
import LocalDataSystem

/// The store that Core Data has made for releases before 2.0. A sample has no such release, so that the tables are made in SQL.
struct OldStore {
  let file: URL
  /// The key that the values of credentials are encrypted with.
  let key: Data

  /// - Parameter folder: The folder of the app.
  init(in folder: URL, key: Data) {
    let data = folder.appendingPathComponent("data")
    file = URL(fileURLWithPath: StorageRoot(data).path).appendingPathComponent("DataModel.sqlite")
    self.key = key
  }

  var exists: Bool { FileManager.default.fileExists(atPath: file.path) }

  /// Writes a store with one presentation, one sign-in and two credentials, of which one is damaged.
  func write(_ start: Date) throws {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: attributes)
    guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw SampleError.unexpected("old store")
    }
    let store = try SQLiteConnection(path: file.path, isDurable: false, until: nil, kind: .draft)
    try store.execute(Self.tables)
    try store.execute(try rows(start))
  }

  private func rows(_ start: Date) throws -> String {
    let issued = start.timeIntervalSince1970
    let expires = start.addingTimeInterval(365 * 86_400).timeIntervalSince1970
    let values =
      try [text("jwt_vc_json"), text("eyJ…0"), "NULL", "NULL", text("https://state.example")]
      + [number(issued), number(expires), text("Passport"), "NULL", text("{}")]
    let date = start.addingTimeInterval(-60).timeIntervalSinceReferenceDate
    return """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'ClaimEntity', 0, 1), (2, 'CredentialDataEntity', 0, 2),
        (3, 'CredentialSharingHistoryEntity', 0, 1), (4, 'IdTokenSharingHistoryEntity', 0, 1);
      INSERT INTO ZCREDENTIALDATAENTITY VALUES (1, 2, 1, 'urn:0', \(values.joined(separator: ", "))),
        (2, 2, 1, 'urn:damaged', 'AAAA.AAAA.AAAA', \(values.dropFirst().joined(separator: ", ")));
      INSERT INTO ZCREDENTIALSHARINGHISTORYENTITY VALUES
        (1, 3, 1, 0, \(date), 'urn:0', NULL, NULL, 'https://verifier-9.example', 'Ninth');
      INSERT INTO ZCLAIMENTITY VALUES (1, 1, 1, 1, 'name', 'Grace of Arlington', NULL);
      INSERT INTO ZIDTOKENSHARINGHISTORYENTITY VALUES (1, 4, 1, 0, \(date), 'https://verifier-9.example');
      """
  }

  private func text(_ text: String) throws -> String { try "'\(OldWallet.seal(Data(text.utf8), with: key))'" }

  private func number(_ seconds: Double) throws -> String {
    let bytes = withUnsafeBytes(of: Int64(seconds).littleEndian) { Data($0) }
    return try "'\(OldWallet.seal(bytes, with: key))'"
  }

  /// Core Data writes names in upper case. A relationship without an inverse has a column with the number of its entity.
  private static let tables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE ZCREDENTIALDATAENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID VARCHAR,
      ZFORMAT VARCHAR, ZCREDENTIAL VARCHAR, ZCNONCE VARCHAR, ZCNONCEEXPIRESIN VARCHAR, ZISS VARCHAR, ZIAT VARCHAR,
      ZEXP VARCHAR, ZTYPE VARCHAR, ZACCESSTOKEN VARCHAR, ZCREDENTIALISSUERMETADATA VARCHAR);
    CREATE TABLE ZCREDENTIALSHARINGHISTORYENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZACCOUNTINDEX INTEGER, ZCREATEDAT TIMESTAMP, ZCREDENTIALID VARCHAR, ZLOGOURL VARCHAR, ZPRIVACYPOLICYURL VARCHAR,
      ZRP VARCHAR, ZRPNAME VARCHAR);
    CREATE TABLE ZCLAIMENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z3CLAIMS INTEGER,
      ZCLAIMKEY VARCHAR, ZCLAIMVALUE VARCHAR, ZPURPOSE VARCHAR);
    CREATE TABLE ZIDTOKENSHARINGHISTORYENTITY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZACCOUNTINDEX INTEGER, ZCREATEDAT TIMESTAMP, ZRP VARCHAR);
    """
}
