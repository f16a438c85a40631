#if os(Linux)
  internal import Foundation

  /// The root key of a keystore: 32 random bytes, which the database contains sealed with the key of their source.
  ///
  /// The database names the source. A source that a later version has set is refused.
  struct KeystoreRoot: Sendable {
    private let keyFile: KeystoreKeyFile
    private let randomness: Randomness
    private let clock: any StorageClock
    private let unwrapped = Lock(Unwrapped())

    private struct Unwrapped: Sendable {
      /// The number of calls of `lock()`. A reader that began before a call keeps nothing after it.
      var session = 0
      /// The last opened key, with the bytes that it was sealed in. Another process may have sealed it again since.
      var last: (wrapped: Data, key: SealingKey)?
    }

    static let schema = """
      CREATE TABLE root (id INTEGER PRIMARY KEY CHECK (id = 1), source TEXT NOT NULL, wrapped BLOB NOT NULL)
      """
    private static let keyFileSource = "keyFile"
    private static let count = 32

    init(keyFile: KeystoreKeyFile, randomness: Randomness, clock: any StorageClock) {
      self.keyFile = keyFile
      self.randomness = randomness
      self.clock = clock
    }

    func lock() { unwrapped.withLock { $0 = Unwrapped(session: $0.session + 1) } }

    /// Returns the root key, or `nil` if the keystore has none because it is new.
    func key(on connection: SQLiteConnection) throws(StorageFault) -> SealingKey? {
      let row = try connection.first("SELECT source, wrapped FROM root WHERE id = 1") {
        row in (source: row.text(0), wrapped: row.blob(1))
      }
      guard let row else {
        let hasItems = try connection.first("SELECT 1 FROM item LIMIT 1") { _ in true } ?? false
        guard !hasItems else { throw .databaseDamaged }
        return nil
      }
      let known = unwrapped.withLock { $0 }
      if let last = known.last, last.wrapped == row.wrapped { return last.key }
      guard row.source == Self.keyFileSource else { throw .unknownFormatVersion }
      let header = try Self.header(of: row.wrapped)
      var bytes = try SealingKey(try keyFile.read(), source: .keystoreSource)
        .open(row.wrapped, header: header, purpose: .keystoreRoot, associatedData: Self.associatedData)
      defer { bytes.wipe() }
      guard bytes.count == Self.count else { throw .databaseDamaged }
      let key = SealingKey(SecretBytes(bytes), source: .keystoreRoot)
      unwrapped.withLock { unwrapped in
        if unwrapped.session == known.session { unwrapped.last = (row.wrapped, key) }
      }
      return key
    }

    /// Returns the root key, in a write transaction. A new keystore gets its key file and then its root key.
    func keyOrNew(on connection: SQLiteConnection) throws(StorageFault) -> SealingKey {
      if let key = try key(on: connection) { return key }
      let fileKey = SealingKey(try keyFile.readOrCreate(randomness), source: .keystoreSource)
      let root = randomness.secret(Self.count)
      var bytes = root.withUnsafeBytes { Data($0) }
      defer { bytes.wipe() }
      let wrapped = try fileKey.seal(
        bytes, algorithm: .chaCha20Poly1305, metadata: EnvelopeMetadata(writtenAt: clock.now), purpose: .keystoreRoot,
        associatedData: Self.associatedData, randomness: randomness)
      try connection.run(
        "INSERT INTO root (id, source, wrapped) VALUES (1, ?, ?)", [.text(Self.keyFileSource), .blob(wrapped)])
      return SealingKey(root, source: .keystoreRoot)
    }

    /// Parses the header of a sealed root key. What no version writes is a damaged database, not a damaged value.
    private static func header(of wrapped: Data) throws(StorageFault) -> EnvelopeHeader {
      do throws(StorageFault) { return try EnvelopeHeader.parse(wrapped) } catch {
        throw error == .corrupted ? .databaseDamaged : error
      }
    }

    private static var associatedData: Data {
      var writer = ByteWriter()
      writer.appendField("keystore root")
      return writer.bytes
    }
  }

  /// The file beside a keystore. Its 32 bytes are the key that seals the root key.
  ///
  /// Callers hold the keystore's write transaction while they create one, so that only one process does.
  struct KeystoreKeyFile: Sendable {
    static let count = 32

    let location: FileLocation

    /// Returns the key of a keystore that exists. Throws `keyMaterialMissing` without a file, and `keyMaterialDamaged`
    /// if the file has another length.
    func read() throws(StorageFault) -> SecretBytes {
      guard let key = try readIfPresent() else { throw .keyMaterialMissing }
      return key
    }

    /// Returns the key for a new keystore. It is on the disk when this returns.
    ///
    /// A process that was killed before the keystore had its root key may have left a complete file, which is used.
    func readOrCreate(_ randomness: Randomness) throws(StorageFault) -> SecretBytes {
      if let key = try readIfPresent() { return key }
      guard let folder = try location.folder.open(creating: true) else { throw .io(errno: ENOENT) }
      let draft = ".\(location.name).new"
      try folder.unlink(draft)
      let key = randomness.secret(Self.count)
      var bytes = key.withUnsafeBytes { Data($0) }
      defer { bytes.wipe() }
      do throws(StorageFault) {
        guard let file = try folder.file(draft, O_WRONLY | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
        try file.write(bytes)
        try file.sync()
        try folder.rename(draft, to: location.name)
      } catch {
        // What cannot be removed now is removed by who comes next.
        do throws(StorageFault) { try folder.unlink(draft) } catch {}
        throw error
      }
      try folder.descriptor.sync()
      return key
    }

    private func readIfPresent() throws(StorageFault) -> SecretBytes? {
      guard let folder = try location.folder.open(creating: false),
        let file = try folder.file(location.name, O_RDONLY)
      else { return nil }
      guard try file.status().isRegularFile else { throw .keyMaterialDamaged }
      // A byte more than it may have, to see whether it has.
      let (bytes, count) = try Self.bytes(of: file, upTo: Self.count + 1)
      guard count == Self.count else { throw .keyMaterialDamaged }
      return bytes.withUnsafeBytes { source in
        SecretBytes(count: Self.count) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count])) }
      }
    }

    /// Reads bytes into a buffer that is wiped, and into no other.
    private static func bytes(
      of file: borrowing Descriptor, upTo limit: Int
    ) throws(StorageFault) -> (bytes: SecretBytes, count: Int) {
      var (count, failure): (Int, Int32) = (0, 0)
      let raw = file.raw
      let bytes = SecretBytes(count: limit) { target in
        while count < limit, let start = target.baseAddress {
          let step = Foundation.read(raw, start + count, limit - count)
          if step == 0 { return }
          if step > 0 {
            count += step
          } else if errno != EINTR {
            failure = errno
            return
          }
        }
      }
      if failure != 0 { throw StorageFault(errno: failure) }
      return (bytes, count)
    }
  }
#endif
