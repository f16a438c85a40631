import LocalDataModel
import LocalDataVocabulary
import Testing

@testable import LocalDataDocuments

/// The pictures of the flows of values: what they show, and that they are drawn once.
struct PictureTests {
  private static func html(_ body: (inout HTMLWriter) -> Void) -> String {
    String(decoding: HTMLWriter.collect(capacity: 16, body), as: UTF8.self)
  }

  private static func picture(_ key: ResolvedKey) -> String {
    let values = AuditedValues([Samples.catalog(keys: [key])])
    let pictures = FlowPictures(values)
    return html { html in
      pictures.write(to: &html)
      for part in values.keys[0] { pictures.writeLink(of: part.storage, to: &html) }
    }
  }

  private static func flow(_ key: ResolvedKey) -> DataFlow {
    var storages = AuditedStorages()
    return AuditedPart(key, &storages).flow
  }

  private static func count(_ part: String, in text: String) -> Int { text.ranges(of: part).count }

  private static let file = StorageDomain.fileSystem(directory: .documents)

  @Test func keysWithTheSameFlowShareADrawing() {
    let keys = (0..<20).map { Samples.key("key\($0)", domain: $0 < 15 ? .userDefaults() : Self.file) }
    let values = AuditedValues([Samples.catalog(keys: keys)])
    let pictures = FlowPictures(values)
    let text = Self.html { html in
      pictures.write(to: &html)
      for part in values.keys[0] { pictures.writeLink(of: part.storage, to: &html) }
    }
    #expect(Self.count("<details id=\"flow-", in: text) == 2)
    #expect(Self.count("href=\"#flow-1\"", in: text) == 15)
    #expect(Self.count("href=\"#flow-2\"", in: text) == 5)
  }

  /// A value that is sent decrypted, and one that needs protection and has none.
  @Test(arguments: [
    (SecurityPolicy.recommended, true, Sensitivity.personal, "arrow falls"),
    (.none, false, .credential, "stage falls"),
  ])
  func theFallOfProtectionIsMarked(
    security: SecurityPolicy, isSent: Bool, sensitivity: Sensitivity, mark: String
  ) {
    let key = Samples.key("token", domain: Self.file, security: security) {
      ($0.sensitivity, $0.isDecryptedForSync, $0.syncPolicy) = (sensitivity, isSent, isSent ? .manual : .never)
    }
    #expect(Self.picture(key).contains("class=\"\(mark)\""))
    #expect(!Self.picture(Samples.key("theme", security: security)).contains("falls"))
  }

  @Test(arguments: [
    (
      StorageDomain.keychain(synchronizable: true), SecurityPolicy.keychain(),
      "copies: device backup (encrypted), iCloud Keychain"
    ),
    (.keychain(), .keychain(accessibility: .whenUnlockedThisDeviceOnly), "; no copies"),
    (file, .none, "copies: device backup (encrypted, unencrypted, iCloud)"),
    (file, .recommended, "device backup (unencrypted, iCloud: no key)"),
    (.fileSystem(directory: .caches), .none, "; no copies"),
    (.appGroupUserDefaults(identifier: "group.example"), .none, "app group (read by all its members)"),
  ])
  func copiesFollowFromTheFates(domain: StorageDomain, security: SecurityPolicy, words: String) {
    let key = Samples.key("value", domain: domain, security: security)
    #expect(Self.flow(key).words.contains(words), "\(Self.flow(key).words)")
  }

  @Test func theOverviewCountsKeysAndFields() {
    let keys = [
      Samples.key("theme"), Samples.key("volume"),
      Samples.key("token", domain: .keychain(), security: .keychain()) { $0.sensitivity = .credential },
    ]
    let diagram = OverviewDiagram(AuditedValues([Samples.catalog(keys: keys)]))
    #expect(diagram.total == 3)
    #expect(diagram.nodes[.init(column: .container, title: "userDefaults")] == 2)
    #expect(diagram.nodes(in: .sensitivity).map(\.title) == ["internal", "credential"])
    var picture = OverviewPicture(AuditedValues([Samples.catalog(keys: keys)]))
    let text = Self.html { picture.write(to: &$0) }
    #expect(text.contains("Data flow of 3 keys and fields. Sensitivity: internal 2, credential 1. "))
    #expect(!text.contains("falls"))
  }

  @Test func anAppWithoutKeysHasNoOverview() {
    var picture = OverviewPicture(AuditedValues([Samples.catalog()]))
    #expect(Self.html { picture.write(to: &$0) } == "")
  }

  @Test(arguments: Samples.hostile)
  func namesStayText(name: String) {
    let key = Samples.key("key", domain: .userDefaults(suite: name))
    let plain = Self.picture(Samples.key("key", domain: .userDefaults(suite: "plain")))
    #expect(Self.count("<", in: Self.picture(key)) == Self.count("<", in: plain))
  }
}
