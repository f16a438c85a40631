/// The rules of fates. Each states one fact about the system or the library, and where it is documented.
extension FateRule {
  static let containers = FateRule(
    id: "containers-stay", title: "Launches and updates of the app keep its containers and its keychain items.",
    source: "https://developer.apple.com/library/archive/technotes/tn2285/_index.html")
  static let caches = FateRule(
    id: "caches-are-purged", title: "The system deletes files in caches when it needs space, and no backup has them.",
    source: "https://developer.apple.com/documentation/foundation/using-the-file-system-effectively")
  static let retention = FateRule(
    id: "retention-ends", title: "A value is removed when the end of its retention has come.",
    source: "Sources/LocalData/LocalData.docc/Language.md")
  static let fileProtection = FateRule(
    id: "file-protection",
    title: "The protection of a file decides whether it can be opened while the device is locked.",
    source: "https://developer.apple.com/documentation/uikit/encrypting-your-app-s-files")
  static let accessibility = FateRule(
    id: "keychain-accessibility", title: "The accessibility of a keychain item decides when the item can be read.",
    source: "https://developer.apple.com/documentation/security/restricting-keychain-item-accessibility")
  static let accessControl = FateRule(
    id: "keychain-access-control",
    title: "The system asks the user before it gives out an item with an access control.",
    source: "https://developer.apple.com/documentation/security/secaccesscontrolcreateflags")
  static let masterKey = FateRule(
    id: "master-key", title: "An encrypted value can be read if its master key, a keychain item, can be read.",
    source: "Sources/LocalData/LocalData.docc/Durability.md")
  static let externalKey = FateRule(
    id: "external-key", title: "A value with an external key is opened with the key that the app's provider returns.",
    source: "Sources/LocalData/LocalData.docc/Durability.md")
  static let uninstall = FateRule(
    id: "uninstall", title: "If an app is deleted, its files and preferences are deleted too.",
    source: "Sources/LocalData/LocalData.docc/Durability.md")
  static let uninstallOfGroup = FateRule(
    id: "uninstall-of-group", title: "The container of an app group is deleted with the last app of the group.",
    source: "https://developer.apple.com/forums/thread/70370")
  static let uninstallAndKeychain = FateRule(
    id: "uninstall-and-keychain",
    title: "Keychain items stay if the app is deleted. Apple does not document it, and advises not to rely on it.",
    source: "https://developer.apple.com/forums/thread/36442")
  static let backups = FateRule(
    id: "files-in-backups", title: "Backups contain files and preferences, except caches and files that are excluded.",
    source: "https://developer.apple.com/documentation/foundation/optimizing-your-app-s-data-for-icloud-backup")
  static let keychainInBackups = FateRule(
    id: "keychain-in-backups",
    title:
      "Keychain items in a backup can be restored on another device only if the backup is encrypted with a password.",
    source: "https://developer.apple.com/forums/thread/93373")
  static let thisDeviceOnly = FateRule(
    id: "this-device-only",
    title: "Items with an accessibility that ends in ThisDeviceOnly never reach another device.",
    source:
      "https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly")
  static let passcodeSet = FateRule(
    id: "passcode-items", title: "Items that need a passcode are in no backup.",
    source: "https://support.apple.com/guide/security/keychain-data-protection-secb0694df1a/web")
  static let controlledInBackups = FateRule(
    id: "controlled-items", title: "Items with an access control are in no backup.",
    source: "https://github.com/apple-oss-distributions/Security/blob/main/keychain/securityd/SecItemDb.c")
  static let keyPair = FateRule(
    id: "key-pairs",
    title: "A private key in the Secure Enclave, or of this device only, never reaches another device.",
    source: "https://developer.apple.com/documentation/security/protecting-keys-with-the-secure-enclave")
  static let iCloudKeychain = FateRule(
    id: "icloud-keychain",
    title: "Synchronizable items reach other devices through iCloud Keychain, if the user uses it.",
    source: "https://developer.apple.com/forums/thread/93373")
  static let directTransfer = FateRule(
    id: "direct-transfer", title: "A direct transfer moves the keychain items that may leave the device.",
    source: "https://developer.apple.com/forums/thread/788360")
  static let ownBackup = FateRule(
    id: "own-backup", title: "A backup of the app restores the records and keys that it lists, on any device.",
    source: "Sources/LocalDataBackup/LocalDataBackup.docc/Backups.md")
  static let team = FateRule(
    id: "team-prefix",
    title: "Keychain access groups begin with the identifier of the team. App groups can be transferred with the app.",
    source: "https://developer.apple.com/forums/thread/706128")
  static let watch = FateRule(
    id: "watch-is-erased", title: "Unpairing erases the watch, and its backup contains only some data of apps.",
    source: "https://support.apple.com/HT204518")
  static let earlierRelease = FateRule(
    id: "earlier-release", title: "An earlier release finds only values that it could have stored itself.",
    source: "Sources/LocalData/LocalData.docc/Durability.md")
  static let signOut = FateRule(
    id: "sign-out",
    title: "Nothing is removed at sign-out, unless the app calls removeAll(in:) or removes single keys.",
    source: "Sources/LocalData/LocalData.docc/ThreatModel.md")
}

extension FateTable {
  /// All rules, in the order in which documents list them.
  package static let rules: [FateRule] = [
    .containers, .caches, .retention, .fileProtection, .accessibility, .accessControl, .masterKey, .externalKey,
    .uninstall, .uninstallOfGroup, .uninstallAndKeychain, .backups, .keychainInBackups, .thisDeviceOnly, .passcodeSet,
    .controlledInBackups, .keyPair, .iCloudKeychain, .directTransfer, .ownBackup, .team, .watch, .earlierRelease,
    .signOut,
  ]
}
