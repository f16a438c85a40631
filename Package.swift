// swift-tools-version: 6.2
import PackageDescription

// Simulators have neither libyaml nor command-line tools. With this variable, the package is the runtime and its tests.
let isRuntimeOnly = Context.environment["LOCALDATA_RUNTIME_ONLY"] != nil

// With this variable, the plugins run an installed tool, and a package that uses them does not compile it (see Tool.md).
let isToolCompiled = Context.environment["LOCALDATA_TOOL"] == nil

// Tests on Linux and macOS run it.
let probe: [Target.Dependency] = isRuntimeOnly ? [] : ["storage-probe"]

// A Mac has no libsecret, and SwiftPM warns about every package that pkg-config does not find.
#if os(Linux)
  let keyringPackage: String? = "libsecret-1"
#else
  let keyringPackage: String? = nil
#endif

let package = Package(
  name: "LocalData",
  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
  products: [
    .library(name: "LocalData", targets: ["LocalData"]),
    .library(name: "LocalDataSync", targets: ["LocalDataSync"]),
    .library(name: "LocalDataMaintenance", targets: ["LocalDataMaintenance"]),
    .library(name: "LocalDataRecords", targets: ["LocalDataRecords"]),
    .library(name: "LocalDataImport", targets: ["LocalDataImport"]),
    .library(name: "LocalDataRecordMaintenance", targets: ["LocalDataRecordMaintenance"]),
    .library(name: "LocalDataSigning", targets: ["LocalDataSigning"]),
    .library(name: "LocalDataBackup", targets: ["LocalDataBackup"]),
    .library(name: "LocalDataTesting", targets: ["LocalDataTesting"]),
    .library(name: "LocalDataSecretService", targets: ["LocalDataSecretService"]),
    .executable(name: "local-data", targets: ["local-data"]),
    .plugin(name: "LocalDataBuildPlugin", targets: ["LocalDataBuildPlugin"]),
    .plugin(name: "LocalDataGenerate", targets: ["LocalDataGenerate"]),
  ],
  traits: [
    .trait(
      name: "SecretService",
      description: "Keys of keystores in the keyring of the desktop: LocalDataSecretService, with libsecret.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    // The vocabulary: what the generator checks and the runtime executes. The rest of the words is in StorageAudit.
    .target(name: "StorageVocabulary"),

    // The tables of databases, and their merge with those of a release.
    .target(name: "RecordShapes", dependencies: ["StorageVocabulary"]),

    // The words of audits, the form of the vocabulary in catalogs, and the fate of every value.
    .target(name: "StorageAudit", dependencies: ["StorageVocabulary"]),

    // The generator, bytes to files in memory, one direction.
    .systemLibrary(
      name: "CLocalDataYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // A hint about memory.
    .systemLibrary(name: "CLocalDataMemory"),
    .target(
      name: "CatalogSyntax",
      dependencies: ["CLocalDataYAML", .target(name: "CLocalDataMemory", condition: .when(platforms: [.linux]))]),
    .target(
      name: "CatalogModel", dependencies: ["CatalogSyntax", "StorageAudit", "StorageVocabulary"]),
    .target(
      name: "CatalogComparison",
      dependencies: ["CatalogModel", "CatalogSyntax", "RecordShapes", "StorageAudit", "StorageVocabulary"]),
    // Generated Swift.
    .target(
      name: "LocalDataEmission", dependencies: ["CatalogModel", "CatalogSyntax", "StorageAudit", "StorageVocabulary"]),
    // Catalogs, releases and outputs on the disk, and the stages of a run.
    .target(
      name: "LocalDataFiles", dependencies: ["CatalogComparison", "CatalogModel", "CatalogSyntax", "LocalDataEmission"]),
    // What only people read and run: audits, pages, differences, schemas, fixtures. No build of an app compiles it.
    .target(
      name: "LocalDataDocuments",
      dependencies: [
        "CatalogComparison", "CatalogModel", "CatalogSyntax", "LocalDataEmission", "RecordShapes", "StorageAudit",
        "StorageVocabulary",
      ],
      resources: [.embedInCode("HTML/audit.css"), .embedInCode("HTML/audit.js")]),
    // The tool of the build plugin. SwiftPM compiles it, and what it depends on, in each app that uses the plugin.
    .executableTarget(
      name: "local-data-generate", dependencies: ["CatalogModel", "CatalogSyntax", "LocalDataFiles"]),
    // The tool of people.
    .executableTarget(
      name: "local-data",
      dependencies: [
        "CatalogComparison", "CatalogModel", "CatalogSyntax", "LocalDataDocuments", "LocalDataEmission",
        "LocalDataFiles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // The generator in the builds of other packages.
    .plugin(
      name: "LocalDataBuildPlugin", capability: .buildTool(),
      dependencies: isToolCompiled ? ["local-data-generate"] : [],
      path: "Sources/LocalDataBuildPlugin"),
    .plugin(
      name: "LocalDataGenerate",
      capability: .command(
        intent: .custom(verb: "generate-local-data", description: "Generate typed keys and audit documents."),
        permissions: [.writeToPackageDirectory(reason: "It writes the generated files of your targets.")]),
      // Its arguments can be any of the verb's, so it needs the tool of people.
      dependencies: isToolCompiled ? ["local-data"] : [],
      path: "Sources/LocalDataGenerate"),

    // The runtime.
    .systemLibrary(
      name: "CLocalDataSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // Calls of Linux that wait for no disk.
    .systemLibrary(name: "CLocalDataLinux"),
    // What the runtime uses of Foundation, and its lock.
    .target(name: "SmallFoundation"),
    // Threads, locks and durable files.
    .target(
      name: "StorageSystem",
      dependencies: [
        "SmallFoundation", "StorageVocabulary",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .target(name: "CLocalDataLinux", condition: .when(platforms: [.linux])),
      ]),
    // Databases that threads and processes share. On Apple's platforms only LocalDataRecords uses it.
    .target(
      name: "StorageSQLite",
      dependencies: ["CLocalDataSQLite", "SmallFoundation", "StorageSystem", "StorageVocabulary"]),
    // Containers and addresses, the stores, and the encryption of values.
    .target(
      name: "StorageStores",
      dependencies: [
        "SmallFoundation", "StorageSystem", "StorageVocabulary",
        .target(name: "StorageSQLite", condition: .when(platforms: [.linux])),
        // Apple's platforms have CryptoKit and CommonCrypto. CryptoExtras compiles BoringSSL on every platform.
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    // The keys of databases: how they are sealed and named. Only LocalDataRecords and LocalDataMaintenance use it.
    .target(
      name: "RecordKeySealing",
      dependencies: ["SmallFoundation", "StorageStores", "StorageSystem", "StorageVocabulary"]),
    .target(
      name: "LocalData", dependencies: ["SmallFoundation", "StorageStores", "StorageVocabulary"]),
    // Sync with the paired device. LocalData does not use it.
    .target(
      name: "LocalDataSync",
      dependencies: ["LocalData", "SmallFoundation"]),
    // Functions that examine, clean up and repair what is stored. LocalData does not use it.
    .target(
      name: "LocalDataMaintenance",
      dependencies: ["LocalData", "RecordKeySealing", "SmallFoundation", "StorageAudit"]),
    // Rows of databases. LocalData does not use it.
    .target(
      name: "LocalDataRecords",
      dependencies: [
        "LocalData", "RecordKeySealing", "RecordShapes", "SmallFoundation", "StorageSQLite", "StorageStores",
        "StorageSystem", "StorageVocabulary",
      ]),
    // Key pairs that sign. LocalData does not use it.
    .target(
      name: "LocalDataSigning",
      dependencies: [
        "LocalData", "SmallFoundation", "StorageStores", "StorageSystem", "StorageVocabulary",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    // Rows of other libraries' stores, which become records. LocalDataRecords does not use it.
    .target(
      name: "LocalDataImport",
      dependencies: [
        "LocalData", "LocalDataRecords", "SmallFoundation", "StorageSQLite", "StorageStores", "StorageSystem",
        "StorageVocabulary",
      ]),
    // Functions that examine rows. Neither LocalDataRecords nor LocalDataMaintenance uses it.
    .target(
      name: "LocalDataRecordMaintenance",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataRecords", "RecordShapes", "SmallFoundation", "StorageSQLite",
        "StorageStores", "StorageSystem", "StorageVocabulary",
      ]),
    // Backups that the user keeps. No other target of the runtime uses it.
    .target(
      name: "LocalDataBackup",
      dependencies: [
        "LocalData", "LocalDataRecords", "RecordShapes", "SmallFoundation", "StorageSQLite", "StorageStores",
        "StorageSystem", "StorageVocabulary",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "LocalDataTesting",
      dependencies: ["LocalData", "LocalDataRecords", "LocalDataSync", "SmallFoundation", "StorageAudit"]),

    // The keyring of the desktop. Without the trait it is empty, and needs no libsecret.
    .systemLibrary(
      name: "CLocalDataSecret", pkgConfig: keyringPackage, providers: [.apt(["libsecret-1-dev"])]),
    .target(
      name: "LocalDataSecretService",
      dependencies: [
        "LocalData",
        .target(
          name: "CLocalDataSecret", condition: .when(platforms: [.linux], traits: ["SecretService"])),
      ]),

    // The sample: its own types, the committed output for Catalogs/, the program.
    .target(
      name: "ExampleModels",
      dependencies: [
        "LocalData", .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "ExampleKeys",
      dependencies: [
        "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataRecords", "LocalDataSigning", "LocalDataSync",
        "ExampleModels",
      ],
      path: "Generated", exclude: ["Audit"]),
    .executableTarget(
      name: "storage-sample", dependencies: ["LocalData", "LocalDataMaintenance", "ExampleModels", "ExampleKeys"]),
    .executableTarget(
      name: "wallet-sample",
      dependencies: [
        "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataMaintenance", "LocalDataRecords",
        "LocalDataSigning",
        "StorageSQLite", "StorageSystem", "ExampleKeys", "ExampleModels",
      ]),

    // A program that tests run many of at once, kill and trace.
    .executableTarget(
      name: "storage-probe",
      dependencies: [
        "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataMaintenance", "LocalDataRecords", "LocalDataSync",
        "ProbeKeys",
      ],
      path: "Tests/Support/storage-probe"),

    // The keys and records that it shares with the tests that look at what it did.
    .target(
      name: "ProbeKeys",
      dependencies: [
        "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataRecords", "LocalDataSync", "StorageVocabulary",
      ],
      path: "Tests/Support/ProbeKeys"),

    // Folders, processes and seeds for tests of all parts.
    .target(name: "TestSupport", path: "Tests/Support/TestSupport"),

    // Stores, launched apps and failing file calls for tests of the runtime.
    .target(
      name: "RuntimeTestSupport",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataSync", "LocalDataTesting", "ProbeKeys", "SmallFoundation",
        "StorageVocabulary", "TestSupport",
      ],
      path: "Tests/Support/RuntimeTestSupport"),

    // Apps that have stored values without the library: two releases of their catalogs.
    .target(
      name: "RealAppsFirst", dependencies: ["LocalData"], path: "Tests/Consumers/RealApps/First", exclude: ["Catalogs"]),
    .target(
      name: "RealAppsSecond", dependencies: ["LocalData"], path: "Tests/Consumers/RealApps/Second",
      exclude: ["Catalogs"]),

    .testTarget(name: "ArchitectureTests", dependencies: ["CatalogModel", "StorageVocabulary"]),
    .testTarget(name: "RecordShapesTests", dependencies: ["RecordShapes", "StorageVocabulary", "TestSupport"]),
    .testTarget(name: "StorageAuditTests", dependencies: ["StorageAudit", "StorageVocabulary"]),
    .testTarget(
      name: "CatalogSyntaxTests", dependencies: ["CatalogSyntax", "LocalDataDocuments", "TestSupport"]),
    .testTarget(
      name: "CatalogModelTests",
      dependencies: [
        "CatalogModel", "CatalogSyntax", "LocalDataDocuments", "LocalDataEmission", "StorageVocabulary", "TestSupport",
      ],
      exclude: ["Cases"]),
    .testTarget(
      name: "CatalogEmittersTests",
      dependencies: [
        "CatalogModel", "CatalogSyntax", "LocalDataDocuments", "LocalDataEmission", "StorageVocabulary", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ],
      exclude: ["Cases", "RecordCases"]),
    .testTarget(
      name: "CatalogComparisonTests",
      dependencies: [
        "CatalogComparison", "CatalogModel", "CatalogSyntax", "ExampleKeys", "LocalDataDocuments", "LocalDataRecords",
        "RecordShapes", "RuntimeTestSupport", "StorageSQLite", "StorageStores", "StorageSystem", "StorageVocabulary",
        "TestSupport",
      ],
      exclude: ["Cases"]),
    .testTarget(
      name: "LocalDataToolTests",
      dependencies: ["LocalDataEmission", "LocalDataFiles", "TestSupport", "local-data", "local-data-generate"]),
    .testTarget(
      name: "StorageSystemTests",
      dependencies: [
        "LocalDataTesting", "RuntimeTestSupport", "SmallFoundation", "StorageStores", "StorageSystem", "TestSupport",
      ]),
    .testTarget(
      name: "StorageSQLiteTests",
      dependencies: [
        "LocalDataTesting", "RuntimeTestSupport", "SmallFoundation", "StorageSQLite", "StorageSystem", "TestSupport",
      ]),
    .testTarget(
      name: "StorageStoresTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataTesting", "ProbeKeys", "RuntimeTestSupport", "SmallFoundation",
        "StorageStores",
        "StorageSystem", "StorageVocabulary", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ] + probe,
      exclude: ["Vectors", "Envelope/Golden", "Envelope/open_value.py"]),
    .testTarget(
      name: "LocalDataTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataSync", "LocalDataTesting", "ProbeKeys", "RuntimeTestSupport",
        "SmallFoundation", "StorageStores", "StorageSystem", "StorageVocabulary", "TestSupport",
      ] + probe),
    .testTarget(
      name: "LocalDataMaintenanceTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataSync", "LocalDataTesting", "ProbeKeys", "RuntimeTestSupport",
        "SmallFoundation", "StorageStores", "StorageSystem", "StorageVocabulary", "TestSupport",
      ]),
    .testTarget(
      name: "LocalDataSyncTests",
      dependencies: [
        "LocalData", "LocalDataSync", "LocalDataTesting", "ProbeKeys", "RuntimeTestSupport", "SmallFoundation",
        "StorageStores",
        "StorageSystem", "StorageVocabulary", "TestSupport",
      ]),
    .testTarget(
      name: "LocalDataRecordsTests",
      dependencies: [
        "CLocalDataSQLite", "ExampleKeys", "LocalData", "LocalDataMaintenance", "LocalDataRecordMaintenance",
        "LocalDataRecords", "LocalDataSync", "LocalDataTesting", "ProbeKeys", "RecordKeySealing", "RecordShapes",
        "RuntimeTestSupport",
        "SmallFoundation", "StorageSQLite", "StorageStores", "StorageSystem", "StorageVocabulary", "TestSupport",
      ],
      exclude: ["Sealing/golden_rows.json", "Sealing/open_row.py", "Wire/protobuf_messages.py"]),
    .testTarget(
      name: "LocalDataSigningTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataSigning", "LocalDataTesting", "RuntimeTestSupport",
        "SmallFoundation", "StorageStores", "StorageSystem", "StorageVocabulary", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    .testTarget(
      name: "LocalDataImportTests",
      dependencies: [
        "LocalData", "LocalDataImport", "LocalDataRecords", "LocalDataTesting", "RuntimeTestSupport", "SmallFoundation",
        "StorageSQLite", "StorageStores", "StorageSystem", "StorageVocabulary", "TestSupport",
      ],
      exclude: ["Imports.yaml", "Stores", "want/Audit"]),
    .testTarget(
      name: "LocalDataBackupTests",
      dependencies: [
        "ExampleKeys", "ExampleModels", "LocalData", "LocalDataBackup", "LocalDataMaintenance", "LocalDataRecords",
        "LocalDataSigning", "LocalDataTesting", "ProbeKeys", "RuntimeTestSupport", "SmallFoundation", "StorageSQLite",
        "StorageStores", "StorageSystem",
        "StorageVocabulary", "TestSupport",
      ],
      exclude: ["read_backup.py"]),
    .testTarget(
      name: "LocalDataTestingTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataSync", "LocalDataTesting", "RuntimeTestSupport",
        "SmallFoundation", "StorageAudit", "StorageStores", "StorageVocabulary", "TestSupport",
      ]),
    // Tests that start processes.
    .testTarget(
      name: "LocalDataProcessTests",
      dependencies: [
        "LocalData", "LocalDataImport", "LocalDataMaintenance", "LocalDataRecords", "LocalDataSync", "LocalDataTesting",
        "ProbeKeys", "RuntimeTestSupport", "SmallFoundation", "StorageSQLite", "StorageStores", "StorageSystem",
        "StorageVocabulary", "TestSupport",
        "storage-probe", "wallet-sample",
      ]),
    .testTarget(
      name: "ExampleKeysTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataTesting", "ExampleModels", "ExampleKeys", "TestSupport",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "RealAppsTests",
      dependencies: ["CLocalDataSQLite", "LocalData", "RealAppsFirst", "RealAppsSecond", "TestSupport"],
      path: "Tests/Consumers/RealApps/Tests"),
  ]
)

if isRuntimeOnly {
  let names: Set = [
    "StorageVocabulary", "StorageAudit", "RecordShapes", "CLocalDataLinux", "CLocalDataSQLite", "SmallFoundation",
    "StorageSystem",
    "StorageSQLite", "StorageStores", "RecordKeySealing", "LocalData", "LocalDataMaintenance", "LocalDataRecords",
    "LocalDataImport", "LocalDataRecordMaintenance", "LocalDataSigning", "LocalDataBackup", "LocalDataSync",
    "LocalDataTesting", "ExampleModels", "ExampleKeys", "ProbeKeys", "TestSupport", "RuntimeTestSupport",
    "StorageAuditTests", "RecordShapesTests",
    "StorageSystemTests", "StorageSQLiteTests", "StorageStoresTests", "LocalDataTests", "LocalDataMaintenanceTests",
    "LocalDataSyncTests",
    "LocalDataRecordsTests", "LocalDataImportTests", "LocalDataSigningTests", "LocalDataBackupTests",
    "LocalDataTestingTests",
    "ExampleKeysTests", "RealAppsFirst", "RealAppsSecond", "RealAppsTests",
  ]
  package.targets.removeAll { !names.contains($0.name) }
  package.products.removeAll { product in
    if let library = product as? Product.Library { !names.isSuperset(of: library.targets) } else { true }
  }
  package.dependencies.removeAll {
    if case .sourceControl(_, let location, _) = $0.kind { location.hasSuffix("swift-argument-parser") } else { false }
  }
}

let isStrict = Context.environment["LOCALDATA_STRICT"] != nil

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isStrict ? [.unsafeFlags(["-warnings-as-errors", "-gnone"])] : [])
}
