import Testing

/// Which modules each target may name. Package.swift holds our own targets apart; this holds the system's too.
struct ImportTests {
  /// The generator's core has neither Foundation nor a C library: it cannot touch the disk. The halves share the
  /// vocabulary alone.
  @Test(arguments: [
    ("LocalDataVocabulary", []),
    ("LocalDataShapes", ["LocalDataVocabulary"]),
    ("LocalDataAudit", ["LocalDataVocabulary"]),
    ("LocalDataSyntax", ["CLocalDataYAML", "Dispatch"]),
    ("LocalDataModel", ["LocalDataAudit", "LocalDataSyntax", "LocalDataVocabulary"]),
    (
      "LocalDataComparison",
      ["LocalDataAudit", "LocalDataModel", "LocalDataShapes", "LocalDataSyntax", "LocalDataVocabulary"]
    ),
    ("LocalDataEmission", ["LocalDataAudit", "LocalDataModel", "LocalDataSyntax", "LocalDataVocabulary"]),
    (
      "LocalDataFiles",
      ["Darwin", "Glibc", "LocalDataComparison", "LocalDataEmission", "LocalDataModel", "LocalDataSyntax", "Musl"]
    ),
    ("local-data-generate", ["LocalDataFiles", "LocalDataModel", "LocalDataSyntax"]),
    (
      "LocalDataDocuments",
      [
        "LocalDataAudit", "LocalDataComparison", "LocalDataEmission", "LocalDataModel", "LocalDataShapes",
        "LocalDataSyntax", "LocalDataVocabulary",
      ]
    ),
    (
      "local-data",
      [
        "ArgumentParser", "Darwin", "Glibc", "LocalDataComparison", "LocalDataDocuments", "LocalDataEmission",
        "LocalDataFiles", "LocalDataModel", "LocalDataSyntax", "Musl",
      ]
    ),
    (
      "LocalDataFoundation",
      ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "os", "Synchronization"]
    ),
    (
      "LocalDataSystem",
      [
        "CLocalDataLinux", "Crypto", "CryptoKit", "Darwin", "Dispatch", "Glibc", "LocalDataFoundation",
        "LocalDataVocabulary", "Musl", "os", "Synchronization",
      ]
    ),
    ("LocalDataSQLite", ["CLocalDataSQLite", "Dispatch", "LocalDataFoundation", "LocalDataSystem", "Synchronization"]),
    (
      "LocalDataStores",
      [
        "CLocalDataLinux", "CommonCrypto", "Crypto", "CryptoExtras", "CryptoKit", "Darwin", "Dispatch", "Foundation",
        "Glibc", "LocalAuthentication", "LocalDataFoundation", "LocalDataSQLite", "LocalDataSystem",
        "LocalDataVocabulary", "Musl", "Security",
      ]
    ),
    ("LocalDataRecordKeys", ["LocalDataFoundation", "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary"]),
    (
      "LocalData",
      ["Dispatch", "LocalDataFoundation", "LocalDataStores", "LocalDataVocabulary", "Observation", "SwiftUI"]
    ),
    (
      "LocalDataRecords",
      [
        "LocalData", "LocalDataFoundation", "LocalDataRecordKeys", "LocalDataShapes", "LocalDataSQLite",
        "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary", "Observation", "SwiftUI",
      ]
    ),
    (
      "LocalDataMaintenance",
      ["Darwin", "Foundation", "LocalData", "LocalDataAudit", "LocalDataFoundation", "LocalDataRecordKeys"]
    ),
    (
      "LocalDataImport",
      [
        "LocalData", "LocalDataFoundation", "LocalDataRecords", "LocalDataSQLite", "LocalDataStores", "LocalDataSystem",
        "LocalDataVocabulary",
      ]
    ),
    (
      "LocalDataBackup",
      [
        "Crypto", "CryptoKit", "LocalData", "LocalDataFoundation", "LocalDataRecords", "LocalDataShapes",
        "LocalDataSQLite", "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary", "Swift",
      ]
    ),
    (
      "LocalDataSync",
      ["LocalData", "LocalDataFoundation", "WatchConnectivity"]
    ),
    (
      "LocalDataSigning",
      [
        "Crypto", "CryptoKit", "LocalAuthentication", "LocalData", "LocalDataFoundation", "LocalDataStores",
        "LocalDataSystem", "LocalDataVocabulary", "Security",
      ]
    ),
    (
      "LocalDataTesting",
      ["Foundation", "LocalData", "LocalDataAudit", "LocalDataFoundation", "LocalDataRecords", "LocalDataSync"]
    ),
    ("LocalDataSecretService", ["CLocalDataSecret", "Foundation", "LocalData"]),
    ("ExampleModels", ["Crypto", "CryptoKit", "Foundation", "LocalData"]),
    (
      "wallet-sample",
      [
        "ExampleKeys", "ExampleModels", "Foundation", "LocalData", "LocalDataBackup", "LocalDataImport",
        "LocalDataMaintenance", "LocalDataRecords", "LocalDataSigning", "LocalDataSQLite", "LocalDataSystem",
      ]
    ),
    ("storage-sample", ["ExampleKeys", "ExampleModels", "Foundation", "LocalData", "LocalDataMaintenance"]),
  ])
  func importsNothingElse(target: String, allowed: [String]) throws {
    let files = try SwiftFile.all(in: target)
    try #require(!files.isEmpty)
    for file in files {
      #expect(Set(file.imports).subtracting(allowed) == [], "\(file.name)")
    }
  }

  /// The shim of libyaml also has the hint about memory.
  @Test func oneFileUsesLibyaml() throws {
    let importers = try SwiftFile.all(in: "").filter { $0.imports.contains("CLocalDataYAML") }
    #expect(importers.map(\.name) == ["LargeMemory.swift", "YAMLParser.swift"])
  }
}
