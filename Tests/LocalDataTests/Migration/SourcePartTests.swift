import Foundation
import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@_spi(Generated) @testable import LocalData

/// Sources of which several keys take parts: one file with the settings of an earlier release.
@Suite(.findsHangs) struct SourcePartTests {
  private let fixture = MigrationFixture()
  private let first = UUID(uuidString: "3F2504E0-4F89-41D3-9A0C-0305E82C3301") ?? UUID()
  private let second = UUID(uuidString: "0B0A6C1E-4F89-41D3-9A0C-0305E82C3301") ?? UUID()

  private var values: AnyCodable {
    [
      "theme": "dark", "list": ["order": 3], "unknown": [1, 2],
      "users": [
        .init(stringLiteral: first.uuidString): ["draft": "one"],
        .init(stringLiteral: second.uuidString.lowercased()): ["draft": "two"],
        "3f2504e0-4f89-41d3-9a0c-0305e82c3302": ["other": 1],
      ],
    ]
  }

  // MARK: Every form

  @Test(arguments: SettingsRelease.forms) private func eachKeyTakesItsField(_ form: SettingsRelease.Form) async throws {
    let release = SettingsRelease(form)
    try await fixture.router().set(values, for: release.writer)
    let router = fixture.router()
    #expect(try await router.exists(release.theme))
    #expect(try await router.exists(release.missing) == false)
    #expect(try await router.get(release.theme) == "dark")
    #expect(try await router.get(release.missing) == nil)
    #expect(try await router.get(release.order) == 3)
    #expect(try await router.get(release.draft(first)) == "one")
    #expect(try await fixture.router().get(release.writer) == values)
    #expect(try await router.get(release.draft(second)) == "two")
    #expect(try await fixture.router().exists(release.writer) == false)
    let later = fixture.router()
    #expect(try await later.get(release.theme) == "dark")
    #expect(try await later.get(release.order) == 3)
    #expect(try await later.get(release.draft(first)) == "one")
  }

  @Test func aRunMigratesAllPartsAndMembers() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(values, for: release.writer)
    let router = try registered(release)
    let planned = try await router.migrations.plan().moves
    #expect(planned.map(\.kind) == Array(repeating: .move, count: 4))
    #expect(Set(planned.compactMap(\.key.key)) == ["theme", "order", "draft_{userID}"])
    #expect(try await router.members(of: release.drafts).count == 2)
    let result = await router.migrations.migrateAll()
    #expect(result.failures.isEmpty)
    #expect(result.migrated.map(\.outcome) == Array(repeating: .moved, count: 4))
    #expect(result.migrated.allSatisfy { $0.sources.map(\.key) == ["settings"] })
    #expect(try await fixture.router().exists(release.writer) == false)
    #expect(try await router.get(release.draft(second)) == "two")
    #expect(try await router.migrations.plan().moves.isEmpty)
  }

  /// The values of a property list that no key names have types that JSON does not have.
  @Test func onlyTheNamedPartsAreDecoded() async throws {
    struct Native: Codable, Sendable {
      var theme = "dark"
      var last = Date(timeIntervalSince1970: 1_000)
      var blob = Data([1, 2])
    }
    let release = SettingsRelease(.init(domain: .userDefaults(), security: .none, serializer: .propertyList))
    let writer = key("settings", Native.self, .userDefaults(), serializer: .propertyList)
    try await fixture.router().set(Native(), for: writer)
    let last = release.key("last", Date.self, [.name("last")])
    #expect(try await fixture.router().get(last) == Date(timeIntervalSince1970: 1_000))
    #expect(try await fixture.router().get(release.theme) == "dark")
  }

  /// The source stays for the other keys.
  @Test func anAbsentFieldIsReadWithoutWaiting() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["list": ["order": 3]], for: release.writer)
    let router = fixture.router()
    #expect(try await router.get(release.theme) == nil)
    #expect(try router.value(release.theme) == nil)
    #expect(try await fixture.router().exists(release.writer))
  }

  // MARK: What keeps the source

  @Test func aPartThatCannotBeDecodedKeepsTheSource() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": ["order": "three"]], for: release.writer)
    for _ in 0..<2 {
      let router = fixture.router()
      #expect(try await router.get(release.theme) == "dark")
      await #expect(throws: StorageError.self) { try await router.get(release.order) }
      #expect(try await fixture.router().exists(release.writer))
    }
    try await fixture.router().remove(release.order)
    #expect(try await fixture.router().get(release.order) == nil)
    #expect(try await fixture.router().exists(release.writer) == false)
    #expect(try await fixture.router().get(release.theme) == "dark")
  }

  @Test func aPathThroughAnotherValueKeepsTheSource() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": "none"], for: release.writer)
    #expect(try await fixture.router().get(release.theme) == "dark")
    await #expect(throws: StorageError.self) { try await fixture.router().get(release.order) }
    #expect(try await fixture.router().exists(release.writer))
  }

  @Test func aKeyOfAnotherProcessStillCounts() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(values, for: release.writer)
    let widget = fixture.router()
    try ProbeCatalog.register([.key(release.theme), .key(release.settings)], [], on: widget)
    let result = await widget.migrations.migrateAll()
    #expect(result.failures.isEmpty)
    #expect(try await widget.get(release.theme) == "dark")
    #expect(try await fixture.router().get(release.order) == 3)
    #expect(try await fixture.router().get(release.writer) == values)
  }

  @Test func aKeyOfAnotherPlatformDoesNotCount() async throws {
    let release = SettingsRelease(parts: [
      .init("theme", .userDefaults(), [.name("theme")]),
      .init("order", .keychain(), [.name("list")], availability: .watchOnly),
    ])
    try await fixture.router().set(values, for: release.writer)
    #expect(try await fixture.router().get(release.theme) == "dark")
    #expect(try await fixture.router().exists(release.writer) == false)
  }

  @Test func aConflictKeepsTheSource() async throws {
    let release = SettingsRelease()
    try await fixture.router().set("mine", for: key("theme", String.self))
    try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    #expect(try await fixture.router().get(release.theme) == "mine")
    #expect(try await fixture.router().get(release.order) == 3)
    #expect(try await fixture.router().exists(release.writer))
  }

  /// Two processes take the last two parts at once. Neither sees the entry of the other.
  @Test func aSourceWhosePartsAreAllTakenIsRemovedLater() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .io(errno: 5)) { $0.address?.name == "settings" && [.remove, .update].contains($0.operation) }
    let router = fixture.router(store)
    #expect(try await router.get(release.theme) == "dark")
    #expect(try await router.get(release.order) == 3)
    #expect(try await fixture.router().exists(release.writer))
    #expect(try await fixture.router().get(release.theme) == "dark")
    #expect(try await fixture.router().exists(release.writer) == false)
  }

  // MARK: Removal

  @Test func aRemovedKeyLeavesTheOtherParts() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    try await fixture.router().remove(release.theme)
    #expect(try await fixture.router().get(release.theme) == nil)
    #expect(try await fixture.router().exists(release.theme) == false)
    #expect(try await fixture.router().get(release.order) == 3)
    #expect(try await fixture.router().exists(release.writer) == false)
    #expect(try await fixture.router().get(release.theme) == nil)
  }

  /// The source is restored from a backup, before or after the key is removed.
  @Test(arguments: [false, true]) func aRestoredCopyBringsNoRemovedValueBack(_ isRemovedFirst: Bool) async throws {
    let release = SettingsRelease()
    func store() async throws {
      try await fixture.router(log: MigrationLog()).set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    }
    try await store()
    #expect(try await fixture.router().get(release.theme) == "dark")
    #expect(try await fixture.router().get(release.order) == 3)
    if isRemovedFirst { try await fixture.router().remove(release.theme) }
    try await store()
    if !isRemovedFirst { try await fixture.router().remove(release.theme) }
    #expect(try await fixture.router().get(release.theme) == nil)
    #expect(try await fixture.router().get(release.order) == 3)
    #expect(try await fixture.router().exists(release.writer) == false)
  }

  /// The key gets another name while the source stays for another key. The earlier name may be declared, or followed.
  @Test(arguments: [false, true], [false, true])
  func aRemovedPartDoesNotReturnUnderTheNextName(_ isFollowed: Bool, _ isTaken: Bool) async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    if isTaken { #expect(try await fixture.router().get(release.theme) == "dark") }
    try await fixture.router().remove(release.theme)
    let parts: [StorageSourcePart] = [
      .init("look", .userDefaults(), [.name("theme")]), SettingsRelease.parts[1],
    ]
    let next = SettingsRelease(parts: parts)
    let part = next.settings
    let look = key("look", String.self) { look in
      let own = SimpleLegacyMigration(destinationKey: look, sourceKey: .key(next.theme))
      let direct = SimpleLegacyMigration(
        destinationKey: look, sourceKey: .key(StorageKey<String?>([.name("theme")], of: part)))
      if isFollowed { return AnyStorageMigration(own) }
      return AnyStorageMigration(chain: [
        AnyStorageMigration(
          SimpleLegacyMigration(destinationKey: look, sourceKey: .key(key("theme", String.self)))),
        AnyStorageMigration(direct),
      ])
    }
    #expect(try await fixture.router().exists(look) == false)
    for _ in 0..<2 { #expect(try await fixture.router().get(look) == nil) }
    #expect(try await fixture.router().get(next.order) == 3)
    #expect(try await fixture.router().get(look) == nil)
    #expect(try await fixture.router().exists(release.writer) == false)
    // What the earlier release stores later is a new value.
    try await fixture.router().set(["theme": "light"], for: release.writer)
    for _ in 0..<2 { #expect(try await fixture.router().get(look) == "light") }
  }

  @Test(arguments: [false, true]) func aSignOutBringsNoMemberBack(_ isOfCatalog: Bool) async throws {
    let release = SettingsRelease()
    try await fixture.router().set(values, for: release.writer)
    let router = try registered(release)
    #expect(try await router.get(release.draft(first)) == "one")
    if isOfCatalog {
      try await ProbeCatalog.removeAll(
        [.key(release.theme), .key(release.order), .key(release.settings)], [release.drafts], on: router)
    } else {
      try await router.removeAll(of: release.drafts)
    }
    for router in [router, try registered(release)] {
      #expect(try await router.members(of: release.drafts).isEmpty)
      #expect(try await router.get(release.draft(first)) == nil)
      #expect(try await router.get(release.draft(second)) == nil)
      #expect(try await router.get(release.theme) == (isOfCatalog ? nil : "dark"))
    }
    if isOfCatalog { #expect(try await fixture.router().exists(release.writer) == false) }
  }

  // MARK: An earlier release

  @Test func aSourceThatIsWrittenAgainIsNewer() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    #expect(try await fixture.router().get(release.theme) == "dark")
    #expect(try await fixture.router().get(release.order) == 3)
    try await fixture.router().set("mine", for: release.theme)
    try await fixture.router().set(4, for: release.order)
    // The earlier release begins with its defaults. It is built without LocalData.
    try await fixture.router(log: MigrationLog()).set(["theme": "light"], for: release.writer)
    #expect(try await fixture.router().get(release.theme) == "light")
    #expect(try await fixture.router().get(release.order) == 4)
    #expect(try await fixture.router().exists(release.writer) == false)
  }

  /// A part that another key took from older bytes is no reason to remove newer ones.
  @Test func aSourceThatIsWrittenBetweenTwoPartsStays() async throws {
    let release = SettingsRelease()
    try await fixture.router().set(["theme": "dark", "list": ["order": 3]], for: release.writer)
    #expect(try await fixture.router().get(release.theme) == "dark")
    try await fixture.router(log: MigrationLog()).set(["theme": "light", "list": ["order": 5]], for: release.writer)
    #expect(try await fixture.router().get(release.order) == 5)
    #expect(try await fixture.router().exists(release.writer))
    #expect(try await fixture.router().get(release.theme) == "light")
    #expect(try await fixture.router().exists(release.writer) == false)
  }

  /// Both keys take the second bytes one after the other. What each of them took is recorded, so that neither takes it again.
  @Test func newerBytesAreTakenOnce() async throws {
    let release = SettingsRelease()
    for order in [3, 5] {
      try await fixture.router(log: MigrationLog()).set(
        ["theme": "dark", "list": ["order": .integer(Int64(order))], "users": [:]], for: release.writer)
      #expect(try await fixture.router().get(release.order) == order)
      #expect(try await fixture.router().get(release.theme) == "dark")
    }
    try await fixture.router(log: MigrationLog()).set(
      ["theme": "light", "list": ["order": 6], "users": ["x": ["draft": "kept"]]], for: release.writer)
    #expect(try await fixture.router().get(release.order) == 6)
    #expect(try await fixture.router().get(release.theme) == "light")
    try await fixture.router().set(7, for: release.order)
    try await fixture.router().set("mine", for: release.theme)
    #expect(try await fixture.router().get(release.order) == 7)
    #expect(try await fixture.router().get(release.theme) == "mine")
    #expect(try await fixture.router().exists(release.writer))
  }

  // MARK: Transforms

  @Test func aTextIsSplitIntoKeys() async throws {
    let parts: [StorageSourcePart] = [.init("first", .userDefaults()), .init("last", .keychain())]
    let name = key("name", String.self)
    let source = name.with { $0.isLegacy = true }.shared(by: parts)
    func part(_ stored: String, _ domain: StorageDomain, _ index: Int) -> StorageKey<String?> {
      key(stored, String.self, domain, domain.kind == .keychain ? .keychain() : .none) { key in
        AnyStorageMigration(
          TransformingMigration(destinationKey: key, sourceKey: source) { text -> String? in
            String(text.split(separator: " ")[index])
          })
      }
    }
    let (first, last) = (part("first", .userDefaults(), 0), part("last", .keychain(), 1))
    try await fixture.router().set("Ada Lovelace", for: name)
    let router = fixture.router()
    try ProbeCatalog.register([.key(first), .key(last), .key(source)], [], on: router)
    #expect(try await router.get(last) == "Lovelace")
    #expect(try await fixture.router().get(name) == "Ada Lovelace")
    #expect(try await router.get(first) == "Ada")
    #expect(try await fixture.router().exists(name) == false)
  }

  private func registered(_ release: SettingsRelease) throws -> StorageRouter {
    let router = fixture.router()
    try ProbeCatalog.register(
      [.key(release.theme), .key(release.order), .key(release.missing), .key(release.settings)], [release.drafts],
      on: router)
    return router
  }
}

/// A release whose keys take the fields of the settings of the release before.
struct SettingsRelease: Sendable {
  struct Form: Sendable {
    var domain: StorageDomain
    var security: SecurityPolicy
    var serializer: Serializer<AnyCodable>
  }

  static let forms: [Form] = [
    Form(domain: .fileSystem(directory: .documents), security: .none, serializer: .json),
    Form(domain: .fileSystem(directory: .documents), security: .none, serializer: .propertyList),
    Form(domain: .userDefaults(), security: .none, serializer: .propertyList),
    Form(domain: .userDefaults(), security: .none, serializer: .jsonText),
    Form(domain: .userDefaults(), security: .recommended, serializer: .json),
    Form(domain: .keychain(), security: .keychain(), serializer: .json),
  ]

  /// The key of the earlier release.
  let writer: StorageKey<AnyCodable?>
  let settings: StorageKey<AnyCodable?>

  static let parts: [StorageSourcePart] = [
    .init("theme", .userDefaults(), [.name("theme")]), .init("order", .keychain(), [.name("list"), .name("order")]),
    .init("missing", .userDefaults(), [.name("missing")]),
    .init(
      "draft_{userID}", .fileSystem(directory: .documents),
      [.name("users"), .parameter("userID", isUUID: true), .name("draft")]),
  ]

  init(_ form: Form = forms[0], parts: [StorageSourcePart] = parts) {
    writer = LocalDataTests.key(
      "settings", AnyCodable.self, form.domain, form.security, serializer: form.serializer)
    settings = writer.with { $0.isLegacy = true }.shared(by: parts)
  }

  func key<Value: Codable & Sendable>(
    _ name: String, _ type: Value.Type, _ field: [StorageFieldName], _ domain: StorageDomain = .userDefaults()
  ) -> StorageKey<Value?> {
    LocalDataTests.key(name, type, domain, domain.kind == .keychain ? .keychain() : .none) { [settings] key in
      AnyStorageMigration(
        SimpleLegacyMigration(destinationKey: key, sourceKey: .key(StorageKey<Value?>(field, of: settings))))
    }
  }

  var theme: StorageKey<String?> { key("theme", String.self, [.name("theme")]) }
  var order: StorageKey<Int?> { key("order", Int.self, [.name("list"), .name("order")], .keychain()) }
  var missing: StorageKey<String?> { key("missing", String.self, [.name("missing")]) }

  private static let family = StorageKeyFamily(
    name: "draft_{userID}", domain: .fileSystem(directory: .documents), security: .none)

  func draft(_ userID: UUID) -> StorageKey<String?> {
    StorageKey(Self.family, "draft_\(userID)", .json).migrating { [settings] key in
      AnyStorageMigration(
        SimpleLegacyMigration(
          destinationKey: key,
          sourceKey: .key(
            StorageKey<String?>(
              [.name("users"), .parameter("userID", isUUID: true), .name("draft")], ["userID": "\(userID)"],
              of: settings))))
    }
  }

  var drafts: StorageKeyFamily {
    Self.family.migrating(from: [], partsOf: [.key(settings)]) { values in draft(try values.value(of: "userID")) }
  }
}
