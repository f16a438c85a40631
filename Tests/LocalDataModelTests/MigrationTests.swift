import LocalDataModel
import LocalDataVocabulary
import Testing

/// Every form of `migration:`, resolved.
@Suite struct MigrationTests {
  private func migration(_ text: String) throws -> (migration: ResolvedMigration, words: String) {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, domain: keychain, security: keychain}
      keys:
        legacyToken: {type: String, legacy: true, domain: userDefaults, security: none, description: The old token.}
        firstName: {type: Int, legacy: true, domain: userDefaults, security: none, description: The old name.}
        token:
          type: String
          description: The token of the user.
          migration: \(text)
      """)
    // Most migrations of these tests leave one of the legacy keys unread.
    #expect(run.errors == "")
    let key = try #require(run.catalogs.first?.keys.last)
    return (try #require(key.migration), try #require(key.descriptor.migration))
  }

  private static let both = "where both exist"

  @Test(arguments: [
    (
      "{from: legacyToken}",
      "from legacyToken (userDefaults, the app's own; none, stored as it is), the source kept \(both)"
    ),
    (
      "{from: {name: old_key_name, domain: {userDefaults: {suite: old}}, security: none}}",
      "from 'old_key_name' (userDefaults, suite old; none, stored as it is), the source kept \(both)"
    ),
    (
      "{from: {security: {keychain: {accessibility: always}}}}",
      "secured in place, where it was (keychain, the configured service; keychain, always, no access control)"
    ),
    (
      "{from: firstName, transform: TokenUpgrade.init}",
      "from firstName (userDefaults, the app's own; none, stored as it is) by TokenUpgrade.init, the source kept \(both)"
    ),
    (
      "{from: [firstName, legacyToken], aggregate: Names.join, onConflict: remove}",
      "from firstName (userDefaults, the app's own; none, stored as it is), legacyToken (userDefaults, the app's own; "
        + "none, stored as it is) by Names.join, the sources removed \(both)"
    ),
    (
      "{from: legacyToken, whenAppVersion: \"<2.0.0\"}",
      "from legacyToken (userDefaults, the app's own; none, stored as it is), when the app's version is <2.0.0, the "
        + "source kept \(both)"
    ),
    ("{custom: TokenMigration}", "by TokenMigration"),
    (
      "{from: legacyToken, onConflict: remove}",
      "from legacyToken (userDefaults, the app's own; none, stored as it is), the source removed \(both)"
    ),
    (
      "{from: {name: token, domain: userDefaults, security: none}}",
      "from 'token' (userDefaults, the app's own; none, stored as it is), the source kept \(both)"
    ),
    (
      "[{from: legacyToken}, {custom: Other.Migration}]",
      "from legacyToken (userDefaults, the app's own; none, stored as it is), the source kept \(both); then by "
        + "Other.Migration"
    ),
  ])
  func words(_ text: String, _ want: String) throws {
    #expect(try migration(text).words == want)
  }

  @Test(arguments: [
    ("{from: {security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}}}", "leaves the device"),
    (
      "{from: {security: {keychain: {accessibility: whenUnlocked, accessControl: userPresence}}}}",
      "access control dropped"
    ),
    ("{from: {name: x, domain: {fileSystem: {directory: caches}}, security: recommended}}", "backed up"),
    (
      "{from: [legacyToken, {name: y, domain: {fileSystem: {directory: caches}}, security: none}], aggregate: A.b}",
      "backed up"
    ),
  ])
  func whatIsWeakenedIsSaid(_ text: String, _ loss: String) throws {
    #expect(try migration(text).words.hasSuffix(", weaker than before: \(loss)"))
  }

  @Test func whatAnInlineSourceLeavesOutIsTheKeysOwn() throws {
    let step = try #require(migration("{from: {name: old, domain: {keychain: {service: s}}}}").migration.steps.first)
    guard case .move(from: .inline(let inline)) = step.action else { return unexpected("\(step.action)") }
    #expect(inline.name == "old")
    #expect(inline.type == .scalar(.string))
    #expect(inline.domain == .keychain(service: "s"))
    #expect(inline.security == .keychain())
    #expect(inline.serializer == .json)
  }

  @Test func theKeysOwnPlaceIsSecuredInPlace() throws {
    let step = try #require(migration("{from: {security: {keychain: {accessibility: always}}}}").migration.steps.first)
    guard case .secureInPlace(from: let domain, let security) = step.action else {
      return unexpected("\(step.action)")
    }
    #expect(domain == .keychain())
    #expect(security == .keychain(accessibility: .always))
    #expect(step.line == 10)
  }

  @Test func conditionsAndConflicts() throws {
    let step = try #require(
      migration("{from: firstName, transform: A.b, whenAppVersion: \">=1.2\", onConflict: remove}").migration.steps
        .first)
    #expect(step.condition == .init(comparison: .atLeast, version: [1, 2]))
    #expect(step.onConflict == .remove)
    guard case .transform(from: .declared(let source), function: SwiftName("A.b")) = step.action else {
      return unexpected("\(step.action)")
    }
    #expect(source.member == "firstName")
    #expect(source.type == .scalar(.int))
  }
}
