import Foundation
import LocalData
import RealAppsFirst

/// The stored things of a password manager.
enum CabinetThings {
  static func add(to things: inout StoredThings) {
    keysOfVaults(&things)
    vaultSettings1(&things)
    vaultSettings2(&things)
    vaultObjects(&things)
    itemsOfOneServiceEach(&things)
    itemsOfAnOldLibrary(&things)
    keysByVault(&things)
    settingsByVault(&things)
    filesOfTheVaults(&things)
    choicesThatAreNotParsed(&things)
    choicesInAnyCase(&things)
    momentsOfVaults(&things)
    dictionariesOfAnyValue(&things)
    containersOfTheBuild(&things)
    unmanaged(&things)
  }

  private static func keysOfVaults(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.cabinet")
    things.add(.vaultPassword, keychain["masterPassword"], "pw-1", "pw-2")
    things.add(.vaultKeyFile, keychain.data("keyFile"), Data([9, 9]), Data([8]))
    things.add(.challengeSecret, keychain.data("challenge-response"), Data([1, 2]), Data())
    things.add(.webdavPassword, keychain["webdav.password"], "dav", "dav2")
    things.add(.cloudToken, keychain["drive.token"], "ct1", "ct2")
    things.add(.cloudRefresh, keychain["drive.refresh"], "cr1", "cr2")
    things.add(.secretWords, keychain.json("emergencyWords"), ["one", "two"], ["three"])
    things.add(.sharedKeys, keychain.json("shareKeys"), ["v": Data([1])], [:])
    things.add(.wrongPasswords, keychain.json("wrongCount"), 2, 0)
    things.add(
      .passwordRecipe, keychain.json("recipe"), Mixture(length: 20, symbols: "-_!"), Mixture(length: 8, symbols: ""),
      as: Recipe(length: 20, symbols: "-_!"), Recipe(length: 8, symbols: ""))
  }

  private static func vaultSettings1(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.lockAfter, preferences["AutoLockSeconds"], 60, 3600, as: .minute, .hour)
    things.add(.fillMode, preferences["autofill_mode"], "ask", "oneTimeCode", as: .ask, .code)
    things.add(.clearsClipboard, preferences["clipboard.clear"], true, false)
    things.add(.clipboardSeconds, preferences["clipboard.timeout"], 30, 90)
    things.add(.showsIcons, preferences["ShowFavicons"], false, true)
    things.add(.textScale, preferences["textScale"], 1.25, 1)
    things.add(.sortsByUse, preferences["sort_by_usage"], true, false)
    things.add(.lastVault, preferences["LastDatabaseName"], "Family.kdbx", "Work.kdbx")
    things.add(.lastGroup, preferences["lastGroupPath"], "/Root/Mail", "/Root/Ü")
    things.add(.lastBookmark, preferences["DatabaseBookmark"], Data([3, 3, 3]), Data([4]))
    things.add(.vaultOpenedAt, preferences["lastUnlock"], Sample.firstDate, Sample.secondDate)
    things.add(.ignoredSites, preferences["ignoredDomains"], ["a.example"], ["b.example", "c.example"])
    things.add(.fieldOrder, preferences["fieldOrder"], [2, 0, 1], [0, 1, 2])
    things.add(.useCounts, preferences["useCounts"], ["mail": 12], ["mail": 13, "bank": 1])
  }

  private static func vaultSettings2(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.siteAliases, preferences["EquivalentDomains"], ["a": ["b", "c"]], ["a": []])
    things.add(.backupCount, preferences["backup.count"], 5, 0)
    things.add(.entropyWarning, preferences["weakEntropy"], 40.5, 60)
    things.add(
      .appInstance, preferences["InstanceID"], Sample.firstID.uuidString, Sample.secondID.uuidString,
      as: Sample.firstID, Sample.secondID)
  }

  private static func vaultObjects(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .recentVaults, preferences.json("RecentVaults"), [OpenedVault(name: "A", location: "/a", isReadOnly: false)], [],
      as: [Vault(name: "A", location: "/a", isReadOnly: false)], [])
    things.add(
      .defaultVault, preferences.json("DefaultVault"), OpenedVault(name: "B", location: "/b", isReadOnly: true),
      OpenedVault(name: "C", location: "", isReadOnly: false), as: Vault(name: "B", location: "/b", isReadOnly: true),
      Vault(name: "C", location: "", isReadOnly: false))
    things.add(
      .savedRecipes, preferences.json("SavedRecipes"), ["Bank": Mixture(length: 6, symbols: "")], [:],
      as: ["Bank": Recipe(length: 6, symbols: "")], [:])
    things.add(.columnWidths, preferences.json("ColumnWidths"), [120.5, 80], [100])
    things.add(.hiddenFields, preferences.json("HiddenFields"), ["notes", "tags"], ["notes"])
    things.add(.searchScopes, preferences.json("SearchScopes"), ["title": true, "notes": false], ["title": false])
    things.add(.weakItems, preferences.json("WeakItems"), ["i1"], ["i1", "i2"])
    things.add(.breachCounts, preferences.json("BreachCounts"), ["i1": 3], [:])
  }

  private static func itemsOfOneServiceEach(_ things: inout StoredThings) {
    things.add(.quickCode, things.app.keychain("com.example.cabinet.quickunlock")[nil], "4711", "1147")
    things.add(.lockSalt, things.app.keychain("com.example.cabinet.salt").data(nil), Data([2, 7]), Data([1, 8]))
    things.add(.lockTries, things.app.keychain("com.example.cabinet.tries").json(nil), 1, 2)
  }

  private static func itemsOfAnOldLibrary(_ things: inout StoredThings) {
    let keychain = things.app.keychain()
    things.add(.oldVaultKey, keychain.data("cabinet.vault.key"), Data([5, 5]), Data([6, 6]))
    things.add(.oldAccount, keychain["cabinet.sync.account"], "jo", "al")
  }

  private static func keysByVault(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.cabinet.vaults")
    let codes = things.app.keychain("com.example.cabinet.codes")
    things.add(.vaultSecret(vaultID: Sample.firstID), keychain.data(Sample.firstID.uuidString), Data([1]), Data([2]))
    things.add(.vaultCode(vaultID: Sample.secondID), codes["code-\(Sample.secondID.uuidString)"], "c1", "c2")
  }

  private static func settingsByVault(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .vaultReadOnly(vaultID: Sample.firstID), preferences["ReadOnly_\(Sample.firstID.uuidString)"], true, false)
    things.add(.vaultOrder(vaultID: Sample.secondID), preferences["order.\(Sample.secondID.uuidString)"], 3, 1)
    things.add(.siteUser(site: "Login.Example.org"), preferences["user@Login.Example.org"], "jo", "al")
    things.add(.extensionSeen(bundle: "org.Example.Browser"), preferences["seen:org.Example.Browser"], true, false)
  }

  private static func filesOfTheVaults(_ things: inout StoredThings) {
    let files = things.app.files(.support)
    things.add(
      .vaultIndex, files.propertyList("Vaults/Index.plist"), ["A.kdbx": "Family"], ["B.kdbx": "Work", "C.kdbx": ""])
  }

  private static func choicesThatAreNotParsed(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.extensionLock, preferences["ExtensionLockSeconds"], 15, 60, as: .now, .minute, rewritten: 0)
    things.add(
      .watchFill, preferences["watch_fill_mode"], "Password", "oneTimeCode", as: .password, .code, rewritten: "password"
    )
  }

  private static func choicesInAnyCase(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .keyboardFill, preferences["keyboardFillMode"], "PASSWORD", "ask", as: .password, .ask, rewritten: "password")
    things.add(.linkFill, preferences["linkFillMode"], "Ask", "password", as: .ask, .password, rewritten: "ask")
  }

  private static func momentsOfVaults(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .lastVisits, preferences.json("OpenTimes"), ["2023-11-14T22:13:20Z"],
      ["2023-11-14T22:13:20Z", "2023-11-15T22:13:20Z"], as: [Sample.firstDate], [Sample.firstDate, Sample.wholeDate])
    things.add(
      .itemVisits, preferences.json("ItemVisits"), [Used(item: "i", at: 1_700_000_000_000)], [],
      as: [Visit(item: "i", at: Sample.firstDate)], [])
    things.add(
      .checkedAt, preferences["lastAuditReference"], Sample.firstDate.timeIntervalSinceReferenceDate,
      Sample.secondDate.timeIntervalSinceReferenceDate, as: Sample.firstDate, Sample.secondDate)
  }

  private static func dictionariesOfAnyValue(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .vaultState, preferences.dictionary("LastVaultState"),
      AnyDictionary(["opened": Sample.firstDate, "hash": Data([1, 2]), "count": 3]),
      AnyDictionary(["opened": Sample.secondDate, "list": ["a", 1] as [Any]]),
      as: ["opened": .date(Sample.firstDate), "hash": .data(Data([1, 2])), "count": 3],
      ["opened": .date(Sample.secondDate), "list": ["a", 1]])
    things.add(
      .fillHistory, preferences.dictionary("FillHistory"), AnyDictionary(["a": [["at": Sample.firstDate]]]),
      AnyDictionary([:]), as: ["a": [["at": .date(Sample.firstDate)]]], [:])
  }

  private static func containersOfTheBuild(_ things: inout StoredThings) {
    let autofill = things.app.keychain("com.example.beta.cabinet.autofill", accessGroup: "TEAM.beta.cabinet.shared")
    things.add(.fillSession, autofill.data("session"), Data([3, 1]), Data([4]))
  }

  private static func unmanaged(_ things: inout StoredThings) {
    things.keep("vaultCopies", things.app.files(.documents).data("Copies/Family.kdbx"), Data([3, 0xD9]))
    things.keep("iconStore", things.app.files(.support).texts("Icons.sqlite", table: "icon"), ["a", "b"])
    things.keep("signInIdentity", things.app.keychain("com.example.cabinet.identity").data("identity"), Data([6, 6]))
  }
}

/// A vault, as the earlier app encodes it.
private struct OpenedVault: Codable, Equatable {
  var name: String
  var location: String
  var isReadOnly: Bool
}

/// A recipe, as the earlier app encodes it.
private struct Mixture: Codable, Equatable {
  var length: Int
  var symbols: String
}

/// A use of an item, as the earlier app encodes it.
private struct Used: Codable, Equatable {
  var item: String
  var at: Double
}
