import LocalDataAudit
import LocalDataVocabulary
import Testing

/// The text audit: the same in the tool and in an app.
struct StorageAuditReportTests {
  private let token = StorageKeyDescriptor(
    member: "userToken", name: "user_token", valueType: "String", domain: .keychain(service: "com.example"),
    security: .keychain(accessibility: .whenUnlockedThisDeviceOnly, accessControl: .userPresence),
    owner: "AuthService", description: "The current user's auth token.", sensitivity: .credential)

  @Test func aKeyIsAParagraph() {
    let text = StorageAuditReport.renderText(
      for: [token], reserved: [StorageReservedName(name: "old", domain: .userDefaults(), note: "Dropped.")],
      title: "Account")
    #expect(
      text == """
        Account
        1 key, 1 reserved name
          Domains:        keychain 1
          Security:       keychain 1
          Sensitivity:    credential 1

        userToken
          The current user's auth token.
          Stored name:    user_token
          Where:          keychain, service com.example
          Secured:        keychain, whenUnlockedThisDeviceOnly, access control userPresence
          Sensitivity:    credential
          Owner:          AuthService
          Type:           String
          Serializer:     json
          Available:      all
          Sync:           never
          Kept:           until removed
          At most:        1 MiB
          Device backup:  excluded (access control userPresence)
          Note:           A backup does not restore it on another device, because of \
        whenUnlockedThisDeviceOnly.
          Note:           On Linux the keystore cannot enforce accessibility whenUnlockedThisDeviceOnly or access \
        control userPresence.

        Reserved names
          old (userDefaults, the app's own): leftovers are kept. Dropped.

        """)
  }

  @Test func controlCharactersAreWrittenByNumber() {
    var descriptor = token
    descriptor.description = "red \u{1B}[31m and\nnew line \u{202E}reversed"
    let text = StorageAuditReport.renderText(for: [descriptor])
    #expect(text.contains("red \\u{1B}[31m and new line \\u{202E}reversed\n"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(arguments: [
    (StorageDomain.userDefaults(), SecurityPolicy.none, "Plain, although it is credential"),
    (.keychain(), .keychain(accessibility: .always), "The least secure accessibility: always"),
    (.keychain(), .keychain(accessibility: .alwaysThisDeviceOnly), "The least secure accessibility"),
    (.keychain(), .keychain(), "On Linux the keystore cannot enforce accessibility whenUnlocked."),
    (.keychain(synchronizable: true), .keychain(), "iCloud Keychain"),
    (.keychain(), .recommended, "keychain item with accessibility whenUnlocked"),
    (.fileSystem(directory: .documents), .recommended, "master key, accessibility afterFirstUnlock"),
    (.appGroupFileSystem(directory: .documents), .recommended, "master key of the app group"),
    (.appGroupUserDefaults(), .none, "Every member of the app group"),
    (.fileSystem(directory: .caches), .recommended, "the system may delete it"),
    (
      .userDefaults(), .encrypted(.aes256GCM(keyDerivation: .pbkdf2(iterations: 600_000))),
      "PBKDF2 over the master key"
    ),
    (.userDefaults(), .encrypted(.external(source: .init(id: "hsm"))), "the app's key material hsm"),
  ])
  func whatAReviewerShouldMindIsNoted(_ domain: StorageDomain, _ security: SecurityPolicy, _ note: String) {
    var descriptor = token
    (descriptor.domain, descriptor.security) = (domain, security)
    let notes = StorageAuditReport.renderText(for: [descriptor]).split(separator: "\n")
      .filter { $0.hasPrefix("  Note:") }
    #expect(notes.contains { $0.contains(note) }, "\(notes)")
  }

  @Test func aPlainPublicValueHasNoNotes() {
    var descriptor = token
    (descriptor.domain, descriptor.security, descriptor.sensitivity) = (.userDefaults(), .none, .public)
    #expect(!StorageAuditReport.renderText(for: [descriptor]).contains("Note:"))
  }
}
