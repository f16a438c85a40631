import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalDataStores
@testable import LocalDataSystem

/// Keys whose bytes the app gives.
@Suite struct ExternalKeyTests {
  let keychain = MemoryKeychain()
  let stretching = CountedStretching()
  let registry = KeyMaterialRegistry()

  private func helper(_ registry: KeyMaterialRegistry? = nil) -> EncryptionHelper {
    let vault = KeysetVault(configuration: .init()) { [keychain] _ in keychain }
    return EncryptionHelper(
      configuration: .init(), vault: vault, providers: registry ?? self.registry, stretching: stretching.value
    ) { _ in true }
  }

  private func helper(_ material: Data) -> EncryptionHelper {
    let registry = KeyMaterialRegistry()
    registry.register(ExternalKey.Provider(material), for: ExternalKey.source)
    return helper(registry)
  }

  private func seal(_ helper: EncryptionHelper, _ policy: SecurityPolicy.EncryptionPolicy) async throws -> Data {
    try await helper.sealer(for: policy, keyset: .app, keyName: "profile")
      .seal(Data("value".utf8), metadata: .init(writtenAt: 0), identity: .profile)
  }

  private func open(
    _ helper: EncryptionHelper, _ envelope: Data, _ policy: SecurityPolicy.EncryptionPolicy
  ) async throws -> Data {
    try await helper.opener(
      for: policy, keyset: .app, keyName: "profile", header: EnvelopeHeader.parse(envelope)
    ).open(envelope, identity: .profile).plaintext
  }

  /// The scan always answers that values are there: an external source needs no master key, and none is created.
  @Test func randomMaterialNeedsNoMasterKey() async throws {
    let helper = helper(Data(repeating: 1, count: 32))
    let envelope = try await seal(helper, ExternalKey.random)
    #expect(
      try await open(self.helper(Data(repeating: 1, count: 32)), envelope, ExternalKey.random) == Data("value".utf8))
    #expect(keychain.items.keys.map(\.name) == ["MasterKey.external.remote.key"])
    #expect(!PlainEnvelope.needsMasterKey(envelope))
  }

  /// Bytes that a provider gives once by mistake must not overwrite a value under a key that is lost then.
  @Test func aWrongKeyNeitherOpensNorSeals() async throws {
    let envelope = try await seal(helper(Data(repeating: 1, count: 32)), ExternalKey.random)
    let items = keychain.items
    let wrong = helper(Data(repeating: 2, count: 32))
    #expect(await faultOf { try await seal(wrong, ExternalKey.random) } == .authenticationFailed)
    #expect(await faultOf { try await open(wrong, envelope, ExternalKey.random) } == .authenticationFailed)
    #expect(keychain.items == items)
    // No record contains a part of the key. Another name has its own key.
    for item in items.values { #expect(item.range(of: Data(repeating: 1, count: 4)) == nil) }
    _ = try await wrong.sealer(for: ExternalKey.random, keyset: .app, keyName: "other")
    _ = try await seal(helper(Data(repeating: 1, count: 32)), ExternalKey.random)
  }

  /// A person may type for longer than a call may wait for other calls.
  @Test(arguments: [ExternalKey.random, ExternalKey.passphrase])
  func aCallHasItsWholeTimeAfterTheProvider(_ policy: SecurityPolicy.EncryptionPolicy) async throws {
    let deadline = CallDeadline(patience: .seconds(3_600))
    let before = deadline.instant
    let helper = helper(Data(repeating: 1, count: 32))
    _ = try await deadline.bound { try await seal(helper, policy) }
    #expect(deadline.instant > before)
  }

  /// A release without checks has sealed the value: there is no record yet.
  @Test func aWrongKeyIsNotRecordedBesideAValue() async throws {
    let envelope = try await seal(helper(Data(repeating: 1, count: 32)), ExternalKey.random)
    keychain.removeAll()
    for (byte, fault) in [(UInt8(2), StorageProblem.authenticationFailed), (1, nil)] {
      let helper = helper(Data(repeating: byte, count: 32))
      let found = await faultOf {
        try await helper.sealer(for: ExternalKey.random, keyset: .app, keyName: "profile") {
          () throws(StorageProblem) in
          envelope
        }
      }
      #expect(found == fault)
      #expect(keychain.items.isEmpty == (fault != nil))
    }
  }

  @Test func aRecordIsReadAsItWasWritten() throws {
    let stretch = Keyset.Stretch(
      label: Data("n".utf8), parameters: .init(iterations: 600_000, salt: Data(repeating: 1, count: 16)),
      id: KeyID(of: secret(3)))
    let first = Keyset(epoch: 4, stretches: [stretch])
    #expect(try Keyset(bytes: first.encoded()).stretches == [stretch])
    var second = first
    second.checks = [.init(label: Data("n".utf8), id: KeyID(of: secret(4)))]
    second.isRotating = true
    let bytes = try second.encoded()
    #expect(bytes[4] == 2)
    let read = try Keyset(bytes: bytes)
    #expect(read.checks == second.checks && read.stretches == [stretch] && read.isRotating && read.epoch == 4)
    for count in 0..<bytes.count {
      #expect(faultOf { try Keyset(bytes: bytes.prefix(count)) } == .keyMaterialDamaged, "\(count) bytes")
    }
    #expect(faultOf { try Keyset(bytes: bytes.dropLast() + [2]) } == .keyMaterialDamaged)
    for version in [1, 3] as [UInt8] {
      let other = bytes.prefix(4) + [version] + bytes.dropFirst(5)
      #expect(faultOf { try Keyset(bytes: other) } == .unknownFormatVersion)
    }
  }

  @Test func passphrasesHaveARecordedSalt() async throws {
    let envelope = try await seal(helper(Data("swordfish".utf8)), ExternalKey.passphrase)
    let again = try await seal(helper(Data("swordfish".utf8)), ExternalKey.passphrase)
    let headers = try [envelope, again].map { try EnvelopeHeader.parse($0) }
    #expect(headers[0].seal?.stretch == headers[1].seal?.stretch)
    #expect(try await open(helper(Data("swordfish".utf8)), envelope, ExternalKey.passphrase) == Data("value".utf8))
    #expect(keychain.items.keys.map(\.name) == ["MasterKey.external.remote.key"])
    // Nothing on record says what the passphrase is, short of stretching a guess.
    let quick = KeyID(of: SecretBytes(Data("swordfish".utf8))).bytes
    #expect(envelope.range(of: quick) == nil)
    for item in keychain.items.values { #expect(item.range(of: quick) == nil) }
  }

  @Test func aWrongPassphraseNeitherOpensNorSeals() async throws {
    let envelope = try await seal(helper(Data("swordfish".utf8)), ExternalKey.passphrase)
    let wrong = helper(Data("sword".utf8))
    #expect(await faultOf { try await open(wrong, envelope, ExternalKey.passphrase) } == .authenticationFailed)
    #expect(await faultOf { try await seal(wrong, ExternalKey.passphrase) } == .authenticationFailed)
  }

  /// A file restored on another device: the passphrase and the header are all it takes.
  @Test func aPassphraseOpensWithoutARecord() async throws {
    let envelope = try await seal(helper(Data("swordfish".utf8)), ExternalKey.passphrase)
    keychain.removeAll()
    #expect(try await open(helper(Data("swordfish".utf8)), envelope, ExternalKey.passphrase) == Data("value".utf8))
    #expect(keychain.items.isEmpty)
    // Also where the record has other parameters by now.
    _ = try await seal(helper(Data("swordfish".utf8)), ExternalKey.passphrase)
    #expect(try await open(helper(Data("swordfish".utf8)), envelope, ExternalKey.passphrase) == Data("value".utf8))
  }

  @Test func editedParametersAreRefusedBeforeAnyWork() async throws {
    let envelope = try await seal(helper(Data("swordfish".utf8)), ExternalKey.passphrase)
    let calls = stretching.calls
    let helper = helper(Data("swordfish".utf8))
    for (offset, byte) in [(47, envelope[47] ^ 1), (48, envelope[48] ^ 1), (64, envelope[64] ^ 1)] {
      var edited = envelope
      edited[offset] = byte
      #expect(await faultOf { try await open(helper, edited, ExternalKey.passphrase) } == .authenticationFailed)
    }
    #expect(stretching.calls == calls)
  }

  /// A header that is on no record may be made up: it costs no more work than the key declares.
  @Test func parametersOfAnUnknownKeyAreRefusedBeforeAnyWork() async throws {
    let costly = SecurityPolicy.EncryptionPolicy.external(
      source: ExternalKey.source, keyDerivation: .pbkdf2(iterations: 10_000_000))
    let envelope = try await seal(helper(Data("swordfish".utf8)), costly)
    keychain.removeAll()
    let calls = stretching.calls
    let helper = helper(Data("swordfish".utf8) + Data(repeating: 0, count: 32))
    for policy in [ExternalKey.passphrase, ExternalKey.random] {
      #expect(await faultOf { try await open(helper, envelope, policy) } == .authenticationFailed)
    }
    #expect(stretching.calls == calls)
    #expect(try await open(self.helper(Data("swordfish".utf8)), envelope, costly) == Data("value".utf8))
  }

  @Test(arguments: [0, 1, 31]) func shortMaterialIsNoKey(_ count: Int) async throws {
    let helper = helper(Data(repeating: 1, count: count))
    #expect(await faultOf { try await seal(helper, ExternalKey.random) } == .keyMaterialTooShort(ExternalKey.source))
    let stretched = await faultOf { try await seal(helper, ExternalKey.passphrase) }
    #expect(stretched == (count == 0 ? .keyMaterialTooShort(ExternalKey.source) : nil))
  }

  @Test func materialOfAnotherKeyDoesNotOpen() async throws {
    let envelope = try await seal(helper(Data(repeating: 1, count: 40)), ExternalKey.random)
    let other = helper(Data(repeating: 2, count: 40))
    #expect(await faultOf { try await open(other, envelope, ExternalKey.random) } == .authenticationFailed)
    // A value of one source is not opened under another.
    #expect(await faultOf { try await open(other, envelope, .init()) } == .authenticationFailed)
  }

  @Test func aProviderIsAskedOnceUntilLocked() async throws {
    let provider = ExternalKey.Provider(Data(repeating: 1, count: 32))
    registry.register(provider, for: ExternalKey.source)
    let helper = helper()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await seal(helper, ExternalKey.random) } }
      try await group.waitForAll()
    }
    #expect(provider.asked.withLock { $0 } == ["profile"])
    helper.lock()
    _ = try await seal(helper, ExternalKey.random)
    #expect(provider.asked.withLock { $0 } == ["profile", "profile"])
  }

  @Test func anotherProviderTakesThePlaceOfTheFirst() async throws {
    registry.register(ExternalKey.Provider(Data(repeating: 1, count: 32)), for: ExternalKey.source)
    let helper = helper()
    let envelope = try await seal(helper, ExternalKey.random)
    registry.register(ExternalKey.Provider(Data(repeating: 2, count: 32)), for: ExternalKey.source)
    #expect(await faultOf { try await open(helper, envelope, ExternalKey.random) } == .authenticationFailed)
  }

  @Test func aProvidersErrorGoesNoFurtherAndIsNotKept() async throws {
    let helper = helper()
    #expect(await faultOf { try await seal(helper, ExternalKey.random) } == .noKeyMaterialProvider(ExternalKey.source))
    let failing = ExternalKey.Provider(nil)
    registry.register(failing, for: ExternalKey.source)
    let failed = StorageProblem.keyMaterialProviderFailed(ExternalKey.source)
    #expect(await faultOf { try await seal(helper, ExternalKey.random) } == failed)
    #expect(await faultOf { try await seal(helper, ExternalKey.passphrase) } == failed)
    #expect(failing.asked.withLock { $0.count } == 2)
  }

  /// A provider whose first answer waits until the test lets it go.
  private final class SlowProvider: KeyMaterialProviding {
    private let given = Lock(0)
    let (asked, asking) = AsyncStream<Void>.makeStream()
    let (gate, opening) = AsyncStream<Void>.makeStream()

    func keyMaterial(for keyName: String) async throws -> Data {
      let number = given.withLock { given in
        given += 1
        return given
      }
      asking.yield()
      if number == 1 { for await _ in gate { break } }
      return Data("passphrase \(number)".utf8)
    }
  }

  @Test func aCallThatALockOvertakesLeavesNoKeyBehind() async throws {
    let provider = SlowProvider()
    registry.register(provider, for: ExternalKey.source)
    let helper = helper()
    async let first = seal(helper, ExternalKey.passphrase)
    for await _ in provider.asked { break }
    helper.lock()
    provider.opening.yield()
    _ = try await first
    // The provider now gives another passphrase than the recorded one. The key of the first passphrase was not kept.
    let fault = await faultOf { try await seal(helper, ExternalKey.passphrase) }
    #expect(fault == .authenticationFailed)
  }
}
