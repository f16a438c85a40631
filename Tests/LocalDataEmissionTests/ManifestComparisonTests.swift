import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
import Foundation
import LocalDataVocabulary
import Testing

/// Privacy manifests: what is missing in them, and the file with it.
@Suite struct ManifestComparisonTests {
  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private static let ownReason = """
    \t<key>NSPrivacyAccessedAPITypes</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>NSPrivacyAccessedAPIType</key>
    \t\t\t<string>NSPrivacyAccessedAPICategoryUserDefaults</string>
    \t\t\t<key>NSPrivacyAccessedAPITypeReasons</key>
    \t\t\t<array>
    \t\t\t\t<string>CA92.1</string>
    \t\t\t</array>
    \t\t</dict>
    \t\t<dict>
    \t\t\t<key>NSPrivacyAccessedAPIType</key>
    \t\t\t<string>NSPrivacyAccessedAPICategoryFileTimestamp</string>
    \t\t\t<key>NSPrivacyAccessedAPITypeReasons</key>
    \t\t\t<array>
    \t\t\t\t<string>C617.1</string>
    \t\t\t</array>
    \t\t</dict>
    \t</array>

    """

  private static func catalogs(_ privacies: ResolvedPrivacy...) -> [ResolvedCatalog] {
    let keys = privacies.enumerated().map { Manifests.key("key\($0.offset)", .userDefaults(), $0.element) }
    return [Samples.catalog(keys: keys)]
  }

  private static let email = ResolvedPrivacy(
    isCollected: true, isLinked: true, dataType: .emailAddress, purposes: [.analytics, .appFunctionality])

  @Test func aNewManifest() throws {
    let text = try Manifests.merged(NewManifest.text, Self.catalogs(Self.email))
    #expect(
      text == Self.header + """
        <dict>
        \t<key>NSPrivacyTracking</key>
        \t<false/>
        \t<key>NSPrivacyCollectedDataTypes</key>
        \t<array>
        \t\t<dict>
        \t\t\t<key>NSPrivacyCollectedDataType</key>
        \t\t\t<string>NSPrivacyCollectedDataTypeEmailAddress</string>
        \t\t\t<key>NSPrivacyCollectedDataTypeLinked</key>
        \t\t\t<true/>
        \t\t\t<key>NSPrivacyCollectedDataTypeTracking</key>
        \t\t\t<false/>
        \t\t\t<key>NSPrivacyCollectedDataTypePurposes</key>
        \t\t\t<array>
        \t\t\t\t<string>NSPrivacyCollectedDataTypePurposeAnalytics</string>
        \t\t\t\t<string>NSPrivacyCollectedDataTypePurposeAppFunctionality</string>
        \t\t\t</array>
        \t\t</dict>
        \t</array>
        \(Self.ownReason)</dict>
        </plist>

        """)
  }

  /// Entries of other code, comments, unknown keys and the order stay; entries of the same type get what they lack.
  @Test func anExistingManifest() throws {
    let old = """
      <plist version="1.0"><!-- The app. -->
      <dict>
        <key>NSPrivacyAccessedAPITypes</key>
        <array>
          <dict>
            <!-- Read by the SDK of the shop. -->
            <key>NSPrivacyAccessedAPITypeReasons</key>
            <array><string>AC6B.1</string></array>
            <key>NSPrivacyAccessedAPIType</key>
            <string>NSPrivacyAccessedAPICategoryUserDefaults</string>
          </dict>
          <dict>
            <key>NSPrivacyAccessedAPIType</key>
            <string>NSPrivacyAccessedAPICategoryDiskSpace</string>
            <key>NSPrivacyAccessedAPITypeReasons</key>
            <array><string>E174.1</string></array>
          </dict>
        </array>
        <key>MyOwnKey</key> <integer>7</integer>
        <key>NSPrivacyTrackingDomains</key> <array/>
        <key>NSPrivacyCollectedDataTypes</key>
        <array>
          <dict>
            <key>NSPrivacyCollectedDataType</key><string>NSPrivacyCollectedDataTypeCrashData</string>
          </dict>
          <dict>
            <key>NSPrivacyCollectedDataType</key>
            <string>NSPrivacyCollectedDataTypeEmailAddress</string>
            <key>NSPrivacyCollectedDataTypeLinked</key>
            <false/><!-- Ask Ada. -->
            <key>NSPrivacyCollectedDataTypePurposes</key>
            <array>
              <string>NSPrivacyCollectedDataTypePurposeAnalytics</string>
              <!-- more to come -->
            </array>
          </dict>
        </array>
      </dict>
      </plist>
      """
    let new = try Manifests.merged(old, Self.catalogs(Self.email))
    let (oldLines, newLines) = (old.split(separator: "\n"), new.split(separator: "\n"))
    let difference = newLines.difference(from: oldLines)
    #expect(
      difference.removals.map(Self.line) == [
        "      <array><string>AC6B.1</string></array>", "      <false/><!-- Ask Ada. -->",
      ])
    #expect(
      difference.insertions.map(Self.line) == [
        "      <array><string>AC6B.1</string>", "        <string>CA92.1</string>", "      </array>",
        "    <dict>", "      <key>NSPrivacyAccessedAPIType</key>",
        "      <string>NSPrivacyAccessedAPICategoryFileTimestamp</string>",
        "      <key>NSPrivacyAccessedAPITypeReasons</key>", "      <array>", "        <string>C617.1</string>",
        "      </array>", "    </dict>", "      <true/><!-- Ask Ada. -->",
        "        <string>NSPrivacyCollectedDataTypePurposeAppFunctionality</string>",
        "      <key>NSPrivacyCollectedDataTypeTracking</key>", "      <false/>",
      ])
  }

  private static func line(_ change: CollectionDifference<Substring>.Change) -> String {
    switch change {
    case .insert(_, let line, _), .remove(_, let line, _): String(line)
    }
  }

  @Test func findingsNameWhatIsMissingAndWhoDeclaresIt() throws {
    let manifest = """
      <plist version="1.0">
      <dict>
        <key>NSPrivacyTracking</key><false/>
        <key>NSPrivacyCollectedDataTypes</key>
        <array>
          <dict>
            <key>NSPrivacyCollectedDataType</key><string>NSPrivacyCollectedDataTypeEmailAddress</string>
            <key>NSPrivacyCollectedDataTypeLinked</key><false/>
            <key>NSPrivacyCollectedDataTypeTracking</key><false/>
            <key>NSPrivacyCollectedDataTypePurposes</key><array/>
          </dict>
        </array>
      </dict>
      </plist>
      """
    var tracked = Self.email
    tracked.isTracking = true
    tracked.purposes = [.analytics]
    let name = ResolvedPrivacy(isCollected: true, dataType: .name, purposes: [.other])
    let catalogs = Self.catalogs(tracked, name, ResolvedPrivacy(isCollected: false))
    let findings = try ManifestComparison(try Manifests.list(manifest), with: catalogs).findings
    #expect(
      Manifests.text(findings) == [
        "3:31 'NSPrivacyTracking' is not true, but data is used for tracking",
        "3:31 warning: data is used for tracking, and 'NSPrivacyTrackingDomains' names no domain",
        "5:3 the collected data type 'NSPrivacyCollectedDataTypeName' is not declared",
        "8:50 'NSPrivacyCollectedDataTypeEmailAddress' is linked to the user, but "
          + "'NSPrivacyCollectedDataTypeLinked' is false",
        "9:52 'NSPrivacyCollectedDataTypeEmailAddress' is used for tracking, but "
          + "'NSPrivacyCollectedDataTypeTracking' is false",
        "10:52 'NSPrivacyCollectedDataTypeEmailAddress' has the purpose 'NSPrivacyCollectedDataTypePurposeAnalytics', "
          + "which is not declared",
        "2:1 'NSPrivacyAccessedAPICategoryUserDefaults' has no reason CA92.1",
        "2:1 'NSPrivacyAccessedAPICategoryFileTimestamp' has no reason C617.1",
      ])
    #expect(
      findings.map { $0.notes.first?.message } == [
        "declared by 'key0'", nil, "declared by 'key1'", "declared by 'key0'", "declared by 'key0'",
        "declared by 'key0'",
        "declared by 'key0', 'key1' and 'key2'", "declared by 'key0', 'key1' and 'key2'",
      ])
    #expect(findings.allSatisfy { $0.severity == .warning || $0.help?.contains("--into App.plist") == true })
    let merged = try Manifests.merged(manifest, catalogs)
    #expect(merged.contains("<key>NSPrivacyTracking</key><true/>"))
    #expect(!merged.contains("NSPrivacyTrackingDomains"), "which domains track is known to the app alone")
  }

  /// A manifest may say more than the catalogs: other code of the app is linked, tracks or has other purposes.
  @Test func strongerDeclarationsStay() throws {
    let manifest = """
      <plist version="1.0"><dict>
      <key>NSPrivacyTracking</key><true/>
      <key>NSPrivacyTrackingDomains</key><array><string>ads.example.com</string></array>
      <key>NSPrivacyCollectedDataTypes</key><array>
      <dict><key>NSPrivacyCollectedDataType</key><string>NSPrivacyCollectedDataTypeName</string>
      <key>NSPrivacyCollectedDataTypeLinked</key><true/><key>NSPrivacyCollectedDataTypeTracking</key><true/>
      <key>NSPrivacyCollectedDataTypePurposes</key><array>
      <string>NSPrivacyCollectedDataTypePurposeOther</string>
      <string>NSPrivacyCollectedDataTypePurposeAnalytics</string></array></dict></array>
      <key>NSPrivacyAccessedAPITypes</key><array>
      <dict><key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryUserDefaults</string>
      <key>NSPrivacyAccessedAPITypeReasons</key><array><string>CA92.1</string><string>1C8F.1</string></array></dict>
      <dict><key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryFileTimestamp</string>
      <key>NSPrivacyAccessedAPITypeReasons</key><array><string>C617.1</string></array></dict></array>
      </dict></plist>
      """
    let catalogs = Self.catalogs(ResolvedPrivacy(isCollected: true, dataType: .name, purposes: [.other]))
    #expect(try ManifestComparison(try Manifests.list(manifest), with: catalogs).findings.isEmpty)
    #expect(try Manifests.merged(manifest, catalogs) == manifest)
  }

  @Test(arguments: [
    ("<array/>", "1:8 a privacy manifest is a dictionary: <dict>, and not <array>"),
    (
      "<dict><key>NSPrivacyTracking</key><string>NO</string></dict>",
      "1:42 'NSPrivacyTracking' is a Boolean: <true/> or"
    ),
    ("<dict><key>NSPrivacyTrackingDomains</key><true/></dict>", "1:49 'NSPrivacyTrackingDomains' is an array"),
    ("<dict><key>NSPrivacyCollectedDataTypes</key><dict/></dict>", "1:52 'NSPrivacyCollectedDataTypes' is an array"),
    (
      "<dict><key>NSPrivacyAccessedAPITypes</key><array><string>CA92.1</string></array></dict>",
      "1:57 an element of 'NSPrivacyAccessedAPITypes' is a dictionary"
    ),
    (
      "<dict><key>NSPrivacyCollectedDataTypes</key><array><dict><key>NSPrivacyCollectedDataType</key><integer>1</integer>"
        + "</dict></array></dict>", "1:102 'NSPrivacyCollectedDataType' is a text: <string>, and not <integer>"
    ),
  ])
  func wrongTypesAreRefused(value: String, finding: String) {
    do throws(PropertyListFailure) {
      _ = try ManifestComparison(try Manifests.list("<plist>\(value)</plist>"), with: Manifests.everything)
      Issue.record("accepted")
    } catch {
      let text = Manifests.text([error.finding]).first ?? ""
      #expect(text.hasPrefix(finding), "\(text)")
    }
  }

  @Test func namesThatApplePublishesNot() throws {
    let manifest = """
      <plist><dict>
      <key>NSPrivacyCollectedDataTypes</key><array><dict>
      <key>NSPrivacyCollectedDataType</key><string>NSPrivacyCollectedDataTypePhotosOrVideos</string>
      <key>NSPrivacyCollectedDataTypePurposes</key><array><string>Analytics</string></array></dict></array>
      <key>NSPrivacyAccessedAPITypes</key><array>
      <dict><key>NSPrivacyAccessedAPIType</key><string>NSPrivacyAccessedAPICategoryDiskSpace</string>
      <key>NSPrivacyAccessedAPITypeReasons</key><array><string>CA92.1</string></array></dict>
      <dict><key>NSPrivacyAccessedAPIType</key><string>UserDefaults</string></dict></array>
      </dict></plist>
      """
    let findings = try ManifestComparison(try Manifests.list(manifest), with: []).findings
    #expect(
      Manifests.text(findings) == [
        "3:38 warning: 'NSPrivacyCollectedDataTypePhotosOrVideos' is not a type of data that Apple publishes",
        "4:53 warning: 'Analytics' is not a purpose that Apple publishes",
        "7:50 warning: 'CA92.1' is not a reason for 'NSPrivacyAccessedAPICategoryDiskSpace' that Apple publishes",
        "8:42 warning: 'UserDefaults' is not a category of APIs that Apple publishes",
      ])
  }

  /// Every source of each kind of migration counts, also the last one of an aggregate.
  @Test(arguments: [
    ("{from: {SOURCE}}", "move"), ("{from: {SOURCE}, transform: Old.read}", "transform"),
    ("{from: [{name: old_a, domain: keychain, security: keychain}, {SOURCE}], aggregate: Old.join}", "aggregate"),
    ("[{from: {name: old_b, domain: keychain, security: keychain}}, {from: {SOURCE}}]", "steps"),
  ])
  func everySourceOfAMigrationCounts(migration: String, kind: String) throws {
    func catalogs(_ source: String) throws -> [ResolvedCatalog] {
      try Manifests.catalogs(
        """
        localdata: 1
        catalog: Test
        defaults: {owner: Team}
        keys:
          userName:
            type: String
            domain: keychain
            security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}
            migration: \(migration.replacing("SOURCE", with: source))
            description: What the app calls the user.
        """)
    }
    let group = try catalogs(
      "name: old, domain: {appGroupUserDefaults: {identifier: group.com.example}}, security: none, type: String")
    #expect(StorageUse(group).reasons.map(\.code) == ["1C8F.1", "C617.1"], "\(kind)")
    #expect(Entitlements(group).fragment.contains("group.com.example"), "\(kind)")
    let item = try catalogs(
      "name: old, domain: {keychain: {accessGroup: ABCDE12345.old}}, security: keychain, type: String")
    #expect(Entitlements(item).fragment.contains("$(AppIdentifierPrefix)old"), "\(kind)")
  }

  /// Records and their fields count, and so do the sources of migrations and leftovers that are deleted.
  @Test func recordsAndMigrations() throws {
    let catalogs = try Manifests.catalogs(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team}
      databases:
        main:
          domain: {appGroupFileSystem: {identifier: group.com.example, directory: applicationSupport}}
          description: Everything that the example stores.
      records:
        Contact:
          description: A person whom the user knows.
          privacy: {collected: true, dataType: contacts, purposes: [appFunctionality]}
          database: main
          key: id
          fields:
            id: {type: UUID, number: 1}
            email: {type: String, number: 2, privacy: {collected: true, dataType: emailAddress, purposes: [analytics]}}
      keys:
        token:
          type: String
          domain: keychain
          security: {keychain: {accessibility: whenUnlocked}}
          migration: {from: {name: old_token, domain: {appGroupUserDefaults: {identifier: group.com.example}}, security: none}}
          description: What the server knows the user by.
      reserved: [{name: session_v0, domain: userDefaults, cleanup: delete}]
      """)
    #expect(StorageUse(catalogs).reasons.map(\.code) == ["CA92.1", "1C8F.1", "C617.1"])
    let findings = try ManifestComparison(try Manifests.list(NewManifest.text), with: catalogs).findings
    #expect(
      findings.map { "\($0.message): \($0.notes.first?.message ?? "")" } == [
        "the collected data type 'NSPrivacyCollectedDataTypeEmailAddress' is not declared: declared by 'Contact.email'",
        "the collected data type 'NSPrivacyCollectedDataTypeContacts' is not declared: declared by 'Contact'",
        "'NSPrivacyAccessedAPICategoryUserDefaults' has no reason CA92.1: declared by 'session_v0'",
        "'NSPrivacyAccessedAPICategoryUserDefaults' has no reason 1C8F.1: declared by 'token'",
        "'NSPrivacyAccessedAPICategoryFileTimestamp' has no reason C617.1: declared by 'token', 'session_v0' and 'main'",
      ])
  }
}
