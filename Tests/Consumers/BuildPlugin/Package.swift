// swift-tools-version: 6.2
import PackageDescription

// An app whose keys are generated while it is built.
let package = Package(
  name: "BuildPlugin",
  platforms: [.iOS(.v17), .watchOS(.v10), .macOS(.v14)],
  dependencies: [.package(name: "LocalData", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Shop", dependencies: ["Settings", .product(name: "LocalData", package: "LocalData")],
      plugins: [.plugin(name: "LocalDataBuildPlugin", package: "LocalData")]),
    // These targets have their own catalogs.
    .target(
      name: "Settings", dependencies: [.product(name: "LocalData", package: "LocalData")],
      plugins: [.plugin(name: "LocalDataBuildPlugin", package: "LocalData")]),
    .target(
      name: "Orders", dependencies: [.product(name: "LocalData", package: "LocalData")],
      plugins: [.plugin(name: "LocalDataBuildPlugin", package: "LocalData")]),
  ]
)
