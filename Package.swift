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
    .library(name: "LocalDataSigning", targets: ["LocalDataSigning"]),
    .library(name: "LocalDataBackup", targets: ["LocalDataBackup"]),
    .library(name: "LocalDataTesting", targets: ["LocalDataTesting"]),
    .library(name: "LocalDataSecretService", targets: ["LocalDataSecretService"]),
    .executable(name: "local-data", targets: ["local-data"]),
    .plugin(name: "LocalDataBuildPlugin", targets: ["LocalDataBuildPlugin"]),
    .plugin(name: "LocalDataGenerate", targets: ["LocalDataGenerate"]),
  ],
  traits: [
    .default(enabledTraits: ["Passphrases"]),
    .trait(
      name: "Passphrases",
      description: "PBKDF2 on Linux: keys and keystores with a passphrase, and LocalDataBackup, with CryptoExtras."),
    .trait(
      name: "SecretService",
      description: "Keys of keystores in the keyring of the desktop: LocalDataSecretService, with libsecret."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    // The vocabulary: what the generator checks and the runtime executes. The rest of the words is in LocalDataAudit.
    .target(name: "LocalDataVocabulary"),

    // The tables of databases, and their merge with those of a release.
    .target(name: "LocalDataShapes", dependencies: ["LocalDataVocabulary"]),

    // The words of audits, the form of the vocabulary in catalogs, and the fate of every value.
    .target(name: "LocalDataAudit", dependencies: ["LocalDataVocabulary"]),

    // The generator, bytes to files in memory, one direction.
    .systemLibrary(
      name: "CLocalDataYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(name: "LocalDataSyntax", dependencies: ["CLocalDataYAML"]),
    .target(
      name: "LocalDataModel", dependencies: ["LocalDataAudit", "LocalDataSyntax", "LocalDataVocabulary"]),
    .target(
      name: "LocalDataComparison",
      dependencies: ["LocalDataAudit", "LocalDataModel", "LocalDataShapes", "LocalDataSyntax", "LocalDataVocabulary"]),
    // Generated Swift.
    .target(
      name: "LocalDataEmission",
      dependencies: ["LocalDataAudit", "LocalDataModel", "LocalDataSyntax", "LocalDataVocabulary"]),
    // Catalogs, releases and outputs on the disk, and the stages of a run.
    .target(
      name: "LocalDataFiles",
      dependencies: ["LocalDataComparison", "LocalDataEmission", "LocalDataModel", "LocalDataSyntax"]),
    // What only people read and run: audits, pages, differences, schemas, fixtures. No build of an app compiles it.
    .target(
      name: "LocalDataDocuments",
      dependencies: [
        "LocalDataAudit", "LocalDataComparison", "LocalDataEmission", "LocalDataModel", "LocalDataShapes",
        "LocalDataSyntax", "LocalDataVocabulary",
      ],
      resources: [.embedInCode("HTML/audit.css"), .embedInCode("HTML/audit.js")]),
    // The tool of the build plugin. SwiftPM compiles it, and what it depends on, in each app that uses the plugin.
    .executableTarget(
      name: "local-data-generate", dependencies: ["LocalDataFiles", "LocalDataModel", "LocalDataSyntax"]),
    // The tool of people.
    .executableTarget(
      name: "local-data",
      dependencies: [
        "LocalDataComparison", "LocalDataModel", "LocalDataSyntax", "LocalDataDocuments", "LocalDataEmission",
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
    .target(name: "LocalDataFoundation"),
    // Threads, locks and durable files.
    .target(
      name: "LocalDataSystem",
      dependencies: [
        "LocalDataFoundation", "LocalDataVocabulary",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .target(name: "CLocalDataLinux", condition: .when(platforms: [.linux])),
      ]),
    // Databases that threads and processes share. On Apple's platforms only LocalDataRecords uses it.
    .target(
      name: "LocalDataSQLite",
      dependencies: ["CLocalDataSQLite", "LocalDataFoundation", "LocalDataSystem", "LocalDataVocabulary"]),
    // Containers and addresses, the stores, and the encryption of values.
    .target(
      name: "LocalDataStores",
      dependencies: [
        "LocalDataFoundation", "LocalDataSystem", "LocalDataVocabulary",
        .target(name: "LocalDataSQLite", condition: .when(platforms: [.linux])),
        // Apple's platforms have CryptoKit and CommonCrypto. CryptoExtras compiles BoringSSL on every platform.
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
        .product(
          name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.linux], traits: ["Passphrases"])),
      ]),
    // The keys of databases: how they are sealed and named. Only LocalDataRecords and LocalDataMaintenance use it.
    .target(
      name: "LocalDataRecordKeys",
      dependencies: ["LocalDataFoundation", "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary"]),
    .target(
      name: "LocalData", dependencies: ["LocalDataFoundation", "LocalDataStores", "LocalDataVocabulary"]),
    // Sync with the paired device. LocalData does not use it.
    .target(
      name: "LocalDataSync",
      dependencies: ["LocalData", "LocalDataFoundation"]),
    // Functions that examine, clean up and repair what is stored. LocalData does not use it.
    .target(
      name: "LocalDataMaintenance",
      dependencies: ["LocalData", "LocalDataAudit", "LocalDataFoundation", "LocalDataRecordKeys"]),
    // Rows of databases. LocalData does not use it.
    .target(
      name: "LocalDataRecords",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataRecordKeys", "LocalDataShapes", "LocalDataSQLite",
        "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary",
      ]),
    // Key pairs that sign. LocalData does not use it.
    .target(
      name: "LocalDataSigning",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    // Rows of other libraries' stores, which become records. LocalDataRecords does not use it.
    .target(
      name: "LocalDataImport",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataRecords", "LocalDataSQLite", "LocalDataStores", "LocalDataSystem",
        "LocalDataVocabulary",
      ]),
    // Backups that the user keeps. No other target of the runtime uses it.
    .target(
      name: "LocalDataBackup",
      dependencies: [
        "LocalData", "LocalDataRecords", "LocalDataShapes", "LocalDataFoundation", "LocalDataSQLite", "LocalDataStores",
        "LocalDataSystem", "LocalDataVocabulary",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    .target(
      name: "LocalDataTesting",
      dependencies: ["LocalData", "LocalDataAudit", "LocalDataFoundation", "LocalDataRecords", "LocalDataSync"]),

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
        "ExampleModels", "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataRecords", "LocalDataSigning",
        "LocalDataSync",
      ],
      path: "Generated", exclude: ["Audit"]),
    .executableTarget(
      name: "storage-sample", dependencies: ["ExampleKeys", "ExampleModels", "LocalData", "LocalDataMaintenance"]),
    .executableTarget(
      name: "wallet-sample",
      dependencies: [
        "ExampleKeys", "ExampleModels", "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataMaintenance",
        "LocalDataRecords", "LocalDataSigning", "LocalDataSQLite", "LocalDataSystem",
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
        "LocalData", "LocalDataBackup", "LocalDataImport", "LocalDataRecords", "LocalDataSync", "LocalDataVocabulary",
      ],
      path: "Tests/Support/ProbeKeys"),

    // Folders, processes and seeds for tests of all parts.
    .target(name: "TestSupport", path: "Tests/Support/TestSupport"),

    // Stores, launched apps and failing file calls for tests of the runtime.
    .target(
      name: "RuntimeTestSupport",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataMaintenance", "LocalDataSync", "LocalDataTesting",
        "LocalDataVocabulary", "ProbeKeys", "TestSupport",
      ],
      path: "Tests/Support/RuntimeTestSupport"),

    // Apps that have stored values without the library: two releases of their catalogs.
    .target(
      name: "RealAppsFirst", dependencies: ["LocalData"], path: "Tests/Consumers/RealApps/First", exclude: ["Catalogs"]),
    .target(
      name: "RealAppsSecond", dependencies: ["LocalData"], path: "Tests/Consumers/RealApps/Second",
      exclude: ["Catalogs"]),

    .testTarget(name: "ArchitectureTests", dependencies: ["LocalDataModel", "LocalDataVocabulary"]),
    .testTarget(name: "LocalDataShapesTests", dependencies: ["LocalDataShapes", "LocalDataVocabulary", "TestSupport"]),
    .testTarget(name: "LocalDataAuditTests", dependencies: ["LocalDataAudit", "LocalDataVocabulary"]),
    .testTarget(
      name: "LocalDataSyntaxTests", dependencies: ["LocalDataDocuments", "LocalDataSyntax", "TestSupport"]),
    .testTarget(
      name: "LocalDataModelTests",
      dependencies: [
        "LocalDataDocuments", "LocalDataEmission", "LocalDataModel", "LocalDataSyntax", "LocalDataVocabulary",
        "TestSupport",
      ],
      exclude: ["Cases"]),
    .testTarget(
      name: "LocalDataEmissionTests",
      dependencies: [
        "LocalDataModel", "LocalDataSyntax", "LocalDataDocuments", "LocalDataEmission", "LocalDataVocabulary",
        "TestSupport",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ],
      exclude: ["Cases", "RecordCases"]),
    .testTarget(
      name: "LocalDataComparisonTests",
      dependencies: [
        "ExampleKeys", "LocalDataComparison", "LocalDataDocuments", "LocalDataModel", "LocalDataRecords",
        "LocalDataShapes", "LocalDataSQLite", "LocalDataStores", "LocalDataSyntax", "LocalDataSystem",
        "LocalDataVocabulary", "RuntimeTestSupport", "TestSupport",
      ],
      exclude: ["Cases"]),
    .testTarget(
      name: "LocalDataToolTests",
      dependencies: ["local-data", "local-data-generate", "LocalDataEmission", "LocalDataFiles", "TestSupport"]),
    .testTarget(
      name: "LocalDataSystemTests",
      dependencies: [
        "LocalDataFoundation", "LocalDataStores", "LocalDataSystem", "LocalDataTesting", "RuntimeTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "LocalDataSQLiteTests",
      dependencies: [
        "LocalDataFoundation", "LocalDataSQLite", "LocalDataSystem", "LocalDataTesting", "RuntimeTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "LocalDataStoresTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataTesting", "ProbeKeys", "RuntimeTestSupport",
        "LocalDataFoundation",
        "LocalDataStores",
        "LocalDataSystem", "LocalDataVocabulary", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ] + probe,
      exclude: ["Vectors", "Envelope/Golden", "Envelope/open_value.py"]),
    .testTarget(
      name: "LocalDataTests",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataMaintenance", "LocalDataStores", "LocalDataSync",
        "LocalDataSystem", "LocalDataTesting", "LocalDataVocabulary", "ProbeKeys", "RuntimeTestSupport", "TestSupport",
      ] + probe),
    .testTarget(
      name: "LocalDataMaintenanceTests",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataMaintenance", "LocalDataStores", "LocalDataSync",
        "LocalDataSystem", "LocalDataTesting", "LocalDataVocabulary", "ProbeKeys", "RuntimeTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "LocalDataSyncTests",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataStores", "LocalDataSync", "LocalDataSystem", "LocalDataTesting",
        "LocalDataVocabulary", "ProbeKeys", "RuntimeTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "LocalDataRecordsTests",
      dependencies: [
        "CLocalDataSQLite", "ExampleKeys", "LocalData", "LocalDataFoundation", "LocalDataMaintenance",
        "LocalDataRecordKeys", "LocalDataRecords", "LocalDataShapes", "LocalDataSQLite", "LocalDataStores",
        "LocalDataSync", "LocalDataSystem", "LocalDataTesting", "LocalDataVocabulary", "ProbeKeys",
        "RuntimeTestSupport", "TestSupport",
      ],
      exclude: ["Sealing/golden_rows.json", "Sealing/open_row.py", "Wire/protobuf_messages.py"]),
    .testTarget(
      name: "LocalDataSigningTests",
      dependencies: [
        "LocalData", "LocalDataMaintenance", "LocalDataSigning", "LocalDataTesting", "RuntimeTestSupport",
        "LocalDataFoundation", "LocalDataStores", "LocalDataSystem", "LocalDataVocabulary", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    .testTarget(
      name: "LocalDataImportTests",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataImport", "LocalDataRecords", "LocalDataSQLite", "LocalDataStores",
        "LocalDataSystem", "LocalDataTesting", "LocalDataVocabulary", "RuntimeTestSupport", "TestSupport",
      ],
      exclude: ["Imports.yaml", "Stores", "want/Audit"]),
    .testTarget(
      name: "LocalDataBackupTests",
      dependencies: [
        "ExampleKeys", "ExampleModels", "LocalData", "LocalDataBackup", "LocalDataFoundation", "LocalDataMaintenance",
        "LocalDataRecords", "LocalDataSigning", "LocalDataSQLite", "LocalDataStores", "LocalDataSystem",
        "LocalDataTesting", "LocalDataVocabulary", "ProbeKeys", "RuntimeTestSupport", "TestSupport",
      ],
      exclude: ["read_backup.py"]),
    .testTarget(
      name: "LocalDataTestingTests",
      dependencies: [
        "LocalData", "LocalDataAudit", "LocalDataFoundation", "LocalDataMaintenance", "LocalDataStores",
        "LocalDataSync", "LocalDataTesting", "LocalDataVocabulary", "RuntimeTestSupport", "TestSupport",
      ]),
    // Tests that start processes.
    .testTarget(
      name: "LocalDataProcessTests",
      dependencies: [
        "LocalData", "LocalDataFoundation", "LocalDataImport", "LocalDataMaintenance", "LocalDataRecords",
        "LocalDataSQLite", "LocalDataStores", "LocalDataSync", "LocalDataSystem", "LocalDataTesting",
        "LocalDataVocabulary", "ProbeKeys", "RuntimeTestSupport", "storage-probe", "TestSupport", "wallet-sample",
      ]),
    .testTarget(
      name: "ExampleKeysTests",
      dependencies: [
        "ExampleKeys", "ExampleModels", "LocalData", "LocalDataMaintenance", "LocalDataTesting", "TestSupport",
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
    "CLocalDataLinux", "CLocalDataSQLite", "ExampleKeys", "ExampleKeysTests", "ExampleModels", "LocalData",
    "LocalDataAudit", "LocalDataAuditTests", "LocalDataBackup", "LocalDataBackupTests", "LocalDataFoundation",
    "LocalDataImport", "LocalDataImportTests", "LocalDataMaintenance", "LocalDataMaintenanceTests",
    "LocalDataRecordKeys", "LocalDataRecords", "LocalDataRecordsTests", "LocalDataShapes", "LocalDataShapesTests",
    "LocalDataSigning", "LocalDataSigningTests", "LocalDataSQLite", "LocalDataSQLiteTests", "LocalDataStores",
    "LocalDataStoresTests", "LocalDataSync", "LocalDataSyncTests", "LocalDataSystem", "LocalDataSystemTests",
    "LocalDataTesting", "LocalDataTestingTests", "LocalDataTests", "LocalDataVocabulary", "ProbeKeys", "RealAppsFirst",
    "RealAppsSecond", "RealAppsTests", "RuntimeTestSupport", "TestSupport",
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
    ] + (isStrict ? [.unsafeFlags(["-gnone", "-warnings-as-errors"])] : [])
}
