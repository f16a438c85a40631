import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataBackup
@_spi(Generated) import LocalDataSigning
import RuntimeTestSupport
import TestSupport
import Testing

/// Backups of key pairs.
struct PairTests {
  enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [.signingKey(PairTests.pair), .signingKey(PairTests.confirmed)] }
    static var allFamilies: [StorageKeyFamily] { [PairTests.privateParts] + PairFamily.all.flatMap(\.families) }
    static var parts: [StorageCatalogPart] { [.backups { [PairTests.backup, PairTests.confirmedBackup] }] }
  }

  private static let pair = StorageSigningKey(
    "pair", .keychain(), .keychain(accessibility: .whenUnlocked), secureEnclave: .never)
  private static let backup = StorageBackup(
    "recovery", catalog: "Pairs", isPrivate: true, keys: { [.pair(.signingKey(pair))] })
  static let passphrase = "a long passphrase for keys"

  private func launch() throws -> StorageRouter {
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(Catalog.self)
    return router
  }

  @Test func pairSignsOnTheNextDevice() async throws {
    let (old, new) = (try launch(), try launch())
    try await old.signingKey(Self.pair).create()
    let file = try await old.backups.export(Self.backup, passphrase: Self.passphrase)
    #expect(file.keys == 1)
    try await new.backups.stage(Self.backup, from: file.url, passphrase: Self.passphrase).apply(.merge)
    #expect(try await new.signingKey(Self.pair).publicKey() == old.signingKey(Self.pair).publicKey())
    _ = try await new.signingKey(Self.pair).sign(Data("a message".utf8))
  }

  @Test func storedPairStays() async throws {
    let (old, new) = (try launch(), try launch())
    for router in [old, new] { try await router.signingKey(Self.pair).create() }
    let before = try await new.signingKey(Self.pair).publicKey()
    let file = try await old.backups.export(Self.backup, passphrase: Self.passphrase)
    let plan = try await new.backups.stage(Self.backup, from: file.url, passphrase: Self.passphrase).apply(.merge)
    #expect(plan.keys.kept == 1)
    #expect(try await new.signingKey(Self.pair).publicKey() == before)
  }

  private static let confirmed = StorageSigningKey(
    "seal", .keychain(), .keychain(accessibility: .whenUnlocked), accessControl: .userPresence, secureEnclave: .never)
  private static let privateParts = StorageKeyFamily.privateParts(
    of: "seal", .keychain(), .keychain(accessibility: .whenUnlocked, accessControl: .userPresence))
  private static let confirmedBackup = StorageBackup(
    "seals", catalog: "Pairs", isPrivate: true,
    keys: { [.pair(.signingKey(confirmed), privateParts: privateParts)] })

  /// The private key is in an item of its own.
  @Test(arguments: RestorePolicy.allCases) func pairThatTheUserConfirmsIsRestored(_ policy: RestorePolicy) async throws
  {
    let (old, new) = (try launch(), try launch())
    let (first, second) = (old.signingKey(Self.confirmed), new.signingKey(Self.confirmed))
    try await first.create()
    let file = try await old.backups.export(Self.confirmedBackup, passphrase: Self.passphrase)
    let restore = try await new.backups.stage(Self.confirmedBackup, from: file.url, passphrase: Self.passphrase)
    #expect(try await restore.apply(policy).keys.new == 1)
    #expect(try await second.publicKey() == first.publicKey())
    _ = try await second.sign(Data("a message".utf8))
    // Another pair stays, or is replaced together with its private key.
    try await second.delete()
    try await second.create()
    let key = try await second.publicKey()
    let again = try await new.backups.stage(Self.confirmedBackup, from: file.url, passphrase: Self.passphrase)
    let plan = try await again.apply(policy)
    #expect((plan.keys.replaced, plan.keys.kept) == (policy == .replace ? (1, 0) : (0, 1)))
    #expect(try await second.publicKey() == (policy == .replace ? first.publicKey() : key))
    _ = try await second.sign(Data("a message".utf8))
    #expect(try await new.members(of: Self.privateParts).count == 1)
  }

  @Test(arguments: PairFamily.all) func membersSignOnTheNextDevice(_ family: PairFamily) async throws {
    let (old, new) = (try launch(), try launch())
    for rp in ["https://a.example/", "b_\"/ü"] { try await old.signingKey(family.pair(rp)).create() }
    try await old.signingKey(family.pair("gone")).create()
    try await old.signingKey(family.pair("gone")).delete()
    let file = try await old.backups.export(family.backup, passphrase: Self.passphrase)
    #expect(file.keys == 1)
    try await new.signingKey(family.pair("https://a.example/")).create()
    try await new.signingKey(family.pair("mine")).create()
    let kept = try await new.signingKey(family.pair("https://a.example/")).publicKey()
    let restore = try await new.backups.stage(family.backup, from: file.url, passphrase: Self.passphrase)
    let plan = try await restore.apply(.merge)
    #expect((plan.keys.new, plan.keys.kept, plan.keys.removed) == (1, 1, 0))
    #expect(try await new.signingKey(family.pair("https://a.example/")).publicKey() == kept)
    let (first, second) = (old.signingKey(family.pair("b_\"/ü")), new.signingKey(family.pair("b_\"/ü")))
    #expect(try await second.publicKey() == first.publicKey())
    for rp in ["https://a.example/", "b_\"/ü", "mine"] {
      _ = try await new.signingKey(family.pair(rp)).sign(Data("a message".utf8))
    }
    // Everything is replaced, with the private keys.
    let again = try await new.backups.stage(family.backup, from: file.url, passphrase: Self.passphrase)
    let all = try await again.apply(.replace)
    #expect((all.keys.replaced, all.keys.kept, all.keys.removed) == (1, 1, 1))
    #expect(try await new.signingKey(family.pair("https://a.example/")).publicKey() != kept)
    _ = try await new.signingKey(family.pair("https://a.example/")).sign(Data("a message".utf8))
    for families in family.families { #expect(try await new.members(of: families).count == 2) }
  }

  @Test func otherBytesAreNoPair() async throws {
    let router = try launch()
    try await router.signingKey(Self.pair).create()
    let item = StorageKey<Data?>("pair", .keychain(), .keychain(accessibility: .whenUnlocked), .data)
    let bytes = try #require(try await router.get(item))
    func json(_ bytes: Data) -> Data { Data("\"\(bytes.base64EncodedString())\"".utf8) }
    #expect(BackupKey.isPair(json(bytes)))
    for offset in [0, 4, 5, 6, 20, 100] {
      var changed = bytes
      changed[offset] ^= 1
      #expect(!BackupKey.isPair(json(changed)), "\(offset)")
    }
    #expect(!BackupKey.isPair(json(bytes.prefix(80))))
    #expect(!BackupKey.isPair(Data("7".utf8)))
  }
}

/// A family of pairs, one for each party.
struct PairFamily: Sendable, CustomTestStringConvertible {
  let name: String
  var accessControl: KeychainAccessControl?

  static let confirmed = PairFamily(name: "seal_of_{rp}", accessControl: .userPresence)
  static let all = [PairFamily(name: "party_{rp}"), confirmed]

  var testDescription: String { name }

  private var items: StorageKeyFamily {
    StorageKeyFamily(name: name, domain: .keychain(), security: .keychain(accessibility: .whenUnlocked))
  }

  private var privateParts: StorageKeyFamily? {
    accessControl.map {
      .privateParts(of: name, .keychain(), .keychain(accessibility: .whenUnlocked, accessControl: $0))
    }
  }

  var families: [StorageKeyFamily] { [items] + (privateParts.map { [$0] } ?? []) }

  private func storedName(_ rp: String) -> StorageKeyName {
    accessControl == nil ? "party_\(rp)" : "seal_of_\(rp)"
  }

  func pair(_ rp: String) -> StorageSigningKey {
    StorageSigningKey(items, storedName(rp), accessControl: accessControl, secureEnclave: .never)
  }

  var backup: StorageBackup {
    let family = StorageFamily<Data?, Void>(items) { [self] in
      let rp: String = try $0.value(of: "rp")
      return (StorageKey<Data?>(items, storedName(rp), .data), ())
    }
    return StorageBackup(
      "parties", catalog: "Pairs", isPrivate: true,
      keys: { [privateParts] in [.pairs(family, privateParts: privateParts)] })
  }
}
