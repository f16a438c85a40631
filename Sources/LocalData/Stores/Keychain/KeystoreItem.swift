#if os(Linux)
  internal import Foundation

  /// A row of a keystore: its identity, and the statements that use it.
  struct KeystoreItem: Hashable, Sendable {
    static let schema = """
      CREATE TABLE item (access_group TEXT NOT NULL, service TEXT NOT NULL, account TEXT NOT NULL,
        sealed BLOB NOT NULL, PRIMARY KEY (access_group, service, account))
      """

    /// Empty for none: no access group has an empty name.
    var accessGroup: String
    var service: String
    var account: String

    init(accessGroup: String, service: String, account: String) {
      self.accessGroup = accessGroup
      self.service = service
      self.account = account
    }

    init(_ place: StoragePlace) throws(StorageFault) {
      guard case .keychain(let service, let accessGroup, _) = place.container, accessGroup != "" else {
        throw .invalidName
      }
      self.init(accessGroup: accessGroup ?? "", service: service, account: place.name)
    }

    private static let condition = " FROM item WHERE access_group = ? AND service = ? AND account = ?"
    private var values: [SQLiteValue] { [.text(accessGroup), .text(service), .text(account)] }

    func exists(on connection: SQLiteConnection) throws(StorageFault) -> Bool {
      try connection.first("SELECT 1" + Self.condition, values) { _ in true } ?? false
    }

    /// Returns the salt and nonce of the item's seal, which no other seal has.
    func version(on connection: SQLiteConnection) throws(StorageFault) -> Data? {
      try connection.first("SELECT substr(sealed, 65, 60)" + Self.condition, values) { $0.blob(0) }
    }

    func read(
      on connection: SQLiteConnection, _ key: SealingKey?, _ attributes: StorageAttributes
    ) throws(StorageFault) -> Data? {
      guard let key else { return nil }
      // SQLite tells the length without the bytes.
      let length = try connection.first("SELECT length(sealed)" + Self.condition, values) { $0.integer(0) }
      guard let length else { return nil }
      guard length <= attributes.maxStoredSize + EnvelopeHeader.overhead else { throw .valueTooLarge }
      return try connection.first("SELECT sealed" + Self.condition, values) { (row) throws(StorageFault) in
        try open(row.blob(0), key)
      }
    }

    func write(
      _ bytes: Data, on connection: SQLiteConnection, _ key: SealingKey, _ metadata: EnvelopeMetadata,
      _ randomness: Randomness
    ) throws(StorageFault) {
      let sealed = try key.seal(
        bytes, algorithm: .chaCha20Poly1305, metadata: metadata, purpose: .keystoreItem,
        associatedData: associatedData, randomness: randomness)
      try connection.run(
        """
        INSERT INTO item (access_group, service, account, sealed) VALUES (?, ?, ?, ?)
        ON CONFLICT (access_group, service, account) DO UPDATE SET sealed = excluded.sealed
        """, values + [.blob(sealed)])
    }

    func remove(on connection: SQLiteConnection) throws(StorageFault) {
      try connection.run("DELETE" + Self.condition, values)
    }

    /// Returns the item's bytes, which were sealed for this identity.
    func open(_ sealed: Data, _ key: SealingKey) throws(StorageFault) -> Data {
      try key.open(
        sealed, header: try EnvelopeHeader.parse(sealed), purpose: .keystoreItem, associatedData: associatedData)
    }

    private var associatedData: Data {
      var writer = ByteWriter()
      writer.appendField("keystore item")
      writer.appendField(accessGroup.isEmpty ? nil : accessGroup)
      writer.appendField(service)
      writer.appendField(account)
      return writer.bytes
    }
  }
#endif
