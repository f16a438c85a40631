// swift-tools-version: 6.2
import PackageDescription

// An app that uses the runtime and committed generated code: it must build where libyaml's headers are not installed.
let package = Package(
  name: "RuntimeOnly",
  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
  dependencies: [.package(name: "LocalData", path: "../../..")],
  targets: [
    .executableTarget(
      name: "RuntimeOnly", dependencies: [.product(name: "LocalData", package: "LocalData")],
      exclude: ["Generated/Audit"]),
    .testTarget(
      name: "RuntimeOnlyTests",
      dependencies: [
        "RuntimeOnly", .product(name: "LocalData", package: "LocalData"),
        .product(name: "LocalDataTesting", package: "LocalData"),
      ],
      exclude: ["Fixtures"]),
  ]
)
