import LocalDataSystem

#if os(Linux)
  internal import LocalDataFoundation

  /// Transactions that need the root key of a keystore.
  ///
  /// The root key is unwrapped before a transaction begins. A transaction that finds that another process has sealed it again
  /// since, or has created it, changes nothing and is repeated.
  struct KeystoreTransactions: Sendable {
    let database: SQLiteDatabase
    let root: KeystoreRoot
    let randomness: Randomness
    let clock: any StorageClock

    private enum Outcome<Result: Sendable>: Sendable {
      case done(Result)
      /// The root key is sealed in other bytes now.
      case changed
      /// The keystore has no root key yet.
      case needsRootKey
    }

    /// The attempts of a transaction that other processes overtake.
    private static let mostAttempts = KeystoreRoot.mostAttempts

    /// Returns the bytes of an item, or `nil` if there is none.
    ///
    /// One statement reads the item and compares the root key. After the root key was read, a read does not wait for the disk.
    func read(_ item: KeystoreItem, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      for _ in 0..<Self.mostAttempts {
        guard let known = try root.current() else { return nil }
        let found = try database.read(isOneStatement: true) { (connection) throws(StorageProblem) in
          try item.sealed(on: connection, known, attributes)
        }
        guard let found else { return nil }
        if found.isCurrent {
          return try found.bytes.map { (bytes) throws(StorageProblem) in try item.open(bytes, known.key) }
        }
        root.forget(known)
      }
      throw .busy
    }

    /// Returns what `body` reads with the root key, or `nil` if the keystore is new or does not exist.
    ///
    /// The root key comes first: if a keystore has lost it, no item counts as absent.
    func read<Result: Sendable>(
      _ body: (SQLiteConnection, SealingKey) throws(StorageProblem) -> Result
    ) throws(StorageProblem) -> Result? {
      for _ in 0..<Self.mostAttempts {
        guard let known = try root.current() else { return nil }
        let outcome = try database.read { (connection) throws(StorageProblem) -> Outcome<Result> in
          guard try root.isCurrent(known, on: connection) else { return .changed }
          return .done(try body(connection, known.key))
        }
        switch outcome {
        case .done(let result): return result
        case nil: return nil
        case .changed, .needsRootKey: root.forget(known)
        }
      }
      throw .busy
    }

    /// Calls `visit` with each item that a condition selects, opened, until it returns false.
    ///
    /// - Parameter skipsDamaged: True if items that cannot be opened are left out. Otherwise they throw.
    func scan(
      where condition: String, _ values: [SQLiteValue], skipsDamaged: Bool = false,
      _ visit: (Data) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      _ = try read { (connection, key) throws(StorageProblem) in
        let sql = "SELECT access_group, service, account, sealed FROM item WHERE " + condition
        try connection.rows(sql, values) { (row) throws(StorageProblem) in
          let item = KeystoreItem(
            accessGroup: row.text(0) ?? "", service: row.text(1) ?? "", account: row.text(2) ?? "")
          let bytes: Data
          do throws(StorageProblem) { bytes = try item.open(row.blob(3), key) } catch {
            guard skipsDamaged, error.isOfDamagedItem else { throw error }
            return true
          }
          return try visit(bytes)
        }
      }
    }

    /// Changes an item. No other writer can change the item in between.
    ///
    /// - Parameter isRead: False if `change` needs no stored bytes. It gets `nil` then.
    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes, isRead: Bool,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      let item = try KeystoreItem(address)
      try write(keepingAge: attributes.keepsAge) { (connection, key) throws(StorageProblem) in
        [(address, try change(isRead ? try item.read(on: connection, key, attributes) : nil))]
      }
    }

    /// Makes the changes that `decide` returns. No other writer can make changes in between. `decide` gets `nil` if there is
    /// no root key yet, and is asked again after one was created.
    ///
    /// - Parameter keepsAge: True if the new items have the times of those that they replace.
    func write(
      keepingAge keepsAge: Bool = false,
      _ decide: (SQLiteConnection, SealingKey?) throws(StorageProblem) -> [(
        address: StorageAddress, change: StorageChange
      )]
    ) throws(StorageProblem) {
      for _ in 0..<Self.mostAttempts {
        let known = try root.current()
        if let known { try root.mark(known) }
        let outcome = try database.write { (connection) throws(StorageProblem) -> Outcome<Bool> in
          guard try root.isCurrent(known, on: connection) else { return .changed }
          let changes = try decide(connection, known?.key)
          return try make(changes, on: connection, known?.key, keepsAge) ? .done(true) : .needsRootKey
        }
        switch outcome {
        case .done: return
        case .changed: root.forget(known)
        case .needsRootKey: try root.create()
        }
      }
      throw .busy
    }

    /// Makes changes, or none and returns false if there is no root key to write with.
    private func make(
      _ changes: [(address: StorageAddress, change: StorageChange)], on connection: SQLiteConnection,
      _ key: SealingKey?, _ keepsAge: Bool
    ) throws(StorageProblem) -> Bool {
      for case (_, .write) in changes where key == nil { return false }
      for (address, change) in changes {
        let item = try KeystoreItem(address)
        switch change {
        case .keep: break
        case .remove: try item.remove(on: connection)
        case .write(let bytes):
          guard let key else { return false }
          let time = keepsAge ? try item.modification(on: connection) : nil
          try item.write(bytes, on: connection, key, EnvelopeMetadata(writtenAt: time ?? clock.now), randomness)
        }
      }
      return true
    }
  }
#endif
