import LocalDataSystem

#if os(Linux)
  internal import LocalDataFoundation

  /// The root key of a keystore: 32 random bytes, which the database contains sealed with the key of their source.
  ///
  /// The database names the source. Another source than the configured one is refused, and so is one of a later version. The
  /// root key is unwrapped before a transaction begins, because a source may take long to return its key. The transaction
  /// compares the sealed bytes: another process may have sealed the root key again since.
  ///
  /// A file beside the database, the marker, shows that there was a root key. It is created before the first item is sealed. If
  /// the database has no root key then, its files were lost, and no other root key takes its place.
  package final class KeystoreRoot: Sendable {
    private let protection: RootKeyProtection
    private let database: SQLiteDatabase
    private let randomness: Randomness
    private let clock: any StorageClock
    private let memory = Lock(Memory())
    /// One thread at a time calls the source.
    private let turns = ThreadTurns()

    /// A root key, and the bytes that it is sealed in.
    struct Sealed: Sendable {
      let wrapped: Data
      let key: SealingKey
    }

    private struct Memory: Sendable {
      /// The number of calls of `lock()`. A reader that began before a call of `lock()` caches nothing after it.
      var session = 0
      var last: Sealed?
      /// The sealed bytes of the root key for which the marker was found or created.
      var marked: Data?
    }

    private struct Row: Sendable {
      let source: String?
      let wrapped: Data
    }

    /// A keystore without its row is of no use: no item can be opened.
    static let table = SQLiteTable(
      name: "root",
      schema: "CREATE TABLE root (id INTEGER PRIMARY KEY CHECK (id = 1), source TEXT NOT NULL, wrapped BLOB NOT NULL)",
      columns: [("source", .text), ("wrapped", .blob)], isRequired: true)
    private static let count = 32
    /// The most bytes of a name of a source, and of a sealed root key: many times those that they have.
    private static let largest = 4_096
    /// The attempts of a step that other processes overtake.
    static let mostAttempts = 8

    init(
      _ protection: RootKeyProtection, in database: SQLiteDatabase, randomness: Randomness, clock: any StorageClock
    ) {
      self.protection = protection
      self.database = database
      self.randomness = randomness
      self.clock = clock
    }

    /// The root key, if it was opened since the last call of ``lock()``.
    var known: Sealed? { memory.withLock { $0.last } }

    func lock() { memory.withLock { $0 = Memory(session: $0.session + 1) } }

    /// The file that shows that a keystore had a root key.
    package static func marker(of keystore: FileLocation) -> FileLocation {
      FileLocation(folder: keystore.folder, name: ".keystore-created.location")
    }

    private var marker: FileLocation { Self.marker(of: database.files.location) }

    // MARK: Before a transaction

    /// Returns the root key, or `nil` if the keystore has none because it is new or does not exist.
    ///
    /// - Throws: ``StorageProblem/keyMaterialMissing`` if the keystore had one and has lost it.
    func current() throws(StorageProblem) -> Sealed? {
      if let known { return known }
      guard try !isNew() else { return nil }
      return try inTurn { () throws(StorageProblem) in
        let known = memory.withLock { $0 }
        if let last = known.last { return last }
        guard let row = try row() else { return nil }
        let sealed = Sealed(wrapped: row.wrapped, key: SealingKey(try open(row, protection), source: .keystoreRoot))
        keep(sealed, known.session)
        return sealed
      }
    }

    /// Returns what `body` reads in one statement, without the root key.
    ///
    /// - Parameter absent: The result if there is no keystore. If a keystore has lost its root key, it has lost its items too,
    ///   so that none of them counts as absent.
    /// - Throws: ``StorageProblem/keyMaterialMissing`` then.
    func unlessLost<Result: Equatable & Sendable>(
      _ absent: Result, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
    ) throws(StorageProblem) -> Result {
      let result = try database.read(isOneStatement: true, body) ?? absent
      if result == absent { _ = try isNew() }
      return result
    }

    /// Returns true if the keystore never had a root key.
    ///
    /// - Throws: ``StorageProblem/keyMaterialMissing`` if it had one and has lost it.
    func isNew() throws(StorageProblem) -> Bool {
      guard try row() == nil else { return false }
      guard try marker.exists() else { return true }
      // Another process may have created both just now.
      guard try row() == nil else { return false }
      throw .keyMaterialMissing
    }

    /// Creates the marker, if it does not exist. Call it before an item is sealed with the root key.
    func mark(_ known: Sealed) throws(StorageProblem) {
      if memory.withLock({ $0.marked }) == known.wrapped { return }
      if try !marker.exists() {
        // The root key must not be in the log alone, which is another file and may be lost.
        try database.emptyLog()
        try createMarker()
      }
      memory.withLock { $0.marked = known.wrapped }
    }

    /// Creates the marker, which is empty. Durable on return.
    private func createMarker() throws(StorageProblem) {
      guard let folder = try marker.folder.open(creating: false),
        try folder.file(marker.name, O_WRONLY | O_CREAT) != nil
      else { throw .io(errno: ENOENT) }
      try folder.descriptor.sync()
    }

    /// Removes a root key from memory if its sealed bytes have changed.
    func forget(_ known: Sealed?) {
      memory.withLock { if $0.last?.wrapped == known?.wrapped { $0.last = nil } }
    }

    /// Creates the root key of a new keystore, in one commit, unless another process is first.
    func create() throws(StorageProblem) {
      try inTurn { () throws(StorageProblem) in
        let session = memory.withLock { $0.session }
        guard try isNew() else { return }
        let root = randomness.secret(Self.count)
        let made = protection.source.mayBlock ? try sealed(root, clock.now) : nil
        let stored = try database.write { (connection) throws(StorageProblem) -> Sealed? in
          guard try Self.row(on: connection) == nil else { return nil }
          let new = if let made { made } else { try sealed(root, clock.now) }
          try connection.writeRow(
            "INSERT INTO root (id, source, wrapped) VALUES (1, ?, ?)",
            [.text(protection.source.recordedName), .blob(new.wrapped)])
          return new
        }
        if let stored { keep(stored, session) }
      }
    }

    private func keep(_ sealed: Sealed, _ session: Int) {
      memory.withLock { if $0.session == session { $0.last = sealed } }
    }

    /// Runs `body`, which may call the source. A source may wait for the user.
    private func inTurn<Result>(_ body: () throws(StorageProblem) -> Result) throws(StorageProblem) -> Result {
      guard let end = database.files.end else { throw .busy }
      try turns.take(until: end)
      defer { turns.end() }
      return try body()
    }

    // MARK: In a transaction

    /// Returns true if the keystore has this root key now, sealed in these bytes; for `nil`, if it has none.
    func isCurrent(_ known: Sealed?, on connection: SQLiteConnection) throws(StorageProblem) -> Bool {
      try Self.row(on: connection)?.wrapped == known?.wrapped
    }

    private func row() throws(StorageProblem) -> Row? {
      try database.read { (connection) throws(StorageProblem) in try Self.row(on: connection) } ?? nil
    }

    private static func row(on connection: SQLiteConnection) throws(StorageProblem) -> Row? {
      let sql = """
        SELECT CASE WHEN typeof(source) = 'text' AND length(CAST(source AS BLOB)) <= \(largest) THEN source END,
          CASE WHEN typeof(wrapped) = 'blob' AND length(wrapped) <= \(largest) THEN wrapped END
        FROM root WHERE id = 1
        """
      let row = try connection.first(sql) { Row(source: $0.text(0), wrapped: $0.blob(1)) }
      if let row { return row }
      let hasItems = try connection.first("SELECT 1 FROM item LIMIT 1") { _ in true } ?? false
      guard !hasItems else { throw .databaseDamaged }
      return nil
    }

    // MARK: Another source

    /// Seals the root key with the key of the configured source instead of an earlier one, in one commit. Then nothing is
    /// left of the earlier seal, and of a key file that is not the source any more.
    ///
    /// - Returns: False if the configured source has sealed it already, or if there is no root key.
    package func change(from old: RootKeyProtection) throws(StorageProblem) -> Bool {
      try inTurn { () throws(StorageProblem) in
        for _ in 0..<Self.mostAttempts {
          guard let row = try row() else { return false }
          let session = memory.withLock { $0.session }
          if try opens(row, insteadOf: old) {
            try removeTraces()
            return false
          }
          let root = try open(row, old)
          let made = protection.source.mayBlock ? try sealed(root, clock.now) : nil
          let stored = try database.write { (connection) throws(StorageProblem) -> Sealed? in
            let new = if let made { made } else { try sealed(root, clock.now) }
            let count = try connection.run(
              "UPDATE root SET source = ?, wrapped = ? WHERE id = 1 AND wrapped = ?",
              [.text(protection.source.recordedName), .blob(new.wrapped), .blob(row.wrapped)])
            return count == 1 ? new : nil
          }
          // Otherwise another process has sealed it since.
          guard let stored else { continue }
          keep(stored, session)
          try removeTraces()
          return true
        }
        throw .busy
      }
    }

    /// Returns true if the configured source has sealed the root key.
    private func opens(_ row: Row, insteadOf old: RootKeyProtection) throws(StorageProblem) -> Bool {
      guard row.source == protection.source.recordedName else { return false }
      do throws(StorageProblem) {
        _ = try open(row, protection)
        return true
      } catch {
        // A source of the same name may be another one, for example another passphrase.
        let name = protection.source.recordedName
        let signs: [StorageProblem] = [.wrongRootKey, .keyMaterialMissing, .rootKeySourceConflict(recorded: name)]
        guard old.source != protection.source, old.source.recordedName == name, signs.contains(error) else {
          throw error
        }
        return false
      }
    }

    private func removeTraces() throws(StorageProblem) {
      try database.emptyLog()
      guard try protection.keyFile.exists() else { return }
      try database.write { (connection) throws(StorageProblem) in
        guard let row = try Self.row(on: connection), row.source != RootKeySource.keyFile.recordedName else { return }
        try protection.keyFile.remove()
      }
    }

    // MARK: Sealing and opening

    private func open(_ row: Row, _ protection: RootKeyProtection) throws(StorageProblem) -> SecretBytes {
      guard row.source == protection.source.recordedName else {
        guard let source = row.source, RootKeySource.isRecordedName(source) else { throw .unknownFormatVersion }
        throw .rootKeySourceConflict(recorded: source)
      }
      let header = try Self.header(of: row.wrapped)
      guard let seal = header.seal else { throw .keyMaterialDamaged }
      let key = try protection.key(for: seal)
      CallDeadline.current?.renew()
      guard key.id == seal.keyID else { throw .wrongRootKey }
      // It is the right key: the bytes are damaged.
      var bytes: Data
      do throws(StorageProblem) {
        bytes = try key.open(
          row.wrapped, header: header, purpose: .keystoreRoot, associatedData: Self.associatedData)
      } catch { throw error == .authenticationFailed ? .keyMaterialDamaged : error }
      defer { bytes.wipe() }
      guard bytes.count == Self.count else { throw .keyMaterialDamaged }
      return SecretBytes(bytes)
    }

    private func sealed(_ root: SecretBytes, _ now: Date) throws(StorageProblem) -> Sealed {
      let key = try protection.newKey(randomness)
      if protection.source.mayBlock { CallDeadline.current?.renew() }
      var bytes = root.withUnsafeBytes { Data($0) }
      defer { bytes.wipe() }
      let wrapped = try key.seal(
        bytes, algorithm: .chaCha20Poly1305, metadata: EnvelopeMetadata(writtenAt: now), purpose: .keystoreRoot,
        associatedData: Self.associatedData, randomness: randomness)
      return Sealed(wrapped: wrapped, key: SealingKey(root, source: .keystoreRoot))
    }

    /// Parses the header of a sealed root key. If no version writes such bytes, the fault is damaged key material, not a
    /// damaged value.
    private static func header(of wrapped: Data) throws(StorageProblem) -> EnvelopeHeader {
      do throws(StorageProblem) { return try EnvelopeHeader.parse(wrapped) } catch {
        throw error == .corrupted ? .keyMaterialDamaged : error
      }
    }

    private static var associatedData: Data {
      var writer = ByteWriter()
      writer.appendField("keystore root")
      return writer.bytes
    }
  }
#endif
