import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
import Foundation
import LocalDataVocabulary
import Testing

/// App groups and access groups that the catalogs name.
@Suite struct EntitlementsTests {
  private static func catalogs(_ domains: StorageDomain...) -> [ResolvedCatalog] {
    let keys = domains.enumerated().map { Manifests.key("key\($0.offset)", $0.element) }
    return [Samples.catalog(keys: keys)]
  }

  private static func findings(
    _ catalogs: [ResolvedCatalog], appGroups: [String]? = nil, accessGroups: [String]? = nil, configured: String? = nil
  ) throws -> [String] {
    func entry(_ name: String, _ values: [String]?) -> String {
      guard let values else { return "" }
      return "<key>\(name)</key><array>\(values.map { "<string>\($0)</string>" }.joined())</array>\n"
    }
    let text =
      "<plist><dict>\n" + entry("com.apple.security.application-groups", appGroups)
      + entry("keychain-access-groups", accessGroups) + "</dict></plist>"
    let list = try Manifests.list(text)
    return Manifests.text(try Entitlements(catalogs, configured: configured).findings(in: list))
  }

  @Test func theFragmentHasEachGroupOnce() throws {
    let catalogs = Self.catalogs(
      .appGroupUserDefaults(identifier: "group.com.example.b"),
      .appGroupFileSystem(identifier: "group.com.example.a", directory: .documents),
      .appGroupFileSystem(identifier: "ABCDE12345.mac", directory: .caches), .userDefaults(),
      .keychain(accessGroup: "ABCDE12345.com.example.shared"), .keychain(accessGroup: "group.com.example.a"),
      .keychain())
    #expect(
      Entitlements(catalogs).fragment == """
        \t<key>com.apple.security.application-groups</key>
        \t<array>
        \t\t<string>$(TeamIdentifierPrefix)mac</string>
        \t\t<string>group.com.example.a</string>
        \t\t<string>group.com.example.b</string>
        \t</array>
        \t<key>keychain-access-groups</key>
        \t<array>
        \t\t<string>$(AppIdentifierPrefix)$(CFBundleIdentifier)</string>
        \t\t<string>$(AppIdentifierPrefix)com.example.shared</string>
        \t</array>

        """)
    #expect(Entitlements(Self.catalogs(.userDefaults(), .keychain())).fragment == "")
    // The fragment is what `doctor` asks for.
    let text = "<plist><dict>\n\(Entitlements(catalogs).fragment)</dict></plist>"
    #expect(try Entitlements(catalogs).findings(in: try Manifests.list(text)).isEmpty)
    #expect(try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) is [String: [String]])
  }

  /// A name that differs by build is usually written with a variable of the build.
  @Test func patternsAreComparedWithTheGroups() throws {
    let group = StorageDomain.configured("widgets", like: "group.*.widgets")
    let shared = StorageDomain.configured("shared", like: "*.com.example.shared")
    let catalogs = Self.catalogs(
      .appGroupUserDefaults(identifier: group), .keychain(accessGroup: shared),
      .keychain(accessGroup: StorageDomain.configured("other")))
    #expect(Entitlements(catalogs).fragment.contains("<string>group.*.widgets</string>"))
    #expect(Entitlements(catalogs).fragment.contains("<string>*.com.example.shared</string>"))
    for name in ["group.com.example.beta.widgets", "group.$(BUILD_PREFIX).widgets"] {
      #expect(
        try Self.findings(catalogs, appGroups: [name], accessGroups: ["$(AppIdentifierPrefix)com.example.shared"]) == []
      )
    }
    let findings = try Self.findings(catalogs, appGroups: ["group.widgets"], accessGroups: [])
    #expect(findings.count == 3)
    #expect(findings.contains { $0.contains("the group 'widgets (configured, like group.*.widgets)'") })
    #expect(findings.contains { $0.contains("the group 'other (configured)'") })
  }

  /// The own group comes first only if something is stored in it: the first group is the default one.
  @Test func theDefaultAccessGroup() throws {
    let shared = Self.catalogs(.keychain(accessGroup: "ABCDE12345.shared"))
    #expect(!Entitlements(shared).fragment.contains("CFBundleIdentifier"))
    let sealed = [
      Samples.catalog(keys: [
        Manifests.key("a", .keychain(accessGroup: "ABCDE12345.shared")),
        Manifests.key("b", .userDefaults(), security: .recommended),
      ])
    ]
    #expect(Entitlements(sealed).fragment.contains("$(AppIdentifierPrefix)$(CFBundleIdentifier)"))
    #expect(
      try Self.findings(sealed, accessGroups: ["$(AppIdentifierPrefix)shared"]) == [
        "2:34 warning: the first access group is the default one, and 'ABCDE12345.shared' is shared: values without an "
          + "access group are too"
      ])
    #expect(
      try Self.findings(
        sealed, accessGroups: ["$(AppIdentifierPrefix)$(CFBundleIdentifier)", "ABCDE12345.shared"]) == [])
  }

  @Test(arguments: [
    ("group.com.example", ["group.com.example"], true), ("group.com.example", ["group.com.other"], false),
    ("group.com.example", ["group.$(PRODUCT_BUNDLE_IDENTIFIER)"], true),
    ("group.com.example", ["group.${PRODUCT_BUNDLE_IDENTIFIER:rfc1034identifier}"], true),
    ("group.com.example", ["$(APP_GROUP)"], true), ("group.com.example", ["group.$(A).shared"], false),
    ("group.com.example.shared", ["group.$(A).$(B).shared"], true),
    ("ABCDE12345.mac", ["$(TeamIdentifierPrefix)mac"], true),
    ("ABCDE12345.mac", ["ABCDE12345.mac"], true), ("short.mac", ["$(TeamIdentifierPrefix)mac"], false),
    ("group.com.example", ["group.com.example.more", "group.com", "group.$(A"], false),
    ("group.com.example", [], false),
  ])
  func appGroupsMatch(group: String, names: [String], matches: Bool) throws {
    let found = try Self.findings(Self.catalogs(.appGroupUserDefaults(identifier: group)), appGroups: names)
    #expect(
      found == (matches ? [] : ["2:49 'com.apple.security.application-groups' does not name the group '\(group)'"]))
  }

  /// The app's own access group, which Xcode writes first, is no shared group.
  @Test func accessGroupsMatch() throws {
    let catalogs = Self.catalogs(.keychain(accessGroup: "ABCDE12345.com.example.shared"))
    let missing = "'keychain-access-groups' does not name the group 'ABCDE12345.com.example.shared'"
    #expect(try Self.findings(catalogs, accessGroups: ["$(AppIdentifierPrefix)com.example.shared"]) == [])
    #expect(try Self.findings(catalogs, accessGroups: ["ABCDE12345.com.example.shared"]) == [])
    #expect(
      try Self.findings(catalogs, accessGroups: ["$(AppIdentifierPrefix)$(CFBundleIdentifier)"]) == ["2:34 \(missing)"])
    #expect(try Self.findings(catalogs) == ["1:8 \(missing)"])
    #expect(
      try Self.findings(Self.catalogs(.keychain(accessGroup: "com.example.shared")), accessGroups: []) == [
        "2:34 the access group 'com.example.shared' does not begin with the identifier of a team"
      ])
  }

  /// A name with an unknown part is one group, and cannot be two.
  @Test func aVariableIsOneGroup() throws {
    let catalogs = Self.catalogs(
      .appGroupUserDefaults(identifier: "group.a"), .appGroupUserDefaults(identifier: "group.b"))
    #expect(try Self.findings(catalogs, appGroups: ["group.$(A)"]).count == 1)
    #expect(try Self.findings(catalogs, appGroups: ["group.$(A)", "group.$(B)"]) == [])
    #expect(try Self.findings(catalogs, appGroups: ["group.$(A)", "group.a"]) == [])
  }

  @Test func theConfiguredAppGroup() throws {
    let catalogs = Self.catalogs(.appGroupUserDefaults(), .appGroupFileSystem(directory: .documents))
    #expect(Entitlements(catalogs).fragment == "")
    #expect(Entitlements(catalogs).unnamedText == "'key0' and 'key1' are stored in the configured app group")
    #expect(try Self.findings(catalogs, appGroups: ["group.any"]) == [])
    #expect(
      try Self.findings(catalogs, appGroups: []) == [
        "2:49 'com.apple.security.application-groups' names no group, but keys are stored in the configured app group"
      ])
    let named = Entitlements(catalogs, configured: "group.app")
    #expect(named.fragment.contains("<string>group.app</string>") && named.unnamedText == nil)
    #expect(try Self.findings(catalogs, appGroups: ["group.any"], configured: "group.app").count == 1)
  }

  @Test func wrongTypesAreRefused() throws {
    let list = try Manifests.list("<plist><dict><key>keychain-access-groups</key><string>a</string></dict></plist>")
    #expect(throws: PropertyListFailure.self) { try Entitlements(Self.catalogs(.userDefaults())).findings(in: list) }
  }
}
