import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests that the description of a value that holds a key does not show the key.
@Suite struct SecrecyTests {
  private let marker = Data((0..<32).map { UInt8(0x61 + $0 % 26) })

  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), "\(value)", dumped]
  }

  @Test func noDescriptionShowsAKey() async throws {
    let secret = SecretBytes(marker)
    let key = SealingKey(secret, source: .masterKey)
    let sealer = Sealer(key: key, algorithm: .aes256GCM)
    let opener = Opener(keys: [key])
    let keychain = MemoryKeychain()
    let provider = ExternalKey.Provider(marker)
    let registry = KeyMaterialRegistry()
    registry.register(provider, for: ExternalKey.source)
    let helper = EncryptionHelper(
      configuration: .init(), vault: KeysetVault(configuration: .init()) { _ in keychain }, providers: registry
    ) { _ in false }
    _ = try await helper.sealer(for: ExternalKey.random, keyset: .app, keyName: "n")
    let record = Keyset(newKey: secret)
    let secrets: [Any] = [secret, key, sealer, opener, helper, record, record.keys, [sealer], ["key": key]]
    let forms = [
      String(decoding: marker, as: UTF8.self), marker.hex, marker.base64EncodedString(),
      marker.prefix(4).map(String.init).joined(separator: ", "), String(decoding: marker.prefix(6), as: UTF8.self),
      marker.prefix(4).map { "- \($0)" }.joined(separator: "\n"),
    ]
    for value in secrets {
      for text in texts(of: value) {
        for form in forms { #expect(!text.contains(form), "\(type(of: value))") }
      }
    }
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(Mirror(reflecting: sealer).children.isEmpty)
    #expect(Mirror(reflecting: opener).children.isEmpty)
    #expect(Mirror(reflecting: helper).children.isEmpty)
    #expect("\(secret)" == "SecretBytes(redacted)")
  }

  @Test func buffersAreWiped() {
    var data = marker
    data.wipe()
    #expect(data == Data(count: 32))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 1)
    defer { buffer.deallocate() }
    buffer.copyBytes(from: marker)
    buffer.wipe()
    #expect(buffer.allSatisfy { $0 == 0 })
  }

  /// A keychain whose bytes are in memory that the test can read afterwards.
  private final class LentKeychain: ValueStore, @unchecked Sendable {
    let lent: UnsafeMutableRawBufferPointer

    init(_ bytes: Data) {
      lent = .allocate(byteCount: bytes.count, alignment: 1)
      lent.copyBytes(from: bytes)
    }

    deinit { lent.deallocate() }

    private var bytes: Data? {
      lent.baseAddress.map { Data(bytesNoCopy: $0, count: lent.count, deallocator: .none) }
    }

    func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? { bytes }
    func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool { true }
    func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {}
    func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {}
    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) { _ = try change(bytes) }
    func names(
      in container: StorageContainer, _ visit: (String) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {}
    func makeDurable(_ container: StorageContainer) throws(StorageProblem) {}
    func purge(_ container: StorageContainer) throws(StorageProblem) {}
    var removesAtNextLaunch: Bool { false }
  }

  @Test func theBytesOfAKeysetsRecordAreWipedWhereTheyLie() throws {
    let record = try Keyset(newKey: SecretBytes(marker)).encoded()
    for isUpdate in [false, true] {
      let keychain = LentKeychain(record)
      let vault = KeysetVault(configuration: .init()) { _ in keychain }
      let read =
        isUpdate
        ? try vault.update(.app, .masterKey) { _ throws(StorageProblem) in nil } : try vault.read(.app, .masterKey)
      #expect(read?.keys.count == 1)
      #expect(keychain.lent.allSatisfy { $0 == 0 }, "isUpdate: \(isUpdate)")
    }
  }

  @Test func keysAndRoutersTellNoParameterAndNoValue() async throws {
    let key = StorageKey<String>(
      name: "mail_alice", domain: .keychain(), default: "hidden", owner: "Tests", description: "A family member.",
      options: StorageKeyOptions(declaredName: "mail_{address}"))
    let router = StorageRouter.inMemory()
    try await router.set("hidden", for: key)
    for value in [key, AnyStorageKey(key), router, RouterSetup(storage: .init()), MemoryStore()] as [Any] {
      for text in texts(of: value) { #expect(!text.contains("alice") && !text.contains("hidden"), "\(text)") }
    }
    #expect("\(key)" == "'mail_{address}' in keychain")
  }
}
