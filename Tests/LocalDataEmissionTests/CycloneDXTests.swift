import LocalDataDocuments
import LocalDataModel
import Foundation
import LocalDataVocabulary
import Testing

/// The audit as CycloneDX: components, the assets that protect them, and the links between both.
struct CycloneDXTests {
  private struct Document: Decodable {
    struct Component: Decodable {
      struct Data: Decodable {
        struct Governance: Decodable { var owners: [Owner] }
        struct Owner: Decodable { var organization: Organization }
        struct Organization: Decodable { var name: String }

        var name: String
        var classification: String
        var sensitiveData: [String]?
        var governance: Governance
      }

      var type: String
      var ref: String
      var name: String
      var description: String?
      var data: [Data]?

      enum CodingKeys: String, CodingKey {
        case type, name, description, data
        case ref = "bom-ref"
      }
    }

    struct Dependency: Decodable {
      var ref: String
      var dependsOn: [String]
    }

    var bomFormat: String
    var specVersion: String
    var serialNumber: String?
    var components: [Component]
    var dependencies: [Dependency]

    /// What a component depends on, directly or not.
    func closure(of ref: String) -> Set<String> {
      var (found, rest) = (Set<String>(), [ref])
      while let next = rest.popLast() {
        for on in dependencies.filter({ $0.ref == next }).flatMap(\.dependsOn) where found.insert(on).inserted {
          rest.append(on)
        }
      }
      return found
    }
  }

  private func document(_ catalogs: [ResolvedCatalog]) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(AuditFormat.cyclonedx.render(catalogs)))
  }

  @Test(arguments: try GoldenCase.all)
  func everyLinkLeadsToAComponent(_ golden: GoldenCase) throws {
    let catalogs = try golden.resolve()
    let document = try document(catalogs)
    let refs = document.components.map(\.ref)
    #expect(Set(refs).count == refs.count)
    #expect(document.dependencies.map(\.ref).sorted() == refs.sorted())
    #expect(Set(document.dependencies.flatMap(\.dependsOn)).isSubset(of: refs))
    let values = catalogs.reduce(0) { $0 + $1.keys.count + $1.records.count + $1.unmanaged.count }
    #expect(document.components.filter { $0.type == "data" }.count == values)
    #expect(document.serialNumber == nil && document.specVersion == "1.6" && document.bomFormat == "CycloneDX")
  }

  @Test(
    arguments: [
      (.none, .userDefaults(), []),
      (.recommended, .userDefaults(), ["algorithm/ChaCha20-Poly1305", "algorithm/HKDF-SHA256", "secret/masterKey"]),
      (
        .encrypted(.init(algorithm: .aes256GCM)), .appGroupUserDefaults(identifier: "group.a"),
        ["algorithm/AES-256-GCM", "algorithm/HKDF-SHA256", "secret/masterKey/appGroup"]
      ),
      (
        .encrypted(
          .init(keyDerivation: .pbkdf2(iterations: 600_000), keySource: .external(KeyMaterialSource(id: "pin")))),
        .userDefaults(),
        [
          "algorithm/ChaCha20-Poly1305", "algorithm/HKDF-SHA256", "algorithm/PBKDF2-HMAC-SHA256", "secret/external/pin",
        ]
      ),
      (
        .keychain(accessibility: .whenUnlocked, accessControl: .userPresence), .keychain(),
        ["secret/keychain/whenUnlocked/userPresence"]
      ),
    ] as [(SecurityPolicy, StorageDomain, Set<String>)])
  func aValueDependsOnWhatProtectsIt(security: SecurityPolicy, domain: StorageDomain, assets: Set<String>) throws {
    let key = Samples.key("token", domain: domain, security: security)
    let document = try document([Samples.catalog(keys: [key])])
    #expect(document.closure(of: "key/Sample/token").filter { !$0.hasPrefix("dataKey/") } == assets)
    #expect(document.components.count { $0.type == "cryptographic-asset" } == document.components.count - 1)
  }

  @Test func recordsClassifyTheirFields() throws {
    let catalogs = RecordSamples.packageRecords
    let document = try document(catalogs)
    for record in catalogs.flatMap(\.records) {
      let component = try #require(document.components.first { $0.name == record.name && $0.type == "data" })
      #expect(component.data?.map(\.name) == record.fields.map(\.storedName))
      #expect(component.data?.map(\.classification) == record.fields.map(\.sensitivity.rawValue))
      #expect(component.data?.allSatisfy { $0.governance.owners.map(\.organization.name) == [record.owner] } == true)
      let ciphers = document.closure(of: component.ref).filter { $0.contains("Poly1305") || $0.contains("GCM") }
      #expect(ciphers.isEmpty == record.sealedFields.isEmpty, "\(record.name)")
    }
  }

  @Test(arguments: Samples.hostile)
  func hostileTextStaysText(_ text: String) throws {
    let key = Samples.key("key", name: text, description: text) { $0.owner = text }
    let component = try #require(try document([Samples.catalog(keys: [key])]).components.first)
    #expect(component.description == text)
    #expect(component.data?.first?.name == text)
    #expect(component.data?.first?.governance.owners.first?.organization.name == text)
  }
}
