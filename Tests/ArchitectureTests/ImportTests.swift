import Testing

/// Which modules each target may name. Package.swift holds our own targets apart; this holds the system's too.
struct ImportTests {
  /// The generator's core has neither Foundation nor a C library: it cannot touch the disk. The halves share the
  /// vocabulary alone.
  @Test(arguments: [
    ("StorageVocabulary", []),
    ("RecordShapes", ["StorageVocabulary"]),
    ("StorageAudit", ["StorageVocabulary"]),
    ("CatalogSyntax", ["CLocalDataMemory", "CLocalDataYAML", "Dispatch"]),
    ("CatalogModel", ["CatalogSyntax", "StorageAudit", "StorageVocabulary"]),
    ("CatalogComparison", ["CatalogModel", "CatalogSyntax", "RecordShapes", "StorageAudit", "StorageVocabulary"]),
    ("LocalDataEmission", ["CatalogModel", "CatalogSyntax", "StorageAudit", "StorageVocabulary"]),
    (
      "LocalDataFiles",
      ["CatalogComparison", "CatalogModel", "CatalogSyntax", "Darwin", "Glibc", "LocalDataEmission", "Musl"]
    ),
    ("local-data-generate", ["CatalogModel", "CatalogSyntax", "LocalDataFiles"]),
    (
      "LocalDataDocuments",
      [
        "CatalogComparison", "CatalogModel", "CatalogSyntax", "LocalDataEmission", "RecordShapes", "StorageAudit",
        "StorageVocabulary",
      ]
    ),
    (
      "local-data",
      [
        "ArgumentParser", "CatalogComparison", "CatalogModel", "CatalogSyntax", "Darwin", "Glibc", "LocalDataDocuments",
        "LocalDataEmission", "LocalDataFiles", "Musl",
      ]
    ),
    (
      "SmallFoundation",
      ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization", "os"]
    ),
    (
      "StorageSystem",
      [
        "StorageVocabulary", "CLocalDataLinux", "Crypto", "CryptoKit", "Darwin", "Dispatch", "SmallFoundation", "Glibc",
        "Musl", "Synchronization", "os",
      ]
    ),
    ("StorageSQLite", ["CLocalDataSQLite", "Dispatch", "SmallFoundation", "StorageSystem", "Synchronization"]),
    (
      "StorageStores",
      [
        "StorageSQLite", "StorageSystem", "StorageVocabulary", "CLocalDataLinux", "CommonCrypto", "Crypto",
        "CryptoExtras", "CryptoKit", "Darwin", "Dispatch", "Foundation", "Glibc", "LocalAuthentication", "Musl",
        "Security", "SmallFoundation",
      ]
    ),
    ("RecordKeySealing", ["SmallFoundation", "StorageStores", "StorageSystem", "StorageVocabulary"]),
    (
      "LocalData",
      [
        "StorageStores", "StorageVocabulary", "Dispatch", "Observation", "SmallFoundation", "SwiftUI",
      ]
    ),
    (
      "LocalDataRecords",
      [
        "LocalData", "Observation", "RecordKeySealing", "RecordShapes", "SmallFoundation", "StorageSQLite",
        "StorageStores", "StorageSystem", "StorageVocabulary", "SwiftUI",
      ]
    ),
    (
      "LocalDataMaintenance",
      ["Darwin", "Foundation", "LocalData", "RecordKeySealing", "SmallFoundation", "StorageAudit"]
    ),
    (
      "LocalDataRecordMaintenance",
      [
        "LocalData", "LocalDataMaintenance", "LocalDataRecords", "RecordShapes", "SmallFoundation", "StorageSQLite",
        "StorageStores", "StorageSystem", "StorageVocabulary",
      ]
    ),
    (
      "LocalDataImport",
      [
        "LocalData", "LocalDataRecords", "SmallFoundation", "StorageSQLite", "StorageStores", "StorageSystem",
        "StorageVocabulary",
      ]
    ),
    (
      "LocalDataBackup",
      [
        "Crypto", "CryptoKit", "LocalData", "LocalDataRecords", "RecordShapes", "SmallFoundation", "StorageSQLite",
        "StorageStores",
        "StorageSystem", "StorageVocabulary", "Swift",
      ]
    ),
    (
      "LocalDataSync",
      ["LocalData", "SmallFoundation", "WatchConnectivity"]
    ),
    (
      "LocalDataSigning",
      [
        "Crypto", "CryptoKit", "LocalAuthentication", "LocalData", "Security", "SmallFoundation", "StorageStores",
        "StorageSystem", "StorageVocabulary",
      ]
    ),
    (
      "LocalDataTesting",
      ["Foundation", "LocalData", "LocalDataRecords", "LocalDataSync", "SmallFoundation", "StorageAudit"]
    ),
    ("LocalDataSecretService", ["CLocalDataSecret", "Foundation", "LocalData"]),
    ("ExampleModels", ["Crypto", "CryptoKit", "Foundation", "LocalData"]),
    (
      "wallet-sample",
      [
        "ExampleKeys", "ExampleModels", "Foundation", "LocalData", "LocalDataBackup", "LocalDataImport",
        "LocalDataMaintenance", "LocalDataRecords", "LocalDataSigning", "StorageSQLite", "StorageSystem",
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

  @Test func oneFileImportsLibyaml() throws {
    let importers = try SwiftFile.all(in: "").filter { $0.imports.contains("CLocalDataYAML") }
    #expect(importers.map(\.name) == ["YAMLParser.swift"])
  }
}
