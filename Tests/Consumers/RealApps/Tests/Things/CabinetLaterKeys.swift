import LocalData
import RealAppsSecond

/// The keys of a password manager in its second release, in the order of the stored things.
extension LaterKeys {
  mutating func addCabinet() {
    add(.vaultPassword, .vaultKeyFile, .challengeSecret, .webdavPassword, .cloudToken, .cloudRefresh)
    add(.secretWords, .sharedKeys, .wrongPasswords, .passwordRecipe)
    add(.lockAfter, .fillMode, .clearsClipboard, .clipboardSeconds, .showsIcons, .textScale)
    add(.sortsByUse, .lastVault, .lastGroup, .lastBookmark, .vaultOpenedAt, .ignoredSites)
    add(.fieldOrder, .useCounts, .siteAliases, .backupCount, .entropyWarning, .appInstance)
    add(.recentVaults, .defaultVault, .savedRecipes, .columnWidths, .hiddenFields, .searchScopes)
    add(.weakItems, .breachCounts)
    add(.quickCode, .lockSalt, .lockTries)
    add(.oldVaultKey, .oldAccount)
    add(.vaultSecret(vaultID: Sample.firstID), .vaultCode(vaultID: Sample.secondID))
    add(
      .vaultReadOnly(vaultID: Sample.firstID), .vaultOrder(vaultID: Sample.secondID),
      .siteUser(site: "Login.Example.org"), .extensionSeen(bundle: "org.Example.Browser"))
    add(.vaultIndex)
    add(.extensionLock, .watchFill)
    add(.keyboardFill, .linkFill)
    add(.lastVisits, .itemVisits, .checkedAt)
    add(.vaultState, .fillHistory)
    add(.fillSession)
  }
}
