import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

/// When a master key is created, and above all when none is.
@Suite struct MasterKeyTests {
  let keychain = MemoryKeychain()
  let groupKeychain = MemoryKeychain()
  let stretching = CountedStretching()
  /// The values in the stores that a scan would visit.
  let stored = Lock<[Data]>([])
  let scans = Lock(0)

  private func helper(_ configuration: EncryptionConfiguration = .init()) -> EncryptionHelper {
    let vault = KeysetVault(configuration: configuration) { [keychain, groupKeychain] keyset in
      keyset == .app ? keychain : groupKeychain
    }
    return EncryptionHelper(configuration: configuration, vault: vault, stretching: stretching.value) {
      [stored, scans] _ in
      scans.withLock { $0 += 1 }
      return stored.withLock { $0.contains(where: PlainEnvelope.needsMasterKey) }
    }
  }

  private func seal(
    _ helper: EncryptionHelper, _ policy: SecurityPolicy.EncryptionPolicy = .init(), keyset: KeysetID = .app
  ) async throws -> Data {
    try await helper.sealer(for: policy, keyset: keyset, keyName: "profile")
      .seal(Data("value".utf8), metadata: .init(writtenAt: 0), identity: .profile)
  }

  private func open(
    _ helper: EncryptionHelper, _ envelope: Data, _ policy: SecurityPolicy.EncryptionPolicy = .init(),
    keyset: KeysetID = .app
  ) async throws -> Data {
    let header = try EnvelopeHeader.parse(envelope)
    return try await helper.opener(for: policy, keyset: keyset, keyName: "profile", header: header)
      .open(envelope, identity: .profile).plaintext
  }

  static let policies: [SecurityPolicy.EncryptionPolicy] = [
    .aes256GCM(), .chaCha20Poly1305(), .aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000)),
    .chaCha20Poly1305(keyDerivation: .pbkdf2(iterations: 700_000)),
  ]

  @Test(arguments: policies) func aSecondProcessOpensWhatTheFirstSealed(
    _ policy: SecurityPolicy.EncryptionPolicy
  ) async throws {
    let envelope = try await seal(helper(), policy)
    #expect(try await open(helper(), envelope, policy) == Data("value".utf8))
    // A policy that changed since: the header says how to open.
    #expect(try await open(helper(), envelope, .aes256GCM()) == Data("value".utf8))
  }

  @Test func aKeyThatAnotherProcessCreatedDuringTheScanIsTheOneThatSeals() async throws {
    let other = helper()
    let configuration = EncryptionConfiguration()
    let keychain = keychain
    let sealed = try await seal(other)
    // The other's key is hidden until the scan, which finds what it sealed.
    let hidden = keychain.items
    keychain.removeAll()
    let late = EncryptionHelper(
      configuration: configuration, vault: KeysetVault(configuration: configuration) { _ in keychain }
    ) { _ in
      keychain.state.withLock { $0.items = hidden }
      return true
    }
    let envelope = try await seal(late)
    #expect(try await open(late, sealed) == Data("value".utf8))
    #expect(try await open(other, envelope) == Data("value".utf8))
  }

  @Test func theFirstSetCreatesOneKeyAndReadingNone() async throws {
    let helper = helper()
    let envelope = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
    #expect(await faultOf { try await open(helper, envelope) } == .keyMaterialMissing)
    #expect(keychain.items.isEmpty)
    _ = try await seal(helper)
    _ = try await seal(helper)
    #expect(keychain.items.count == 1)
    #expect(keychain.state.withLock { $0.writes } == 1)
    #expect(scans.withLock { $0 } == 1)
    let (address, record) = try #require(keychain.items.first)
    #expect(address.name == "MasterKey")
    #expect(address.container == .keychain(service: "LocalData", accessGroup: nil, synchronizable: false))
    #expect(try Keyset(bytes: record).keys.count == 1)
  }

  @Test func noKeyIsCreatedBesideAnEnvelope() async throws {
    let envelope = try await seal(helper())
    keychain.removeAll()
    stored.withLock { $0 = [Data("plain".utf8), envelope] }
    let helper = helper()
    #expect(await faultOf { try await seal(helper) } == .keyMaterialMissing)
    #expect(await faultOf { try await open(helper, envelope) } == .keyMaterialMissing)
    #expect(keychain.items.isEmpty)
    // Nor beside what is damaged or newer.
    stored.withLock { $0 = [envelope.prefix(20)] }
    #expect(await faultOf { try await seal(helper) } == .keyMaterialMissing)
    stored.withLock { $0 = [] }
    _ = try await seal(helper)
  }

  @Test(arguments: [
    StorageProblem.locked, .accessDenied, .userCancelled, .busy, .io(errno: 5), .corrupted, .authenticationFailed,
    .keyMaterialMissing,
  ])
  func aKeychainThatCannotAnswerIsNotAnEmptyOne(_ problem: StorageProblem) async throws {
    keychain.setFault(problem)
    let helper = helper()
    #expect(await faultOf { try await seal(helper) } == problem)
    let envelope = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
    #expect(await faultOf { try await open(helper, envelope) } == problem)
    #expect(keychain.items.isEmpty)
    #expect(scans.withLock { $0 } == 0)
    // A failure is not kept.
    keychain.setFault(nil)
    _ = try await seal(helper)
  }

  @Test func aRootThatCannotBeReadCreatesNone() async throws {
    let configuration = EncryptionConfiguration()
    let vault = KeysetVault(configuration: configuration) { [keychain] _ in keychain }
    let helper = EncryptionHelper(configuration: configuration, vault: vault) { _ throws(StorageProblem) in
      throw .accessDenied
    }
    #expect(await faultOf { try await seal(helper) } == .accessDenied)
    #expect(keychain.items.isEmpty)
  }

  /// Another process creates the key during our scan, which finds what it sealed, or does not yet.
  @Test(arguments: [true, false]) func theKeychainIsAskedAgainAfterTheScan(_ isFound: Bool) async throws {
    let configuration = EncryptionConfiguration()
    let other = helper()
    let vault = KeysetVault(configuration: configuration) { [keychain] _ in keychain }
    let bytes = try Keyset(newKey: secret(9)).encoded()
    let address = StorageAddress(
      container: .keychain(service: "LocalData", accessGroup: nil, synchronizable: false), name: "MasterKey")
    let helper = EncryptionHelper(configuration: configuration, vault: vault) { [keychain] _ throws(StorageProblem) in
      try keychain.write(bytes, to: address, StorageAttributes())
      return isFound
    }
    let envelope = try await seal(helper)
    #expect(keychain.items[address] == bytes)
    #expect(try await open(other, envelope) == Data("value".utf8))
  }

  @Test func concurrentFirstUsesAgreeOnOneKey() async throws {
    let helpers = (0..<8).map { _ in helper() }
    let envelopes = try await withThrowingTaskGroup(of: Data.self) { group in
      for index in 0..<64 { group.addTask { try await seal(helpers[index % 8]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(try envelopes.map { try EnvelopeHeader.parse($0).seal?.keyID }).count == 1)
    #expect(keychain.state.withLock { $0.writes } == 1)
    for envelope in envelopes { #expect(try await open(helpers[0], envelope) == Data("value".utf8)) }
  }

  @Test func readersAndTheFirstWriterDoNotSpoilEachOther() async throws {
    let helper = helper()
    let envelope = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
    await withTaskGroup(of: StorageProblem?.self) { group in
      for index in 0..<40 {
        group.addTask {
          await faultOf { index % 2 == 0 ? try await seal(helper) : try await open(helper, envelope) }
        }
      }
      for await fault in group { #expect([nil, .keyMaterialMissing, .authenticationFailed].contains(fault)) }
    }
    _ = try await seal(helper)
  }

  @Test(arguments: [0, 16, 31, 33, 64]) func onlyOneLengthIsTaken(_ length: Int) async throws {
    let helper = helper(EncryptionConfiguration(masterKeyLength: length))
    #expect(await faultOf { try await seal(helper) } == .configurationConflict)
    let envelope = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
    #expect(await faultOf { try await open(helper, envelope) } == .configurationConflict)
    #expect(keychain.items.isEmpty)
  }

  @Test(arguments: [0, 1, 599_999, 10_000_001, 4_000_000_000]) func iterationsOutOfBoundsAreRefusedBeforeAnyWork(
    _ iterations: Int
  ) async throws {
    let policy = SecurityPolicy.EncryptionPolicy.aes256GCM(keyDerivation: .pbkdf2(iterations: iterations))
    #expect(await faultOf { try await seal(helper(), policy) } == .configurationConflict)
    #expect(stretching.calls == 0)
    #expect(keychain.items.isEmpty)
  }

  @Test func pbkdf2RunsOnceAnUnlock() async throws {
    let (policy, helper) = (Self.policies[2], helper())
    let envelopes = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<20 { group.addTask { try await seal(helper, policy) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for envelope in envelopes { _ = try await open(helper, envelope, policy) }
    #expect(stretching.calls == 1)
    #expect(Set(try envelopes.map { try EnvelopeHeader.parse($0).seal?.stretch }).count == 1)
    helper.lock()
    _ = try await seal(helper, policy)
    #expect(stretching.calls == 2)
    // Another number of iterations has another salt. Another process uses the recorded salt.
    let other = try await seal(helper, Self.policies[3])
    let later = try await seal(self.helper(), Self.policies[3])
    let salts = try [other, later].map { try EnvelopeHeader.parse($0).seal?.stretch?.salt }
    #expect(salts[0] == salts[1])
    #expect(try salts[0] != EnvelopeHeader.parse(envelopes[0]).seal?.stretch?.salt)
  }

  @Test func processesThatStretchFirstTogetherAgreeOnOneSalt() async throws {
    let helpers = (0..<6).map { _ in helper() }
    let envelopes = try await withThrowingTaskGroup(of: Data.self) { group in
      for helper in helpers { group.addTask { try await seal(helper, Self.policies[2]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(try envelopes.map { try EnvelopeHeader.parse($0).seal?.stretch }).count == 1)
    for envelope in envelopes { _ = try await open(helper(), envelope, Self.policies[2]) }
  }

  @Test func parametersThatDifferFromTheRecordAreRefusedBeforeAnyWork() async throws {
    let policy = Self.policies[2]
    let envelope = try await seal(helper(), policy)
    let calls = stretching.calls
    let helper = helper()
    // Iterations in bounds, a salt, a key id, a derivation: each edited by itself.
    for (offset, byte) in [(47, envelope[47] ^ 1), (48, envelope[48] ^ 1), (64, envelope[64] ^ 1)] {
      var edited = envelope
      edited[offset] = byte
      #expect(await faultOf { try await open(helper, edited, policy) } == .authenticationFailed, "byte \(offset)")
    }
    var billions = envelope
    billions.replaceSubrange(44..<48, with: [0xEE, 0x6B, 0x28, 0x00])
    #expect(await faultOf { try await open(helper, billions, policy) } == .corrupted)
    #expect(stretching.calls == calls)
  }

  @Test func anotherMasterKeyIsNotTriedAndNotReplaced() async throws {
    let envelope = try await seal(helper())
    keychain.removeAll()
    _ = try await seal(helper())
    let items = keychain.items
    #expect(await faultOf { try await open(helper(), envelope) } == .authenticationFailed)
    #expect(keychain.items == items)
  }

  /// Another process rotates: what it seals under the new key opens here, without a restart.
  @Test func anUnknownKeyIDReloadsTheKeyset() async throws {
    let helper = helper()
    let old = try await seal(helper)
    // The keyset is in memory by now.
    #expect(try await open(helper, old) == Data("value".utf8))
    let (address, bytes) = try #require(keychain.items.first)
    var record = try Keyset(bytes: bytes)
    let fresh = Keyset.Key(secret: secret(77))
    record.keys.append(fresh)
    record.primary = fresh.id
    record.epoch += 1
    try keychain.write(record.encoded(), to: address, StorageAttributes())
    let new = try await seal(self.helper())
    #expect(try EnvelopeHeader.parse(new).seal?.keyID == fresh.id)
    #expect(try await open(helper, new) == Data("value".utf8))
    #expect(try await open(helper, old) == Data("value".utf8))
    // One opener opens both: what is under the lock may be either.
    let opener = try await helper.opener(
      for: .init(), keyset: .app, keyName: "profile", header: EnvelopeHeader.parse(old))
    #expect(opener.canOpen(try EnvelopeHeader.parse(new)))
  }

  @Test func groupsHaveTheirOwnKeys() async throws {
    let helper = helper()
    let group = KeysetID.group(identifier: "group.example")
    let (ours, theirs) = (try await seal(helper), try await seal(helper, keyset: group))
    #expect(keychain.items.count == 1)
    #expect(groupKeychain.items.count == 1)
    #expect(try await open(helper, theirs, keyset: group) == Data("value".utf8))
    #expect(await faultOf { try await open(helper, theirs) } == .authenticationFailed)
    #expect(await faultOf { try await open(helper, ours, keyset: group) } == .authenticationFailed)
  }

  @Test func damagedRecordsAreFaults() async throws {
    _ = try await seal(helper())
    let (address, bytes) = try #require(keychain.items.first)
    func expect(_ damaged: Data, _ expected: Set<StorageProblem>, _ comment: Comment) async throws {
      try keychain.write(damaged, to: address, StorageAttributes())
      let fault = await faultOf { try await seal(helper()) }
      #expect(fault.map { expected.contains($0) } == true, comment)
      #expect(keychain.items[address] == damaged)
    }
    for count in 0..<bytes.count { try await expect(bytes.prefix(count), [.keyMaterialDamaged], "\(count) bytes") }
    try await expect(bytes + [0], [.keyMaterialDamaged], "a byte more")
    for offset in 0..<bytes.count where !(5..<13).contains(offset) {
      var changed = bytes
      // The lowest bit of the last byte is a flag.
      changed[offset] ^= offset == bytes.count - 1 ? 2 : 1
      try await expect(changed, [.keyMaterialDamaged, .unknownFormatVersion], "byte \(offset)")
    }
  }

  @Test func theRecordsPlacesAreReserved() {
    let configuration = EncryptionConfiguration()
    func address(_ service: String, _ name: String) -> StorageAddress {
      StorageAddress(container: .keychain(service: service, accessGroup: nil, synchronizable: false), name: name)
    }
    #expect(configuration.reserves(address("LocalData", "MasterKey")))
    #expect(configuration.reserves(address("LocalData", "MasterKey.external.x")))
    #expect(!configuration.reserves(address("LocalData", "MasterKeyring")))
    #expect(!configuration.reserves(address("other", "MasterKey")))
  }
}
