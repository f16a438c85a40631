import LocalDataSystem

#if os(Linux)
  package import LocalDataFoundation

  /// Preferences and the preferences of app groups: one database for each suite, and one row for each value.
  ///
  /// A write survives a killed process, not a loss of power, and waits for no disk. Most calls therefore need not leave the
  /// caller's thread: those that open a database, or meet another writer, do.
  package final class UserDefaultsHelper: TransactingStore {
    let locations: StorageLocations
    private let patience: Duration
    /// The databases by the addresses of their containers. The registered keys have such a dictionary too: the first one of
    /// another type takes 0.1 ms of a launch.
    private let databases = Lock<[StorageAddress: SQLiteDatabase]>([:])
    private let clock: any StorageClock

    /// The tables of a database.
    package static let tables = [
      SQLiteTable(
        name: "preference",
        schema: """
          CREATE TABLE preference (name TEXT NOT NULL PRIMARY KEY, written_at INTEGER NOT NULL, bytes BLOB NOT NULL)
          """,
        columns: [("name", .text), ("written_at", .integer), ("bytes", .blob)], key: ["name"], isRequired: true)
    ]

    package init(
      _ locations: StorageLocations, patience: Duration = .seconds(10), clock: any StorageClock = SystemClock()
    ) {
      self.locations = locations
      self.patience = patience
      self.clock = clock
    }

    package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      try database(address.container).read(isOneStatement: true) {
        (connection) throws(StorageProblem) in
        try Self.bytes(of: address, attributes, connection)
      } ?? nil
    }

    package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      try database(address.container).read(isOneStatement: true) {
        (connection) throws(StorageProblem) in
        try connection.first("SELECT 1 FROM preference WHERE name = ?", [.text(address.name)]) { _ in true } ?? false
      } ?? false
    }

    package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
      // Three times nil: no database, no value in it, or no time.
      try database(address.container).read(isOneStatement: true) {
        (connection) throws(StorageProblem) in
        try connection.first("SELECT written_at FROM preference WHERE name = ?", [.text(address.name)]) { row in
          EnvelopeMetadata(writtenAt: row.integer(0)).time
        } ?? nil
      } ?? nil
    }

    package func write(
      _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
    ) throws(StorageProblem) {
      try database(address.container).write(isOneStatement: true) {
        (connection) throws(StorageProblem) in
        try write(bytes, to: address, connection)
      }
    }

    package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      // If no value is stored, there is nothing to remove, and no database is created.
      guard try exists(address, attributes) else { return }
      try database(address.container).write(isOneStatement: true) {
        (connection) throws(StorageProblem) in
        try Self.remove(address, connection)
      }
    }

    package func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try database(address.container).write { (connection) throws(StorageProblem) in
        switch try change(try Self.bytes(of: address, attributes, connection)) {
        case .keep: break
        case .write(let bytes): try write(bytes, to: address, connection)
        case .remove: try Self.remove(address, connection)
        }
      }
    }

    package func updateAll(
      _ items: [StorageItem], in container: StorageContainer,
      _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
    ) throws(StorageProblem) {
      try database(container).write { (connection) throws(StorageProblem) in
        var stored: [Data?] = []
        for item in items { stored.append(try Self.bytes(of: item.address, item.attributes, connection)) }
        for (item, change) in zip(items, try change(stored) ?? []) {
          switch change {
          case .keep: break
          case .write(let bytes): try write(bytes, to: item.address, connection)
          case .remove: try Self.remove(item.address, connection)
          }
        }
      }
    }

    /// Calls `visit` with every value of a suite until it returns false.
    ///
    /// - Parameter limit: The most bytes of a value that are read.
    package func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (ScannedValue) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      try database(container).read(isOneStatement: true) { (connection) throws(StorageProblem) in
        let sql = "SELECT name, substr(bytes, 1, ?) FROM preference"
        // More bytes than any value has: SQLite adds to the number.
        let limit = SQLiteValue.integer(Int64(min(limit, Int(Int32.max))))
        try connection.rows(sql, [limit]) { (row) throws(StorageProblem) in
          try visit(ScannedValue(row.text(0) ?? "", .success(row.blob(1))))
        }
      }
    }

    package func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      try database(container).read(isOneStatement: true) { (connection) throws(StorageProblem) in
        try connection.rows("SELECT name FROM preference") { (row) throws(StorageProblem) in
          try visit(row.text(0) ?? "")
        }
      }
    }

    package func state(of container: StorageContainer) throws(StorageProblem) -> (any ContainerState)? {
      try database(container).state()
    }

    package func makeDurable(_ container: StorageContainer) throws(StorageProblem) {
      try database(container).makeDurable()
    }

    package func purge(_ container: StorageContainer) throws(StorageProblem) {
      // A removed value is overwritten in the database: only the log still contains it.
      try database(container).emptyLog()
    }

    package var removesAtNextLaunch: Bool { false }

    // MARK: Rows

    private static func bytes(
      of address: StorageAddress, _ attributes: StorageAttributes, _ connection: SQLiteConnection
    ) throws(StorageProblem) -> Data? {
      // The size is compared before the bytes are loaded. That of a text would end at its first zero byte.
      let sql = """
        SELECT typeof(bytes) = 'blob', CASE WHEN typeof(bytes) = 'blob' AND length(bytes) <= ? THEN bytes END
        FROM preference WHERE name = ?
        """
      return try connection.first(sql, [.integer(Int64(attributes.maxStoredSize)), .text(address.name)]) {
        (row) throws(StorageProblem) in
        guard row.integer(0) == 1 else { throw .databaseDamaged }
        guard !row.isNull(1) else { throw .valueTooLarge(limit: attributes.maxStoredSize) }
        return row.blob(1)
      }
    }

    private func write(
      _ bytes: Data, to address: StorageAddress, _ connection: SQLiteConnection
    ) throws(StorageProblem) {
      let sql = """
        INSERT INTO preference (name, written_at, bytes) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET written_at = excluded.written_at, bytes = excluded.bytes
        """
      try connection.writeRow(sql, [.text(address.name), .integer(clock.now.inEnvelope), .blob(bytes)])
    }

    private static func remove(_ address: StorageAddress, _ connection: SQLiteConnection) throws(StorageProblem) {
      try connection.run("DELETE FROM preference WHERE name = ?", [.text(address.name)])
    }

    func database(_ container: StorageContainer) throws(StorageProblem) -> SQLiteDatabase {
      let address = StorageAddress(allOf: container)
      if let known = databases.withLock({ $0[address] }) { return known }
      guard container.store == .preferences else { throw .invalidName }
      let database = SQLiteDatabase.shared(
        at: try locations.database(of: container), .killedProcess, schema: Self.tables.schema, patience: patience)
      databases.withLock { $0[address] = database }
      return database
    }
  }

  extension SQLiteState: ContainerState {}
#endif
