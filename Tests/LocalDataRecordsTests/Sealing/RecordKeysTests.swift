@testable import LocalDataRecords
import LocalDataRecordKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

@Suite("Record keys") struct RecordKeysTests {
  private let keychain = MemoryStore()

  @Test func aKeyIsStoredOnceAndOpensAgain() async throws {
    let table = KeyTable()
    let sealer = try #require(try await create(table))
    let sealed = try seal(with: sealer)
    #expect(table.rows.map(\.number) == [1])
    // Another process, with the same keychain.
    let other = try #require(try await keys().sealer(with: table.rows))
    #expect(try open(sealed, with: other) == Data("fields".utf8))
    #expect(try await keys().sealer(with: []) == nil)
  }

  @Test(arguments: [
    SecurityPolicy.EncryptionPolicy.aes256GCM(), .chaCha20Poly1305(keyDerivation: .pbkdf2(iterations: 600_000)),
    ExternalKey.random,
  ])
  func aKeyIsSealedAsThePolicySays(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
    let table = KeyTable()
    let sealed = try seal(with: #require(try await create(table, keys(policy))))
    let header = try EnvelopeHeader.parse(table.rows[0].envelope)
    #expect(header.seal?.algorithm == policy.algorithm)
    #expect((header.seal?.source == .external) == (policy.keySource != .masterKey))
    #expect((header.seal?.stretch == nil) == (policy.keyDerivation == .hkdf))
    let other = try #require(try await keys(policy).sealer(with: table.rows))
    #expect(try open(sealed, with: other) == Data("fields".utf8))
  }

  @Test func aMissingMasterKeyIsNotReplaced() async throws {
    let table = KeyTable()
    _ = try await create(table)
    for entry in keychain.entries { try keychain.remove(entry.address, StorageAttributes()) }
    await #expect(throws: StorageProblem.keyMaterialMissing) { try await keys().sealer(with: table.rows) }
    #expect(keychain.entries.isEmpty)
  }

  @Test func aLockedKeychainIsNotAMissingKey() async throws {
    let table = KeyTable()
    _ = try await create(table)
    let locked = keys(isLocked: true)
    await #expect(throws: StorageProblem.locked) { try await locked.sealer(with: table.rows) }
    await #expect(throws: StorageProblem.locked) { try await locked.newKey() }
  }

  @Test func aKeyOpensOnlyInItsPlace() async throws {
    let table = KeyTable()
    _ = try await create(table)
    let envelope = table.rows[0].envelope
    await #expect(throws: StorageProblem.authenticationFailed) {
      try await keys().sealer(with: [.init(number: 2, envelope: envelope)])
    }
    let others = [
      keys(database: "other"), keys(container: .directory(.documents)), keys(domain: .encryptedFileSystem),
    ]
    for other in others {
      await #expect(throws: StorageProblem.authenticationFailed) { try await other.sealer(with: table.rows) }
    }
  }

  @Test func aChangedByteIsFound() async throws {
    let table = KeyTable()
    _ = try await create(table)
    let envelope = table.rows[0].envelope
    for index in envelope.indices {
      var changed = envelope
      changed[index] ^= 1
      await #expect(throws: StorageProblem.self, "\(index)") {
        try await keys().sealer(with: [.init(number: 1, envelope: changed)])
      }
    }
  }

  /// A value, whose bytes an app chooses, is no record key.
  @Test func anEnvelopeOfAnotherPurposeIsRefused() async throws {
    let helper = helper()
    let sealer = try await helper.sealer(for: .init(), keyset: .app, keyName: "x")
    let identity = RecordKeyIdentity(
      domain: .fileSystem, container: .directory(.applicationSupport), database: "notes", number: 1)
    let envelope = try sealer.seal(
      Data(count: 32), metadata: .init(writtenAt: 0), purpose: .value, associatedData: identity.associatedData)
    await #expect(throws: StorageProblem.authenticationFailed) {
      try await keys().sealer(with: [.init(number: 1, envelope: envelope)])
    }
    let short = try sealer.seal(SecretBytes(Data(count: 31)), identity: identity, writtenAt: Date())
    await #expect(throws: StorageProblem.corrupted) {
      try await keys().sealer(with: [.init(number: 1, envelope: short)])
    }
  }

  @Test func aKeyThatMaySealNoMoreIsNotStored() async throws {
    let keys = keys()
    let new = try await keys.newKey()
    for entry in keychain.entries { try keychain.remove(entry.address, StorageAttributes()) }
    #expect(throws: StorageProblem.busy) { try keys.storing(new.stored) {} }
  }

  // MARK: Support

  private func create(_ table: KeyTable, _ keys: RecordKeys? = nil) async throws -> RecordSealer? {
    let keys = keys ?? self.keys()
    let new = try await keys.newKey()
    return try keys.storing(new.stored) { () throws(StorageProblem) in table.add(new) }
  }

  private func helper(isLocked: Bool = false) -> EncryptionHelper {
    let vault = KeysetVault(configuration: .init()) { [keychain] _ throws(StorageProblem) in
      if isLocked { throw .locked }
      return keychain
    }
    let providers = KeyMaterialRegistry()
    providers.register(ExternalKey.Provider(Data(repeating: 3, count: 32)), for: ExternalKey.source)
    return EncryptionHelper(configuration: .init(), vault: vault, providers: providers) { _ in false }
  }

  private func keys(
    _ policy: SecurityPolicy.EncryptionPolicy = .init(), domain: StorageDomain.Kind = .fileSystem,
    container: StorageContainer = .directory(.applicationSupport), database: String = "notes",
    isLocked: Bool = false
  ) -> RecordKeys {
    RecordKeys(helper(isLocked: isLocked), policy, domain: domain, container: container, database: database)
  }

  private func seal(with sealer: RecordSealer) throws -> Data {
    try sealer.seal(Data("fields".utf8), record: "Secret", key: Data("a".utf8))
  }

  private func open(_ sealed: Data, with sealer: RecordSealer) throws -> Data {
    try sealer.open(sealed, record: "Secret", key: Data("a".utf8))
  }
}

/// The rows of `local_data_keys` in memory.
private final class KeyTable: Sendable {
  private let stored = Lock<[RecordKeys.Stored]>([])

  var rows: [RecordKeys.Stored] { stored.withLock { $0 } }

  func add(_ new: RecordSealer) -> RecordSealer {
    stored.withLock { $0 = new.stored }
    return new
  }
}
