import LocalDataSystem

#if os(Linux)
  internal import LocalDataFoundation

  /// A row of a keystore: its identity, and the statements that use it.
  struct KeystoreItem: Hashable, Sendable {
    static let table = SQLiteTable(
      name: "item",
      schema: """
        CREATE TABLE item (access_group TEXT NOT NULL, service TEXT NOT NULL, account TEXT NOT NULL,
          sealed BLOB NOT NULL, PRIMARY KEY (access_group, service, account))
        """,
      columns: [("access_group", .text), ("service", .text), ("account", .text), ("sealed", .blob)],
      key: ["access_group", "service", "account"])

    /// The table of rows that could not be opened. It is created with the first of them.
    static let damagedTable = SQLiteTable(
      name: "damaged_item",
      schema: """
        CREATE TABLE damaged_item (access_group TEXT NOT NULL, service TEXT NOT NULL,
          account TEXT NOT NULL, sealed BLOB NOT NULL, moved_at INTEGER NOT NULL)
        """,
      columns: [
        ("access_group", .text), ("service", .text), ("account", .text), ("sealed", .blob), ("moved_at", .integer),
      ], isOptional: true)

    /// Empty if there is no access group, because no access group has an empty name.
    var accessGroup: String
    var service: String
    var account: String

    init(accessGroup: String, service: String, account: String) {
      self.accessGroup = accessGroup
      self.service = service
      self.account = account
    }

    init(_ address: StorageAddress) throws(StorageProblem) {
      guard case .keychain(let service?, let accessGroup, _) = address.container.domain, accessGroup != "" else {
        throw .invalidName
      }
      self.init(accessGroup: accessGroup ?? "", service: service, account: address.name)
    }

    private static let condition = " FROM item WHERE access_group = ? AND service = ? AND account = ?"
    private var values: [SQLiteValue] { [.text(accessGroup), .text(service), .text(account)] }

    func exists(on connection: SQLiteConnection) throws(StorageProblem) -> Bool {
      try connection.first("SELECT 1" + Self.condition, values) { _ in true } ?? false
    }

    /// Returns the salt and nonce of the item's seal, which no other seal has.
    func version(on connection: SQLiteConnection) throws(StorageProblem) -> Data? {
      try connection.first("SELECT substr(sealed, 65, 60)" + Self.condition, values) { $0.blob(0) }
    }

    /// Returns the time at which the item was sealed.
    func modification(on connection: SQLiteConnection) throws(StorageProblem) -> Date? {
      let header = "SELECT substr(sealed, 1, \(EnvelopeHeader.overhead))" + Self.condition
      return try connection.first(header, values) { (row) throws(StorageProblem) in
        try EnvelopeHeader.parse(row.blob(0)).metadata.time
      } ?? nil
    }

    /// Reads the item in one statement, and returns its sealed bytes, and whether the root key is still sealed in the same bytes.
    func sealed(
      on connection: SQLiteConnection, _ root: KeystoreRoot.Sealed, _ attributes: StorageAttributes
    ) throws(StorageProblem) -> (isCurrent: Bool, bytes: Data?) {
      let sql = """
        SELECT root.wrapped, item.sealed IS NULL, typeof(item.sealed) = 'blob',
          CASE WHEN typeof(item.sealed) = 'blob' AND length(item.sealed) <= ? THEN item.sealed END
        FROM root LEFT JOIN item ON access_group = ? AND service = ? AND account = ? WHERE root.id = 1
        """
      let limit = SQLiteValue.integer(Int64(attributes.maxStoredSize + EnvelopeHeader.overhead))
      var isCurrent = false
      var sealed = Data?.none
      try connection.rows(sql, [limit] + values) { (row) throws(StorageProblem) in
        isCurrent = row.blob(0) == root.wrapped
        guard isCurrent, row.integer(1) == 0 else { return false }
        guard row.integer(2) == 1 else { throw .corrupted }
        guard !row.isNull(3) else { throw .valueTooLarge(limit: attributes.maxStoredSize) }
        sealed = row.blob(3)
        return false
      }
      return (isCurrent, sealed)
    }

    func read(
      on connection: SQLiteConnection, _ key: SealingKey?, _ attributes: StorageAttributes
    ) throws(StorageProblem) -> Data? {
      guard let key else { return nil }
      // SQLite returns the length without the bytes. That of a text would end at its first zero byte.
      let sql = "SELECT CASE WHEN typeof(sealed) = 'blob' THEN length(sealed) ELSE -1 END" + Self.condition
      guard let length = try connection.first(sql, values, { $0.integer(0) }) else { return nil }
      guard length >= 0 else { throw .corrupted }
      guard length <= attributes.maxStoredSize + EnvelopeHeader.overhead else {
        throw .valueTooLarge(limit: attributes.maxStoredSize)
      }
      return try connection.first("SELECT sealed" + Self.condition, values) { (row) throws(StorageProblem) in
        try open(row.blob(0), key)
      }
    }

    func write(
      _ bytes: Data, on connection: SQLiteConnection, _ key: SealingKey, _ metadata: EnvelopeMetadata,
      _ randomness: Randomness
    ) throws(StorageProblem) {
      let sealed = try key.seal(
        bytes, algorithm: .chaCha20Poly1305, metadata: metadata, purpose: .keystoreItem,
        associatedData: associatedData, randomness: randomness)
      try connection.writeRow(
        """
        INSERT INTO item (access_group, service, account, sealed) VALUES (?, ?, ?, ?)
        ON CONFLICT (access_group, service, account) DO UPDATE SET sealed = excluded.sealed
        """, values + [.blob(sealed)])
    }

    func remove(on connection: SQLiteConnection) throws(StorageProblem) {
      // Another process may have removed it. The statement alone does not show whether it is gone.
      if try connection.run("DELETE" + Self.condition, values) == 0, try exists(on: connection) {
        throw .databaseDamaged
      }
    }

    /// Moves the row to another table, which no other statement uses.
    func setAside(on connection: SQLiteConnection, at date: Date) throws(StorageProblem) {
      if try !Self.hasDamagedTable(on: connection) { try connection.run(Self.damagedTable.schema) }
      try connection.run(
        "INSERT INTO damaged_item SELECT access_group, service, account, sealed, ?" + Self.condition,
        [.integer(Int64(date.timeIntervalSince1970))] + values)
      try remove(on: connection)
    }

    private static func hasDamagedTable(on connection: SQLiteConnection) throws(StorageProblem) -> Bool {
      let sql = "SELECT 1 FROM sqlite_master WHERE name = ?"
      return try connection.first(sql, [.text(damagedTable.name)]) { _ in true } ?? false
    }

    /// Returns the item's bytes, which were sealed for this identity.
    func open(_ sealed: Data, _ key: SealingKey) throws(StorageProblem) -> Data {
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
