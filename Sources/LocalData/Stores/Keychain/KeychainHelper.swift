#if os(Linux)
  package import Foundation

  /// The keychain where there is none: an encrypted keystore, `keystore.db` with `keystore.key` beside it.
  ///
  /// An item is its access group, service and account, sealed under the keystore's root key together with them. What
  /// the keychain enforces elsewhere (accessibility, access control, synchronization) has no meaning here.
  package final class KeychainHelper: TransactingStore {
    let database: SQLiteDatabase
    private let root: KeystoreRoot
    private let randomness: Randomness
    private let clock: any StorageClock

    /// The keystore in a folder: the app's data, or the container of a group.
    package init(
      in folder: FolderLocation, randomness: Randomness = .system, clock: any StorageClock = SystemClock()
    ) {
      database = .shared(
        at: FileLocation(folder: folder, name: "keystore.db"), .powerLoss,
        schema: [KeystoreRoot.schema, KeystoreItem.schema])
      root = KeystoreRoot(
        keyFile: KeystoreKeyFile(location: FileLocation(folder: folder, name: "keystore.key")),
        randomness: randomness, clock: clock)
      self.randomness = randomness
      self.clock = clock
    }

    package var withoutWaiting: (any ValueStore)? { nil }

    /// Drops the root key from memory.
    package func lock() { root.lock() }

    package func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      let item = try KeystoreItem(place)
      // Twice nil: no database, or no item in it.
      return try database.read { (connection) throws(StorageFault) in
        // First the key: beside a keystore that has lost it, nothing counts as absent.
        let key = try self.root.key(on: connection)
        return try item.read(on: connection, key, attributes)
      } ?? nil
    }

    package func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
      let item = try KeystoreItem(place)
      return try database.read { (connection) throws(StorageFault) in try item.exists(on: connection) }
        ?? false
    }

    package func version(of place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      let item = try KeystoreItem(place)
      return try database.read { (connection) throws(StorageFault) in try item.version(on: connection) } ?? nil
    }

    package func write(
      _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
    ) throws(StorageFault) {
      try update(place, attributes, isRead: false) { _ in .write(bytes) }
    }

    package func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      guard try exists(place, attributes) else { return }
      let item = try KeystoreItem(place)
      try database.write { (connection) throws(StorageFault) in try item.remove(on: connection) }
    }

    package func update(
      _ place: StoragePlace, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) {
      try update(place, attributes, isRead: true, change)
    }

    func updateAll(
      _ items: [StorageItem], in container: StorageContainer,
      _ change: ([Data?]) throws(StorageFault) -> [StorageChange]?
    ) throws(StorageFault) {
      try database.write { (connection) throws(StorageFault) in
        var (key, stored) = (try self.root.key(on: connection), [Data?]())
        for item in items {
          stored.append(try KeystoreItem(item.place).read(on: connection, key, item.attributes))
        }
        for (item, change) in zip(items, try change(stored) ?? []) {
          switch change {
          case .keep: break
          case .remove: try KeystoreItem(item.place).remove(on: connection)
          case .write(let bytes):
            let known = if let key { key } else { try self.root.keyOrNew(on: connection) }
            key = known
            let metadata = EnvelopeMetadata(writtenAt: self.clock.now)
            try KeystoreItem(item.place).write(bytes, on: connection, known, metadata, self.randomness)
          }
        }
      }
    }

    package func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      guard case .keychain(let service, let accessGroup, _) = container else { throw .invalidName }
      // An item is authenticated as a whole: there is no beginning of it to read alone.
      try scan(where: "access_group = ? AND service = ?", [.text(accessGroup ?? ""), .text(service)]) {
        (bytes) throws(StorageFault) in try visit(Data(bytes.prefix(limit)))
      }
    }

    package func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      guard case .keychain(let service, let accessGroup, _) = container else { throw .invalidName }
      _ = try database.read { (connection) throws(StorageFault) in
        let sql = "SELECT account FROM item WHERE access_group = ? AND service = ?"
        try connection.rows(sql, [.text(accessGroup ?? ""), .text(service)]) { (row) throws(StorageFault) in
          try visit(row.text(0) ?? "")
        }
      }
    }

    /// A commit is durable on return; one whose process was killed before that can be read already.
    package func makeDurable(_ container: StorageContainer) throws(StorageFault) { try database.makeDurable() }

    package func purge(_ container: StorageContainer) throws(StorageFault) {
      // What is removed is overwritten in the database: only the log still has it.
      try database.emptyLog()
    }

    package var removesAtNextLaunch: Bool { false }

    /// Returns true if an item of the keystore has a value that needs a master key.
    ///
    /// - Parameter groups: Ignored: a keystore belongs to one app, or to one group.
    package func holdsSealedValues(in groups: [String]) throws(StorageFault) -> Bool {
      var isFound = false
      try scan(where: "1", []) { bytes in
        isFound = StoredValue.needsMasterKey(bytes)
        return !isFound
      }
      return isFound
    }

    /// Returns the containers that have items.
    ///
    /// - Parameter groups: Ignored: a keystore belongs to one app, or to one group.
    package func containers(in groups: [String]) throws(StorageFault) -> [StorageContainer] {
      var found: [StorageContainer] = []
      _ = try database.read { (connection) throws(StorageFault) in
        try connection.rows("SELECT DISTINCT access_group, service FROM item") { (row) throws(StorageFault) in
          let group = row.text(0) ?? ""
          found.append(
            .keychain(service: row.text(1) ?? "", accessGroup: group.isEmpty ? nil : group, synchronizable: false))
          return true
        }
      }
      return found
    }

    private func scan(
      where condition: String, _ values: [SQLiteValue], _ visit: (Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      _ = try database.read { (connection) throws(StorageFault) in
        guard let key = try self.root.key(on: connection) else { return }
        let sql = "SELECT access_group, service, account, sealed FROM item WHERE " + condition
        try connection.rows(sql, values) { (row) throws(StorageFault) in
          let item = KeystoreItem(
            accessGroup: row.text(0) ?? "", service: row.text(1) ?? "", account: row.text(2) ?? "")
          return try visit(try item.open(row.blob(3), key))
        }
      }
    }

    private func update(
      _ place: StoragePlace, _ attributes: StorageAttributes, isRead: Bool,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) {
      let item = try KeystoreItem(place)
      try database.write { (connection) throws(StorageFault) in
        let key = try self.root.key(on: connection)
        switch try change(isRead ? try item.read(on: connection, key, attributes) : nil) {
        case .keep: break
        case .remove: try item.remove(on: connection)
        case .write(let bytes):
          let key = if let key { key } else { try self.root.keyOrNew(on: connection) }
          try item.write(bytes, on: connection, key, EnvelopeMetadata(writtenAt: self.clock.now), self.randomness)
        }
      }
    }
  }

  extension KeychainHelper: CustomStringConvertible, CustomReflectable {
    package var description: String { "KeychainHelper" }
    package var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
