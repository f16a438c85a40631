import LocalDataVocabulary
import Testing

@testable import LocalDataModel

/// Tests that what is listed in one place is listed in no other.
struct SingleListTests {
  private let runtimeTypes: Set<String>

  init() throws {
    let files = try SwiftFile.runtime.flatMap { try SwiftFile.all(in: $0) }
    runtimeTypes = Set(files.flatMap(\.publicTypes))
    try #require(runtimeTypes.isSuperset(of: ["StorageKey", "StorageDomain", "StorageRouter"]))
  }

  /// A catalog's type of this name would be meant where generated code or the app means the runtime's.
  @Test func noCatalogTakesTheNameOfARuntimeType() {
    for type in runtimeTypes.sorted() {
      #expect(ReservedIdentifiers.contains(type, as: .type), "\(type)")
    }
  }

  @Test func runtimeTypesAreNamedInOneFileOfTheEmitter() throws {
    let files = try SwiftFile.all(in: "LocalDataEmission/Swift")
    let named = files.filter { file in
      file.literals.contains { $0.matches(of: /\w+/).contains { runtimeTypes.contains(String($0.0)) } }
    }
    #expect(named.map(\.name) == ["RuntimeName.swift"])
  }

  /// The generator takes the names of cases from the vocabulary, never from a literal. `Sensitivity` is not asked: two
  /// of its names are words of Swift too.
  @Test func casesOfTheVocabularyAreListedOnce() throws {
    let cases = Set(
      StorageDomain.Kind.allCases.map(\.rawValue) + FileDirectory.Kind.allCases.map(\.rawValue)
        + SecurityPolicy.Kind.allCases.map(\.rawValue) + EncryptionAlgorithm.allCases.map(\.rawValue)
        + KeyDerivation.Kind.allCases.map(\.rawValue) + KeySource.Kind.allCases.map(\.rawValue)
        + KeychainAccessibility.allCases.map(\.rawValue) + KeychainAccessControl.allCases.map(\.rawValue)
        + SerializerKind.Kind.allCases.map(\.rawValue) + PlatformAvailability.allCases.map(\.rawValue)
        + SyncPolicy.allCases.map(\.rawValue) + [CorruptionPolicy.useDefault, .quarantine].map(\.rawValue)
        + Retention.Kind.allCases.map(\.rawValue) + Retention.End.allCases.map(\.rawValue)
        + StorageReservedName.Cleanup.allCases.map(\.rawValue))
    // A review has an end too, and a migration can be custom.
    let shared: Set = [Retention.Kind.until.rawValue, SerializerKind.Kind.custom.rawValue]
    // The tables of the language have examples, which a test decodes. Schemas, other documents and pages have words of their
    // own, and some of them are also names of cases.
    let others = [
      "Language", "Policies", "Explanations", "Audit/Schema", "Audit/CycloneDX", "HTML", "Page", "Pictures",
    ]
    // A backup of the device that is encrypted, one of the user, a field of a record, and a tag of a property list.
    let words: [String: Set] = [
      "AuditedStorage.swift": ["encrypted"], "RecordDifference.swift": ["encrypted"],
      "PropertyListReader.swift": ["data"], "BackupFileRules.swift": ["encrypted"],
    ]
    let files = try ["LocalDataModel", "LocalDataEmission", "LocalDataDocuments"].flatMap { try SwiftFile.all(in: $0) }
    for file in files where !others.contains(file.folder) {
      let found = cases.subtracting(shared).intersection(file.literals.map(String.init))
      #expect(found == words[file.name] ?? [], "\(file.name)")
    }
  }

  /// A rule that is declared and not listed would have no example, no golden case and no documentation.
  @Test func everyDeclaredRuleIsListed() throws {
    let files = try SwiftFile.all(in: "LocalDataSyntax") + SwiftFile.all(in: "LocalDataModel")
    let declared = files.flatMap(\.lines).count { $0.contains("Rule(") && $0.contains(/static let \w+ = Rule\(/) }
    #expect(declared == RuleCatalog.all.count)
  }
}
