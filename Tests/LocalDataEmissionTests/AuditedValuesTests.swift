import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary
import Testing

@testable import LocalDataDocuments

/// The answers about all values, which every format of the audit has.
struct AuditedValuesTests {
  /// A record of personal data with a plain field of health data, and encrypted ones.
  private static func visits() throws -> [ResolvedCatalog] {
    try Manifests.catalogs(
      """
      localdata: 1
      catalog: Visits
      defaults: {owner: Clinic, database: visits}
      databases: {visits: {domain: {fileSystem: {directory: documents}}, owner: Storage, description: The visits.}}
      records:
        Visit:
          description: A visit of a patient.
          sensitivity: personal
          allow: [{rule: personal-data-in-plain-store, reason: It is sorted by them.}]
          fields:
            id: {type: UUID, number: 1, default: new}
            day: {type: Date, number: 2, sensitivity: internal}
            diagnosis: {type: String, number: 3, sensitivity: health}
            room: {type: String, number: 4}
            card: {type: String, number: 5, sensitivity: financial, encrypted: true}
            note: {type: String, number: 6, encrypted: true}
      """)
  }

  @Test func eachFieldIsCountedByItsProtection() throws {
    let values = AuditedValues(try Self.visits())
    #expect(values.count(.health, .none) == 1 && values.count(.health, .encrypted) == 0)
    #expect(values.count(.personal, .none) == 1 && values.count(.personal, .encrypted) == 1)
    #expect(values.count(.financial, .encrypted) == 1)
    #expect(values.count(.internal, .none) == 2, "the day, and the identifier, which says nothing")
    #expect(values.exposures.map(\.names) == [["Visit.diagnosis"], ["Visit.room"]])
    #expect(values.exposures.first?.place == "database visits")
    let parts = try #require(values.records.first?.first)
    #expect(parts.map(\.sensitivityText) == ["health, personal, internal", "financial, personal"])
  }

  @Test(arguments: AuditFormat.allCases.filter { ![.cyclonedx, .processing].contains($0) })
  func everyFormatTellsOfPlainHealthData(_ format: AuditFormat) throws {
    let text = String(decoding: format.render(try Self.visits()), as: UTF8.self)
    let wanted =
      switch format {
      case .markdown: "| health | database visits | Visit.diagnosis |"
      case .text: "  health: where database visits; keys and fields Visit.diagnosis\n"
      case .json: #"{"sensitivity":"health","where":"database visits","values":["Visit.diagnosis"]}"#
      case .html: "<th scope=\"row\">health</th><td>database visits</td><td>Visit.diagnosis</td>"
      default: ",none,health,\"backups (encrypted, unencrypted, iCloud): as it is\",\r\n"
      }
    #expect(text.contains(wanted), "\(text)")
  }

  @Test func theRowsOfARecordHaveTheirOwnProtections() throws {
    let page = String(decoding: AuditFormat.html.render(try Self.visits()), as: UTF8.self)
    #expect(page.contains("<small> plain fields</small></th><td>4 fields</td>"))
    #expect(page.contains("<td>health, personal, internal</td><td>Clinic</td>"))
    #expect(page.contains("<small> encrypted fields</small></th><td>2 fields</td>"))
    #expect(page.contains("<td>financial, personal</td><td>Clinic</td>"))
    #expect(page.contains(">Visit, encrypted fields</a></li>\n</ul></th><td>financial, personal</td>"), "the matrix")
    #expect(page.contains("<title>health → not encrypted: 1, protection falls here</title>"), "the flow")
  }

  @Test(arguments: [
    (StorageDomain.userDefaults(), SecurityPolicy.none, "backups (encrypted, unencrypted, iCloud): as it is"),
    (
      .userDefaults(), .recommended,
      "backups (encrypted): encrypted, with its key; backups (unencrypted, iCloud): encrypted, without its key"
    ),
    (.keychain(), .keychain(), "backups (encrypted): as a keychain item"),
    (.keychain(), .keychain(accessibility: .whenUnlockedThisDeviceOnly), "no"),
    (
      .keychain(synchronizable: true), .keychain(),
      "backups (encrypted): as a keychain item; iCloud Keychain: encrypted end to end"
    ),
    (.fileSystem(directory: .caches), .none, "no"),
    (
      .userDefaults(), .encrypted(.external(source: KeyMaterialSource(id: "a"))),
      "backups (encrypted, unencrypted, iCloud): encrypted under a key of the app"
    ),
  ])
  func whatLeavesTheDeviceIsOneAnswer(_ domain: StorageDomain, _ security: SecurityPolicy, _ answer: String) {
    var storages = AuditedStorages()
    let key = Samples.key("value", domain: domain, security: security)
    #expect(AuditedPart(key, &storages).storage.departureText == answer)
  }

  @Test func synchronizedItemsAreNotNeverSent() {
    let key = Samples.key("token", domain: .keychain(synchronizable: true), security: .keychain())
    #expect(key.descriptor.syncText == "by iCloud Keychain")
    for format in [AuditFormat.markdown, .text, .html] {
      let text = String(decoding: format.render([Samples.catalog(keys: [key])]), as: UTF8.self)
      #expect(text.contains("by iCloud Keychain"), "\(format)")
    }
  }

  @Test func theWeakestCredentialIsNamed() {
    func credential(
      _ name: String, _ accessibility: KeychainAccessibility, _ control: KeychainAccessControl? = nil
    ) -> ResolvedKey {
      Samples.key(
        name, domain: .keychain(), security: .keychain(accessibility: accessibility, accessControl: control)
      ) { $0.sensitivity = .credential }
    }
    let keys = [
      credential("strong", .whenPasscodeSetThisDeviceOnly), credential("asked", .afterFirstUnlock, .userPresence),
      credential("weak", .afterFirstUnlock), credential("alsoWeak", .afterFirstUnlock),
      credential("here", .whenUnlocked),
      Samples.key("old") { ($0.sensitivity, $0.isLegacy) = (.credential, true) }, Samples.key("theme"),
    ]
    let weakest = AuditedValues([Samples.catalog(keys: keys)]).weakest
    #expect(weakest.map(\.names) == [["weak", "alsoWeak"], ["old"]])
    #expect(weakest.map(\.isLegacy) == [false, true])
  }

  @Test func retentionsAreOrderedByTheirLength() {
    let retentions: [Retention?] = [
      .untilRelaunch, .maxAge(seconds: 7_200), .maxAge(seconds: 604_800), .maxAge(seconds: 2_592_000), .untilReinstall,
      nil,
    ]
    let ranks = retentions.map { retention in Samples.key("a") { $0.retention = retention }.descriptor.keptRank }
    #expect(ranks == ranks.sorted() && Set(ranks).count == ranks.count)
    let page = String(decoding: AuditFormat.html.render([Samples.catalog(keys: [Samples.key("a")])]), as: UTF8.self)
    #expect(page.contains(">until removed</td>"))
  }

  @Test func aSignOutIsToldInSentences() throws {
    let catalogs = try Self.visits()
    let sentences = AuditedValues(catalogs).signOut(catalogs)
    #expect(sentences.contains("removeAll(in: VisitsCatalog.self): 0 keys and the rows of 1 record."))
    #expect(sentences.last?.hasSuffix(", the copies in backups.") == true, "\(sentences)")
  }
}
