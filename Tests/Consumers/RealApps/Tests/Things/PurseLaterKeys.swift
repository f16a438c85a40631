import LocalData
import RealAppsSecond

/// The keys of a wallet in its second release, in the order of the stored things.
extension LaterKeys {
  mutating func addPurse() {
    add(.walletSeed, .walletPassphrase, .accessCode, .masterKey, .nodeMacaroon, .exchangeToken)
    add(.exchangeRefresh, .attestationKey, .pushSecret, .failedAttempts, .hardwareKeys, .cosigners)
    add(.spendingLimit)
    add(.network, .fiatCode, .hidesBalance, .usesSatoshis, .feeLevel, .gapLimit)
    add(.dustLimit, .lastRate, .lastBlock, .walletCreatedAt, .backedUp, .nodeAddress)
    add(.labels, .hiddenAssets, .favoriteIndexes, .chartColors, .onboardingStep)
    add(.contacts, .lastContact, .priceHistory, .networkFees, .pinnedAssets, .paperWallets)
    add(.watchBalance, .watchAddress, .isWatchPaired, .watchCurrency)
    add(.legacyStoreKey, .cloudPassword, .tabletSecret)
    add(.duressCode, .viewKey)
    add(
      .walletKey(walletID: Sample.firstID), .walletWords(walletID: Sample.secondID),
      .accountToken(mail: "Jo.Doe+a@Example.org"), .chainNode(chain: "mainNet_v2"))
    add(
      .walletName(walletID: Sample.firstID), .walletIndex(walletID: Sample.firstID), .hasSeenNews(version: "4.10.2"),
      .assetDecimals(asset: "USDt_Tron"))
    add(.explorer, .urgentFee)
    add(.lastSync, .lastBackup)
    add(.paymentRequests)
    add(.relayToken)
  }
}
