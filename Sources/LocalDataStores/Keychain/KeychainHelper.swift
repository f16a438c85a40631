import LocalDataSystem

#if os(Linux)
  package import LocalDataFoundation

  /// The keychain where there is none: an encrypted keystore, `keystore.db`, as a rule with `keystore.key` beside it.
  ///
  /// An item is its access group, service and account, sealed under the keystore's root key together with them. What
  /// the keychain enforces elsewhere (accessibility, access control, synchronization) has no meaning here.
  package final class KeychainHelper: TransactingStore {
    /// The tables of a keystore.
    package static let tables = [KeystoreRoot.table, KeystoreItem.table, KeystoreItem.damagedTable]

    let database: SQLiteDatabase
    package let root: KeystoreRoot
    private let transactions: KeystoreTransactions

    /// The keystore in a folder: the app's data, or the container of a group.
    ///
    /// - Parameter protection: The source of the key that encrypts the root key; `nil` for a key file.
    package init(
      in folder: FolderLocation, protection: RootKeyProtection? = nil, randomness: Randomness = .system,
      clock: any StorageClock = SystemClock()
    ) {
      database = .shared(
        at: FileLocation(folder: folder, name: "keystore.db"), .powerLoss,
        schema: Self.tables.schema)
      root = KeystoreRoot(
        protection ?? RootKeyProtection(.keyFile, in: folder), in: database, randomness: randomness, clock: clock)
      transactions = KeystoreTransactions(database: database, root: root, randomness: randomness, clock: clock)
    }

    /// Drops the root key from memory.
    package func lock() { root.lock() }

    /// Unwraps the root key.
    package func prepare() throws(StorageProblem) { _ = try root.current() }

    package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      try transactions.read(try KeystoreItem(address), attributes)
    }

    package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      let item = try KeystoreItem(address)
      return try root.unlessLost(false) { (connection) throws(StorageProblem) in try item.exists(on: connection) }
    }

    package func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      let item = try KeystoreItem(address)
      return try root.unlessLost(nil) { (connection) throws(StorageProblem) in try item.version(on: connection) }
    }

    package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
      let item = try KeystoreItem(address)
      // Twice nil: no keystore, or no item in it.
      return try database.read { (connection) throws(StorageProblem) in try item.modification(on: connection) } ?? nil
    }

    package func write(
      _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
    ) throws(StorageProblem) {
      try transactions.update(address, attributes, isRead: false) { _ in .write(bytes) }
    }

    package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      guard try exists(address, attributes) else { return }
      let item = try KeystoreItem(address)
      try database.write { (connection) throws(StorageProblem) in try item.remove(on: connection) }
    }

    package func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try transactions.update(address, attributes, isRead: true, change)
    }

    package func setAsideDamaged(_ address: StorageAddress) throws(StorageProblem) {
      let item = try KeystoreItem(address)
      let now = transactions.clock.now
      try database.write { (connection) throws(StorageProblem) in try item.setAside(on: connection, at: now) }
    }

    package func updateAll(
      _ items: [StorageItem], in container: StorageContainer,
      _ change: ([Data?]) throws(StorageProblem) -> [StorageChange]?
    ) throws(StorageProblem) {
      try transactions.write { (connection, key) throws(StorageProblem) in
        var stored: [Data?] = []
        for item in items {
          stored.append(try KeystoreItem(item.address).read(on: connection, key, item.attributes))
        }
        return zip(items, try change(stored) ?? []).map { (address: $0.address, change: $1) }
      }
    }

    package func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      guard case .keychain(let service?, let accessGroup, _) = container.domain else { throw .invalidName }
      _ = try root.unlessLost(false) { (connection) throws(StorageProblem) -> Bool in
        let sql = "SELECT account FROM item WHERE access_group = ? AND service = ?"
        var isFound = false
        try connection.rows(sql, [.text(accessGroup ?? ""), .text(service)]) { (row) throws(StorageProblem) in
          isFound = true
          return try visit(row.text(0) ?? "")
        }
        return isFound
      }
    }

    /// A commit is durable on return; one whose process was killed before that can be read already.
    package func makeDurable(_ container: StorageContainer) throws(StorageProblem) { try database.makeDurable() }

    package func purge(_ container: StorageContainer) throws(StorageProblem) {
      // A removed item is overwritten in the database: only the log still contains it.
      try database.emptyLog()
    }

    package var removesAtNextLaunch: Bool { false }

    /// Returns the names of the items in a container.
    package func sealedNames(in container: StorageContainer) throws(StorageProblem) -> [String] {
      try storedNames(in: container)
    }

    /// Returns true if an item of the keystore has a value that needs a master key.
    ///
    /// - Parameters:
    ///   - groups: Ignored: a keystore belongs to one app, or to one group.
    ///   - services: Ignored: all items of a keystore are the library's.
    package func holdsSealedValues(in groups: [String], services: Set<String> = []) throws(StorageProblem) -> Bool {
      var isFound = false
      // No key opens a damaged item again, also not the master key.
      try transactions.scan(where: "1", [], skipsDamaged: true) { bytes in
        isFound = PlainEnvelope.needsMasterKey(bytes)
        return !isFound
      }
      return isFound
    }

    /// Returns the containers that have items.
    ///
    /// - Parameter groups: Ignored: a keystore belongs to one app, or to one group.
    package func containers(in groups: [String]) throws(StorageProblem) -> [StorageContainer] {
      try root.unlessLost([]) { (connection) throws(StorageProblem) in
        var found: [StorageContainer] = []
        try connection.rows("SELECT DISTINCT access_group, service FROM item") { (row) throws(StorageProblem) in
          let group = row.text(0) ?? ""
          found.append(
            .keychain(service: row.text(1) ?? "", accessGroup: group.isEmpty ? nil : group, synchronizable: false))
          return true
        }
        return found
      }
    }
  }

  extension KeychainHelper: CustomStringConvertible, CustomReflectable {
    package var description: String { "KeychainHelper" }
    package var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
