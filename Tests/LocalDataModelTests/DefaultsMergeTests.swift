import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary
import Testing

/// Tests of values that `defaults` sets and a key overrides.
@Suite struct DefaultsMergeTests {
  private func descriptor(_ defaults: String, _ key: String) throws -> StorageKeyDescriptor {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, \(defaults)}
      keys:
        one: {type: String, description: The first value.\(key.isEmpty ? "" : ", ")\(key)}
      """)
    #expect(run.errors == "")
    return try #require(run.catalogs.first?.keys.first?.descriptor)
  }

  @Test(arguments: [
    ("domain: userDefaults", "", StorageDomain.userDefaults()),
    ("domain: {userDefaults: {suite: a}}", "", .userDefaults(suite: "a")),
    ("domain: {userDefaults: {suite: a}}", "domain: userDefaults", .userDefaults(suite: "a")),
    ("domain: {userDefaults: {suite: a}}", "domain: {userDefaults: {suite: b}}", .userDefaults(suite: "b")),
    ("domain: {userDefaults: {suite: a}}", "domain: {userDefaults: {suite: null}}", .userDefaults()),
    ("domain: {userDefaults: {suite: a}}", "domain: appGroupUserDefaults", .appGroupUserDefaults()),
    (
      "domain: {keychain: {service: a, synchronizable: true}}, security: keychain",
      "domain: {keychain: {accessGroup: g}}", .keychain(service: "a", accessGroup: "g", synchronizable: true)
    ),
    ("domain: {fileSystem: {directory: caches}}", "domain: fileSystem", .fileSystem(directory: .caches)),
    (
      "domain: {appGroupFileSystem: {identifier: g, directory: documents}}",
      "domain: {appGroupFileSystem: {directory: {custom: a/b}}}",
      .appGroupFileSystem(identifier: "g", directory: .custom("a/b"))
    ),
  ])
  func domain(_ defaults: String, _ key: String, _ want: StorageDomain) throws {
    #expect(try descriptor(defaults, key).domain == want)
  }

  @Test(arguments: [
    ("domain: userDefaults", "", SecurityPolicy.recommended),
    ("domain: userDefaults, security: none", "", SecurityPolicy.none),
    ("domain: userDefaults, security: none", "security: encrypted", .recommended),
    (
      "domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}",
      "security: {keychain: {accessControl: biometryAny}}",
      .keychain(accessibility: .afterFirstUnlock, accessControl: .biometryAny)
    ),
    (
      "domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}", "security: keychain",
      .keychain(accessibility: .afterFirstUnlock)
    ),
    (
      "domain: userDefaults, security: {encrypted: {algorithm: aes256GCM, keySource: {external: a}}}",
      "security: {encrypted: {keyDerivation: {pbkdf2: {iterations: 700000}}}}",
      .encrypted(
        .init(algorithm: .aes256GCM, keyDerivation: .pbkdf2(iterations: 700_000), keySource: .external(.init(id: "a"))))
    ),
    (
      "domain: userDefaults, security: {encrypted: {keyDerivation: {pbkdf2: {iterations: 700000}}, keySource: {external: a}}}",
      "security: {encrypted: {keyDerivation: pbkdf2, algorithm: aes256GCM}}",
      .encrypted(
        .init(algorithm: .aes256GCM, keyDerivation: .pbkdf2(iterations: 700_000), keySource: .external(.init(id: "a"))))
    ),
    (
      "domain: userDefaults, security: {encrypted: {algorithm: aes256GCM}}", "security: recommended", .recommended
    ),
  ])
  func security(_ defaults: String, _ key: String, _ want: SecurityPolicy) throws {
    #expect(try descriptor(defaults, key).security == want)
  }

  @Test func everythingElseIsReplaced() throws {
    let defaults = """
      domain: {fileSystem: {directory: caches}}, availability: phoneOnly, sensitivity: health, backup: false, \
      maxSize: 10, retention: {maxAge: 1d}, serializer: data, parameters: {account: String}
      """
    let inherited = try descriptor(defaults, "")
    #expect(inherited.owner == "Team")
    #expect(inherited.availability == .phoneOnly)
    #expect(inherited.sensitivity == .health)
    #expect(!inherited.backup)
    #expect(inherited.maxSize == 10)
    #expect(inherited.retention == .maxAge(seconds: 86_400))
    #expect(inherited.serializer == .data)
    #expect(inherited.name == "one_{account}")
    let own = try descriptor(
      defaults,
      """
      owner: Other, availability: all, sensitivity: public, backup: true, maxSize: 20, retention: {until: relaunch}, \
      serializer: {custom: A.B}, parameters: {}
      """)
    #expect(own.owner == "Other")
    #expect(own.availability == .all)
    #expect(own.sensitivity == .public)
    #expect(own.backup)
    #expect(own.maxSize == 20)
    #expect(own.retention == .untilRelaunch)
    #expect(own.serializer == .custom("A.B"))
    #expect(own.name == "one")
  }

  @Test func aFaultInDefaultsIsToldOnce() throws {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, domain: {userDefaults: {suite: standard}}, security: noone}
      keys:
        one: {type: String, description: The first value.}
        two: {type: String, description: The second value., domain: {userDefaults: {}}}
        three: {type: String, description: The third value., security: {keychain: {accessibility: x}}}
      """)
    #expect(run.diagnostics.map(\.rule) == ["invalid-container", "unknown-case", "unknown-case"])
  }

  @Test func aBackupPolicyOfFilesSaysNothingOfOtherKeys() throws {
    #expect(try descriptor("domain: userDefaults, backup: false", "").backup)
  }
}
