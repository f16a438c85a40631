import Foundation
import LocalData
import RealAppsFirst

/// The stored things of a wallet.
enum PurseThings {
  static func add(to things: inout StoredThings) {
    secrets(&things)
    walletSettings1(&things)
    walletSettings2(&things)
    walletObjects(&things)
    theWalletOfTheWatch(&things)
    itemsWithoutAService(&things)
    itemsWithoutAnAccount(&things)
    itemsByName(&things)
    preferencesByName(&things)
    settingsThatAreNotParsed(&things)
    moments(&things)
    filesOfTheWallet(&things)
    containersOfTheBuild(&things)
    unmanaged(&things)
  }

  private static func secrets(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.purse")
    things.add(.walletSeed, keychain["mnemonic"], "abandon ability able", "zoo zone zero")
    things.add(.walletPassphrase, keychain["bip39_passphrase"], "correct horse", "")
    things.add(.accessCode, keychain["pin"], "012345", "999999")
    things.add(.masterKey, keychain.data("db-key"), Data(0..<32), Data(repeating: 9, count: 32))
    things.add(.nodeMacaroon, keychain.data("macaroon"), Data([2, 1, 3]), Data([0]))
    things.add(.exchangeToken, keychain["exchange.accessToken"], "ex-1", "ex-2")
    things.add(.exchangeRefresh, keychain["exchange.refreshToken"], "rf-1", "rf-2")
    things.add(.attestationKey, keychain["appAttestKeyId"], "k-77", "k-78")
    things.add(.pushSecret, keychain.data("push-secret"), Data([4, 4]), Data([5]))
    things.add(.failedAttempts, keychain.json("failedPinAttempts"), 3, 0)
    things.add(.hardwareKeys, keychain.json("hwKeys"), ["h1": Data([1])], ["h1": Data([2]), "h2": Data()])
    things.add(.cosigners, keychain.json("multisig_xpubs"), ["xpub1", "xpub2"], ["xpub3"])
    things.add(
      .spendingLimit, keychain.json("spendingLimit"), Allowance(amount: 50, days: 1), Allowance(amount: 0, days: 30),
      as: Limit(amount: 50, days: 1), Limit(amount: 0, days: 30))
  }

  private static func walletSettings1(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.network, preferences["selectedNetwork"], "mainnet", "testnet", as: .main, .test)
    things.add(.fiatCode, preferences["fiat_currency"], "CHF", "JPY")
    things.add(.hidesBalance, preferences["hideBalance"], true, false)
    things.add(.usesSatoshis, preferences["showSats"], false, true)
    things.add(.feeLevel, preferences["defaultFeeLevel"], 2, 0, as: .fast, .slow)
    things.add(.gapLimit, preferences["gapLimit"], 20, 50)
    things.add(.dustLimit, preferences["dust_limit"], 546, 1_000_000_000_000, as: 546, 1_000_000_000_000)
    things.add(.lastRate, preferences["lastFiatRate"], 61234.5, 0.0001)
    things.add(.lastBlock, preferences["lastBlockHeight"], 812_345, 812_346)
    things.add(.walletCreatedAt, preferences["WalletBirthday"], Sample.firstDate, Sample.secondDate)
    things.add(.backedUp, preferences["didBackupSeed"], true, false)
    things.add(.nodeAddress, preferences["customNodeURL"], "https://node.example:8333/a?b=c", "127.0.0.1")
    things.add(.labels, preferences["address_labels"], ["bc1q": "Rent"], ["bc1q": "Rent & food"])
    things.add(.hiddenAssets, preferences["HiddenAssets"], ["A", "B"], [])
  }

  private static func walletSettings2(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.favoriteIndexes, preferences["favIdx"], [4, 2], [1])
    things.add(.chartColors, preferences["chart.palette"], Data([0, 128, 255]), Data([1]))
    things.add(.onboardingStep, preferences["OnboardingStep"], 4, 5)
  }

  private static func walletObjects(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .contacts, preferences.json("Contacts"), [Payee(label: "Jo", address: "bc1", isTrusted: true)], [],
      as: [Contact(label: "Jo", address: "bc1", isTrusted: true)], [])
    things.add(
      .lastContact, preferences.json("LastPayee"), Payee(label: "Al", address: "tb1", isTrusted: false),
      Payee(label: "Bo", address: "", isTrusted: true), as: Contact(label: "Al", address: "tb1", isTrusted: false),
      Contact(label: "Bo", address: "", isTrusted: true))
    things.add(.priceHistory, preferences.json("PriceCache"), [1.5, 2.25, 1e9], [])
    things.add(.networkFees, preferences.json("feeEstimates"), ["fast": 12, "slow": 1], ["fast": 90])
    things.add(.pinnedAssets, preferences.json("pinnedAssets"), ["BTC", "XMR"], ["BTC"])
    things.add(.paperWallets, preferences.json("paperWallets"), ["Safe": ["a", "b"]], [:])
  }

  private static func theWalletOfTheWatch(_ things: inout StoredThings) {
    let group = things.app.preferences("group.com.example.purse")
    things.add(.watchBalance, group["complicationBalance"], 21, 2100)
    things.add(.watchAddress, group["watchReceiveAddress"], "bc1qwatch", "bc1qother")
    things.add(.isWatchPaired, group["watchPaired"], true, false)
    things.add(.watchCurrency, group["complicationFiat"], "USD", "SEK")
  }

  private static func itemsWithoutAService(_ things: inout StoredThings) {
    let keychain = things.app.keychain()
    things.add(.legacyStoreKey, keychain.data("com.example.purse.storekey"), Data([1, 1, 2]), Data([3, 5, 8]))
    things.add(.cloudPassword, keychain["CloudBackupPassword"], "cloud", "sky")
    things.add(.tabletSecret, keychain["pairingSecret"], "t-1", "t-2")
  }

  private static func itemsWithoutAnAccount(_ things: inout StoredThings) {
    things.add(.duressCode, things.app.keychain("com.example.purse.duress")[nil], "000000", "111111")
    things.add(.viewKey, things.app.keychain("com.example.purse.viewkey").data(nil), Data([6]), Data([6, 7]))
  }

  private static func itemsByName(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.purse")
    things.add(
      .walletKey(walletID: Sample.firstID), keychain.data("wallet-\(Sample.firstID.uuidString)-key"), Data([1]),
      Data([2]))
    things.add(
      .walletWords(walletID: Sample.secondID), keychain["\(Sample.secondID.uuidString)_mnemonic"], "a b c", "d e f")
    things.add(.accountToken(mail: "Jo.Doe+a@Example.org"), keychain["token:Jo.Doe+a@Example.org"], "t1", "t2")
    things.add(.chainNode(chain: "mainNet_v2"), keychain["node_mainNet_v2"], "n1", "n2")
  }

  private static func preferencesByName(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .walletName(walletID: Sample.firstID), preferences["WalletName_\(Sample.firstID.uuidString)"], "Savings", "Daily")
    things.add(.walletIndex(walletID: Sample.firstID), preferences["\(Sample.firstID.uuidString).nextIndex"], 7, 8)
    things.add(.hasSeenNews(version: "4.10.2"), preferences["whatsNew-4.10.2"], true, false)
    things.add(.assetDecimals(asset: "USDt_Tron"), preferences["decimals/USDt_Tron"], 8, 2)
  }

  private static func settingsThatAreNotParsed(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.explorer, preferences["explorerNetwork"], "bitcoin", "testnet", as: .main, .test, rewritten: "mainnet")
    things.add(.urgentFee, preferences["urgentFeeLevel"], 7, 1, as: .fast, .normal, rewritten: 2)
  }

  private static func moments(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .lastSync, preferences.text("lastSyncTime"), Sample.firstDate.timeIntervalSince1970,
      Sample.secondDate.timeIntervalSince1970, as: Sample.firstDate, Sample.secondDate)
    things.add(
      .lastBackup, preferences["last_backup_at"], "2023-11-14T22:13:20Z", "2023-11-15T22:13:20Z", as: Sample.firstDate,
      Sample.wholeDate)
  }

  private static func filesOfTheWallet(_ things: inout StoredThings) {
    let files = things.app.files(.documents)
    things.add(.paymentRequests, files.json("Requests/Pending.json"), ["req-1"], ["req-2", "req-3"])
  }

  private static func containersOfTheBuild(_ things: inout StoredThings) {
    let relay = things.app.keychain("com.example.beta.purse.relay")
    things.add(.relayToken, relay["relay.token"], "relay-1", "relay-2")
  }

  private static func unmanaged(_ things: inout StoredThings) {
    things.keep(
      "chainStore", things.app.files(.support).texts("Headers/chain.sqlite", table: "header"), ["00ab", "00cd"])
    things.keep("nodeLog", things.app.files(.caches).data("Logs/node.log"), Data("started".utf8))
    things.keep("enclaveKey", things.app.keychain("com.example.purse.enclave").data("signer"), Data([1, 4]))
    things.keep("clientIdentity", things.app.keychain("com.example.purse.identity").data("client"), Data([1, 5]))
  }
}

/// A contact, as the earlier app encodes it.
private struct Payee: Codable, Equatable {
  var label: String
  var address: String
  var isTrusted: Bool
}

/// A limit, as the earlier app encodes it.
private struct Allowance: Codable, Equatable {
  var amount: Int
  var days: Int
}
